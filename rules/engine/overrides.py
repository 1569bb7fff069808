"""Overrides: a judge's decisions that replace the book's before a step of an action.

An override is part of the position file and is applied when the sequence reaches its step (`Play.before` and
`Play.ruled`). It shows as a step `ruling` with the judge's words and never cites a book; a number it changes keeps the
judge among its reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rules.engine.position.characters import GivenModifier, GivenReplacement
from rules.engine.steps import StepName

BY_JUDGE: Final = "as the judge ruled"

DECIDES: Final[Mapping[StepName, frozenset[str]]] = {
    StepName.DECLARE: frozenset({"legal"}),
    StepName.TARGETS: frozenset({"legal"}),
    StepName.MOVE: frozenset({"legal"}),
    StepName.BREAK_AWAY: frozenset({"succeeds"}),
    StepName.SHAPE_CHANGE: frozenset({"succeeds"}),
    StepName.LINE_OF_FIRE: frozenset({"line"}),
    StepName.ATTACK_ROLL: frozenset({"total"}),
    StepName.HIT: frozenset({"hit"}),
    StepName.EVADE: frozenset({"succeeds"}),
    StepName.DAMAGE_DEALT: frozenset({"damage"}),
    StepName.DAMAGE_TAKEN: frozenset({"damage"}),
    StepName.KNOCK_BACK: frozenset({"knock-back", "squares"}),
    StepName.HEAL: frozenset({"clicks"}),
    StepName.PUSH: frozenset({"damage"}),
}
"""What a judge may decide before each step; `miss` stands for the same moment as `hit`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOverride:
    """A judge's decision about one step; None leaves a field to the rules.

    The fields: whether an act is legal or succeeds, how clear a line of fire is, the attack total, whether it hits, the
    damage, the knock back, the clicks healed.
    """

    legal: bool | None = None
    succeeds: bool | None = None
    line: str | None = None
    total: int | None = None
    hit: bool | None = None
    damage: int | None = None
    knock_back: bool | None = None
    squares: int | None = None
    clicks: int | None = None


NO_DECISION: Final = StepOverride()
SAME_MOMENT: Final = {StepName.MISS: StepName.HIT, StepName.ILLEGAL: StepName.DECLARE}


@dataclass(frozen=True, slots=True)
class Placing:
    """A judge's changes to a character: new values for some of its fields, by their names in `Character`."""

    character: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Override:
    """One override by a judge: when it applies, what it decides and changes, and the judge's words.

    It applies before step `step` of action `action`, both counted as in the report (no step: before the action begins;
    no action: before the first), about the character `of` where that is named, at the `time`-th such step. `decides` is
    read at that step; `forbids` makes the act illegal; `points` are the players' scores from then on,
    `event_dial` is the click that the event dial is turned to, `rift` the number on the dimensional rift's die.
    """

    action: int = 0
    step: StepName | None = None
    of: str | None = None
    time: int = 1
    text: str = ""
    by: str = ""
    decides: Mapping[str, Any] = field(default_factory=dict)
    forbids: bool = False
    placings: tuple[Placing, ...] = ()
    modifiers: tuple[tuple[str, GivenModifier], ...] = ()
    replacements: tuple[tuple[str, GivenReplacement], ...] = ()
    points: Mapping[str, int] = field(default_factory=dict)
    event_dial: int | None = None
    rift: int | None = None

    @property
    def judge(self) -> str:
        """The judge's name, or a phrase in its place, for use in sentences."""
        return self.by or "The judge"

    def at(self, action: int, step: StepName | None, of: str | None) -> bool:
        """Return whether the override applies at this step."""
        moment = SAME_MOMENT.get(self.step, self.step) if self.step is not None else None
        here = SAME_MOMENT.get(step, step) if step is not None else None
        return self.action == action and moment == here and (self.of is None or of is None or self.of == of)

    def sentence(self, named: Callable[[str], str]) -> str:
        """Return the override as a sentence for the report; `named` returns the name of a character by its id."""
        done = [_decided(name, value) for name, value in self.decides.items()]
        done += [f"{named(one.character)}: {_fields(one.fields)}" for one in self.placings]
        done += [f"{named(of)}: {given.by:+d} {given.value.value}" for of, given in self.modifiers]
        done += [f"{named(of)}: {given.value.value} {_replaced(given.to)}" for of, given in self.replacements]
        done += [f"{player} has {points} victory points" for player, points in self.points.items()]
        if self.event_dial is not None:
            done.append(f"the event dial shows click {self.event_dial}")
        if self.rift is not None:
            done.append(f"the rift's die shows {self.rift}" if self.rift else "the rift is closed")
        if self.forbids:
            done.append(_DECIDED["legal"][False])
        words = [f"{self.judge} rules: {self.text}" if self.text else f"{self.judge} rules.", *done]
        return "; ".join(word.rstrip(".") for word in words) + "."


_DECIDED: Final[Mapping[str, Mapping[bool, str]]] = {
    "legal": {True: "the action is allowed", False: "the action isn't allowed"},
    "hit": {True: "the attack hits", False: "the attack misses"},
    "succeeds": {True: "the roll succeeds", False: "the roll fails"},
    "knock-back": {True: "the target is knocked back", False: "the target isn't knocked back"},
}
_SET: Final = {
    "line": "the line of fire is {}",
    "total": "the attack total is {}",
    "damage": "the damage is {}",
    "clicks": "clicks healed: {}",
    "squares": "squares knocked back: {}",
}


def _decided(name: str, value: Any) -> str:
    return _DECIDED[name][value] if isinstance(value, bool) else _SET[name].format(value)


def _replaced(to: int | str) -> str:
    return {"halve": "is halved", "double": "is doubled"}.get(str(to), f"is replaced by {to}")


def _fields(fields: Mapping[str, Any]) -> str:
    return ", ".join(_field(name, value) for name, value in fields.items())


def _field(name: str, value: Any) -> str:
    """Return a changed field of a character in words."""
    if name == "squares":
        return f"in {', '.join(map(str, value))}" if value else "off the map"
    if name == "acted":
        return "has acted" if value else "hasn't acted"
    return f"{name} {', '.join(value) or 'none'}" if isinstance(value, tuple) else f"{name} {value}"
