"""Training questions for judges: a dispute without names, a question, and answers to choose from.

The right answer is the engine's own report of the position file. The wrong ones are other plausible readings of the
same case: the answer of another edition's book, the result if a power is overlooked, if an illegal act is allowed, or
if a legal one is stopped. Pure functions from documents to questions.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from rules.dispute.anonymized import anonymized
from rules.dispute.overrides import moment_of
from rules.dispute.replay import Replay, StepView, replay_of
from rules.dispute.words import action_words, roll_words
from rules.engine import EDITIONS
from rules.positions import Document, piece_of, pieces

MAX_ANSWERS = 4


@dataclass(frozen=True, slots=True)
class TrainingAnswer:
    """A possible answer: its key, the outcome, and the reading that leads to it."""

    key: str
    lines: tuple[str, ...]
    reading: str
    right: bool = False


@dataclass(frozen=True, slots=True)
class TrainingQuestion:
    """A question: the position, the actions with their dice, the answers, and the replay that gives the right one.

    `asked` and `told` are the words of a ready-made dispute: the question at the table, and the book's answer.
    """

    key: str
    replay: Replay
    done: tuple[str, ...]
    dice: tuple[tuple[str, str], ...]
    answers: tuple[TrainingAnswer, ...]
    title: str = ""
    asked: str = ""
    told: str = ""
    sections: tuple[str, ...] = ()
    rulings: tuple[str, ...] = field(default=())

    @property
    def right(self) -> TrainingAnswer:
        """The book's answer."""
        return next(one for one in self.answers if one.right)

    def answer(self, key: str) -> TrainingAnswer | None:
        """Return the answer with that key, or None."""
        return next((one for one in self.answers if one.key == key), None)


def question_of(document: Mapping[str, Any], *, key: str, **words: Any) -> TrainingQuestion | None:
    """Return the question for a position file, without anyone's name, or None.

    None if it has no actions, if the book can't judge it, or if every reading has the same outcome. Overrides are left
    out, because the question is about the book's answer. `words` are those of a ready-made dispute.
    """
    case = anonymized(document)
    case.pop("judge", None)
    case.pop("ask", None)
    if not case.get("actions"):
        return None
    replay = replay_of(case)
    if replay.fault is not None:
        return None
    right = outcome_words(replay)
    answers = [TrainingAnswer("", right, "", right=True)]
    for reading, lines in _other_readings(case, replay):
        if len(answers) < MAX_ANSWERS and all(lines != one.lines for one in answers):
            answers.append(TrainingAnswer("", lines, reading))
    if len(answers) < 2:
        return None
    named = [TrainingAnswer(_key(key, place), one.lines, one.reading, one.right) for place, one in enumerate(answers)]
    return TrainingQuestion(
        key=key,
        replay=replay,
        done=tuple(action_words(case, one) for one in case["actions"]),
        dice=tuple(_dice(case)),
        answers=tuple(sorted(named, key=lambda one: one.key)),
        **words,
    )


def _key(question: str, place: int) -> str:
    """Return a key that doesn't reveal which answer it is; answers are sorted by their keys."""
    return hashlib.sha256(f"{question} {place}".encode()).hexdigest()[:10]


def _dice(case: Document) -> Iterator[tuple[str, str]]:
    """Yield every roll in words: its purpose and the dice."""
    for action in case["actions"]:
        for name, rolls in (action.get("rolls") or {}).items():
            yield roll_words(case, name), ", ".join(" + ".join(map(str, dice)) for dice in rolls)


# --- Outcomes in words ---


def outcome_words(replay: Replay) -> tuple[str, ...]:
    """Return the outcome of a case, one line per figure affected, so that two readings can be compared."""
    if not replay.legal:
        return (_forbidden(),)
    lines = []
    if replay.awaited is not None:
        lines.append(_("Still needed: %(what)s") % {"what": replay.awaited.title})
    now = replay.report["state"]["characters"]
    actors = {action.get("actor") for action in replay.document["actions"]}
    for _player, piece in pieces(replay.document):
        changed = _changes(piece, now.get(piece["id"], {}), piece["id"] in actors)
        if changed:
            lines.append(_("%(name)s: %(changes)s") % {"name": piece["name"], "changes": ", ".join(changed)})
    if not lines:
        lines.append(_("The action is legal. No figure takes damage or moves."))
    for player, points in replay.report["state"]["victory_points"].items():
        if points:
            lines.append(_("Victory points for %(player)s: %(points)s") % {"player": player, "points": points})
    return tuple(lines)


