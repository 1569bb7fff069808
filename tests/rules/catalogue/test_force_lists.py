"""Forces pasted as text: what each line of many styles means; nothing uncertain counts as found."""

import random
import re
from pathlib import Path

import pytest

from rules.force_lists import LONGEST_LINE, MAX_LINES, MAX_READINGS, TooManyLines, name_key, read_list
from rules.list_matches import MAX_CANDIDATES, MAX_TOGETHER, choice_names, match_list
from rules.services.catalogue import NewElement, catalogue_elements, record_set

from .written_forces import STYLES, generated_catalogue, written_list

pytestmark = pytest.mark.django_db


def test_no_line_of_ten_lists_in_ten_styles_is_read_wrongly():
    lists_read_rightly(seed=1, each=1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 6))
def test_no_line_of_200_lists_in_ten_styles_is_read_wrongly(seed):
    lists_read_rightly(seed=seed, each=20)


def lists_read_rightly(*, seed: int, each: int) -> None:
    """Read `each` lists of each style; fail at a line read wrongly, or if fewer than 95% were certain."""
    known = generated_catalogue(seed)
    draw = random.Random(seed)
    certain = total = 0
    for style in STYLES:
        for _list in range(each):
            text, meant = written_list(draw, style, known)
            found = {one.line.place: one for one in match_list(text)}
            for place, one in found.items():
                assert place in meant or one.is_passed_over, one.line.text
            for place, what in meant.items():
                one = found[place]
                total += 1
                if one.chosen is None:
                    continue
                certain += 1
                said = (one.chosen.row.element.code, one.chosen.count, one.to_sideline)
                assert said == (what.code, what.count, what.sideline), one.line.text
                assert one.chosen.points in (what.points, None), one.line.text
                options = one.chosen.row.document.get("point_options") or [one.chosen.row.points]
                assert what.points is None or one.chosen.points == what.points or max(options) == what.points
    assert certain >= 0.95 * total, f"{certain} of {total}"


# single lines


@pytest.fixture
def catalogue(db):
    record_set(code="svc", name="Silver City")
    record_set(code="avas", name="Avalon Assembled")
    record_set(code="tb1", name="Tide & Brass")
    record_set(code="tb", name="Tide & Brass")

    def figure(set_code, number, name, *options, **facts):
        points = {"points": max(options)} if options else {}
        points |= {"point_options": list(options)} if len(options) > 1 else {}
        return NewElement(set_code, "characters", {"name": name, "number": number, **points, **facts})

    catalogue_elements(
        elements=[
            figure("svc", "012", "Brine Ghoul", 50, 100),
            figure("svc", "013", "Weapon X", 50),
            figure("svc", "014", "Agent", 13),
            figure("svc", "015", "Agent 13", 30),
            figure("svc", "016", "Colossus of Rust"),
            figure("svc", "017", "S.H.I.E.L.D. Agent", 17, rank="rookie"),
            figure("svc", "018", "S.H.I.E.L.D. Agent", 17, rank="veteran"),
            figure("svc", "023", "X-23", 45),
            figure("svc", "044a", "Mark 1.0", 40),
            figure("svc", "044b", "Mark 10", 40),
            figure("svc", "DC24-004", "Tide Warden", 50),
            figure("svc", "LB-STBT6", "Tide Warden", 50),
            figure("svc", "005a.07", "Tide Warden", 50),
            figure("svc", "2-07", "Rust & Ruin", 50),
            figure("svc", "207", "Rust & Ruin", 60),
            figure("tb", "031", "Grey Nun"),
            figure("tb1", "032", "Grey Nun", 40),
            figure("avas", "012", "Iron Man", 75, 150),
            figure("avas", "G01", "Iron Man", 120),
            figure("svc", "001", "Iron Man", 75),
            NewElement("svc", "feats", {"name": "Slippery", "number": "F01", "points": 15}),
            NewElement("avas", "feats", {"name": "Avid", "number": "AVID-001", "points": 5}),
            NewElement("svc", "objects", {"name": "Agent 13", "number": "S01", "kind": "heavy", "points": 5}),
        ]
    )


def read(text, **more):
    """Return what each line that names an element was found to be: count, code and points, or None."""
    found = [one for one in match_list(text, **more) if not one.is_passed_over]
    return [one.chosen and (one.chosen.count, one.chosen.row.element.code, one.chosen.points) for one in found]


