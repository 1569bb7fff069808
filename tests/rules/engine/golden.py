"""Golden documents in `tests/cases`: one JSON object per line, with the expected parts of the report and a citation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CASES = Path(__file__).parents[2] / "cases"


def golden(folder: str, names: str = "*") -> list[dict[str, Any]]:
    """Return all cases of a folder, in order, or those of the files with these names."""
    return [
        json.loads(line)
        for path in sorted((CASES / folder).glob(f"{names}.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]


def holds(expected: Any, actual: Any) -> bool:
    """Return whether `actual` contains all of `expected`: objects as subsets, lists complete."""
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(
            key in actual and holds(value, actual[key]) for key, value in expected.items()
        )
    if isinstance(expected, list):
        return isinstance(actual, list) and len(expected) == len(actual) and all(map(holds, expected, actual))
    return type(expected) is type(actual) and expected == actual


def rules(report: dict[str, Any], kind: str = "violations") -> list[str]:
    """Return the distinct rules of a report's violations (or warnings, or unchecked)."""
    return sorted({found["rule"] for found in report[kind]})


def elements(report: dict[str, Any], rule: str, kind: str = "violations") -> list[str]:
    """Return the refs that break a rule."""
    return sorted({ref for found in report[kind] if found["rule"] == rule for ref in found["elements"]})
