"""Judges' overrides in the position file, and the die roll that settles what no rule covers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rules import engine
from rules.dispute.replay import Replay, StepView
from rules.engine import Ruling


@dataclass(frozen=True, slots=True)
class Decidable:
    """A decision that a judge can make before a step: its key, its words, and its options (value and words)."""

    key: str
    words: str
    answers: tuple[tuple[str, str], ...] = ()


def decidable(step: StepView) -> list[Decidable]:
    """Return the decisions that a judge can make about a step in place of the book (`judge` in a position file)."""
    yes_or_no = (("yes", _("yes")), ("no", _("no")))
    lines = (("clear", _("clear")), ("hindered", _("hindered")), ("blocked", _("blocked")))
    hit = Decidable("hit", _("The attack hits"), yes_or_no)
    succeeds = Decidable("succeeds", _("The roll succeeds"), yes_or_no)
    damage = Decidable("damage", _("Damage"))
    known = {
        "hit": [hit],
        "miss": [hit],
        "attack-roll": [Decidable("total", _("Attack total"))],
        "evade": [succeeds],
        "shape-change": [succeeds],
        "break-away": [succeeds],
        "line-of-fire": [Decidable("line", _("Line of fire"), lines)],
        "damage-dealt": [damage],
        "damage-taken": [damage],
        "push": [damage],
        "heal": [Decidable("clicks", _("Clicks healed"))],
        "knock-back": [
            Decidable("knock-back", _("Knocked back"), yes_or_no),
            Decidable("squares", _("Squares knocked back")),
        ],
    }
    legal = Decidable("legal", _("The action is allowed"), yes_or_no)
    return [*known.get(step.kind, ()), *([] if step.kind == "ruling" else [legal])]


def moment_of(replay: Replay, step: StepView) -> dict[str, Any]:
    """Return when an override of a step applies: the action, the step, and which one of its kind.

    An illegal act is allowed before it is declared, which covers every move and attack of the action.
    """
    if step.kind == "illegal":
        return {"action": step.action, "step": "declare"}
    alike = {"hit": ("hit", "miss"), "miss": ("hit", "miss")}.get(step.kind, (step.kind,))
    before = [one for one in replay.steps[: step.number] if one.action == step.action and one.kind in alike]
    name = "hit" if step.kind == "miss" else step.kind
    moment = {"action": step.action, "step": name}
    return moment if len(before) == 1 else {**moment, "time": len(before)}


def etiquette_of(edition: str) -> Ruling | None:
    """Return the ruling that settles open questions by one die (1–3 no, 4–6 yes); None if the book has none."""
    named = ("faq-unanswered-etiquette", "rulebook-no-ruling-die")
    found = (engine.ruling(edition, name) for name in named)
    return next((one for one in found if one is not None), None)


def allowed_by(die: int) -> bool:
    """Return the result of that die: from 4 on the act is allowed."""
    return die >= 4
