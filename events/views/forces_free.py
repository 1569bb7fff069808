"""The force that a visitor builds outside any event: kept in the session, so that signing in doesn't lose it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from events import building
from events.building import Bench

FREE_FORCE = "free_force"
TERMS = {"edition": "core-2014", "build_total": 300, "format": "constructed", "sanctioned": True, "date": None}


def free_force(request: HttpRequest) -> tuple[Bench, dict[str, Any]]:
    """Return the session's bench, perhaps empty, and the terms it is checked under."""
    kept = request.session.get(FREE_FORCE) or {}
    return building.whole(kept.get("bench")), {**TERMS, **kept.get("terms", {})}


def keep_free_force(request: HttpRequest, bench: Bench, terms: dict[str, Any]) -> None:
    """Keep a bench and its terms in the session."""
    building.tidy(bench)
    request.session[FREE_FORCE] = {"bench": bench, "terms": terms}
