"""Legal targets, by hand from each book."""

from __future__ import annotations

from typing import Any

from rules.engine import adjudicate
from tests.rules.engine.boards import EDITIONS, character, position
from tests.tables import every_row

FLIGHTS = ("ic-2002", "car-2002", "dc-2005")
LATER = ("core-2014", "core-modern")


def may(document: dict[str, Any], attack: str, attacker: str, target: str, **asked: Any) -> bool:
    document["ask"] = [{"ask": "can-target", "attack": attack, "from": attacker, "to": target, **asked}]
    answer = adjudicate(document)["answers"][0]
    assert answer["because"]
    assert answer["citations"]
    return bool(answer["result"])


@every_row("edition", EDITIONS)
def test_range_line_and_neighbours(edition: str) -> None:
    document = position(
        edition, ". . . . .\n. . . . .\n. . # . .", "a . . B .\n. . . . .\nc D . . E", who={"a": {"range": 3}}
    )
    assert may(document, "ranged", "a", "B")
    assert not may(document, "ranged", "a", "a")
    assert not may(document, "ranged", "a", "c")
    assert not may(document, "ranged", "a", "E")
    assert not may(document, "ranged", "c", "B")
    assert not may(document, "ranged", "c", "D")
    assert may(document, "close", "c", "D")
    assert not may(document, "close", "a", "B")
    document["sides"][0]["characters"][0]["range"] = 0
    assert not may(document, "ranged", "a", "B")


@every_row("edition", FLIGHTS)
def test_hovering_characters_shoot_at_their_neighbours_only(edition: str) -> None:
    wing = {"speed_symbol": "wing", "flight": "hovering"}
    document = position(edition, ". . . . .", "a B . . C", who={"a": wing})
    assert may(document, "ranged", "a", "B")
    assert not may(document, "ranged", "a", "C")
    assert may(document, "ranged", "B", "a")


@every_row(("edition", "allowed"), [("ic-2002", False), ("car-2002", False), ("dc-2005", True)])
def test_a_grounded_neighbour_spoils_the_shot_at_a_hovering_one_in_2002(edition: str, allowed: bool) -> None:
    document = position(edition, ". . .\n. . .", "a B .\nC . .", who={"B": {"speed_symbol": "wing"}})
    assert may(document, "ranged", "a", "B") is allowed


@every_row("edition", FLIGHTS)
def test_half_the_range_reaches_up(edition: str) -> None:
    up = {"speed_symbol": "wing", "flight": "soaring"}
    document = position(
        edition, ". . . . .\n. . . . .", "a . . B .\n. . . . C", who={"B": up, "C": up, "a": {"range": 5}}
    )
    assert may(document, "ranged", "a", "B")
    assert not may(document, "ranged", "a", "C")
    assert not may(document, "ranged", "B", "a")


@every_row("edition", LATER)
def test_sharpshooters_and_improved_targeting_shoot_neighbours(edition: str) -> None:
    document = position(edition, ". . .", "a B C", who={"a": {"improved": {"targeting": ["adjacent"]}}})
    assert may(document, "ranged", "a", "B")
    document = position(edition, ". . .", "a B .", who={"a": {"symbols": {"attack": ["sharpshooter"]}}})
    assert may(document, "ranged", "a", "B")


@every_row("edition", EDITIONS)
def test_leap_climb_strikes_up_but_not_through_walls(edition: str) -> None:
    document = position(edition, ". 2\n. 2", "a B\n. .", who={"a": {"powers": ["Leap/Climb"]}})
    assert may(document, "close", "a", "B")
    assert not may(document, "close", "B", "a")
    document["map"]["walls"] = ["A1|B1"]
    assert not may(document, "close", "a", "B")


@every_row(
    ("edition", "size", "reach"),
    [
        ("core-2014", "giant", 2),
        ("core-modern", "giant", 2),
        ("core-modern", "colossal", 3),
        ("core-2014", "colossal", 1),
    ],
)
def test_giant_reach(edition: str, size: str, reach: int) -> None:
    for gap in (1, 2, 3, 4):
        people = [("A", character("g", "A1", damage_symbol=size)), ("B", character("b", f"{'ABCDE'[gap]}1"))]
        document = position(edition, ". . . . .", characters=people)
        assert may(document, "close", "g", "b") is (gap <= reach), gap
        assert may(document, "close", "b", "g") is (gap == 1)


def test_battle_fury_never_shoots() -> None:
    document = position("car-2002", ". . .", "a . B", who={"a": {"powers": ["Battle Fury"]}})
    assert not may(document, "ranged", "a", "B")
    assert may(document, "ranged", "B", "a")


def test_mind_control_reaches_four_squares_without_a_range() -> None:
    who = {"a": {"powers": ["Mind Control"], "range": 0}}
    document = position("car-2002", ". . . . . .", "a . . . B C", who=who)
    assert may(document, "ranged", "a", "B", using=["Mind Control"])
    assert not may(document, "ranged", "a", "B")


@every_row(
    ("edition", "turn", "acted", "home", "allowed"),
    [
        ("core-2014", 1, False, True, False),
        ("core-2014", 2, True, True, True),
        ("core-2014", 3, False, True, True),
        ("core-2014", 1, False, False, True),
        ("core-modern", 2, True, True, False),
        ("core-modern", 2, False, False, True),
        ("core-modern", 3, False, True, True),
        ("dc-2005", 1, False, True, True),
    ],
)
def test_immunity_at_the_start(edition: str, turn: int, acted: bool, home: bool, allowed: bool) -> None:
    area = [{"type": "starting-area", "player": "B", "squares": ["D1" if home else "C1"]}]
    document = position(edition, ". . . .", "a . . B", who={"B": {"acted": acted}}, terrain=area)
    document["turn"] = {"number": turn}
    assert may(document, "ranged", "a", "B") is allowed
    document["sides"][1]["characters"][0]["immune"] = False
    assert may(document, "ranged", "a", "B")


@every_row("edition", EDITIONS)
def test_figures_off_the_map_are_no_targets(edition: str) -> None:
    document = position(edition, ". . .", "a . B")
    document["sides"][1]["characters"][0]["click"] = 9
    assert not may(document, "ranged", "a", "B")


@every_row("edition", EDITIONS)
def test_support_is_for_friends(edition: str) -> None:
    document = position(edition, ". . . .", "a b . C", who={"a": {"powers": ["Support"]}})
    assert may(document, "close", "a", "b", using=["Support"])
    document = position(edition, ". . .", "a C b", who={"a": {"powers": ["Support"]}})
    assert not may(document, "close", "a", "C", using=["Support"])
