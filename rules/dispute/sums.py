"""Itemised sums for a step: each computed number with its parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rules.engine import is_needless_sum


@dataclass(frozen=True, slots=True)
class SumLine:
    """One line of an itemised sum: the amount, the reason, what ignores it; the sum itself has `is_sum`."""

    amount: str
    why: str
    ignored_by: str = ""
    is_sum: bool = False


def sum_lines(parts: Iterable[Mapping[str, Any]], name: str) -> list[SumLine]:
    """Return the parts of a number as lines; if there are several, the last line is the sum, called `name`."""
    found: list[SumLine] = []
    value = 0
    for part in parts:
        found.append(SumLine(_amount_words(part, value), part["why"], part["ignored_by"] or ""))
        value += part["amount"] if part["ignored_by"] is None else 0
    if len(found) > 1:
        found.append(SumLine(str(value).replace("-", "−"), name, is_sum=True))
    return found


def _amount_words(part: Mapping[str, Any], before: int) -> str:
    """Return the amount of a part in words: a number of its own, or what it adds to the number before."""
    kind, amount = part["kind"], part["amount"]
    shown = {"printed": f"{amount}", "replaced": f"→ {before + amount}", "halved": "÷ 2", "doubled": "× 2"}
    return shown.get(kind, f"{amount:+d}").replace("-", "−")


def sums_of(step: Mapping[str, Any]) -> list[SumLine]:
    """Return the sums of a step: that of its main number, and any other with more than one part, if they help."""
    parts = step["numbers"].get("parts", {})
    lines: list[SumLine] = []
    for number, name in _sums_shown(step["step"]):
        if number not in parts or is_needless_sum(number, step["numbers"]):
            continue
        if not lines or len(parts[number]) > 1:
            lines += sum_lines(parts[number], name)
    return lines


def _sums_shown(kind: str) -> tuple[tuple[str, str], ...]:
    """Return the numbers of a step shown with their parts, the main one first, and their titles."""
    return {
        "attack-roll": (("total", _("attack total")),),
        "hit": (("defense", _("defense")),),
        "miss": (("defense", _("defense")),),
        "damage-dealt": (("damage", _("damage")),),
        "damage-taken": (("taken", _("damage taken")),),
        "move": (("budget", _("squares to move")), ("cost", _("cost of the move"))),
        "knock-back": (("squares", _("squares knocked back")),),
    }.get(kind, ())
