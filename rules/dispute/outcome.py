"""What came of a dispute: each figure's changes, with the reasons for its clicks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from rules.dispute.replay import Replay
from rules.dispute.words import names_apart
from rules.positions import pieces, square_name, stands_in


def what_changed(replay: Replay) -> list[tuple[str, str]]:
    """Return the figures that have changed since the beginning: name, and its changes in words."""
    names = names_apart(replay.document)
    before = {piece["id"]: piece for _player, piece in pieces(replay.board(0))}
    found = []
    for _player, now in pieces(replay.board(replay.last)):
        said = list(_changes(before[now["id"]], now, _reasons(replay, now["id"])))
        if said:
            found.append((names[now["id"]], " · ".join(said)))
    return found


def _changes(before: Mapping[str, Any], now: Mapping[str, Any], reasons: str) -> Iterator[str]:
    """Yield what has changed about a figure, each as before → after."""
    stood, stands = (", ".join(square_name(cell) for cell in stands_in(piece)) for piece in (before, now))
    if stood != stands and stands:
        yield f"{stood or '–'} → {stands}"
    click, clicked = before.get("click", 1), now.get("click", 1)
    if click != clicked:
        shown = _("KO") if clicked > len(now["dial"]) else clicked
        words = _("click %(before)s → %(after)s") % {"before": click, "after": shown}
        yield _("%(change)s: %(reasons)s") % {"change": words, "reasons": reasons} if reasons else words
    if before.get("tokens", 0) != now.get("tokens", 0):
        yield _("tokens %(before)s → %(after)s") % {"before": before.get("tokens", 0), "after": now.get("tokens", 0)}
    if now.get("captured_by") and not before.get("captured_by"):
        yield _("captive")
    if now.get("countered", []) != before.get("countered", []):
        yield _("countered: %(powers)s") % {"powers": ", ".join(now.get("countered", [])) or _("none")}
    if now.get("flight") != before.get("flight") and now.get("flight"):
        yield str(now["flight"])


def _reasons(replay: Replay, name: str) -> str:
    """Return the reasons for a figure's clicks, as a sum of damage and healing."""
    causes = {
        "damage-dealt": _("%(amount)s damage"),
        "knock-back-damage": _("%(amount)s from being knocked back (%(why)s)"),
        "push": _("%(amount)s pushing damage"),
        "critical-miss": _("%(amount)s from the critical miss"),
    }
    cause, why, said = "", "", []
    for step in replay.report.get("steps", ()):
        if step["step"] in causes:
            parts = step["numbers"].get("parts", {}).get("damage") or [{"why": ""}]
            cause, why = step["step"], parts[0]["why"]
        if "click" not in step["changes"].get("characters", {}).get(name, {}):
            continue
        numbers = step["numbers"]
        if step["step"] == "click" and cause and "damage" in numbers:
            said.append(causes[cause] % {"amount": numbers["damage"], "why": why})
        elif step["step"] == "heal":
            said.append(_("%(amount)s healed") % {"amount": numbers["healed"]})
    return " + ".join(said)
