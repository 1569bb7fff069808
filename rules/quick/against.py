"""“X against Y”: the first act in which two things meet, found by adjudicating small positions, and what comes of it.

Each act is adjudicated with both, without one, and without the other. Where the reports differ, they meet. The
sentences are the engine's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from django.utils.translation import get_language

from rules import engine
from rules.dispute.options import ALL_IN_REACH, is_move
from rules.dispute.replay import Replay, StepView
from rules.dispute.sums import SumLine
from rules.engine import EDITIONS, Lending, Power, Ruling
from rules.positions import Document, pieces
from rules.quick.filling import TWO_DICE, by_face, faces_words, filled, single_dice, without_rolls
from rules.quick.positions import Action, Scenery, position, put
from rules.quick.terms import Term, terms

How = Literal["stops", "ignored", "powerless", "both"]

AGAIN = {"x": [6, 5], "y": [1, 2]}
"""The dice when the acting figure, or the target, has the attack rolled again."""
PLACED: Mapping[str, Mapping[str, Any]] = {
    "Barrier": {"squares": ["E4", "F4", "F3", "E3"]},
    "Smoke Cloud": {"squares": ["E4", "F4", "F3", "E3"]},
    "Telekinesis": {"square": "E7"},
}
"""The squares that powers choose which place something."""
BETWEEN_THEM = frozenset({"hindering-terrain", "water", "blocking-terrain", "walls", "elevation"})
"""Conditions that are looked for at a distance first."""
TELLS = frozenset(
    {
        "illegal", "attack-roll", "hit", "miss", "evade", "click", "ko", "knock-back", "heal", "counter",
        "modify", "capture", "push", "reroll", "shape-change", "move", "roll", "break-away", "terrain", "token",
    }
)  # fmt: skip
"""Steps by which two reports are compared."""
UNTOLD = frozenset({"because", "parts", "dice", "from", "to"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes of an act with some results of a die: its faces (none if no die matters), and the engine's sentences.

    `sums` are the parts of a number that one of the two changes, `citations` the sections of the sentences.
    """

    faces: tuple[int, ...]
    sentences: tuple[str, ...]
    sums: tuple[SumLine, ...] = ()
    citations: tuple[Mapping[str, Any], ...] = ()

    @property
    def rolls(self) -> str:
        """The results of the die, in words."""
        return faces_words(self.faces)


@dataclass(frozen=True)
class Meeting:
    """Two things in one act: who acts with what, how it goes, and the position file with its dice."""

    first: Term
    second: Term
    how: How
    scenery: Scenery
    document: Document
    replay: Replay
    outcomes: tuple[Outcome, ...]

    @property
    def asked(self) -> Document:
        """The position file without the dice, for a dispute."""
        return without_rolls(self.document)


# --- What is tried ---


def _sceneries(edition: str, first: Term, second: Term) -> Iterator[Scenery]:
    """Yield the sceneries worth trying, the plainest first."""
    plain = [Scenery(near=True)]
    if "adjacency" not in (first.key, second.key):
        plain.append(Scenery(near=False))
    if second.key in BETWEEN_THEM:
        plain.reverse()
    rows = [row for one in (first, second) if one.kind != "condition" and (row := EDITIONS[edition].row(one.name))]
    if any(row.attacking.after_damaging for row in rows):
        plain = [replace(one, wounded=True) for one in plain]
    yield from plain
    for changes in _extras(rows, {first.key, second.key}):
        for one in plain:
            yield replace(one, **changes)


def _extras(rows: list[Power], keys: set[str]) -> Iterator[dict[str, Any]]:
    """Yield what else may be needed for these powers to matter: cover, friends beside them, tokens, damage, doubles."""
    if any(r.defending.hides_behind_hindering or r.attacking.sees_past or r.moving.moves_past for r in rows):
        yield {"cover": True}
    lends = any(r.lending != Lending() or r.grants_powers or r.defending.transfers_damage for r in rows)
    if lends or any(r.name in ALL_IN_REACH or r.name == "Energy Explosion" for r in rows):
        yield {"friend": True}
        yield {"friend": True, "on_friend": True}
    if lends or any(r.targets == "friends" or r.moving.passengers for r in rows):
        yield {"supported": True}
        yield {"supported": True, "from_friend": True}
    if any(r.defending.pushed_unhurt or r.despite_tokens for r in rows) or "incapacitate" in keys:
        yield {"tokens": 1}
    if any(r.targets == "friends" for r in rows) or "regeneration" in keys:
        yield {"wounded": True}
    if any(r.attacking.always_knocks_back or r.defending.may_be_knocked_back for r in rows):
        yield {"doubles": True}


