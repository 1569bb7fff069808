"""What the last action of a dispute still asks of a player although its report is complete without it.

The attack after a Charge, the second attack of Flurry, who takes the damage by Mastermind, who may reroll: a position
file that leaves them out says that they aren't used, but at a table the players have to be asked. Each possibility is
tried by adjudicating the file with it, so that only what is legal is offered.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from rules import engine
from rules.dispute.choices import NO_ONE, Awaited, EnteredRoll, rolls_so_far, with_choice, with_dice
from rules.dispute.figures import powers_of
from rules.dispute.options import attack_words, path_to
from rules.dispute.replay import Replay, replay_of
from rules.dispute.words import choice_words, names_apart
from rules.engine import EDITIONS, AttackKind, BadInput
from rules.positions import BadChange, Cell, Document, moved, piece_of, pieces, read_square, square_name, stands_in

GRANTED: dict[str, tuple[AttackKind, ...]] = {
    "Charge": ("close",),
    "Running Shot": ("ranged",),
    "Hypersonic Speed": ("close", "ranged"),
}
"""Powers whose move grants an attack, and its kinds."""
REROLLS = "Probability Control"
THEMED = "Themed Team Probability Control"
TAKES_DAMAGE = "Mastermind"
MAX_TRIALS = 40
"""Adjudications for one question: enough for every attack of a usual position."""
MAX_KEPT = 8
"""Replays kept for the next request."""
Ending = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""The report of a dispute with another last action."""


@dataclass(frozen=True, slots=True)
class RerollOffer:
    """A figure that may have a roll made again, by its own Probability Control or by that of its themed team."""

    roll: EnteredRoll
    by: str
    by_name: str
    player: str
    themed: bool = False


_kept: OrderedDict[tuple[str, str | None], Replay] = OrderedDict()
_keeping = Lock()


def asked_replay(document: Mapping[str, Any]) -> Replay:
    """Return the replay of a dispute, up to where its last action asks something of a player. Don't change it.

    The last ones are kept: a judge who enters what was asked, and each device that follows, need the same again.
    """
    key = json.dumps(document), get_language()
    with _keeping:
        found = _kept.get(key)
        if found is not None:
            _kept.move_to_end(key)
            return found
    replay = asked_anew(json.loads(key[0]))
    if replay.fault is None and not engine.time_is_over():
        with _keeping:
            _kept[key] = replay
            while len(_kept) > MAX_KEPT:
                _kept.popitem(last=False)
    return replay


def asked_anew(document: Document) -> Replay:
    """Return `asked_replay` of a dispute, not kept from before."""
    replay = replay_of(document)
    if replay.fault is not None or not replay.legal or not document.get("actions"):
        return replay
    stopped = _stopped_at_mastermind(replay)
    if stopped is not None:
        return stopped
    if replay.awaited is None:
        replay.asks = _attack_granted(replay) or _second_attack(replay)
    return replay


def _last(document: Mapping[str, Any]) -> tuple[int, Document]:
    """Return the place of the last action and the action."""
    return len(document["actions"]) - 1, document["actions"][-1]


