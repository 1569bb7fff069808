"""Lines between soaring figures and giants, and lines that ignore elevated terrain, by hand from the books."""

from __future__ import annotations

from typing import Any

from rules.engine import line_of_fire
from tests.rules.engine.boards import EDITIONS, position
from tests.tables import every_row

UP = {"speed_symbol": "wing", "flight": "soaring"}
FLIGHTS = ("ic-2002", "car-2002", "dc-2005")


def line(document: dict[str, Any], start: str = "a", end: str = "B") -> str:
    return line_of_fire(document, start, end)["result"]


@every_row("edition", FLIGHTS)
@every_row("terrain", [". . . . .", ". . # . .", ". . + . .", ". . 4 . ."])
def test_nothing_on_the_ground_is_between_two_soaring_figures(edition: str, terrain: str) -> None:
    assert line(position(edition, terrain, "a . . . B", who={"a": UP, "B": UP})) == "clear"


@every_row(
    ("edition", "between", "found"),
    [
        *((edition, UP, "blocked") for edition in FLIGHTS),
        ("ic-2002", {}, "blocked"),
        ("car-2002", {}, "blocked"),
        ("dc-2005", {}, "clear"),
        ("dc-2005", {"speed_symbol": "wing", "flight": "hovering"}, "clear"),
    ],
)
def test_figures_between_two_soaring_ones(edition: str, between: dict[str, Any], found: str) -> None:
    """In 2002 also figures on the ground (Magister, July 21, 2002), in 2005 only soaring ones."""
    document = position(edition, ". . . . .", "a . C . B", who={"a": UP, "B": UP, "C": between})
    assert line(document) == found


@every_row("edition", ["ic-2002", "car-2002"])
@every_row(("terrain", "found"), [(". . . . .", "blocked"), ("2 2 2 2 2", "clear"), ("3 3 3 3 3", "clear")])
def test_a_soaring_figure_is_not_between_two_roofs(edition: str, terrain: str, found: str) -> None:
    """Between two roofs only figures and terrain on roofs matter; on the ground any figure in a square blocks (2002)."""
    assert line(position(edition, terrain, "a . C . B", who={"C": UP})) == found
    assert line(position(edition, terrain, "a . C . B")) == "blocked"


@every_row(("flight", "found"), [(None, "clear"), ("hovering", "blocked")])
def test_indoor_blocking_terrain_below_two_roofs_blocks_hovering_figures(flight: str | None, found: str) -> None:
    """Indoor blocking terrain blocks the lines of fire of hovering figures, whatever their elevation (2002)."""
    hovers = {"speed_symbol": "wing", "flight": flight} if flight else {}
    indoor = {"kind": "mixed", "terrain": [{"type": "indoor", "squares": ["C1"]}]}
    assert line(position("car-2002", "2 . # . 2", "a . . . B", who={"a": hovers}, **indoor)) == found
    assert line(position("car-2002", "2 . # . 2", "a . . . B", who={"a": hovers})) == "clear"


@every_row("edition", FLIGHTS)
def test_soaring_figures_draw_no_line_to_a_standard_figure_on_the_ground(edition: str) -> None:
    assert line(position(edition, ". . . .", "a . . B", who={"a": UP})) == "blocked"


@every_row("size", ["giant", "colossal"])
@every_row("terrain", [". . . . .", ". . # . .", ". . 3 . ."])
def test_in_2005_soaring_figures_draw_lines_to_giants_over_everything(size: str, terrain: str) -> None:
    document = position("dc-2005", terrain, "a . . . B", who={"a": UP, "B": {"damage_symbol": size}})
    assert line(document) == "clear"
    assert line(document, "B", "a") == "clear"


@every_row(("power", "found"), [({}, "blocked"), ({"improved": {"targeting": ["elevated"]}}, "clear")])
@every_row("edition", EDITIONS)
def test_improved_targeting_past_elevated_terrain(edition: str, power: dict[str, Any], found: str) -> None:
    assert line(position(edition, ". . 2 . .", "a . . . B", who={"a": power})) == found


def test_squares_of_the_same_terrain_are_named_together() -> None:
    found = line_of_fire(position("core-modern", ". + + . +", "a . . . B"), "a", "B")
    [said, *_more] = found["because"]
    assert "hindered: hindering terrain in B1 and C1; E1, the target's square, is hindering terrain." in said