def _changes(piece: Mapping[str, Any], now: Mapping[str, Any], actor: bool) -> list[str]:
    if now.get("ko"):
        return [_("knocked out")]
    found = []
    clicks = now.get("click", 1) - piece.get("click", 1)
    if clicks:
        found.append(_clicks(clicks))
    if now.get("captured_by"):
        found.append(_("captive"))
    elif now.get("square") and now["square"] != piece.get("square"):
        found.append(_("moves to %(square)s") % {"square": now["square"]})
    tokens = now.get("tokens", 0) - piece.get("tokens", 0)
    if tokens > 0 and not actor:
        found.append(_("gets an action token"))
    gone = [power for power in now.get("countered", ()) if power not in piece.get("countered", ())]
    if gone:
        found.append(_("%(powers)s countered") % {"powers": ", ".join(gone)})
    return found


def _clicks(clicks: int) -> str:
    if clicks < 0:
        return _("heals 1 click") if clicks == -1 else _("heals %(clicks)s clicks") % {"clicks": -clicks}
    return _("takes 1 click of damage") if clicks == 1 else _("takes %(clicks)s clicks of damage") % {"clicks": clicks}


# --- Other readings of the same case ---


def _other_readings(case: Document, replay: Replay) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the outcomes of other readings, the likeliest mistakes first, with the reading in words."""
    ways = _letting_pass(case, replay) if not replay.legal else _deciding_otherwise(case, replay)
    less = _missing(case, replay)
    for way in (ways, _overlooking(case, replay), _with_other_dice(case), _by_other_books(case), less):
        for reading, changed in way:
            told = replay_of(changed)
            if told.fault is None and (told.awaited is None or not told.awaited.is_roll):
                yield reading, outcome_words(told)
    if replay.legal:
        yield _("the result if the action were illegal"), (_forbidden(),)
    else:
        yield _("the result if the action were legal"), (_("The action is legal and continues as the player intends."),)


def _forbidden() -> str:
    return _("The action isn't legal. Nothing happens, and the player may give another action.")


def _letting_pass(case: Document, replay: Replay) -> Iterator[tuple[str, Document]]:
    """Yield the case as it would continue if the illegal act were allowed, or the reason against it didn't matter."""
    number = replay.steps[-1].action if replay.steps else 0
    tried = {**case, "actions": case["actions"][: number + 1]}
    moment = moment_of(replay, replay.steps[-1])
    yield _("the result if the action were legal"), {**case, "judge": [{"before": moment, "set": {"legal": True}}]}
    for sort in dict.fromkeys(area["type"] for area in case["map"].get("terrain", ())):
        bare = copy.deepcopy(tried)
        bare["map"]["terrain"] = [area for area in bare["map"]["terrain"] if area["type"] != sort]
        yield _("the result if the terrain is ignored"), bare
    if any(piece.get("tokens") for _player, piece in pieces(case)):
        rested = copy.deepcopy(tried)
        for _player, piece in pieces(rested):
            piece["tokens"] = 0
        yield _("the result if the action tokens are ignored"), rested