def _acts(edition: str, first: Term, scenery: Scenery) -> Iterator[tuple[Action, Action | None]]:
    """Yield the acts in which something may act, each with the same act without it (None: there is none)."""
    close, ranged = ({"action": kind, "actor": "x", "targets": ["y"]} for kind in ("close", "ranged"))
    away = {"action": "move", "actor": "x", "path": ["B4", "A3"] if scenery.near else ["D5", "E5", "F5"]}
    row = EDITIONS[edition].row(first.name) if first.kind != "condition" else None
    if row is None or not row.action:
        yield (close, close) if scenery.near else (ranged, ranged)
        if scenery.near:
            yield ranged, ranged
        yield away, away
        return
    for kind in row.action:
        using = {"action": kind, "actor": "x", "using": [first.name]}
        if row.moving.grants or row.name == "Hypersonic Speed":
            yield from _after_moving(using, close, ranged, near=scenery.near)
        elif is_move(edition, kind, row.name):
            yield {**away, **using}, {**away, "action": "move"}
        elif row.act is None:
            plain = close if kind == "close" else ranged
            yield {**plain, **using, "targets": [] if row.name in ALL_IN_REACH else ["y"]}, plain
        else:
            yield {**using, "targets": ["y"]} | _placed(row.name), None
            yield using | _placed(row.name), None


def _after_moving(
    using: Action, close: Action, ranged: Action, *, near: bool
) -> Iterator[tuple[Action, Action | None]]:
    ways = [(["C4"], close)] if near else [(["D5"], ranged), (["D5", "E5", "F5"], close)]
    for path, attack in ways:
        yield {**using, "path": path, "then": [attack]}, attack


def _placed(name: str) -> Action:
    """Return the choice of squares that a power needs."""
    squares = PLACED.get(name)
    return {"choose": dict(squares)} if squares else {}


# --- Adjudicating ---


FAULTY = "fault"
"""The signature of a position that the book can't judge."""


def _signature(replay: Replay) -> Any:
    """Return what makes two outcomes of one act the same."""
    if replay.fault is not None:
        return FAULTY
    told = []
    for step in replay.report["steps"]:
        if step["step"] in TELLS:
            numbers = tuple((k, str(v)) for k, v in sorted(step["numbers"].items()) if k not in UNTOLD)
            told.append((step["step"], str(numbers)))
        elif step["step"] in ("targets", "line-of-fire"):
            told.append((step["step"], step["text"]))
    return replay.legal, str(told), _changed(replay), str(replay.report.get("awaiting"))


@lru_cache(maxsize=2048)
def _seen(document: str, doubles: bool, _language: str | None) -> tuple[bool, Any]:
    """Return whether an act on a position is legal, and its signature: many pairs share those without one of both."""
    replay = filled(json.loads(document), {}, doubles=doubles)
    return replay.legal, _signature(replay)


def _changed(replay: Replay) -> str:
    """Return what has changed about the figures, so that how they began makes no difference."""
    now = replay.report["state"]["characters"]
    keys = ("square", "click", "tokens", "ko", "countered", "captured_by")
    found = []
    for _player, piece in pieces(replay.document):
        before = {"click": 1, "tokens": 0, "ko": False, "countered": [], **piece}
        found.append([key for key in keys if now[piece["id"]].get(key) != before.get(key)])
        found.append([now[piece["id"]]["click"] - before["click"], now[piece["id"]]["tokens"] - before["tokens"]])
    return str(found)


@dataclass(frozen=True)
class _Trial:
    """One act on one position, adjudicated with both things, and with each of them alone."""

    document: Document
    replay: Replay
    how: How


def _trial(
    edition: str, first: Term, second: Term, scenery: Scenery, act: Action, plain: Action | None
) -> _Trial | None:
    """Return the act if both matter in it, or None."""

    def made(*, x: bool, y: bool) -> Document:
        document = _set_up(edition, first, second, scenery, x=x, y=y)
        given = act if x else plain
        return {**document, "actions": [_as_asked(given, scenery, first if x else None, second if y else None)]}

    def seen(*, x: bool, y: bool) -> tuple[bool, Any]:
        return _seen(json.dumps(made(x=x, y=y)), scenery.doubles, get_language())

    both = filled(made(x=True, y=True), {}, doubles=scenery.doubles)
    if both.fault is not None:
        return None
    alone_legal, without_x = seen(x=True, y=False)
    if without_x == FAULTY or not (both.legal or alone_legal):
        return None
    with_x = _signature(both)
    y_with = with_x != without_x
    if plain is None:
        return _Trial(both.document, both, "both" if both.legal else "stops") if y_with else None
    _legal, other = seen(x=False, y=True)
    _legal, bare = seen(x=False, y=False)
    y_alone = other != bare
    x_with, x_alone = with_x != other, without_x != bare
    acts = bool(act.get("using"))
    if not ((y_with or y_alone) and (acts or x_with or x_alone)):
        return None
    how: How = "both"
    if not both.legal and alone_legal:
        how = "stops"
    elif not y_with:
        how = "ignored"
    elif x_alone and not x_with and not any(step.kind == "miss" for step in both.steps):
        how = "powerless"
    return _Trial(both.document, both, how)