UNDERSTOOD = [
    *((text, (1, "svc/012", None)) for text in (
        "Brine Ghoul", "- brine ghoul", "1. Brine Ghoul", "svc012", "svc 012", "SVC-012", "#012 svc", "svc 12", "Silver City 012",
        "Brine Ghoul (SVC 012)", "[b]Brine Ghoul[/b]", "> * Brine Ghoul,", "Figure: Brine Ghoul", "\u202eBrine\u200b Ghoul\x00",
        "☐ Brine–Ghoul", "Brine Ghoul #012", "[ ] Brine Ghoul", "BrineGhoul https://example.org/x",
    )),
    *((text, (1, "svc/012", 50)) for text in (
        "Brine Ghoul - 50", "Brine Ghoul @ 50 pts", "50: Brine Ghoul", "svc012 Brine Ghoul 50", "svc 012 50", "svc,012,Brine Ghoul,50",
        "svc\t012\tBrine Ghoul\t50", "Brine Ghoul (50)", "BRINE GHOUL 50pts", "50 points - Brine Ghoul", "Ｂrine Ghoul ５０",
    )),
    *((text, (2, "svc/012", None)) for text in (
        "2x Brine Ghoul", "2 x Brine Ghoul", "2× Brine Ghoul", "Brine Ghoul x2", "Brine Ghoul (x2)", "(2) Brine Ghoul",
        "2 Brine Ghoul", "x2 svc 012", "2x svc012", "2 svc 012",
    )),
    ("2x Brine Ghoul (SVC 012) - 100 pts", (2, "svc/012", 100)),
    ("Weapon X 50", (1, "svc/013", 50)),
    ("svc 12 Brine Ghoul 50", (1, "svc/012", 50)),
    ("~ Brine Ghoul ~ 50", (1, "svc/012", 50)),
    ("Brine Ghoul.......50", (1, "svc/012", 50)),
    ("avas AVID-001", (1, "avas/feat-avid-avid-001", None)),
    ("X-23", (1, "svc/023", None)),
    ("Mark 1.0", (1, "svc/044a", None)),
    ("Iron Man (AVAS) 75", (1, "avas/012", 75)),
    ("Iron Man 120", (1, "avas/g01", 120)),
    ("avasg01", (1, "avas/g01", None)),
    ("Shield Agent (V)", (1, "svc/018", None)),
    ("Rookie SHIELD Agent 17", (1, "svc/017", 17)),
    ("Colossus of Rust 90", (1, "svc/016", 90)),
    ("Feat: Slippery", (1, "svc/feat-slippery-f01", None)),
    *((text, (1, "svc/dc24-004", 50)) for text in (
        "svc DC24-004 50", "SVCDC24-004 Tide Warden 50", "Tide Warden (svc dc24-4) 50", "DC24-004 svc - 50 pts",
        "(svc)DC24-004 Tide Warden 50",
    )),
    ("svc LB-STBT6 Tide Warden", (1, "svc/lb-stbt6", None)),
    ("SVC005a.07 Tide Warden", (1, "svc/005a07", None)),
    ("svc 2-07", (1, "svc/2-07", None)),
    ("2x Tide Warden DC24-004 50", (2, "svc/dc24-004", 50)),
    ("Iron Man (g01)", (1, "avas/g01", None)),
    ("Mark 10 044b", (1, "svc/044b", None)),
    ("svc 207", (1, "svc/207", None)),
    ("Rust and Ruin 60", (1, "svc/207", 60)),
    ("Rust & Ruin (svc) 60", (1, "svc/207", 60)),
    ("Grey Nun, Tide and Brass 031, 90", (1, "tb/031", 90)),
    ("Grey Nun - Tide & Brass #032", (1, "tb1/032", None)),
    ("Grey Nun tb #031", (1, "tb/031", None)),
]  # fmt: skip
"""Lines, and what each means: count, code and points."""


def test_a_line_of_each_style_is_understood(catalogue):
    found = {text: read(text) for text, _meant in UNDERSTOOD}
    assert found == {text: [meant] for text, meant in UNDERSTOOD}


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("Iron Man", {"avas/012", "avas/g01", "svc/001"}),
        ("Iron Man 75", {"avas/012", "svc/001"}),
        ("Agent 13", {"svc/014", "svc/015", "svc/object-agent-13-s01"}),
        ("SHIELD Agent", {"svc/017", "svc/018"}),
        ("svc 012 Iron Man", {"svc/001", "svc/012"}),
        ("svc 012 75", {"svc/012"}),
        ("Brine Ghoul (the wet one)", {"svc/012"}),
        ("Iron Man (SVC) 999", {"svc/001"}),
        ("2x Brime Ghoul - 50", {"svc/012"}),
        ("Colossus", {"svc/016"}),
        ("Colossus of Rust @ 9999999999999", {"svc/016"}),
        (" ".join(f"Brine Ghoul {number} svc" for number in range(9)), {"svc/001"}),
        ("Brine Ghoul - the wet one", {"svc/012"}),
        ("Mark 1 0 0", set()),
        ("Grey Nun 90", {"tb/031", "tb1/032"}),
        ("Grey Nun (Tide & Brass)", {"tb/031", "tb1/032"}),
        ("svc 012-013 50", {"svc/012"}),
    ],
)
def test_an_uncertain_line_offers_what_it_may_mean(catalogue, text, offered):
    (line,) = match_list(text)
    assert line.chosen is None
    assert line.reason
    assert offered <= {one.row.element.code for one in line.candidates}
    assert read(text) == [None]


def test_what_fits_a_misspelt_line_best_is_offered_first_at_its_points(catalogue):
    (line,) = match_list("2x Irom Man 150")
    assert [(one.count, one.row.element.code, one.points) for one in line.candidates[:1]] == [(2, "avas/012", 150)]
    (line,) = match_list("Iron Man (AVAS) 99")
    assert [one.row.element.code for one in line.candidates] == ["avas/012", "avas/g01", "svc/001"]
    (line,) = match_list("Irom Man svc 75")
    assert {one.row.element.set.code for one in line.candidates} == {"svc"}


