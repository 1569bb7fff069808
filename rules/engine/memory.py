"""The state that a battle remembers beside its position, by lifetime: battle, turn, action.

`OfBattle` begins with the position file, a new `OfTurn` with every turn, and a new `OfAction` with every action of the
file; whatever a power grants within an action belongs to that action. A `Checkpoint` is the state to restore if an
action is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from rules.engine.action import Action
from rules.engine.choices import NO_CHOICES, Choices
from rules.engine.met import Notes
from rules.engine.position.characters import GivenModifier
from rules.engine.position.position import Position
from rules.engine.position.terrain import Marker
from rules.engine.steps import StepName


class Placed(NamedTuple):
    """A marker placed by a power, and its player; it is removed at the start of that player's next turn."""

    player: str
    marker: Marker
    topic: str


class Cancelled(NamedTuple):
    """A power turned off by Outwit: the player using Outwit, the target, the power, and on whose turn it returns."""

    by: str
    of: str
    power: str
    player: str


class Altered(NamedTuple):
    """A modifier that one character gave another; it lasts for this turn, or until a player's next turn."""

    by: str
    of: str
    modifier: GivenModifier
    until: str | None = None


class Reroll(NamedTuple):
    """A use of Probability Control: the character that used it, and the number of the turn."""

    by: str
    turn: int


class SharedAction(NamedTuple):
    """An action that members of a team may share: the team ability, the target, and the members that have acted."""

    team: str
    target: str
    members: tuple[str, ...]


class NotMade(NamedTuple):
    """An attack prevented by Shape Change: its attacker, its kind, and the target."""

    attacker: str
    kind: str
    target: str


class Lent(NamedTuple):
    """A character that acts for an opponent under Mind Control, and the player whose force it belongs to."""

    character: str
    owner: str


class Controlled(NamedTuple):
    """A character under Mind Control, and the character that controls it."""

    character: str
    controller: str


class Merged(NamedTuple):
    """A horde token or stack that has joined a stack, by their ids; `single`: whether it was a single token."""

    mover: str
    stack: str
    single: bool


class HealingDue(NamedTuple):
    """Healing due once the action has resolved: the character, the number of clicks, the reason, and its topic."""

    character: str
    clicks: int
    why: str
    topic: str


