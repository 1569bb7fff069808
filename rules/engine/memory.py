"""What a battle remembers beside its position, by how long it lasts: the battle, the turn, the action.

`OfBattle` begins with the position file, a new `OfTurn` with every turn, and a new `OfAction` with every action of the
file; what a power grants within an action belongs to that action. A `Checkpoint` is what an action that is refused
leaves as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from rules.engine.choices import NO_CHOICES, Choices
from rules.engine.met import Notes
from rules.engine.position.characters import GivenModifier
from rules.engine.position.position import Position
from rules.engine.position.terrain import Marker
from rules.engine.steps import StepName


class Placed(NamedTuple):
    """A marker that a power placed, whose it is, and that it goes at the start of that player's next turn."""

    player: str
    marker: Marker
    topic: str


class Cancelled(NamedTuple):
    """A power that somebody's Outwit has turned off: whose, of whom, which, and on whose turn it comes back."""

    by: str
    of: str
    power: str
    player: str


class Altered(NamedTuple):
    """A modifier that somebody gave to somebody: it lasts for this turn, or until the next turn of a player."""

    by: str
    of: str
    modifier: GivenModifier
    until: str | None = None


class Reroll(NamedTuple):
    """A use of Probability Control: the character that used it, and the number of the turn."""

    by: str
    turn: int


class SharedAction(NamedTuple):
    """An action that several members of a team may share: the team ability, the target, and who has acted so far."""

    team: str
    target: str
    members: tuple[str, ...]


class NotMade(NamedTuple):
    """An attack that was not made: its attacker, its kind, and the target that was taken for a friend."""

    attacker: str
    kind: str
    target: str


class Lent(NamedTuple):
    """A character that acts for an opponent under Mind Control, and the player on whose force it is."""

    character: str
    owner: str


class Controlled(NamedTuple):
    """A character under Mind Control, and the character that controls it."""

    character: str
    controller: str


class Merged(NamedTuple):
    """A horde token or stack that has joined a stack, by their ids; `single`: whether it was one token."""

    mover: str
    stack: str
    single: bool


class HealingDue(NamedTuple):
    """Healing that waits until the action has resolved: of whom, how many clicks, by what, and its topic."""

    character: str
    clicks: int
    why: str
    topic: str


@dataclass(slots=True)
class Dice:
    """The dice of one action, by the name of the roll in the order they were rolled, and how many have been used."""

    rolled: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)

    def next(self, name: str) -> tuple[int, ...] | None:
        """Return the next roll of that name, None where there is none."""
        rolls = self.rolled.get(name, ())
        number = self.used.get(name, 0)
        if number >= len(rolls):
            return None
        self.used[name] = number + 1
        return rolls[number]

    def has(self, name: str) -> bool:
        """Return whether there is another roll of that name."""
        return self.used.get(name, 0) < len(self.rolled.get(name, ()))

    def unused(self) -> list[str]:
        """Return the names of the rolls that were not needed, one for each."""
        return [name for name, rolls in self.rolled.items() for _ in rolls[self.used.get(name, 0) :]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfBattle:
    """What is remembered until the battle ends, or until a later turn ends it. Characters by their ids."""

    points: Mapping[str, Fraction] = field(default_factory=dict)
    """The victory points of each player so far."""
    placed: tuple[Placed, ...] = ()
    """The markers that powers have placed."""
    cancelled: tuple[Cancelled, ...] = ()
    """The powers that Outwit has turned off."""
    altered: tuple[Altered, ...] = ()
    """The modifiers that Perplex has given."""
    rerolls: tuple[Reroll, ...] = ()
    """The uses of Probability Control that still count against another one."""
    ruled: tuple[int, ...] = ()
    """The judge's decisions that have been made, by their number in the file."""
    passed: tuple[int, ...] = ()
    """The judge's decisions that wait for a later time, each as often as a moment of theirs has gone by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfTurn:
    """What is remembered until the turn ends. Characters by their ids."""

    given: int = 0
    """How many actions have been given."""
    extra: int = 0
    """How many actions Leadership has added."""
    shared: SharedAction | None = None
    """The last action, where several may share it."""
    swaps: tuple[frozenset[str], ...] = ()
    """The pairs that have exchanged a click."""
    helpers: tuple[str, ...] = ()
    """The S.H.I.E.L.D. agents that have helped with an attack."""
    rested: tuple[str, ...] = ()
    """The Sentinels that have passed, which was their action."""
    tokened: tuple[str, ...] = ()
    """The characters that have been given an action token."""
    refused: tuple[NotMade, ...] = ()
    """The attacks that were not made."""
    declined: frozenset[str] = frozenset()
    """What is out of use because its bearer declines it, as `topic:ID`; in some books only while an action lasts."""


@dataclass(slots=True, kw_only=True)
class OfAction:
    """What is remembered until the action has resolved, and changes as it goes. Characters by their ids."""

    number: int = 0
    """Which action of the file it is, from 0."""
    place: tuple[int, ...] = ()
    """The way through `then` to what it has granted and is performed now; empty for the action itself."""
    next_step: StepName = StepName.DECLARE
    """The step that is worked out now: before it stands what the rules forbid there."""
    dice: Dice = field(default_factory=Dice)
    """The dice that were rolled for it."""
    choices: Choices = NO_CHOICES
    """What was chosen for it, and for what it grants."""
    using: tuple[str, ...] = ()
    """The powers that it names, and those of what it grants."""
    allowed: bool = False
    """Whether a judge allows it, whatever the rules say."""
    acting: str | None = None
    """The character that acts now: the one to which the action, or what it grants, was given."""
    powerless: frozenset[str] = frozenset()
    """The characters whose powers the attack in progress ignores."""
    lent: Lent | None = None
    """The character that acts for an opponent now."""
    controlled: Controlled | None = None
    """The same character with its controller, until its token has been placed."""
    merged: Merged | None = None
    """The horde token or stack that has joined a stack."""
    healing_due: tuple[HealingDue, ...] = ()
    """The healing that waits until the action has resolved."""
    misses_due: tuple[str, ...] = ()
    """The characters that are dealt the click of two 1s once the action has resolved."""
    notes: Notes = field(default_factory=Notes)
    """What has been met, for the rulings."""
    asked: set[StepName] = field(default_factory=set)
    """The steps of which it has been asked whether a judge decides them, and which haven't come yet."""


class Checkpoint(NamedTuple):
    """What is restored when an action is refused: the position, the memory, the number of steps, what they showed."""

    position: Position
    battle: OfBattle
    turn: OfTurn
    steps: int
    shown: Position
    points: Mapping[str, Fraction] | None