def _trial(ending: Ending, document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the report of a document that differs in its last action, or None if it isn't legal."""
    try:
        report = ending(document["actions"][-1])
    except BadInput:
        return None
    return report if report["legal"] else None


def _with_last(document: Mapping[str, Any], **changes: Any) -> Document:
    """Return the document with keys of its last action replaced."""
    *before, last = document["actions"]
    return {**document, "actions": [*before, {**last, **changes}]}


def _who_has(replay: Replay, power: str) -> list[tuple[str, str]]:
    """Return player and id of the figures on the map whose click shows a power."""
    found = pieces(replay.board(replay.last))
    return [(player, one["id"]) for player, one in found if stands_in(one) and power in powers_of(one)]


# --- Mastermind ---


def _stopped_at_mastermind(replay: Replay) -> Replay | None:
    """Return the replay up to the damage that a figure with Mastermind may give to another, or None."""
    place, action = _last(replay.document)
    dealt = any(step["step"] == "damage-dealt" and step["action"] == place for step in replay.report["steps"])
    names = [
        name for _player, one in pieces(replay.document) for click in one["dial"] for name in click.get("powers", ())
    ]
    if not dealt or TAKES_DAMAGE not in names:
        return None
    given = _with_last(replay.document, using=[*action.get("using", ()), TAKES_DAMAGE])
    report = _trial(engine.endings(replay.document), given)
    missing = (report or {}).get("awaiting") or {}
    if report is None or not str(missing.get("choice", "")).startswith("mastermind:") or missing["action"] != place:
        return None
    return Replay(replay.document, {**report, "steps": replay.report["steps"][: len(report["steps"])]})


# --- Attacks that are still to come ---


def _attack_granted(replay: Replay) -> Awaited | None:
    """Return the question for the attack that the last move grants, if any is possible."""
    _place, action = _last(replay.document)
    kinds = next((GRANTED[name] for name in action.get("using", ()) if name in GRANTED), ())
    if not kinds or "then" in action or action["action"] == "close":
        return None
    options = tuple(dict(_attacks(replay, action, kinds)).items())
    return _question(replay, "then", (*options, (NO_ONE, _("No attack")))) if options else None


def _attacks(replay: Replay, action: Mapping[str, Any], kinds: tuple[AttackKind, ...]) -> Iterator[tuple[str, str]]:
    """Yield the attacks that a move may grant, each as value and words: plain ones, then with a power."""
    board = replay.board(replay.last)
    actor = piece_of(board, action["actor"])
    if actor is None or not stands_in(actor):
        return
    place, _action = _last(replay.document)
    names, edition = names_apart(replay.document), EDITIONS[replay.document["edition"]]
    rows = {name: edition.row(name) for name in powers_of(actor) if name not in GRANTED}
    found: set[tuple[str, str]] = set()
    ending = engine.endings(replay.document)
    trials = 0
    for kind, goal, at, path in _possible(replay, board, action, kinds, found):
        if (kind, goal) in found:
            continue
        trials += 1
        if trials > MAX_TRIALS:
            return
        for using in ("", *(name for name, row in rows.items() if row is not None and kind in row.action)):
            value = f"{kind}|{using}|{goal}|{at}|{path}"
            if _trial(ending, with_attack(replay.document, place, value)) is not None:
                found.add((kind, goal))
                yield value, attack_words(kind, using, names[goal], at)
            elif not using:
                break


def _possible(
    replay: Replay,
    board: Document,
    action: Mapping[str, Any],
    kinds: tuple[AttackKind, ...],
    found: set[tuple[str, str]],
) -> Iterator[tuple[str, str, str, str]]:
    """Yield kind, target, square and way of attacks worth trying: at the end, with Hypersonic Speed also on the way.

    The square is "" for the end, the way "" for the one that was taken. Those `found` aren't sought by another way.
    """
    goals, path = _opponents(board, action["actor"]), action.get("path", ())
    board = _still(board)
    attacks = [(kind, goal) for kind in kinds for goal in goals]
    yield from ((*one, "", "") for one in engine.targets(board, action["actor"], attacks))
    if "Hypersonic Speed" not in action["using"] or not path:
        return
    for at in path[-2::-1]:
        try:
            there = moved(board, action["actor"], at)
        except BadChange:
            continue
        sought = [one for one in attacks if one not in found]
        yield from ((*one, at, "") for one in engine.targets(there, action["actor"], sought))
    place, _action = _last(replay.document)
    started = _still(replay.board(next(step.number for step in replay.steps if step.action == place) - 1))
    speeds = engine.reachable(started, action["actor"], using=action["using"])
    for goal in goals:
        if ("close", goal) not in found:
            yield from (("close", goal, *way) for way in _way_past(started, speeds, board, action, goal))


def _still(board: Document) -> Document:
    """Return a position in which each dial ends at the click it shows: as good for questions about now, read sooner."""
    shown = [
        {**side, "characters": [{**one, "dial": one["dial"][: one.get("click", 1)]} for one in side["characters"]]}
        for side in board["sides"]
    ]
    return {**board, "sides": shown}


def _way_past(
    started: Document, speeds: Mapping[str, int], board: Document, action: Mapping[str, Any], goal: str
) -> Iterator[tuple[str, str]]:
    """Yield the square beside a target through which another way to the same end is shortest, and that way."""
    target, end = piece_of(board, goal), read_square(action["path"][-1])
    if target is None or end is None:
        return
    beside = [cell for cell in _around(target) if square_name(cell) in speeds]
    if beside:
        near = min(beside, key=lambda one: speeds[square_name(one)] + max(abs(one[0] - end[0]), abs(one[1] - end[1])))
        at = square_name(near)
        there = path_to(started, action["actor"], at, action["using"])
        onward = path_to(moved(started, action["actor"], at), action["actor"], action["path"][-1], action["using"])
        yield at, " ".join([*there, *onward])


def _around(piece: Mapping[str, Any]) -> list[Cell]:
    """Return the squares around a figure."""
    stands = stands_in(piece)
    near = {(c + across, r + down) for c, r in stands for across in (-1, 0, 1) for down in (-1, 0, 1)}
    return sorted(cell for cell in near if cell not in stands and min(cell) >= 0)


def _opponents(board: Mapping[str, Any], actor: str) -> list[str]:
    """Return the ids of the opposing figures on the map."""
    mine = next(player for player, one in pieces(board) if one["id"] == actor)
    return [one["id"] for player, one in pieces(board) if player != mine and stands_in(one)]


def with_attack(document: Mapping[str, Any], place: int, value: str) -> Document:
    """Return the position file with the attack that an option of `then` stands for, and its way if that changes."""
    kind, using, goal, at, path = value.split("|")
    action = document["actions"][place]
    granted = {"action": kind, "actor": action["actor"], "targets": [goal], "using": [using] if using else [], "at": at}
    changed = with_choice(document, place, "then", {key: part for key, part in granted.items() if part})
    if path:
        changed["actions"][place]["path"] = path.split()
    return changed


def _second_attack(replay: Replay) -> Awaited | None:
    """Return the question for the second attack of Flurry, if any is possible."""
    _place, action = _last(replay.document)
    holder = (action.get("then") or [action])[-1]
    if "Flurry" not in holder.get("using", ()) or len(holder.get("targets", ())) != 1 or "attacks" in holder:
        return None
    board = replay.board(replay.last)
    names = names_apart(replay.document)
    actor = piece_of(board, action["actor"])
    goals = _opponents(board, action["actor"]) if actor is not None and stands_in(actor) else []
    beside = [goal for _kind, goal in engine.targets(board, action["actor"], [("close", goal) for goal in goals])]
    ending = engine.endings(replay.document)
    options = tuple((goal, names[goal]) for goal in beside if _goes_on(ending, replay, goal))
    return _question(replay, "second-attack", (*options, (NO_ONE, _("No second attack")))) if options else None


def _goes_on(ending: Ending, replay: Replay, goal: str) -> bool:
    """Return whether Flurry's second attack can be made against that figure."""
    place, _action = _last(replay.document)
    report = _trial(ending, with_choice(replay.document, place, "second-attack", goal))
    return report is not None and (report["awaiting"] or {}).get("roll") is not None


def _question(replay: Replay, name: str, options: tuple[tuple[str, str], ...]) -> Awaited:
    place, action = _last(replay.document)
    player = next(player for player, one in pieces(replay.document) if one["id"] == action["actor"])
    return Awaited(place, name, choice_words(replay.document, name), 0, "", player, options)


# --- Rerolls ---


def reroll_offers(replay: Replay) -> list[RerollOffer]:
    """Return the figures that may have the last roll made again: those whose reroll is legal now."""
    rolls = rolls_so_far(replay.document)
    place = len(replay.document.get("actions", ())) - 1
    if not rolls or rolls[-1].action != place or not replay.legal:
        return []
    roll, names = rolls[-1], names_apart(replay.document)
    offers = [RerollOffer(roll, one, names[one], player) for player, one in _who_has(replay, REROLLS)]
    themed = {side["player"]: side["themed_team"] for side in replay.document["sides"] if side.get("themed_team")}
    offers += [
        RerollOffer(roll, one["id"], names[one["id"]], player, themed=True)
        for player, one in pieces(replay.board(replay.last))
        if player in themed and stands_in(one) and themed[player] in one.get("keywords", ())
    ]
    ending = engine.endings(replay.document)
    return [offer for offer in offers[:MAX_TRIALS] if _may_reroll(ending, replay.document, offer)]


def _may_reroll(ending: Ending, document: Mapping[str, Any], offer: RerollOffer) -> bool:
    report = _trial(ending, rerolled(document, offer.roll, offer.roll.dice, offer.by, themed=offer.themed))
    return report is not None and any(
        step["step"] == "reroll" and step["numbers"]["by"] == offer.by and step["action"] == offer.roll.action
        for step in report["steps"]
    )


def rerolled(
    document: Mapping[str, Any], roll: EnteredRoll, dice: Sequence[int], by: str, *, themed: bool = False
) -> Document:
    """Return the position file with a roll made again; `by` names the figure that has it rerolled, "" leaves it open.

    From the second reroll of an action on, all of them are listed in their order.
    """
    action = document["actions"][roll.action]
    before = (action.get("choose") or {}).get("reroll-by")
    earlier = any(name.endswith("/reroll") for name in action.get("rolls") or {})
    again = f"{roll.name.removesuffix('/reroll')}/reroll"
    changed = with_dice(document, roll.action, again, dice, here=False)
    if by and earlier and before:
        using = action.get("using") or []
        listed = before if isinstance(before, list) else [_rerolled_by(before, themed=THEMED in using)]
        changed["actions"][roll.action]["using"] = [name for name in using if name != THEMED]
        return with_choice(changed, roll.action, "reroll-by", [*listed, _rerolled_by(by, themed=themed)])
    if themed:
        action = changed["actions"][roll.action]
        action["using"] = list(dict.fromkeys([*action.get("using", ()), THEMED]))
    return with_choice(changed, roll.action, "reroll-by", by) if by else changed


def _rerolled_by(name: str, *, themed: bool) -> Document:
    return {"by": name, "with": THEMED} if themed else {"by": name}
