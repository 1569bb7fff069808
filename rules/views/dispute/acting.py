"""Actions, dice and choices entered in a dispute."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from rules.dispute.branches import branched
from rules.dispute.choices import (
    NO_ONE,
    Awaited,
    roll_at,
    squares_wanted,
    with_action,
    with_choice,
    with_dice,
    with_turn_of,
)
from rules.dispute.options import path_to
from rules.dispute.replay import replay_of
from rules.dispute.unfinished import asked_replay, rerolled, with_attack
from rules.dispute.words import action_words, kinds_of_action
from rules.models import SavedDispute
from rules.positions import BadChange, Document, piece_of, pieces
from rules.services import disputes as services
from rules.services.disputes import Outdated
from rules.views.pieces import within

from .boards import names_in
from .exact import action_given
from .placing import squares_named


def act(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Give an action from one tap: its kind, its character, its target or destination, the powers used."""
    given = request.POST
    actor = given.get("figure", "")
    piece = piece_of(row.document, actor)
    kind, named_using, target = given.get("action", ""), given.get("using", ""), ""
    if given.get("option"):
        kind, named_using, target = ([*given["option"].split("|"), "", ""])[:3]
    if kind not in kinds_of_action() or (piece is None and kind != "end-turn"):
        raise BadChange(_("Choose the figure to give the action to."))
    document = row.document
    if piece is not None:
        player = next(player for player, one in pieces(document) if one["id"] == actor)
        document = with_turn_of(document, player)
    using = names_in(named_using)
    action: Document = {"action": kind, "actor": actor or None, "using": using, "targets": [target] if target else []}
    if given.get("where"):
        replay = replay_of(document)
        named = squares_named(given)
        action["path"] = named if len(named) > 1 else path_to(replay.board(replay.last), actor, named[0], using)
    _perform(row, version, document, action)


def _perform(row: SavedDispute, version: int, document: Document, action: Mapping[str, Any]) -> None:
    replay = replay_of(document)
    kept = list(document.get("actions", ()))
    if not replay.legal and kept:
        document = {**document, "actions": kept[:-1]}
    changed = with_action(document, action)
    services.check_dispute(changed)
    said = action_words(changed, changed["actions"][-1])
    services.change_dispute(dispute=row, version=version, said=said, document=changed)


def act_exactly(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Give an action from the long form: the path, the targets, powers used, choices, granted actions."""
    action = action_given(request.POST)
    if len(action.get("path") or ()) == 1 and action.get("actor"):
        replay = replay_of(row.document)
        now = replay.board(replay.last)
        action["path"] = path_to(now, action["actor"], action["path"][0], action.get("using") or ())
    player = next((player for player, one in pieces(row.document) if one["id"] == action.get("actor")), None)
    document = row.document if player is None else with_turn_of(row.document, player)
    _perform(row, version, document, action)


def enter_roll(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Enter a roll, or roll the dice here."""
    given = request.POST
    awaited = asked_replay(row.document).awaited
    if awaited is None or not awaited.is_roll or awaited.name != given.get("name", ""):
        raise Outdated(row)
    here = given["do"] == "roll:here"
    if here:
        dice = [secrets.randbelow(6) + 1 for _die in range(awaited.dice)]
    else:
        dice = dice_given(given, awaited.dice)
    document = with_dice(row.document, awaited.action, awaited.name, dice, here=here)
    said = _("%(roll)s: %(dice)s") % {"roll": awaited.title, "dice": " + ".join(map(str, dice))}
    services.change_dispute(dispute=row, version=version, said=said, document=document)


def dice_given(given: QueryDict, count: int) -> list[int]:
    """Return the values of this many dice from a form. Raises BadChange if one is missing."""
    dice = [within(given.get(f"die-{number}", ""), 0, 6, 0) for number in range(1, count + 1)]
    if not all(dice):
        raise BadChange(_("Enter what each die shows."))
    return dice


def roll_again(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Reroll (Probability Control, a themed team), or correct a roll entered wrongly."""
    given = request.POST
    one = roll_at(row.document, given.get("roll", ""))
    if one is None:
        raise BadChange(_("Choose the roll."))
    dice = dice_given(given, len(one.dice))
    if given["do"] == "roll-again:correct":
        change = {"change": "roll", "action": one.action, "time": one.time, "name": one.name, "dice": dice}
        document = branched(row.document, [change])
    else:
        by = given.get("by", "")
        document = rerolled(
            row.document,
            one,
            dice,
            by if piece_of(row.document, by) is not None else "",
            themed=bool(given.get("themed")),
        )
    said = _("%(roll)s: %(dice)s") % {"roll": one.words, "dice": " + ".join(map(str, dice))}
    services.change_dispute(dispute=row, version=version, said=said, document=document)


def make_choice(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Enter the choice that is awaited."""
    given = request.POST
    awaited = asked_replay(row.document).awaited
    if awaited is None or awaited.is_roll or awaited.name != given.get("name", ""):
        raise Outdated(row)
    value = chosen_value(awaited, given)
    if awaited.name == "then" and value is not None:
        document = with_attack(row.document, awaited.action, value)
    else:
        document = with_choice(row.document, awaited.action, awaited.name, value)
    services.change_dispute(dispute=row, version=version, said=awaited.title, document=document)


def chosen_value(awaited: Awaited, given: QueryDict) -> Any:
    """Return a form's choice in the form of a position file. Raises BadChange."""
    wanted = squares_wanted(awaited.name)
    if awaited.name == "divide":
        return {name: within(given.get(f"share-{name}", ""), 0, 99, 0) for name, _words in awaited.options}
    if wanted and given.get("where", "").strip():
        named = squares_named(given)
        if len(named) != wanted:
            raise BadChange(
                _("Squares to choose: %(wanted)s. You chose %(named)s.") % {"wanted": wanted, "named": len(named)}
            )
        return named if awaited.name == "squares" else named[0]
    value = given.get("value", "")
    if awaited.name == "knock-back":
        return value == "yes"
    if awaited.name == "by":
        return -1 if value.startswith("-") else 1
    if value == NO_ONE and (awaited.name.startswith("mastermind") or awaited.name in ("then", "second-attack")):
        return None
    if not value or (awaited.name in ("then", "second-attack") and value not in dict(awaited.options)):
        raise BadChange(_("Choose one."))
    return value


def undo(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Undo the last change."""
    services.take_back(dispute=row, version=version)


def remove_action(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Remove the last action with its dice."""
    left = list(row.document.get("actions", ()))[:-1]
    decided = [one for one in row.document.get("judge", ()) if (one.get("before") or {}).get("action", 0) < len(left)]
    document = {**row.document, "actions": left, "judge": decided}
    services.change_dispute(dispute=row, version=version, said=_("last action removed"), document=document)
