"""Characters that aren't knocked back, and paths of soaring or hovering characters, by hand from the books."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine import BadInput, adjudicate
from tests.rules.engine.boards import EDITIONS, character, position
from tests.rules.engine.dispute_documents import close, dice, dispute, figure
from tests.tables import every_row

FLIGHTS = ("ic-2002", "car-2002", "dc-2005")
UP = {"speed_symbol": "wing", "flight": "soaring"}
HOVERING = {"speed_symbol": "wing", "flight": "hovering"}


def knocked(document: dict[str, Any], clicks: int = 3, **asked: Any) -> dict[str, Any]:
    document["ask"] = [{"ask": "knock-back", "of": "B", "from": "a", "clicks": clicks, **asked}]
    found = adjudicate(document)["answers"][0]
    return found["result"] | {"because": found["because"]}


@every_row(("edition", "immune"), [(e, e == "dc-2005") for e in EDITIONS])
def test_transporters(edition: str, immune: bool) -> None:
    found = knocked(position(edition, ". . . . . .", "a B . . . .", who={"B": {"speed_symbol": "transporter-boot"}}))
    assert found["ends"] == ("B1" if immune else "E1")
    if immune:
        assert found["because"] == ["B isn't knocked back: it is a transporter."]


@every_row(
    ("edition", "free"),
    [("ic-2002", False), ("car-2002", False), ("dc-2005", False), ("core-2014", False), ("core-modern", True)],
)
def test_a_smaller_attacker_knocks_no_one_larger_back(edition: str, free: bool) -> None:
    small = {"a": {"damage_symbol": "tiny"}}
    found = knocked(position(edition, ". . . . . .", "a B . . . .", who=small if edition == "core-modern" else {}))
    assert found["ends"] == ("B1" if free else "E1")
    equal = knocked(position(edition, ". . . . . .", "a B . . . ."))
    assert equal["ends"] == "E1"


@every_row("edition", EDITIONS)
def test_figures_off_the_map_are_not_knocked_back(edition: str) -> None:
    off = character("B", None)
    document = position(edition, ". . .", "a . .", characters=[("B", off)])
    found = knocked(document)
    assert found["damage"] == 0
    assert "isn't on the map" in found["because"][0]


@every_row("edition", EDITIONS)
def test_from_its_own_square_the_attacker_chooses_any_direction(edition: str) -> None:
    document = position(edition, ". . .\n. . .\n. . .", "a . .\n. B .\n. . .")
    document["ask"] = [{"ask": "knock-back", "of": "B", "from": "B2", "clicks": 1}]
    assert len(adjudicate(document)["answers"][0]["result"]["choices"]) == 8


@every_row(("edition", "ends", "damage"), [("ic-2002", "C1", 1), ("car-2002", "C1", 1), ("dc-2005", "F1", 1)])
def test_a_soaring_character_passes_over_terrain_in_2005_only(edition: str, ends: str, damage: int) -> None:
    """In 2002 blocking terrain stops it; in 2005 only the edge of the map does."""
    document = position(edition, ". . . # 2 .", "a B . . . .", who={"a": UP, "B": UP})
    found = knocked(document, 9)
    assert (found["ends"], found["damage"]) == (ends, damage)


@every_row("edition", FLIGHTS)
def test_a_hovering_character_is_stopped_by_a_character_below_and_by_nothing_else(edition: str) -> None:
    document = position(edition, "2 2 2 . . .", "a B . C . .", who={"B": HOVERING})
    found = knocked(document, 4)
    assert (found["ends"], found["damage"]) == ("C1", 0)
    assert "occupies D1" in found["because"][0]


@every_row("edition", FLIGHTS)
def test_a_soaring_character_does_not_fall(edition: str) -> None:
    document = position(edition, "2 2 2 . . .", "a B . . . .", who={"a": UP, "B": UP})
    found = knocked(document, 3)
    assert (found["ends"], found["damage"]) == ("E1", 0)


@every_row(
    ("walls", "ends", "damage"),
    [(["B1|C1", "B2|C2"], "B2", 1), (["B2|C2"], "C1", 0), ([], "C1", 0)],
)
@every_row("edition", EDITIONS)
def test_a_closed_corner_stops_a_diagonal_path(edition: str, walls: list[str], ends: str, damage: int) -> None:
    document = position(edition, ". . .\n. . .\n. . .", ". . .\n. B .\na . .", walls=walls)
    found = knocked(document, 1)
    assert (found["ends"], found["damage"]) == (ends, damage)


def test_a_path_in_a_direction_that_is_no_direction() -> None:
    with pytest.raises(BadInput, match="direction"):
        knocked(position("dc-2005", ". . .", "a B ."), direction="sideways")


@every_row(
    ("edition", "immune", "because"),
    [
        ("car-2002", figure("b", "F5", "Charge"), "it has Charge"),
        ("dc-2005", figure("b", "F5", symbols={"speed": "transporter-boot"}), "it is a transporter"),
        ("core-2014", figure("b", "F5", symbols={"damage": "giant"}), "it is too large"),
        ("core-modern", figure("b", "F5", symbols={"damage": "giant"}), "A is smaller than B"),
    ],
)
def test_an_attack_with_doubles_says_why_it_knocks_no_one_back(
    edition: str, immune: dict[str, Any], because: str
) -> None:
    fight = dispute([figure("a", "E5")], [immune], close("a", "b", rolls=dice(4, 4)), edition=edition)
    notes = [step["text"] for step in adjudicate(fight)["steps"] if step["step"] == "note"]
    assert notes == [f"B isn't knocked back: {because}."]
    plain = dispute([figure("a", "E5")], [immune], close("a", "b", rolls=dice(4, 5)), edition=edition)
    assert not [step for step in adjudicate(plain)["steps"] if step["step"] == "note"]
