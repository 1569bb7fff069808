"""`Play`: the one mutable object of an adjudication. It holds the position of now, the edition and the steps so far.

Everything else is frozen. A question takes a `Play` and changes nothing; an action changes
`play.position` and records what it did. What was worked out from a part of the position (the
ground, who stands where) is kept until that part is another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeVar

from rules.engine.choices import NO_CHOICES, Choices
from rules.engine.edition import Edition
from rules.engine.errors import AwaitingChoice, AwaitingRoll, Illegal
from rules.engine.hand import SAME_MOMENT, ByHand
from rules.engine.position.characters import Character, GivenModifier
from rules.engine.position.dial import ValueName
from rules.engine.position.objects import BattleObject
from rules.engine.position.position import Position
from rules.engine.position.squares import Square
from rules.engine.position.terrain import Marker
from rules.engine.steps import Step, StepName

Drawn = TypeVar("Drawn")
AttackKind = Literal["close", "ranged"]


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack in progress, or one that is asked about: its kind, who attacks whom, and the powers used.

    `hindered` is whether the target gains the hindering terrain modifier, None while no line is drawn. `destroys`:
    whether it is made against terrain or an object.
    """

    kind: AttackKind
    attacker: Character
    target: Character | None = None
    using: tuple[str, ...] = ()
    hindered: bool | None = None
    destroys: bool = False


@dataclass(frozen=True, slots=True)
class Damage:
    """Damage on its way to one character: how much, from whom, by what.

    `source` is `attack`, `knock-back`, `power`, `pushing`, `critical-miss` or `mystics`. `targeted` is whether the
    character is a target of the attack, and not only beside one. `already_reduced` says that damage of the same
    attack has been reduced already.
    """

    character: Character
    amount: int
    source: str
    by: Character | None = None
    attack: Attack | None = None
    targeted: bool = True
    penetrating: bool = False
    unavoidable: bool = False
    already_reduced: bool = False


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


@dataclass(frozen=True, slots=True)
class Memory:
    """What a battle remembers beside its position: points scored, actions given, what lasts until when.

    `given` counts the actions of this turn, `extra` those that Leadership added. `shared` is the team ability, the
    target and the members of the last action that several may share. `swaps` are the pairs that have exchanged a click.
    `ruled` are the judge's decisions that have been made, by their number, and `passed` the moments that went by
    before one that waits for a later time. `merged` is which horde token has merged into which stack, and whether it
    was a single one. `healing_due` is what heals whom, by how much and by what, once the action has resolved;
    `misses_due` who is then hurt by two 1s. `tokened` is who has been given an action token this turn, `rested` are
    the Sentinels that have passed this turn: that was their action.
    `refused` are the attacks of this turn that were not made, as (attacker, kind, target that was taken for a friend).
    `declined` is what is out of use now, as `topic:ID`.
    """

    points: Mapping[str, Fraction] = field(default_factory=dict)
    given: int = 0
    extra: int = 0
    placed: tuple[Placed, ...] = ()
    cancelled: tuple[Cancelled, ...] = ()
    altered: tuple[Altered, ...] = ()
    shared: tuple[str, str, tuple[str, ...]] | None = None
    swaps: tuple[tuple[str, str], ...] = ()
    helpers: tuple[str, ...] = ()
    rerollers: tuple[tuple[str, int], ...] = ()
    acting_for: tuple[tuple[str, str], ...] = ()
    controllers: tuple[tuple[str, str], ...] = ()
    ruled: tuple[int, ...] = ()
    passed: tuple[int, ...] = ()
    merged: tuple[str, str, bool] | None = None
    healing_due: tuple[tuple[str, int, str, str], ...] = ()
    rested: tuple[str, ...] = ()
    misses_due: tuple[str, ...] = ()
    tokened: tuple[str, ...] = ()
    refused: tuple[tuple[str, str, str], ...] = ()
    declined: frozenset[str] = frozenset()


@dataclass(slots=True)
class Dice:
    """The dice that fell for one action, by the name of the roll, and how many of each have been used."""

    fallen: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)

    def next(self, name: str) -> tuple[int, ...] | None:
        """Return the next roll of that name, None where it has not fallen."""
        rolls = self.fallen.get(name, ())
        number = self.used.get(name, 0)
        if number >= len(rolls):
            return None
        self.used[name] = number + 1
        return rolls[number]

    def has(self, name: str) -> bool:
        """Return whether another roll of that name has fallen."""
        return self.used.get(name, 0) < len(self.fallen.get(name, ()))

    def unused(self) -> list[str]:
        """Return the names of the rolls that were not needed, one for each."""
        return [name for name, rolls in self.fallen.items() for _ in rolls[self.used.get(name, 0) :]]


