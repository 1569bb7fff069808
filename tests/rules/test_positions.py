"""Changes of positions: what the brush, the figures and the map's size do, and refuse."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rules import sight
from rules.positions import (
    EDGES,
    MARKERS,
    OBJECTS,
    TERRAIN,
    BadChange,
    brushed,
    cells_of,
    empty_map,
    moved,
    placed,
    position_on,
    read_edges,
    rectangles,
    removed,
    resized,
    square_name,
    stands_in,
    who_stands_in,
)
from tests.tables import every_row

CELLS = some.sets(some.tuples(some.integers(0, 29), some.integers(0, 29)), max_size=60)
DIAL = [{"speed": 8, "attack": 9, "defense": 15, "damage": 2, "powers": []}]


def position(width=8, height=6):
    return position_on(empty_map(width, height), "core-2014")


def piece(name="Ace", **keys):
    return {"name": name, "dial": DIAL} | keys


@given(CELLS)
def test_rectangles_stand_for_exactly_their_squares(cells):
    assert set(cells_of(rectangles(cells))) == cells


@given(CELLS, some.sampled_from(TERRAIN))
def test_terrain_that_is_drawn_twice_is_gone_again(cells, kind):
    before = position(30, 30)
    names = " ".join(map(square_name, cells)) or "A1"
    once = brushed(before, f"terrain:{kind}", names)
    sight.check(once)
    assert once != before
    assert brushed(once, f"terrain:{kind}", names) == before


@every_row(
    "brush",
    [f"terrain:{kind}" for kind in TERRAIN] + [f"marker:{kind}" for kind in MARKERS] + [f"object:{k}" for k in OBJECTS],
)
def test_every_brush_draws_what_the_engine_reads(brush):
    drawn = brushed(position(), brush, "b2:c3, e5")
    sight.check(drawn)
    assert drawn != position()
    assert brushed(drawn, "erase:squares", "A1:H6") == position()


@every_row("kind", EDGES)
def test_every_edge_is_drawn_and_taken_away(kind):
    drawn = brushed(position(), f"edge:{kind}", "B2|C2 c3-d3")
    assert drawn["map"][kind] == ["B2|C2", "C3|D3"]
    assert brushed(drawn, f"edge:{kind}", "C2|B2 C3|D3") == position()
    assert brushed(drawn, "erase:edges", "B2|C2 C3|D3") == position()


def test_a_window_takes_the_place_of_a_wall():
    walled = brushed(position(), "edge:walls", "B2|C2")
    changed = brushed(walled, "edge:windows", "B2|C2")
    assert (changed["map"]["walls"], changed["map"]["windows"]) == ([], ["B2|C2"])


def test_a_square_has_one_level_and_keeps_its_other_terrain():
    drawn = brushed(brushed(position(), "terrain:hindering", "B2"), "terrain:elevated", "A1:C3", level=2)
    drawn = brushed(drawn, "terrain:elevated", "B2", level=4)
    areas = {(area["type"], area.get("level")): area["squares"] for area in drawn["map"]["terrain"]}
    assert areas[("hindering", None)] == ["B2"]
    assert areas[("elevated", 4)] == ["B2"]
    assert set(cells_of(areas[("elevated", 2)])) == set(cells_of(["A1:C3"])) - {(1, 1)}


def test_nothing_is_changed_in_the_document_that_was_given():
    before = brushed(position(), "terrain:water", "B2")
    kept = copy.deepcopy(before)
    placed(brushed(before, "edge:walls", "B2|C2"), "A", piece(), "D4")
    resized(before, 3, 3)
    assert before == kept


@every_row(
    ("brush", "where", "says"),
    [
        ("terrain:hindering", "J1", "J1 isn.t on the map"),
        ("terrain:hindering", "", "Enter at least one square"),
        ("terrain:hindering", "4D", "a square"),
        ("terrain:hindering", "A1:ZZZ9999", "too large for a map"),
        ("edge:walls", "A1|C1", "an edge"),
        ("edge:walls", "H1|I1", "on the map"),
        ("terrain:lava", "A1", "This brush doesn't exist"),
        ("edge:ropes", "A1|B1", "This brush doesn't exist"),
    ],
)
def test_positions_that_cannot_be_drawn_are_reported(brush, where, says):
    with pytest.raises(BadChange, match=says):
        brushed(position(), brush, where)


def test_pieces_are_placed_moved_and_taken_away():
    there = placed(position(), "B", piece(), "C3")
    there = placed(there, "B", piece(base="2x2"), "E3")
    ids = [one["id"] for one in there["sides"][1]["characters"]]
    assert ids == ["ace", "ace-2"]
    sight.check(there)
    gone = moved(there, "ace-2", "G5")
    assert stands_in(gone["sides"][1]["characters"][1]) == [(6, 4), (7, 4), (6, 5), (7, 5)]
    with pytest.raises(BadChange, match="needs more squares"):
        moved(gone, "ace-2", "H6")
    with pytest.raises(BadChange, match="Ace already occupies C3"):
        moved(gone, "ace-2", "B2")
    assert who_stands_in(gone, (2, 2))["id"] == "ace"
    assert [one["id"] for one in removed(gone, "ace")["sides"][1]["characters"]] == ["ace-2"]
    with pytest.raises(BadChange, match="Choose the figure"):
        moved(gone, "nobody", "A1")


def test_a_base_of_two_squares_lies_or_stands_and_keeps_so():
    there = placed(position(), "A", piece(base="peanut"), "C3", upright=True)
    there = placed(there, "A", piece(base="peanut"), "E1")
    upright, lying = there["sides"][0]["characters"]
    assert (upright["squares"], lying["squares"]) == (["C3", "C4"], ["E1", "F1"])
    assert moved(there, "ace", "A2")["sides"][0]["characters"][0]["squares"] == ["A2", "A3"]
    sight.check(there)


def test_held_objects_are_left_where_the_figure_was():
    there = brushed(placed(position(), "A", piece(), "C3"), "object:heavy", "D4")
    there["objects"][0]["square"] = None
    there["sides"][0]["characters"][0]["holding"] = "heavy"
    left = removed(there, "ace")
    sight.check(left)
    assert left["objects"][0]["square"] == "C3"


def test_a_removed_figure_is_named_nowhere_any_more():
    there = brushed(placed(position() | {"edition": "core-modern"}, "A", piece(), "C3"), "object:light", "D4")
    there = placed(there, "A", piece(), "E1")
    other = there["sides"][0]["characters"][1]
    other |= {"generated_by": "ace", "replaces": "ace", "named_tokens": {"Web": {"ace": 2, other["id"]: 1}}}
    there["objects"][0] |= {"square": None, "equip": "any", "assigned_to": "ace"}
    sight.check(there)
    left = removed(there, "ace")
    sight.check(left)
    assert left["objects"][0]["square"] == "C3"
    assert "assigned_to" not in left["objects"][0]
    assert left["sides"][0]["characters"][0]["named_tokens"] == {"Web": {other["id"]: 1, "": 2}}
    assert 'ace"' not in json.dumps(left).replace(other["id"], "")


def test_cards_keep_the_squares_that_a_smaller_map_has():
    there = position()
    there["cards"] = [{"name": "Mud", "kind": "terrain", "squares": ["C3:F4"]}]
    there["cards"].append({"name": "Far", "kind": "terrain", "squares": ["H6"]})
    there["cards"].append({"name": "Day", "kind": "other"})
    there["event_dial"] = {"name": "Storm", "clicks": [["red"]], "colors": {"red": copy.deepcopy(there["cards"])}}
    small = resized(there | {"edition": "core-2014"}, 4, 4)
    sight.check(small)
    for cards in (small["cards"], small["event_dial"]["colors"]["red"]):
        assert [one.get("squares") for one in cards] == [["C3:D4"], None]


def test_a_smaller_map_keeps_what_lies_on_it():
    there = brushed(brushed(position(), "terrain:water", "A1:F1"), "edge:walls", "B2|C2 F2|G2")
    there = placed(placed(there, "A", piece(), "B4"), "A", piece(), "H6")
    small = resized(there, 4, 4)
    sight.check(small)
    assert small["map"]["terrain"] == [{"type": "water", "squares": ["A1:D1"]}]
    assert small["map"]["walls"] == ["B2|C2"]
    assert [one["square"] for one in small["sides"][0]["characters"]] == ["B4"]
    with pytest.raises(BadChange, match="1 to 200"):
        resized(there, 0, 4)


def test_edges_are_read_in_either_order():
    assert read_edges("E4|D4") == read_edges("d4-e4")
