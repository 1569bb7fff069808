"""Drawings: well-formed and complete whatever the names are; no name becomes markup."""

import re
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from events.drawings import (
    ChartLine,
    DrawnMatch,
    Meeting,
    PathRound,
    draw_bracket,
    draw_chart,
    draw_cross_table,
    draw_path,
)
from tests.examples import examples

SVG = "{http://www.w3.org/2000/svg}"
odd = st.sampled_from(
    ["Anna", "<script>alert(1)</script>", 'O"Brien & Sons', "名前", "a\x00b\x1f", "\ud800x", "x" * 90, ""]
)


def read(drawing):
    root = ET.fromstring(str(drawing))
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    ids = root.get("aria-labelledby").split()
    assert [root.find(f"{SVG}title").get("id"), root.find(f"{SVG}desc").get("id")] == ids
    assert not list(root.iter(f"{SVG}script"))
    return root


@examples(60)
@given(st.lists(st.tuples(odd, st.lists(st.one_of(st.none(), st.integers(1, 9)), min_size=3, max_size=3)), max_size=8))
def test_a_chart_is_well_formed_and_has_each_player(lines):
    root = read(draw_chart([ChartLine(name, places) for name, places in lines], ["Round 1", "Semifinals", "Final"]))
    seen = [line for line in lines if any(place is not None for place in line[1])]
    assert len([g for g in root.iter(f"{SVG}g") if "player" in g.get("class", "")]) == len(seen)


@examples(60)
@given(st.lists(odd, min_size=2, max_size=6), st.data())
def test_a_cross_table_has_each_meeting(names, data):
    cell = st.integers(0, len(names) - 1)
    meetings = data.draw(
        st.lists(st.builds(Meeting, cell, cell, st.sampled_from(["win", "loss", "draw", "open"]), odd), max_size=6)
    )
    root = read(draw_cross_table(names, meetings))
    assert len([g for g in root.iter(f"{SVG}g") if "meeting" in g.get("class", "")]) == len(meetings)


@examples(60)
@given(
    st.lists(
        st.builds(
            PathRound, odd, st.sampled_from(["win", "loss", "draw", "bye", "missed", "open"]), odd, odd,
            st.one_of(st.none(), st.integers(1, 30)),
        ),
        max_size=9,
    ),
    st.integers(0, 30),
)  # fmt: skip
def test_a_path_has_each_round(steps, players):
    root = read(draw_path("Anna", steps, players))
    assert len([g for g in root.iter(f"{SVG}g") if "stop" in g.get("class", "")]) == len(steps)


@examples(40)
@given(st.integers(1, 4), odd, odd)
def test_a_bracket_has_a_box_for_each_battle_set_or_not(deep, a, b):
    first = [DrawnMatch(slot, a, b, 10, 20, "b") for slot in range(2 ** (deep - 1))]
    root = read(draw_bracket([first, *([] for _ in range(deep - 1))], [str(number) for number in range(deep)]))
    assert len([g for g in root.iter(f"{SVG}g") if g.get("class") == "battle"]) == 2**deep - 1


def test_winners_are_marked_by_a_sign_not_by_colour_alone():
    root = read(draw_bracket([[DrawnMatch(0, "Ann", "Bob", 10, 20, "b")]], ["Final"]))
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert "✓ Bob" in words
    assert "Ann" in words


def test_a_long_name_leaves_room_for_its_score():
    battle = DrawnMatch(0, "Alexandrine Vandenbroeck-Delacroix", "Bob", 120, 40, "a")
    drawn = draw_bracket([[battle]], ["Final"])
    assert ">✓ A. Vandenbroeck-D…<" in drawn, "the first name gives way before the surname"
    assert max(map(len, re.findall(r">(✓ [^<]+)<", drawn))) + len("120") < 24
