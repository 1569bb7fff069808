"""Adjacency of figures that are off the map, soaring, giant or on top of blocking terrain, by hand."""

from __future__ import annotations

from typing import Any

from rules.engine import adjudicate
from tests.rules.engine.boards import EDITIONS, character, position
from tests.tables import every_row

UP = {"speed_symbol": "wing", "flight": "soaring"}
BIG = {"damage_symbol": "giant"}


def adjacent(document: dict[str, Any], a: str, b: str, purpose: str | None = None) -> tuple[bool, str]:
    document["ask"] = [{"ask": "adjacent", "a": a, "b": b} | ({"for": purpose} if purpose else {})]
    answer = adjudicate(document)["answers"][0]
    return answer["result"], answer["because"][0]


@every_row("edition", EDITIONS)
def test_off_the_map_no_one_is_adjacent_to_anyone(edition: str) -> None:
    document = position(edition, ". .", "a .", characters=[("B", character("B", None))])
    found, why = adjacent(document, "a", "B")
    assert found is False
    assert "off the map is adjacent to no one" in why


@every_row("edition", EDITIONS)
def test_no_one_is_adjacent_to_itself(edition: str) -> None:
    assert adjacent(position(edition, ". .", "a ."), "a", "a") == (False, "a can't be adjacent to itself.")


@every_row("edition", ["ic-2002", "car-2002", "dc-2005"])
def test_soaring_side_by_side_and_apart(edition: str) -> None:
    document = position(edition, ". . . .", "a B . C", who={"a": UP, "B": UP, "C": UP})
    assert adjacent(document, "a", "B")[0] is True
    assert adjacent(document, "a", "C") == (
        False,
        "a and C aren't adjacent: both are soaring, and their squares don't touch.",
    )


@every_row(
    ("purpose", "asks", "square", "found"),
    [
        (None, ("g", "s"), "B1", True),
        (None, ("g", "s"), "C1", True),
        (None, ("g", "s"), "D1", False),
        ("close", ("g", "s"), "C1", True),
        ("close", ("s", "g"), "C1", False),
        ("close", ("s", "g"), "B1", True),
        ("ranged", ("g", "s"), "C1", False),
        ("ranged", ("g", "s"), "B1", True),
    ],
)
def test_in_2005_a_giant_reaches_up_as_far_as_on_the_ground_but_not_for_ranged_combat(
    purpose: str | None, asks: tuple[str, str], square: str, found: bool
) -> None:
    """Giants are adjacent to soaring figures; only in close combat do they reach two squares."""
    pieces = [("A", character("g", "A1", **BIG)), ("B", character("s", square, **UP))]
    assert adjacent(position("dc-2005", ". . . .", characters=pieces), *asks, purpose)[0] is found


@every_row("edition", ["ic-2002", "car-2002"])
def test_on_top_of_blocking_terrain_and_beside_it_is_not_adjacent_in_2002(edition: str) -> None:
    hovering = {"speed_symbol": "wing", "flight": "hovering"}
    document = position(edition, ". # #", "a B C", who={"B": hovering, "C": hovering})
    found, why = adjacent(document, "a", "B")
    assert found is False
    assert "on top of blocking terrain" in why