@dataclass(slots=True)
class Dice:
    """The dice of one action, by roll name in the order rolled, and how many have been used."""

    rolled: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)

    def next(self, name: str) -> tuple[int, ...] | None:
        """Return the next roll of that name; None if there is none."""
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
        """Return the names of unused rolls, once for each roll."""
        return [name for name, rolls in self.rolled.items() for _ in rolls[self.used.get(name, 0) :]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfBattle:
    """State remembered until the battle ends or a later turn clears it. Characters are given by their ids."""

    points: Mapping[str, Fraction] = field(default_factory=dict)
    """Each player's victory points so far."""
    placed: tuple[Placed, ...] = ()
    """Markers placed by powers."""
    cancelled: tuple[Cancelled, ...] = ()
    """Powers turned off by Outwit."""
    altered: tuple[Altered, ...] = ()
    """Modifiers given by Perplex."""
    rerolls: tuple[Reroll, ...] = ()
    """Uses of Probability Control that still limit further uses."""
    ruled: tuple[int, ...] = ()
    """Numbers in the file of the overrides already applied."""
    passed: tuple[int, ...] = ()
    """Overrides that wait for a later occurrence of their step, by how many occurrences have passed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfTurn:
    """State remembered until the turn ends. Characters are given by their ids."""

    given: int = 0
    """The number of actions given."""
    unsure: tuple[str, ...] = ()
    """Sentences on actions given before the position, which are counted though a card may say otherwise."""
    extra: int = 0
    """The number of actions added by Leadership."""
    shared: SharedAction | None = None
    """The last action, if others may share it."""
    swaps: tuple[frozenset[str], ...] = ()
    """Pairs of characters that have exchanged a click."""
    helpers: tuple[str, ...] = ()
    """S.H.I.E.L.D. agents that have helped with an attack."""
    rested: tuple[str, ...] = ()
    """Sentinels that have passed as their action."""
    tokened: tuple[str, ...] = ()
    """Characters that have been given an action token."""
    controlled: tuple[str, ...] = ()
    """Characters that have been mind-controlled."""
    refused: tuple[NotMade, ...] = ()
    """Attacks prevented by Shape Change."""
    returned: tuple[int, ...] = ()
    """The points of each defeated horde token that has come back."""
    announced: frozenset[tuple[str, str]] = frozenset()
    """Effects with a limit of which the judge has been told, as character and name."""
    epic: bool = False
    """Whether the epic action of the turn has been given."""
    declined: frozenset[str] = frozenset()
    """Declined powers as `topic:ID`; in some books they are declined for one action only."""


@dataclass(slots=True, kw_only=True)
class OfAction:
    """State of the current action, until it has resolved. Characters are given by their ids."""

    number: int = 0
    """The number of the action in the file, from 0."""
    place: tuple[int, ...] = ()
    """The path through `then` to the granted action being performed; empty for the action itself."""
    next_step: StepName = StepName.DECLARE
    """The step being worked out; an illegal act is reported as stopped before it."""
    dice: Dice = field(default_factory=Dice)
    """The dice rolled for it."""
    choices: Choices = NO_CHOICES
    """The choices made for it and for the actions it grants."""
    using: tuple[str, ...] = ()
    """The powers named by it and by the actions it grants."""
    moved_with: tuple[tuple[str, str], ...] = ()
    """The characters that have moved in it, with the powers that their moves used without naming them."""
    declined: frozenset[str] = frozenset()
    """What its choices decline, as `topic:ID`."""
    allowed: bool = False
    """Whether a judge allows it despite the rules."""
    trial: bool = False
    """Whether it is only tried, to find out what the book allows."""
    hit: tuple[str, ...] = ()
    """The characters, targets or not, that the attack hit whose effects follow now."""
    missed: tuple[str, ...] = ()
    """The characters, targets or not, that it missed."""
    successes: tuple[tuple[str, str], ...] = ()
    """The characters that have succeeded on a roll, with the power that they rolled for."""
    succeeded: str = ""
    """The power for which the roll has succeeded whose effects follow now."""
    waiting: tuple[Callable[[], None], ...] = ()
    """The effects of cards that have been triggered and wait until the action has resolved, in that order."""
    then: Position | None = None
    """The position that triggered the effects of cards that follow now, such as the one in which an attack hit."""
    judged: tuple[tuple[Position | None, tuple[str | None, ...]], ...] = ()
    """What the judge has been told about effects of cards, each with the position that triggered it and its moment."""
    apart: tuple[tuple[str, Action], ...] = ()
    """The actions in its `then` that cards let happen once it has resolved, each with its card."""
    in_use: frozenset[tuple[str, str]] = frozenset()
    """The limited uses of powers under way, each with its character: they are counted once their action has resolved."""
    at_no_cost: frozenset[str] = frozenset()
    """The powers that a card lets be used at no cost now."""
    whose_moment: str | None = None
    """The character whose moment it is, where that isn't the one with the card."""
    rolled_for: str | None = None
    """The character for which a card's roll was made whose outcome follows now, where it rolls for each of several."""
    placed: tuple[str, ...] = ()
    """The characters that effects of cards have placed in it, in that order."""
    happened: int = 0
    """The number of effects of cards that have happened at moments of it."""
    given: Action | None = None
    """The action under way: the one given, or the one that it grants now."""
    acting: str | None = None
    """The acting character: the one to which the action, or the action it grants, was given."""
    costed: bool = False
    """Whether the action isn't free."""
    uncounted: str = ""
    """The card by which the action given doesn't count against the action total."""
    powerless: frozenset[str] = frozenset()
    """Characters whose powers the current attack ignores."""
    set_aside: frozenset[str] = frozenset()
    """Team abilities as `topic:ID` that a wild card can't use while it uses another one."""
    lent: Lent | None = None
    """The character now acting for an opponent."""
    controlled: Controlled | None = None
    """The same character with its controller, until its token has been placed."""
    merged: Merged | None = None
    """The horde token or stack that has joined a stack."""
    healing_due: tuple[HealingDue, ...] = ()
    """The healing that waits until the action has resolved."""
    rerolled: int = 0
    """The number of rerolls made so far."""
    resolving: bool = False
    """Whether the action given hasn't resolved yet."""
    pushes_due: tuple[str, ...] = ()
    """Characters that are pushed and take the click once the action has resolved."""
    misses_due: tuple[str, ...] = ()
    """Characters that take a click for two 1s once the action has resolved."""
    told: set[tuple[str, str]] = field(default_factory=set)
    """The unknown powers that have been announced, each with its owner; "" for a character that was looked at."""
    notes: Notes = field(default_factory=Notes)
    """Facts met, for selecting rulings."""
    asked: set[StepName] = field(default_factory=set)
    """Steps already checked for overrides that haven't been recorded yet."""


class Checkpoint(NamedTuple):
    """The state to restore if an action is refused: the position, the memory, the number of steps, the last shown."""

    position: Position
    battle: OfBattle
    turn: OfTurn
    steps: int
    shown: Position
    points: Mapping[str, Fraction] | None
