"""Position files without names, for training."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from rules.positions import Document


def anonymized(document: Mapping[str, Any]) -> Document:
    """Return the position file without names of people: players become A, B, …, and all their words are removed."""
    changed = copy.deepcopy(dict(document))
    letters = {side["player"]: chr(ord("A") + number) for number, side in enumerate(changed["sides"])}
    for side in changed["sides"]:
        side["player"] = letters[side["player"]]
        for piece in side.get("characters", ()):
            if piece.get("last_damaged_by") in letters:
                piece["last_damaged_by"] = letters[piece["last_damaged_by"]]
            for modifier in piece.get("modifiers", ()):
                modifier.pop("source", None)
    for area in changed["map"].get("terrain", ()):
        if "player" in area:
            area["player"] = letters.get(area["player"], "A")
    for thing in changed.get("objects", ()):
        if thing.get("player") in letters:
            thing["player"] = letters[thing["player"]]
    for turning in (changed.get("event_dial") or {}).get("turns", ()):
        if turning.get("of") in letters:
            turning["of"] = letters[turning["of"]]
    if changed.get("turn", {}).get("active") in letters:
        changed["turn"]["active"] = letters[changed["turn"]["active"]]
    for action in changed.get("actions", ()):
        _forget_words(action)
    for decision in changed.get("judge", ()):
        decision.pop("by", None)
        decision.pop("text", None)
        points = (decision.get("set") or {}).get("victory_points")
        if points:
            decision["set"]["victory_points"] = {letters.get(player, player): one for player, one in points.items()}
    for asked in changed.get("ask", ()):
        if asked.get("player") in letters:
            asked["player"] = letters[asked["player"]]
    for key in ("id", "note", "title"):
        changed.pop(key, None)
    return changed


def _forget_words(action: Document) -> None:
    action.pop("note", None)
    action.pop("by", None)
    for granted in action.get("then") or ():
        _forget_words(granted)