def _as_asked(act: Action | None, scenery: Scenery, *having: Term | None) -> Action:
    """Return an act with the uses that a player has to name: who takes the damage, what is rolled again."""
    given = dict(act or {})
    for role, term in zip("xy", having, strict=True):
        if term is not None and term.key == "mastermind" and role == "y" and scenery.friend and not scenery.on_friend:
            given["choose"] = {**given.get("choose", {}), "mastermind:y": "yf"}
        attacks = given.get("action") in ("close", "ranged") or given.get("then")
        if term is not None and term.key == "probability-control" and attacks:
            given["rolls"] = {"attack": [TWO_DICE], "attack/reroll": [AGAIN[role]]}
            given["choose"] = {**given.get("choose", {}), "reroll-by": role}
    return given


def _set_up(edition: str, first: Term, second: Term, scenery: Scenery, *, x: bool, y: bool) -> Document:
    row = EDITIONS[edition].row(first.name) if first.kind != "condition" else None
    document = position(edition, scenery, together=row is not None and row.targets == "friends")
    if x:
        put(document, first, "x", scenery)
        if row is not None and row.targets == "friends" and first.kind == "team":
            put(document, first, "y", scenery)
    if y:
        put(document, second, "y", scenery)
    return document


def meeting(edition: str, first: str, second: str) -> Meeting | None:
    """Return the first act in which one thing, used by the acting figure, meets another of its target, or None."""
    return _meeting(edition, first, second, get_language())


@lru_cache(maxsize=4096)
def _meeting(edition: str, first: str, second: str, _language: str | None) -> Meeting | None:
    """Return a meeting whose sums have their titles in this language."""
    one, other = terms(edition)[first], terms(edition)[second]
    with engine.time_limit(None):  # no time limit: the result is cached, so it must be complete even on a busy server
        for scenery in _sceneries(edition, one, other):
            for act, plain in _acts(edition, one, scenery):
                found = _trial(edition, one, other, scenery, act, plain)
                if found is not None:
                    outcomes = _outcomes(found, one, other, scenery.doubles)
                    return Meeting(one, other, found.how, scenery, found.document, found.replay, tuple(outcomes))
    return None


def rulings_on(edition: str, first: str, second: str) -> list[Ruling]:
    """Return the rulings of a book about both of two topics, those about fewer others first."""
    both = {first, second}
    found = [one for one in engine.rulings(edition) if both <= set(one.topics)]
    return sorted(found, key=lambda one: len(one.topics))


def rulings_on_one(edition: str, topic: str, other: str) -> list[Ruling]:
    """Return the rulings of a book about one topic and not the other, as the engine orders them."""
    return [one for one in engine.find_rulings(edition, topics=[topic]) if other not in one.topics]


# --- In words ---


def _outcomes(trial: _Trial, first: Term, second: Term, doubles: bool) -> list[Outcome]:
    """Return what comes of an act: one outcome, or one for each result of the die that decides it."""
    entered = single_dice(trial.replay)
    deciding = next((kind for kind in _dice_of(second) + _dice_of(first) if kind in entered), None)
    if deciding is not None:
        found = by_face(without_rolls(trial.document), deciding, doubles=doubles)
        if 1 < len(found) < 6:
            return [_outcome(faces, replay, first, second) for faces, replay in found]
    return [_outcome((), trial.replay, first, second)]


def _dice_of(term: Term) -> list[str]:
    """Return the names of the single dice that a power or team ability asks for."""
    return ["skrull"] if term.key == "skrulls" else [term.topic]


ENDS = frozenset(
    {"click", "ko", "heal", "evade", "miss", "knock-back", "push", "capture", "counter", "token", "move", "resolve",
     "modify", "illegal"}
)  # fmt: skip
"""Steps that say what an act comes to."""


def _outcome(faces: tuple[int, ...], replay: Replay, first: Term, second: Term) -> Outcome:
    """Return the engine's sentences that decide: those about the second thing, else the first, and how it ends.

    With `faces` the die is told already.
    """
    is_condition = second.kind == "condition" and second.key not in BETWEEN_THEM
    untold = {"declare", "roll"} if faces else {"declare"}
    steps = [one for one in replay.steps if one.kind not in untold]
    if not replay.legal:
        kept = replay.steps[-1:]
    else:
        about = [one for one in steps if second.topic in one.topics and (one.kind != "targets" or is_condition)]
        if not about and not faces:
            about = [one for one in steps if first.topic in one.topics and one.kind != "targets"]
        last = about[-1].number if about else 0
        ends = [one for one in steps if one.kind in ENDS and one.number > last and _changes_others(replay, one)]
        kept = [*about[-2:], *ends[-1:]] or steps[-1:]
    topics = {first.topic, second.topic}
    sums = next((one.sums for one in (*kept, *steps) if one.sums and topics & _topics_of_sums(one)), ())
    cited = {cite["section"]: cite for one in kept for cite in one.citations}
    return Outcome(faces, tuple(one.text for one in kept), sums, tuple(cited.values()))


def _changes_others(replay: Replay, step: StepView) -> bool:
    """Return whether a step changes another figure than the acting one, or none."""
    changed = set(replay.report["steps"][step.number - 1]["changes"].get("characters", {}))
    return changed != {"x"}


def _topics_of_sums(step: StepView) -> set[str]:
    parts = step.numbers.get("parts", {})
    return {part["topic"] for of_number in parts.values() for part in of_number}
