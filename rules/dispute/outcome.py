"""What came of a dispute: each figure's changes, with the reasons for its clicks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rules.dispute.replay import Replay, StepView
from rules.dispute.sums import SumLine
from rules.dispute.words import names_apart
from rules.engine import particular
from rules.positions import pieces, square_name, stands_in

DECIDES = ("hit", "miss", "evade", "critical-miss")
"""The steps that decide an attack."""
ROUTINE = ("declare", "targets", "note", "click", "token", "clear-tokens", "push")
"""Steps of every action, which answer no one's question."""
BESIDE = ("line-of-fire", "damage-dealt", "push")
"""Steps that may rest on a section of their own, although the answer doesn't repeat them."""
SENTENCES = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a dispute: its sentence, the sums behind it, and the sections of the book, the deciding ones first."""

    sentence: str
    sums: list[SumLine]
    citations: list[Mapping[str, Any]]


def answer_of(replay: Replay) -> Answer | None:
    """Return the answer of the last action: why it isn't allowed, whether its attack hits, or what it does."""
    if not replay.steps:
        return None
    last = replay.steps[-1]
    mine = [step for step in replay.steps if step.action == last.action]
    told = [step for step in mine if step.kind in DECIDES] or [step for step in mine if step.kind not in ROUTINE]
    told = [last] if last.kind == "illegal" else told[-SENTENCES:] or [last]
    counted = [
        next((step for step in reversed(mine) if step.kind == kind), None) for kind in ("attack-roll", "hit", "miss")
    ]
    sums = [line for step in (counted if last.kind != "illegal" else told) if step is not None for line in step.sums]
    beside = [step for step in mine if step.kind in BESIDE and step not in told]
    return Answer(" ".join(step.text for step in told), sums, _sections(replay, told, beside))


def _sections(replay: Replay, told: list[StepView], beside: list[StepView]) -> list[Mapping[str, Any]]:
    """Return the sections of the steps told, those about any action of their kind last.

    Those beside them add only what is particular about them.
    """
    near = {
        place.section
        for step in (*told, *beside)
        for place in replay.edition.cite(one for one in particular(step.topics) if one != step.kind)
    }
    found = {one["section"]: one for step in (*told, *beside) for one in step.citations}
    general = {one["section"]: one for step in told for one in step.citations if one["section"] not in near}
    return [*(one for section, one in found.items() if section in near), *general.values()]


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
