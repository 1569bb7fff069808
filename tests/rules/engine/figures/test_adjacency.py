"""Adjacency by hand: walls, corners, elevations, stairs, soaring characters, giants, larger bases."""

from __future__ import annotations

from typing import Any

from rules.engine import adjudicate
from tests.rules.engine.boards import EDITIONS, character, position
from tests.tables import every_row

FLIGHTS = ("ic-2002", "car-2002", "dc-2005")
LATER = ("core-2014", "core-modern")


def adjacent(document: dict[str, Any], a: str, b: str, purpose: str | None = None) -> bool:
    question = {"ask": "adjacent", "a": a, "b": b} | ({"for": purpose} if purpose else {})
    document["ask"] = [question]
    answer = adjudicate(document)["answers"][0]
    assert answer["because"]
    assert answer["citations"]
    return bool(answer["result"])


@every_row("edition", EDITIONS)
def test_squares(edition: str) -> None:
    document = position(edition, ". . . .\n. # . 2\n# . . 2", walls=["C1|D1"])
    assert adjacent(document, "A1", "B1")
    assert not adjacent(document, "A1", "C1")
    assert not adjacent(document, "A1", "A1")
    assert not adjacent(document, "C1", "D1")
    assert adjacent(document, "A1", "B2")
    assert not adjacent(document, "A2", "B3")
    assert adjacent(document, "B1", "C2")
    assert not adjacent(document, "C2", "D2")


@every_row("edition", EDITIONS)
def test_walls_that_meet_close_the_corner(edition: str) -> None:
    document = position(edition, ". .\n. .", walls=["A1|B1", "A1|A2"])
    assert not adjacent(document, "A1", "B2")
    assert adjacent(document, "B1", "A2")
    straight = position(edition, ". .\n. .", walls=["A1|B1", "A2|B2"])
    assert not adjacent(straight, "A1", "B2")
    one = position(edition, ". .\n. .", walls=["A1|B1"])
    assert adjacent(one, "A1", "B2")


@every_row(("edition", "joined"), [(e, e == "dc-2005") for e in EDITIONS])
def test_stairs_join_squares_in_2005_only(edition: str, joined: bool) -> None:
    document = position(edition, ". 2", stairs=["A1|B1"])
    assert adjacent(document, "A1", "B1") is joined


@every_row("edition", LATER)
def test_across_stairs_close_attacks_are_possible_though_not_adjacent(edition: str) -> None:
    document = position(edition, ". 2", "a B", stairs=["A1|B1"])
    document["ask"] = [{"ask": "can-target", "attack": "close", "from": "a", "to": "B"}]
    answer = adjudicate(document)["answers"][0]
    assert (answer["result"], answer["because"][0].split()[0]) == (True, "Stairs")
    document["map"]["stairs"] = []
    assert adjudicate(document)["answers"][0]["result"] is False


@every_row("edition", FLIGHTS)
def test_soaring_characters_are_adjacent_to_soaring_ones(edition: str) -> None:
    up = {"speed_symbol": "wing", "flight": "soaring"}
    document = position(edition, ". . .\n. # .", "a B C", who={"a": up, "B": up})
    assert adjacent(document, "a", "B")
    assert not adjacent(document, "B", "C")


@every_row("edition", ("ic-2002", "car-2002"))
def test_on_top_of_blocking_terrain_is_a_level_of_its_own(edition: str) -> None:
    document = position(edition, "# . #\n. # #", "a B c\n. d e")
    assert not adjacent(document, "a", "B")
    assert adjacent(document, "d", "e")


def test_giants_of_2005() -> None:
    giant = {"damage_symbol": "giant"}
    document = position("dc-2005", ". . . . .\n. . . . .", "g . B . .\n. . . . C", who={"g": giant})
    assert adjacent(document, "g", "B", "movement")
    assert adjacent(document, "g", "B", "close")
    assert not adjacent(document, "B", "g", "close")
    assert not adjacent(document, "g", "B", "ranged")
    assert not adjacent(document, "g", "C", "movement")
    elsewhere = position("dc-2005", "# . . .\n. . . .", ". . . .\n. g . B", who={"g": giant})
    assert adjacent(elsewhere, "g", "B", "close")
    walled = position("dc-2005", ". . .", "g . B", who={"g": giant}, walls=["A1|B1"])
    assert not adjacent(walled, "g", "B", "movement")
    cornered = position("dc-2005", ". # .\n# . .\n. . .", "g . .\n. . .\n. . B", who={"g": giant})
    assert not adjacent(cornered, "g", "B", "movement")
    high = position("dc-2005", "2 2 .", "g . B", who={"g": giant})
    assert not adjacent(high, "g", "B", "close")
    low = position("dc-2005", ". 2 2", "g . B", who={"g": giant})
    assert adjacent(low, "g", "B", "close")
    between = position("dc-2005", ". 2 .", "g . B", who={"g": giant})
    assert not adjacent(between, "g", "B", "close")


@every_row("edition", ("dc-2005", "core-2014", "core-modern"))
def test_a_base_across_a_corner_parts_the_others(edition: str) -> None:
    peanut = character("p", None, base="peanut", squares=["A1", "B2"])
    del peanut["square"]
    document = position(edition, ". . .\n. . .", ". B .\nc . .", characters=[("A", peanut)])
    assert not adjacent(document, "B", "c")
    assert adjacent(document, "p", "B")
    assert adjacent(document, "p", "c")


def test_windows_and_doors_part_squares() -> None:
    document = position("core-modern", ". . .", windows=["A1|B1"], doors=["B1|C1"])
    assert not adjacent(document, "A1", "B1")
    assert not adjacent(document, "B1", "C1")
