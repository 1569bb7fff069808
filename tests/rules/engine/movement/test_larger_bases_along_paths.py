"""Larger bases along a path: from whichever square suits best as a single base, or with the whole base for Sentinels.

Sentinels Rules › Movement (2002), Double-base Characters (2005), Moving Multi-Base Characters (2014, 2020s).
"""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import fight, fighter, refused, state, walk
from tests.tables import every_row

HOME = ["E5", "F5", "E6", "F6"]
DOOR = {"walls": [f"{letter}7|{letter}8" for letter in "ABCDEGHIJKLMNOP"]}
"""A wall across the board, below row 7, with a door one square wide in column F."""


def large(**keys: Any) -> dict[str, Any]:
    made = fighter("a", None, base="2x2", squares=HOME, **keys)
    del made["square"]
    return made


def sentinel(**keys: Any) -> dict[str, Any]:
    return large(symbols={"damage": "sentinel"}, **keys)


def peanut(**keys: Any) -> dict[str, Any]:
    made = fighter("a", None, base="peanut", squares=["E5", "E6"], **keys)
    del made["square"]
    return made


def moves(edition: str, who: dict[str, Any], *path: str, at: str = "P16", choose: Any = None, **board: Any):
    given = walk("a", " ".join(path), **({"choose": choose} if choose else {}))
    return fight(edition, [who], [fighter("b", at)], given, board=board)


@every_row("edition", ["core-2014", "core-modern"])
def test_one_of_its_squares_finds_the_door(edition: str) -> None:
    report = moves(edition, large(), "E6", "E7", "E8", **DOOR)
    assert state(report, "a")["squares"] == ["E8", "F8", "E9", "F9"]
    assert "can't end its move with its base" in refused(moves(edition, large(), "E6", "E7", **DOOR))
    shut = {"walls": [*DOOR["walls"], "F7|F8"]}
    assert "wall" in refused(moves(edition, large(), "E6", "E7", "E8", **shut))


def test_a_sentinel_does_not_pass_a_door_of_one_square() -> None:
    assert "can't pass from E6 to E7" in refused(moves("car-2002", sentinel(), "E6", "E7", "E8", kind="indoor", **DOOR))
    wide = {"walls": [edge for edge in DOOR["walls"] if edge != "E7|E8"], "kind": "indoor"}
    report = moves("car-2002", sentinel(), "E6", "E7", "E8", **wide)
    assert state(report, "a")["squares"] == ["E8", "F8", "E9", "F9"]


def test_a_sentinel_stops_beside_opponents_of_any_of_its_squares() -> None:
    assert "an opponent is adjacent" in refused(moves("car-2002", sentinel(), "E6", "F7", "F8", at="H9"))
    assert moves("car-2002", sentinel(), "E6", "F7", at="H9")["legal"] is True


def test_paths_go_from_square_to_square_and_no_further_than_the_speed() -> None:
    assert "isn't next to" in refused(moves("car-2002", sentinel(), "E8"))
    assert "isn't next to" in refused(moves("core-2014", large(), "E8"))
    assert "can move only 2" in refused(moves("car-2002", sentinel(speed=2), "E6", "E7", "E8"))
    assert "can move only 2" in refused(moves("core-2014", large(speed=2), "E6", "E7", "E8"))
    assert refused(moves("car-2002", sentinel(), "E4", "E3", "E2", "E1", "D1", "C1", "B1", "A1")) == ""


@every_row("edition", ["dc-2005", "core-2014"])
def test_an_object_ahead_is_picked_up_before_it_stops_a_peanut_base(edition: str) -> None:
    strong = peanut(powers=["Super Strength"])
    board = {"objects": [{"id": "o", "kind": "heavy", "square": "E4"}]}
    given = walk("a", "E4 E3 E2", pick_up="o")
    report = fight(edition, [strong], [fighter("b", "P16")], given, **board)
    assert (refused(report), state(report, "a")["squares"]) == ("", ["E2", "E3"])
    assert "hindering terrain" in refused(
        fight(edition, [strong], [fighter("b", "P16")], walk("a", "E4 E3 E2"), **board)
    )


def test_hindering_terrain_on_the_way_stops_it_only_where_every_square_meets_it() -> None:
    """If all of row 8 is hindering, every square of the base must stop in it; if only column E is, column F passes."""
    row = {"terrain": [{"type": "hindering", "squares": ["A8:P8"]}]}
    assert "hindering" in refused(moves("core-2014", large(), "E6", "E7", "E8", "E9", **row))
    column = {"terrain": [{"type": "hindering", "squares": ["E8"]}]}
    assert moves("core-2014", large(), "E6", "E7", "E8", "E9", **column)["legal"] is True


def test_the_tail_of_a_peanut_base_follows_or_turns_where_it_is_put() -> None:
    report = moves("dc-2005", peanut(), "E7", "F8")
    assert state(report, "a")["squares"] == ["F8", "E7"]
    report = moves("dc-2005", peanut(), "E7", "F8", choose={"squares": ["F8", "E8"]})
    assert state(report, "a")["squares"] == ["F8", "E8"]
    assert state(moves("dc-2005", peanut(), "D4"), "a")["squares"] == ["D4", "E5"]
    assert state(moves("dc-2005", peanut(), "E6"), "a")["squares"] == ["E6", "E5"]
    assert "No part of a base" in refused(moves("dc-2005", peanut(), "E7", "F8", choose={"squares": ["F8", "F9"]}))
    wall = {"walls": ["F8|E8"]}
    assert "can't end" in refused(moves("dc-2005", peanut(), "E7", "F8", choose={"squares": ["F8", "E8"]}, **wall))


@every_row(
    ("edition", "symbols", "allowed"),
    [
        ("core-modern", {"speed": "wing"}, True),
        ("core-modern", {"damage": "giant"}, True),
        ("core-modern", {}, False),
        ("core-2014", {"speed": "wing"}, False),
        ("core-2014", {"damage": "giant"}, False),
    ],
)
def test_a_base_ends_on_two_elevations_only_for_fliers_and_giants_today(
    edition: str, symbols: dict[str, str], allowed: bool
) -> None:
    step = {"terrain": [{"type": "elevated", "squares": ["E8:E9"]}]}
    report = moves(edition, large(symbols=symbols), "E6", "E7", "E8", **step)
    assert report["legal"] is allowed, report["steps"][-1]["text"]
