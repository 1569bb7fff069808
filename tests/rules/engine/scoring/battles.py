"""Battle files for tests, in few words."""

from __future__ import annotations

from typing import Any

from rules.engine import score_battle

Document = dict[str, Any]
EDITIONS = ("ic-2002", "car-2002", "dc-2005", "core-2014", "core-modern")
EARLY, LATE = EDITIONS[:3], EDITIONS[3:]


def alive(ref: str, points: int = 50, **facts: Any) -> Document:
    """Return a survivor."""
    return {"ref": ref, "name": ref.upper(), "points": points, "fate": "survived", **facts}


def fallen(ref: str, points: int = 50, by: str | None = None, **facts: Any) -> Document:
    """Return a defeated element, by an attack unless told otherwise."""
    return {"ref": ref, "name": ref.upper(), "points": points, "fate": "defeated", "by": by, "cause": "attack", **facts}


def side(player: str, *characters: Document, **more: Any) -> Document:
    """Return a side."""
    return {"player": player, "characters": list(characters), **more}


def battle(edition: str, *sides: Document, **more: Any) -> Document:
    """Return a battle file; it ended at time unless told otherwise."""
    return {"edition": edition, "build_total": 200, "ended": "time", "sides": list(sides), **more}


def scored(edition: str, *sides: Document, **more: Any) -> Document:
    """Return the report on a battle."""
    return score_battle(battle(edition, *sides, **more))


def points(report: Document) -> list[float]:
    """Return the players' victory points, in the order of the sides."""
    return list(report["victory_points"].values())


def verdict(report: Document) -> tuple[str | None, str]:
    """Return the winner and what decided."""
    return report["winner"], report["decided_by"]