CHAPTERS: Mapping[StepName, str] = {
    StepName.ILLEGAL: "actions",
    StepName.BREAK_AWAY: "break-away",
    StepName.MOVE: "movement",
    StepName.CARRY: "carry",
    StepName.PICK_UP: "objects",
    StepName.PUT_DOWN: "objects",
    StepName.TARGETS: "targeting",
    StepName.SHAPE_CHANGE: "targeting",
    StepName.LINE_OF_FIRE: "line-of-fire",
    StepName.ATTACK_ROLL: "attack",
    StepName.REROLL: "attack",
    StepName.HIT: "attack",
    StepName.MISS: "attack",
    StepName.EVADE: "attack",
    StepName.DAMAGE_DEALT: "damage",
    StepName.DAMAGE_TAKEN: "damage",
    StepName.CLICK: "damage",
    StepName.KO: "ko",
    StepName.KNOCK_BACK: "knockback",
    StepName.KNOCK_BACK_DAMAGE: "knockback",
    StepName.CRITICAL_HIT: "critical-hit",
    StepName.CRITICAL_MISS: "critical-miss",
    StepName.HEAL: "healing",
    StepName.COUNTER: "powers",
    StepName.MODIFY: "combat-values",
    StepName.TOKEN: "action-tokens",
    StepName.PUSH: "pushing",
    StepName.TERRAIN: "terrain",
    StepName.CAPTURE: "powers",
    StepName.CLEAR_TOKENS: "action-tokens",
}
"""Where a book speaks of a step in general, cited where it has none of the step's own topics."""


