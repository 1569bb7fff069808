"""Knock back paths and damage, by hand from each book."""

from __future__ import annotations

from typing import Any

from rules.engine import adjudicate
from tests.rules.engine.boards import EDITIONS, character, position
from tests.tables import every_row

FLIGHTS = ("ic-2002", "car-2002", "dc-2005")


def knocked(document: dict[str, Any], clicks: int, of: str = "B", **asked: Any) -> dict[str, Any]:
    document["ask"] = [{"ask": "knock-back", "of": of, "from": "a", "clicks": clicks, **asked}]
    answer = adjudicate(document)["answers"][0]
    assert answer["citations"]
    return answer["result"]


@every_row("edition", EDITIONS)
@every_row(
    ("terrain", "figures", "walls", "clicks", "ends", "damage"),
    [
        (". . . . . .", "a B . . . .", [], 3, "E1", 0),
        (". . . . . .", "a B . . . .", ["D1|E1"], 4, "D1", 1),
        (". . . . . .", "a B . . . .", ["D1|E1"], 2, "D1", 0),
        (". . . . # .", "a B . . . .", [], 9, "D1", 1),
        (". . . . . .", "a B . . C .", [], 9, "D1", 0),
        (". . . . . .", "a B . . . .", [], 9, "F1", 1),
        (". . . . 2 .", "a B . . . .", [], 9, "D1", 1),
        (". . + ~ + .", "a B . . . .", [], 3, "E1", 0),
        ("2 2 2 . . .", "a B . . . .", [], 9, "D1", 2),
        ("2 2 2 . . .", "a B . . . .", [], 2, "D1", 2),
        ("2 2 2 . . .", "a B . . . .", [], 1, "C1", 0),
        ("2 2 2 2 2 2", "a B . . . .", [], 9, "F1", 1),
    ],
)
def test_along_a_row(
    edition: str, terrain: str, figures: str, walls: list[str], clicks: int, ends: str, damage: int
) -> None:
    found = knocked(position(edition, terrain, figures, walls=walls), clicks)
    assert (found["ends"], found["damage"]) == (ends, damage)


@every_row(
    ("edition", "damage"), [("ic-2002", 0), ("car-2002", 1), ("dc-2005", 1), ("core-2014", 0), ("core-modern", 0)]
)
def test_a_figure_in_the_landing_square(edition: str, damage: int) -> None:
    found = knocked(position(edition, "2 2 2 . .", "a B . C ."), 4)
    assert (found["ends"], found["damage"]) == ("C1", damage)


@every_row(
    ("edition", "damage"), [("ic-2002", 1), ("car-2002", 1), ("dc-2005", 1), ("core-2014", 0), ("core-modern", 1)]
)
def test_blocking_terrain_in_the_landing_square(edition: str, damage: int) -> None:
    found = knocked(position(edition, "2 2 2 # .", "a B . . ."), 4)
    assert (found["ends"], found["damage"]) == ("C1", damage)


@every_row(
    ("edition", "choices"),
    [
        ("ic-2002", ["E", "SE"]),
        ("car-2002", ["E", "SE"]),
        ("dc-2005", ["E", "SE", "S"]),
        ("core-2014", None),
        ("core-modern", None),
    ],
)
def test_off_the_straight_lines(edition: str, choices: list[str] | None) -> None:
    document = position(edition, ". . . . . .\n" * 4, ". . . . . .\na . . . . .\n. . B . . .\n. . . . . .")
    found = knocked(document, 1)
    if choices is None:
        assert found["ends"] == "D4"
    else:
        assert found["choices"] == choices
        assert "ends" not in found
        assert knocked(document, 2, choose="E")["ends"] == "E3"
        assert knocked(document, 1, choose="SE")["ends"] == "D4"


@every_row("edition", EDITIONS)
def test_a_corner_closed_on_both_sides_stops_a_diagonal(edition: str) -> None:
    document = position(edition, ". . . .\n. . . #\n. . # .\n. . . .", "a . . .\n. B . .\n. . . .\n. . . .")
    assert knocked(document, 2)["damage"] == 1
    open_side = position(edition, ". . . .\n. . # .\n. . . .\n. . . .", "a . . .\n. B . .\n. . . .\n. . . .")
    found = knocked(open_side, 1)
    assert (found["ends"], found["damage"]) == ("C3", 0)


@every_row("edition", ("dc-2005", "core-2014", "core-modern"))
def test_larger_bases_are_not_knocked_back(edition: str) -> None:
    peanut = character("B", None, base="peanut", squares=["B1", "C1"])
    del peanut["square"]
    document = position(edition, ". . . .", "a . . .", characters=[("B", peanut)])
    found = knocked(document, 3)
    assert found["ends"] == ["B1", "C1"]
    assert found["damage"] == 0


@every_row(
    ("edition", "keys", "moves"),
    [
        ("car-2002", {"powers": ["Charge"]}, False),
        ("core-2014", {"powers": ["Charge"]}, False),
        ("core-modern", {"powers": ["Charge"]}, True),
        ("dc-2005", {"damage_symbol": "giant"}, False),
        ("dc-2005", {"speed_symbol": "transporter-boot"}, False),
        ("core-2014", {"speed_symbol": "transporter-boot"}, True),
        ("core-2014", {"damage_symbol": "colossal"}, False),
        ("core-modern", {"damage_symbol": "giant"}, False),
        ("core-modern", {"damage_symbol": "tiny"}, True),
        ("car-2002", {"powers": ["Charge"], "countered": ["Charge"]}, True),
    ],
)
def test_who_is_not_knocked_back(edition: str, keys: dict[str, Any], moves: bool) -> None:
    found = knocked(position(edition, ". . . .", "a B . .", who={"B": keys}), 1)
    assert found["ends"] == ("C1" if moves else "B1")


@every_row("edition", FLIGHTS)
def test_a_hovering_character_leaves_the_roof_unhurt(edition: str) -> None:
    hovering = {"speed_symbol": "wing", "flight": "hovering"}
    found = knocked(position(edition, "2 2 2 . . .", "a B . . . .", who={"B": hovering}), 3)
    assert found["damage"] == 0


def test_a_flier_of_2014_falls_unhurt_and_no_further() -> None:
    found = knocked(position("core-2014", "2 2 2 . . .", "a B . . . .", who={"B": {"speed_symbol": "wing"}}), 4)
    assert (found["ends"], found["damage"]) == ("D1", 0)


def test_figures_off_the_map_go_nowhere() -> None:
    document = position("core-2014", ". . .", "a B .")
    document["sides"][1]["characters"][0]["click"] = 2
    assert knocked(document, 2)["ends"] is None


@every_row("edition", EDITIONS)
@every_row(("roofs", "ends", "damage"), [(". 2\n2 .", "B2", 1), (". 2\n. .", "C3", 0)])
def test_a_corner_between_two_roofs_stops_a_diagonal_as_it_stops_a_move(
    edition: str, roofs: str, ends: str, damage: int
) -> None:
    upper, lower = roofs.split("\n")
    document = position(edition, f". . . .\n. {upper} .\n. {lower} .\n. . . .", "a . . .\n. B . .\n. . . .\n. . . .")
    found = knocked(document, 1)
    assert (found["ends"], found["damage"]) == (ends, damage)