@pytest.mark.parametrize(
    "text",
    [
        "Nobody",
        "svc 099",
        "xyz 012",
        "0x Brine Ghoul",
        "999x Iron Man",
        "0x Iron Man (the first)",
        "1000000000x Brine Ghoul",
        "#012",
        "Brine " * 99,
        "9" * 150 + "x Brine Ghoul",
    ],
)
def test_a_line_that_means_nothing_known_says_why(catalogue, text):
    (line,) = match_list(text)
    assert (line.chosen, line.candidates) == (None, [])
    assert line.reason


@pytest.mark.parametrize(
    "text",
    [
        "Total: 300",
        "300/300",
        "= 300 pts",
        "---",
        "Feats:",
        "== Objects (2) ==",
        "Theme: Avengers",
        "Map: Sewers",
        "Day one:",
        "Name:",
    ],
)
def test_headings_and_totals_are_passed_over(catalogue, text):
    assert read(text) == []


def test_a_heading_settles_the_kind_and_the_sideline(catalogue):
    lines = match_list("Objects\nAgent 13\nSideline:\nBrine Ghoul\nTotal: 5\nFeats\nSlippery")
    found = {one.line.text: (one.chosen.row.element.code, one.to_sideline) for one in lines if one.chosen}
    assert found == {
        "Agent 13": ("svc/object-agent-13-s01", False),
        "Brine Ghoul": ("svc/012", True),
        "Slippery": ("svc/feat-slippery-f01", False),
    }


def test_a_choice_stays_with_its_line_when_others_change(catalogue):
    (line,) = match_list("Iron Man")
    chosen = {choice_names([line.line])[0]: next(one.key for one in line.candidates if "avas/g01" in one.key)}
    assert read("Brine Ghoul\n\nIron Man\nIron Man", choices=chosen)[1:] == [(1, "avas/g01", None), None]
    assert read("Iron Man", choices={"choice 1 Iron Man": "1::svc/012"}) == [None], (
        "only what was offered can be chosen"
    )


def test_a_long_list_asks_as_often_as_a_short_one(catalogue, django_assert_max_num_queries):
    match_list("Brime Ghoul")
    for lines in (1, 99):
        with django_assert_max_num_queries(8):  # four of them for names that nothing has
            match_list("Brine Ghoul\nIron Man 75\nBrime Ghoul\n" * lines)


def test_a_list_may_not_be_endless(catalogue):
    with pytest.raises(TooManyLines):
        match_list("Brine Ghoul\n" * (MAX_LINES + 1))
    assert len(match_list("\n" * 100_000 + "Brine Ghoul")) == 1
    (line,) = match_list("Brine Ghoul " * 90_000)
    assert len(line.line.text) == LONGEST_LINE


@pytest.mark.parametrize(
    ("one", "other"), [("Spider-Man", "spider man"), ("S.H.I.E.L.D.", "shield"), ("Él", "el"), ("A & B", "A and B")]
)
def test_names_are_compared_by_their_letters_and_digits(one, other):
    assert name_key(one) == name_key(other)
    assert name_key("Mark 1.0") != name_key("Mark 10")


def test_the_documented_lines_are_understood(library):
    document = (Path(__file__).parents[3] / "docs/formats.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"### Lists\n.*?```text\n(.*?)```", document, re.S)
    lines = match_list(example)
    assert [one.line.text for one in lines if not one.is_passed_over and not one.is_certain] == []
    assert [one.line.text for one in lines if one.is_passed_over] == ["Objects:", "Total: 600"]
    assert [one.line.text for one in lines if one.to_sideline] == ["Sideline: Old Leviathan (night-ledger)"]


def test_a_line_that_can_be_read_in_too_many_ways_is_weighed_only_so_long(catalogue):
    for text in ("#1 " * 66, "1 a " * 50, "(r) svc 1 " * 20, "svc 1 " * 33):
        line = read_list(text, {"svc": ["svc"], "a": ["a"]})[0]
        assert len(line.readings) <= MAX_READINGS
        assert all(one.is_loose for one in line.readings), text


def test_a_name_that_too_many_elements_have_is_never_certain_and_offers_a_part(catalogue):
    many = [{"name": "Common Crow", "number": f"c{n}", "points": 30 + n} for n in range(MAX_CANDIDATES + 1)]
    catalogue_elements(elements=[NewElement("svc", "characters", facts) for facts in many])
    few = match_list("Common Crow 30")
    assert [one.is_certain for one in few] == [True]
    long = match_list("\n".join(["Common Crow 30"] * (MAX_TOGETHER // MAX_CANDIDATES)))
    assert not any(one.is_certain for one in long)
    assert all(0 < len(one.candidates) <= MAX_CANDIDATES for one in long)
    longest = match_list("\n".join(["Common Crow"] * MAX_LINES))
    assert {len(one.candidates) for one in longest} == {MAX_TOGETHER // MAX_LINES}