@dataclass(slots=True)
class Play:
    """A battle while it is adjudicated."""

    edition: Edition
    position: Position
    steps: list[Step] = field(default_factory=list)
    action: int = 0
    memory: Memory = field(default_factory=Memory)
    dice: Dice = field(default_factory=Dice)
    choices: Choices = NO_CHOICES
    using: tuple[str, ...] = ()
    powerless: frozenset[str] = frozenset()
    hands: tuple[ByHand, ...] = ()
    allowed: bool = False
    acting: str | None = None
    lines: Mapping[tuple[str, str], str] = field(default_factory=dict)
    _come: set[StepName] = field(default_factory=set)
    _shown: Position | None = None
    _points: Mapping[str, Fraction] | None = None
    _drawings: dict[str, tuple[tuple[Any, ...], Any]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Show the position as it is at the beginning: the first step is told against that."""
        self._shown = self.position

    def drawn(self, name: str, sources: tuple[object, ...], draw: Callable[[], Drawn]) -> Drawn:
        """Return what `draw` makes of these parts of the position, drawn once for as long as they are the same."""
        kept = self._drawings.get(name)
        if kept is not None and len(kept[0]) == len(sources):
            for old, new in zip(kept[0], sources, strict=True):
                if old is not new:
                    break
            else:
                return kept[1]
        made = draw()
        self._drawings[name] = (sources, made)
        return made

    def character(self, name: str) -> Character:
        """Return the character of that id as it is now."""
        return self.position.character(name)

    def change(self, changed: Character) -> None:
        """Put the changed character in place of the one of the same id."""
        self.position = self.position.with_character(changed)

    def player_of(self, character: Character) -> str:
        """Return the player whose force the character is on."""
        players = self.drawn("players", (self.position.sides,), self._players)
        return players[character.id]

    def _players(self) -> dict[str, str]:
        return {character.id: side.player for side in self.position.sides for character in side.characters}

    def friendly(self, one: Character, other: Character) -> bool:
        """Return whether two characters are on the same side."""
        return self.player_of(one) == self.player_of(other)

    def owner_of(self, character: Character) -> str:
        """Return the player on whose force the character is, whoever controls it now."""
        return next(owner for owner, name in self.owners() if name == character.id)

    def owners(self) -> Iterable[tuple[str, str]]:
        """Yield (player, id) for every character, mind-controlled ones under their own player."""
        lent = dict(self.memory.acting_for)
        for side in self.position.sides:
            for character in side.characters:
                yield lent.get(character.id, side.player), character.id

    def change_object(self, changed: BattleObject) -> None:
        """Put the changed object in place of the one of the same id."""
        self.position = self.position.with_object(changed)

    def remember(self, **changes: Any) -> None:
        """Replace these parts of the memory."""
        self.memory = replace(self.memory, **changes)

    def roll(self, name: str, dice: int) -> tuple[int, ...]:
        """Return the dice of the next roll of that name. Raises AwaitingRoll where they have not fallen."""
        fallen = self.dice.next(name)
        if fallen is None:
            raise AwaitingRoll(name, dice)
        if len(fallen) != dice:
            raise Illegal(
                f"The roll {name} takes {dice} {'die' if dice == 1 else 'dice'}, not {len(fallen)}.", ("timing",)
            )
        return fallen

    def must_choose(
        self, choice: Drawn | None, name: str, options: Iterable[object], why: str, player: str | None = None
    ) -> Drawn:
        """Return the choice of that name. Raises AwaitingChoice where it was not made."""
        if choice is None:
            raise AwaitingChoice(name, options, why, player)
        return choice

    def declines(self, power: str, character: Character) -> bool:
        """Return whether a character declines to use a power, given by its topic."""
        return f"{power}:{character.id}" in self.memory.declined

    # ── The judge's own hand ───────────────────────────────────────────────────────────────────

    def before(self, step: StepName | None, of: str | None = None) -> dict[str, Any]:
        """Make what a judge has decided before this step, and return what is decided of the step itself.

        Source: none; a judge's decision stands by itself. Raises Illegal where the judge forbids the act.
        """
        decided: dict[str, Any] = {}
        if step is not None:
            self._come.add(SAME_MOMENT.get(step, step))
        for number, hand in enumerate(self.hands):
            if number in self.memory.ruled or not hand.at(self.action, step, of):
                continue
            if self.memory.passed.count(number) + 1 < hand.time:
                self.remember(passed=(*self.memory.passed, number))
                continue
            self.remember(ruled=(*self.memory.ruled, number))
            self._rule(hand)
            decided |= hand.decides
        return decided

    def ruled(self, step: StepName, name: str, otherwise: Drawn, of: str | None = None) -> Drawn:
        """Return what a judge decides of a step, `otherwise` where no judge does."""
        if not self.hands:
            return otherwise
        found: Drawn = self.before(step, of).get(name, otherwise)
        return found

    def _come_to(self, step: StepName) -> None:
        """Make what a judge has decided before a step that nothing has asked about yet."""
        moment = SAME_MOMENT.get(step, step)
        if moment not in self._come:
            self.before(step)
        self._come.discard(moment)

    def _rule(self, hand: ByHand) -> None:
        for placing in hand.placings:
            self.change(replace(self.character(placing.character), **placing.fields))
        for of, modifier in hand.modifiers:
            character = self.character(of)
            self.change(replace(character, modifiers=(*character.modifiers, modifier)))
        for of, replacement in hand.replacements:
            character = self.character(of)
            self.change(replace(character, replacements=(*character.replacements, replacement)))
        if hand.points:
            self.remember(
                points={**self.memory.points, **{name: Fraction(value) for name, value in hand.points.items()}}
            )
        self.record(StepName.RULING, hand.sentence(), (), {"by": hand.judge, **hand.decides})
        if hand.forbids:
            raise Illegal(f"{hand.judge} does not allow it{f': {hand.text}' if hand.text else '.'}", by_judge=True)

    def record(
        self,
        step: StepName,
        text: str,
        topics: Iterable[str] = (),
        numbers: dict[str, Any] | None = None,
        *,
        cited: bool = True,
    ) -> None:
        """Add a step to the record: what happened, what it changed, the citations of its topics in this edition.

        A topic that the edition has no section for says nothing here and is left out. A step without a topic of its own
        is cited by its chapter, unless it is a judge's and not the book's.
        """
        named = tuple(topic for topic in dict.fromkeys(topics) if topic in self.edition.topics)
        if self.hands and step not in (StepName.RULING, StepName.ILLEGAL):
            self._come_to(step)
        before = self._shown if self._shown is not None else self.position
        points = None
        if self.memory.points is not self._points:
            points = dict(self.memory.points)
            self._points = self.memory.points
        self._shown = self.position
        self.steps.append(
            Step(
                self.action,
                step,
                text,
                named,
                self.edition.cite(named) or (self.edition.cite(CHAPTERS.get(step, ())) if cited else ()),
                (),
                numbers or {},
                before,
                self.position,
                points,
            )
        )

    def weakened(self, name: str, by: int, source: str) -> GivenModifier:
        """Take so much from the damage value of a character until it is `strengthened` again."""
        modifier = GivenModifier(ValueName.DAMAGE, -by, source)
        character = self.character(name)
        self.change(replace(character, modifiers=(*character.modifiers, modifier)))
        return modifier

    def strengthened(self, name: str, modifier: GivenModifier) -> None:
        """Take back what weakened a character."""
        character = self.character(name)
        modifiers = list(character.modifiers)
        modifiers.remove(modifier)
        self.change(replace(character, modifiers=tuple(modifiers)))

    def kept(self) -> tuple[Any, ...]:
        """Return everything that an illegal action must leave as it was."""
        return self.position, self.memory, len(self.steps), self._shown, self._points

    def restore(self, kept: tuple[Any, ...]) -> None:
        """Put everything back as it was when it was `kept`, the steps since then taken out."""
        self.position, self.memory, steps, self._shown, self._points = kept
        del self.steps[steps:]


@dataclass(frozen=True, slots=True)
class Spot:
    """One end of a question: a bare square, or a character with the squares it occupies."""

    squares: tuple[Square, ...]
    character: Character | None = None

    @property
    def name(self) -> str:
        """How a sentence names this end."""
        if self.character is not None:
            return self.character.name
        return self.squares[0].name if self.squares else "nothing"


def spot_of(character: Character) -> Spot:
    """Return the spot where a character stands."""
    return Spot(character.squares, character)
