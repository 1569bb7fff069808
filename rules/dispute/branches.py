"""Branches ("What if"): a position file with some changes (another roll, edition, countered power), and what differs.

Only the changes of a branch are stored; it is always replayed against the latest case.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from rules.dispute.choices import with_choice
from rules.dispute.replay import Replay
from rules.dispute.words import choice_words, option_words, roll_words
from rules.engine import EDITIONS
from rules.positions import Document, piece_of


def branched(document: Mapping[str, Any], changes: Iterable[Mapping[str, Any]]) -> Document:
    """Return the position file with a branch's changes; changes that no longer fit its actions are left out."""
    changed = copy.deepcopy(dict(document))
    for change in changes:
        _branch(changed, change)
    return changed


def _branch(changed: Document, change: Mapping[str, Any]) -> None:
    sort = change.get("change")
    actions = changed.get("actions", [])
    place = change.get("action", 0)
    if sort == "edition" and change.get("edition") in EDITIONS:
        changed["edition"] = change["edition"]
    elif sort == "by-the-book":
        changed.pop("judge", None)
    elif sort == "counter":
        piece = piece_of(changed, change.get("character", ""))
        if piece is not None:
            piece["countered"] = list(dict.fromkeys([*piece.get("countered", ()), change.get("power", "")]))
    elif sort == "click":
        piece = piece_of(changed, change.get("character", ""))
        if piece is not None:
            piece["click"] = change.get("click", 1)
    elif sort in ("roll", "choice") and 0 <= place < len(actions):
        action = actions[place]
        if sort == "choice":
            actions[place] = with_choice({"actions": [action]}, 0, change["name"], change["value"])["actions"][0]
            return
        rolls = [list(dice) for dice in (action.get("rolls") or {}).get(change["name"], ())]
        at = change.get("time", 0)
        rolls[at : at + 1] = [list(change["dice"])]
        action["rolls"] = {**(action.get("rolls") or {}), change["name"]: rolls}


def branch_words(document: Mapping[str, Any], change: Mapping[str, Any]) -> str:
    """Return one change of a branch in words."""
    sort = change.get("change")
    piece = piece_of(document, change.get("character", ""))
    name = piece["name"] if piece is not None else ""
    if sort == "edition":
        return EDITIONS[change["edition"]].title
    if sort == "by-the-book":
        return _("without the judge's overrides")
    if sort == "counter":
        return _("%(name)s: %(power)s countered") % {"name": name, "power": change["power"]}
    if sort == "click":
        return _("%(name)s on click %(click)s") % {"name": name, "click": change["click"]}
    if sort == "roll":
        dice = " + ".join(map(str, change["dice"]))
        return _("%(roll)s %(dice)s") % {"roll": roll_words(document, change["name"]), "dice": dice}
    value = change.get("value")
    shown = option_words(document, change["name"], value) if not isinstance(value, list | dict) else str(value)
    return _("%(choice)s %(value)s") % {"choice": choice_words(document, change["name"]), "value": shown}


def first_difference(one: Replay, other: Replay) -> int | None:
    """Return the number of the first step, from 1, at which two replays differ; None if they don't."""
    mine, theirs = one.steps, other.steps
    for number, (step, beside) in enumerate(zip(mine, theirs, strict=False), 1):
        if (step.kind, step.text) != (beside.kind, beside.text):
            return number
    if len(mine) != len(theirs) or one.awaited != other.awaited or one.legal != other.legal:
        return min(len(mine), len(theirs)) + 1
    return None
