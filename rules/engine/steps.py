"""Steps of an adjudication, with their numbers and reasons, and the closed list of step names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from rules.engine.citations import Citation
from rules.engine.met import Stage
from rules.engine.position.position import Position
from rules.engine.reasons import Parts


class StepName(StrEnum):
    """The kind of a step, recorded once it has happened; a `note` says what was to be expected and doesn't happen."""

    DECLARE = "declare"
    NOTE = "note"
    ILLEGAL = "illegal"
    BREAK_AWAY = "break-away"
    MOVE = "move"
    CARRY = "carry"
    PICK_UP = "pick-up"
    PUT_DOWN = "put-down"
    TARGETS = "targets"
    SHAPE_CHANGE = "shape-change"
    LINE_OF_FIRE = "line-of-fire"
    ATTACK_ROLL = "attack-roll"
    REROLL = "reroll"
    HIT = "hit"
    MISS = "miss"
    EVADE = "evade"
    DAMAGE_DEALT = "damage-dealt"
    DAMAGE_TAKEN = "damage-taken"
    CLICK = "click"
    KO = "ko"
    KNOCK_BACK = "knock-back"
    KNOCK_BACK_DAMAGE = "knock-back-damage"
    CRITICAL_HIT = "critical-hit"
    CRITICAL_MISS = "critical-miss"
    HEAL = "heal"
    COUNTER = "counter"
    MODIFY = "modify"
    TOKEN = "token"
    PUSH = "push"
    TERRAIN = "terrain"
    CAPTURE = "capture"
    RESOLVE = "resolve"
    CLEAR_TOKENS = "clear-tokens"
    TURN = "turn"
    ROLL = "roll"
    RULING = "ruling"


class Moment(NamedTuple):
    """The point at which a step would have come: the action, the granted action within it (`then`), and the step."""

    action: int
    then: tuple[int, ...]
    step: StepName


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an action (counted from 0): what happened in words and numbers, why, and what it changed.

    `parts` are the reasons of its computed numbers, by name. `moment` is when an illegal act was forbidden. `before`
    and `after` are the positions around it and `points` the victory points it changed: merging the changes step after
    step gives the board at each step. `stage` is its stage of the action, `of` the character it is about, if any.
    """

    action: int
    step: StepName
    text: str
    topics: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    rulings: tuple[str, ...] = ()
    numbers: dict[str, Any] = field(default_factory=dict)
    before: Position | None = None
    after: Position | None = None
    points: dict[str, Any] | None = None
    parts: Mapping[str, Parts] = field(default_factory=dict)
    moment: Moment | None = None
    stage: Stage = ()
    of: str | None = None