def _deciding_otherwise(case: Document, replay: Replay) -> Iterator[tuple[str, Document]]:
    """Yield the case with one step decided differently: a roll that counts or doesn't, damage that isn't reduced, …"""
    for name in replay.report["unused"]:
        _kind, _colon, who = name.partition(":")
        step = _hit_on(replay, who)
        if step is not None:
            words = _("the result if this roll counted: %(roll)s") % {"roll": roll_words(case, name)}
            yield words, _decided(case, replay, step, {"hit": False})
    otherwise: dict[str, dict[str, Any]] = {
        "evade": {"succeeds": False},
        "knock-back": {"knock-back": False},
        "push": {"damage": 0},
        "miss": {"hit": True},
    }
    for step in replay.steps:
        decision = otherwise.get(step.kind)
        if step.kind == "damage-taken" and "dealt" in step.numbers:
            decision = {"damage": step.numbers["dealt"]}
        if decision is not None:
            words = _("the result if this step were decided differently: %(step)s") % {"step": step.text}
            yield words, _decided(case, replay, step, decision)


def _missing(case: Document, replay: Replay) -> Iterator[tuple[str, Document]]:
    """Yield the case with each hit turned into a miss."""
    for step in replay.steps:
        if step.kind == "hit":
            yield (
                _("the result if this step were decided differently: %(step)s") % {"step": step.text},
                _decided(case, replay, step, {"hit": False}),
            )


def _hit_on(replay: Replay, who: str) -> StepView | None:
    """Return the step by which a figure was hit: the one whose sentence names it."""
    piece = piece_of(replay.document, who)
    if piece is None:
        return None
    return next((one for one in replay.steps if one.kind == "hit" and f"{piece['name']}'s" in one.text), None)


def _decided(case: Document, replay: Replay, step: StepView, decision: dict[str, Any]) -> Document:
    return {**case, "judge": [{"before": moment_of(replay, step), "set": decision}]}


def _by_other_books(case: Document) -> Iterator[tuple[str, Document]]:
    """Yield the case in every other edition; if knock back is optional there, it is chosen."""
    for name, edition in EDITIONS.items():
        if name == case["edition"]:
            continue
        changed = copy.deepcopy({**case, "edition": name})
        for action in changed["actions"]:
            action["choose"] = {"knock-back": True, **(action.get("choose") or {})}
        yield _("the result under another rulebook: %(book)s") % {"book": edition.title}, changed


def _overlooking(case: Document, replay: Replay) -> Iterator[tuple[str, Document]]:
    """Yield the case without each power: powers that mattered first, then those of bystanders, then those used."""
    mattered = {topic for step in replay.steps for topic in step.topics}
    used = {name for action in case["actions"] for name in _used(action)}
    rest = []
    for _player, piece in pieces(case):
        for power in dict.fromkeys(power for click in piece["dial"] for power in click["powers"]):
            row = EDITIONS[case["edition"]].powers.get(power)
            if row is None or power in used:
                continue
            changed = copy.deepcopy(case)
            _counter(changed, piece["id"], power)
            told = (_("the result if %(power)s is overlooked") % {"power": power}, changed)
            if row.topic in mattered:
                yield told
            else:
                rest.append(told)
    yield from rest
    for power in sorted(used):
        changed = copy.deepcopy(case)
        for action in changed["actions"]:
            _without(action, power)
        yield _("the result if %(power)s is overlooked") % {"power": power}, changed


def _used(action: Mapping[str, Any]) -> Iterator[str]:
    yield from action.get("using") or ()
    for granted in action.get("then") or ():
        yield from _used(granted)


def _counter(case: Document, name: str, power: str) -> None:
    for _player, piece in pieces(case):
        if piece["id"] == name:
            piece["countered"] = [*piece.get("countered", ()), power]


def _without(action: Document, power: str) -> None:
    if power in (action.get("using") or ()):
        action["using"] = [name for name in action["using"] if name != power]
    for granted in action.get("then") or ():
        _without(granted, power)


def _with_other_dice(case: Document) -> Iterator[tuple[str, Document]]:
    """Yield the case with a different result for each single die that a power requires."""
    for number, action in enumerate(case["actions"]):
        for name, rolls in (action.get("rolls") or {}).items():
            if ":" not in name or not rolls or len(rolls[0]) != 1:
                continue
            changed = copy.deepcopy(case)
            changed["actions"][number]["rolls"][name] = [[1 if rolls[0][0] > 3 else 6], *rolls[1:]]
            yield _("the result with a different roll: %(roll)s") % {"roll": roll_words(case, name)}, changed
