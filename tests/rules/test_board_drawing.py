"""The board drawing: where lines change, outlines, and valid XML for every position that the engine accepts."""

import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rules import shelf, sight
from rules.drawings.board import draw_board, labels, swatch
from rules.drawings.line import entry
from rules.engine import EDITIONS, BadInput
from rules.positions import EDGES, MARKERS, OBJECTS, TERRAIN, square_name, whole_numbers
from tests.examples import examples
from tests.tables import every_row

PLACE = some.tuples(some.integers(0, 5), some.integers(0, 4))
SQUARES = some.lists(PLACE.map(square_name), max_size=6)
CLICK = {"speed": 8, "attack": 9, "defense": 15, "damage": 2}


def elements(drawing):
    return ElementTree.fromstring(drawing)


def named(drawing, name):
    return [element for element in elements(drawing).iter() if name in element.get("class", "").split()]


@given(PLACE, PLACE, PLACE)
def test_a_line_comes_into_a_square_where_exact_fractions_say(start, end, cell):
    """Follow the line in exact steps between its crossings; the first point inside the closed square is the entry."""
    across, down = end[0] - start[0], end[1] - start[1]
    crossings = {Fraction(0), Fraction(1)}
    for place, goes in ((start[0], across), (start[1], down)):
        if goes:
            crossings |= {(Fraction(line) - place - Fraction(1, 2)) / goes for line in range(8)}
    inside = [
        at
        for at in sorted(crossings)
        if 0 <= at <= 1
        and cell[0] <= start[0] + Fraction(1, 2) + at * across <= cell[0] + 1
        and cell[1] <= start[1] + Fraction(1, 2) + at * down <= cell[1] + 1
    ]
    if inside:
        assert entry(start, end, cell) == pytest.approx(float(inside[0]))


@some.composite
def positions(draw):
    """Draw a position file with something of everything, which the engine may or may not accept."""
    people = draw(some.lists(PLACE, max_size=4, unique=True))
    sides = [{"player": name, "characters": []} for name in draw(some.sampled_from(["AB", "BA", "A", "ABCDE"]))]
    for number, place in enumerate(people):
        sides[number % len(sides)]["characters"].append(
            {
                "id": f"f{number}",
                "name": draw(some.sampled_from(["Ace", "Ace Two", "…", "<b>", "Ünï 'x' \"y\" &"])),
                "square": square_name(place),
                "range": draw(some.sampled_from([0, 6, 6.0])),
                "click": draw(some.sampled_from([1, 1.0, 2])),
                "flight": draw(some.sampled_from([None, "hovering", "soaring"])),
                "symbols": {"damage": draw(some.sampled_from(["standard", "giant", ["tiny"], "colossal"]))},
                "dial": [CLICK],
            }
        )
    sides_of = some.tuples(some.integers(0, 4), some.integers(0, 4)).map(
        lambda at: f"{square_name(at)}|{square_name((at[0] + 1, at[1]))}"
    )
    return {
        "edition": draw(some.sampled_from(list(EDITIONS))),
        "map": {
            "width": draw(some.sampled_from([6, 6.0])),
            "height": 5,
            "terrain": draw(
                some.lists(
                    some.fixed_dictionaries({"type": some.sampled_from(TERRAIN), "squares": SQUARES}), max_size=4
                )
            ),
            "markers": [
                {"kind": draw(some.sampled_from(MARKERS)), "square": square_name(place)}
                for place in draw(some.lists(PLACE, max_size=3))
            ],
            draw(some.sampled_from(EDGES)): draw(some.lists(sides_of, max_size=3)),
        },
        "sides": sides,
        "objects": [
            {"id": f"o{number}", "kind": draw(some.sampled_from(OBJECTS)), "square": square_name(place)}
            for number, place in enumerate(draw(some.lists(PLACE, max_size=2)))
        ],
    }


@examples(150)
@given(positions(), PLACE, PLACE, some.sampled_from(["", "see", "reach"]))
def test_whatever_the_engine_takes_is_drawn(document, start, end, shade):
    try:
        sight.check(document)
    except BadInput:
        return
    document = whole_numbers(document)
    seen = sight.look(document, document["edition"], square_name(start), square_name(end), shade)
    assert seen.fault is None
    drawing = draw_board(
        document, title="A & B", line=seen.line, start=square_name(start), end=square_name(end), shaded=seen.shaded
    )
    assert elements(drawing).get("aria-label") == "A & B"
    blocked = seen.line["result"] == "blocked" and len(seen.line["squares"]) > 1
    assert len(named(drawing, "line-bar")) == blocked
    assert not (blocked and named(drawing, "line-end"))


@every_row("slug", shelf.maps())
def test_every_map_is_drawn_square_by_square(slug):
    drawn = shelf.maps()[slug].map
    drawing = draw_board({"map": drawn, "sides": []}, title=slug)
    names = [element.text for element in named(drawing, "board-name")]
    assert len(names) == drawn["width"] + drawn["height"]
    assert names[0] == "A"
    assert names[-1] == str(drawn["height"])
    for kind in {area["type"] for area in drawn["terrain"]}:
        assert named(drawing, f"rim-{kind}"), kind


def test_an_area_is_outlined_inside_its_squares_round_an_inner_corner():
    shape = {
        "map": {"width": 3, "height": 3, "terrain": [{"type": "water", "squares": ["A1", "A2", "B2"]}]},
        "sides": [],
    }
    path = named(draw_board(shape, title="L"), "rim-water")[0].get("d")
    # margin 28, square 40, inset 6: the inner corner is at x 62 (left of the line at 68), y 74 (below the line at 68)
    assert "M62 34V74" in path
    assert "M62 74H102" in path
    assert len(re.findall("M", path)) == 8


def test_figures_of_one_name_have_labels_of_their_own():
    people = [{"id": str(number), "name": "Robin", "dial": [CLICK]} for number in range(25)]
    found = labels({"sides": [{"player": "A", "characters": people}]})
    assert len(set(found.values())) == 25
    assert found["0"] == "Ro"


def test_figures_of_different_names_have_different_letters():
    names = ["Batman", "Bane", "Batman", "Barbara Gordon", "Booster Gold", "Ba", "?!", "?!"]
    people = [{"id": str(number), "name": name, "dial": [CLICK]} for number, name in enumerate(names)]
    found = labels({"sides": [{"player": "A", "characters": people}]})
    assert list(found.values()) == ["Ba", "Bn", "Ba2", "BG", "Bo", "B", "?", "?2"]


@every_row(
    ("sort", "kind"),
    [("terrain", kind) for kind in TERRAIN]
    + [("edge", kind) for kind in EDGES]
    + [("marker", kind) for kind in MARKERS]
    + [("object", kind) for kind in OBJECTS]
    + [("shade", kind) for kind in ("clear", "hindered", "blocked", "reach")],
)
def test_every_sign_has_its_small_drawing(sort, kind):
    assert len(list(elements(swatch(sort, kind)).iter())) > 3
