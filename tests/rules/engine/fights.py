"""Fights for tests: a few figures on an open board, their actions, and the report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.engine import adjudicate

from .boards import character
from .laws import check


def fighter(id: str, square: str | None, clicks: int = 8, **keys: Any) -> dict[str, Any]:
    """Return a plain figure with identical clicks: 8, 10, 16, 3, and no range unless given."""
    made = character(id, square, **({"speed": 8, "range": 0, "points": 50} | keys))
    made["dial"] = made["dial"] * clicks
    return made


def sentinel(id: str, corner: str, **keys: Any) -> dict[str, Any]:
    """Return a Sentinel of 200 points whose base of two by two squares begins at this corner."""
    column, row = ord(corner[0]), int(corner[1:])
    squares = [f"{chr(column + x)}{row + y}" for y in (0, 1) for x in (0, 1)]
    about = {"base": "2x2", "damage_symbol": "sentinel", "points": 200}
    made = fighter(id, None, squares=squares, **(about | keys))
    del made["square"]
    return made


def battle(
    edition: str, mine: list[dict[str, Any]], theirs: list[dict[str, Any]], *actions: dict[str, Any], **parts: Any
) -> dict[str, Any]:
    """Return the position file of a fight on an outdoor board of 16 by 16; `parts` are further keys."""
    board = {"width": 16, "height": 16} | parts.pop("board", {})
    sides = [{"player": "A", "characters": mine}, {"player": "B", "characters": theirs}]
    sides[0] |= parts.pop("side", {})
    document: dict[str, Any] = {"edition": edition, "build_total": 300, "map": board, "sides": sides}
    return document | {"actions": list(actions)} | parts


def fight(*given: Any, spare: Iterable[str] = (), **parts: Any) -> dict[str, Any]:
    """Return the report of a fight (see `battle`), checked against the laws; only `spare` dice may be left over."""
    document = battle(*given, **parts)
    report = adjudicate(document)
    check(document, report)
    if not document.get("judge"):
        assert report["unused"] == list(spare)
    return report


def state(report: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a character's final state in the report."""
    found: dict[str, Any] = report["state"]["characters"][name]
    return found


def clicks(report: dict[str, Any], *names: str) -> list[int]:
    """Return these characters' final clicks."""
    return [state(report, name)["click"] for name in names]


def steps(report: dict[str, Any]) -> list[str]:
    """Return the names of the steps, in order."""
    return [step["step"] for step in report["steps"]]


def refused(report: dict[str, Any]) -> str:
    """Return why the rules refuse the action, "" if they don't."""
    return "" if report["legal"] else str(report["steps"][-1]["text"])


def done(kind: str, actor: str, *targets: str, **keys: Any) -> dict[str, Any]:
    """Return an action of this kind for a figure."""
    return {"action": kind, "actor": actor} | ({"targets": list(targets)} if targets else {}) | keys


def walk(actor: str, path: str, **keys: Any) -> dict[str, Any]:
    """Return a move along these squares, separated by blanks."""
    return done("move", actor, path=path.split(), **keys)


def told(report: dict[str, Any], step: str) -> dict[str, Any]:
    """Return the only step with this name."""
    (found,) = [one for one in report["steps"] if one["step"] == step]
    return dict(found)
