"""Lines worked out by hand from the books, as drawings; and the Line of Fire Chart of 2014, cell by cell."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from rules.engine import field_of_view, line_of_fire
from tests.rules.engine.boards import EDITIONS, character, position
from tests.tables import every_row

CASES = tomllib.loads((Path(__file__).parents[3] / "cases/geometry/lines.toml").read_text(encoding="utf-8"))["case"]
PARTS = ("walls", "windows", "doors", "kind")


@every_row(
    ("case", "edition"),
    [(case, edition) for case in CASES for edition in case["editions"]],
    ids=[f"{edition}-{case['why'][:40]}" for case in CASES for edition in case["editions"]],
)
def test_by_hand(case: dict[str, Any], edition: str) -> None:
    parts = {key: case[key] for key in PARTS if key in case}
    document = position(edition, case["terrain"], case["figures"], who=case.get("who"), **parts)
    found = {ends: line_of_fire(document, *ends.split())["result"] for ends in case["lines"]}
    assert found == case["lines"], case["why"]


# The chart: rows are the two ends, columns the terrain between them or under the target. Each cell has what the rules'
# text says; if the chart differs, TEXT_WINS names the cell.

GROUND = ". . . . . . ."
ROOFS = "2 2 . . . 2 2"
ROOF = "2 2 2 2 2 2 2"
LOW_HIGH = ". . . . 2 2 2"

ROWS = {
    "grounded to grounded": (GROUND, "A1", "G1"),
    "elevated to elevated over ground": (ROOFS, "B1", "F1"),
    "elevated to elevated over a roof": (ROOF, "A1", "G1"),
    "grounded to elevated": (LOW_HIGH, "A1", "E1"),
    "elevated to grounded": (LOW_HIGH, "E1", "A1"),
}
CHART = {
    ("grounded to grounded", False): {
        "hindering": "hindered",
        "target": "hindered",
        "blocking": "blocked",
        "character": "blocked",
        "giant": "blocked",
        "roof": "blocked",
    },
    ("grounded to grounded", True): {
        "target": "hindered",
        "blocking": "blocked",
        "character": "clear",
        "giant": "blocked",
        "roof": "blocked",
    },
    ("elevated to elevated over ground", False): {
        "hindering": "clear",
        "blocking": "clear",
        "blocking indoors": "blocked",
        "character": "clear",
        "giant": "blocked",
    },
    ("elevated to elevated over ground", True): {
        "hindering": "clear",
        "blocking": "clear",
        "blocking indoors": "blocked",
        "character": "clear",
        "giant": "blocked",
    },
    ("elevated to elevated over a roof", False): {
        "hindering": "hindered",
        "target": "hindered",
        "blocking": "blocked",
        "character": "blocked",
        "giant": "blocked",
    },
    ("elevated to elevated over a roof", True): {
        "target": "hindered",
        "character": "clear",
        "giant": "blocked",
    },
    ("grounded to elevated", False): {
        "hindering": "clear",
        "target": "hindered",
        "blocking": "blocked",
        "character": "clear",
        "giant": "blocked",
    },
    ("grounded to elevated", True): {
        "hindering": "clear",
        "target": "hindered",
        "blocking": "blocked",
        "character": "clear",
        "giant": "blocked",
    },
    ("elevated to grounded", False): {
        "hindering": "clear",
        "target": "hindered",
        "character": "clear",
        "giant": "blocked",
    },
    ("elevated to grounded", True): {
        "hindering": "clear",
        "target": "hindered",
        "character": "clear",
        "giant": "blocked",
    },
}
TEXT_WINS = {
    # (row, giant at an end, column): what the text says, if the chart prints something else.
    ("grounded to grounded", True, "hindering"): "hindered",
    ("elevated to elevated over a roof", True, "hindering"): "hindered",
    ("elevated to elevated over a roof", True, "blocking"): "blocked",
    ("elevated to grounded", False, "blocking"): "blocked",
    ("elevated to grounded", True, "blocking"): "blocked",
}
CELLS = [(row, giant, column, wanted) for (row, giant), cells in CHART.items() for column, wanted in cells.items()]
CELLS += [(row, giant, column, wanted) for (row, giant, column), wanted in TEXT_WINS.items()]


@every_row(("row", "giant", "column", "wanted"), CELLS)
def test_the_line_of_fire_chart(row: str, giant: bool, column: str, wanted: str) -> None:
    terrain, start, end = ROWS[row]
    size = {"damage_symbol": "giant"} if giant else {}
    people = [("A", character("one", start)), ("B", character("other", end, **size))]
    parts: dict[str, Any] = {}
    between = "D1" if row != "grounded to elevated" and row != "elevated to grounded" else "C1"
    if column in ("character", "giant"):
        third = {"damage_symbol": "giant"} if column == "giant" else {}
        people.append(("B", character("third", between, **third)))
    elif column == "roof":
        parts["terrain"] = [{"type": "elevated", "squares": [between]}]
    elif column == "target":
        parts["terrain"] = [{"type": "hindering", "squares": [end]}]
    else:
        kind = column.split(maxsplit=1)[0]
        parts["terrain"] = [{"type": kind, "squares": [between]}]
        if column.endswith("indoors"):
            parts["kind"] = "indoor"
    document = position("core-2014", terrain, characters=people, **parts)
    assert line_of_fire(document, "one", "other")["result"] == wanted


@every_row("edition", EDITIONS)
def test_a_base_of_two_squares_does_not_hide_its_farther_square(edition: str) -> None:
    long = character("long", None, base="peanut", squares=["C1", "D1"])
    del long["square"]
    seen = field_of_view(position(edition, ". . . . .", "a . . . .", characters=[("B", long)]), "a")
    assert [seen[square] for square in ("C1", "D1", "E1")] == ["clear", "clear", "blocked"]
