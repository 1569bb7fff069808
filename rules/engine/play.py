"""`Play`: the one mutable object of an adjudication. It holds the current position, the edition and the steps so far.

Everything else is frozen. A question takes a `Play` and changes nothing; an action changes `play.position` and records
steps. Values computed from a part of the position (the ground, who stands where) are cached until that part changes.

`play`, `edition` and `power` import each other, the only cycle in the program: a `Play` refers to its edition, an
edition contains powers, and the procedures of powers and editions act on a `Play`. Each is a parameter type of the
others, so none can stand below the others; at run time only `play` imports `edition`, and `edition` imports `power`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from operator import is_
from typing import Any, Final, Literal, TypeVar

from rules.engine.action import Action
from rules.engine.edition import Edition
from rules.engine.errors import AwaitingChoice, AwaitingRoll, Illegal
from rules.engine.memory import Checkpoint, OfAction, OfBattle, OfTurn
from rules.engine.overrides import NO_DECISION, SAME_MOMENT, Override, StepOverride
from rules.engine.position.cards import CardMoment
from rules.engine.position.characters import Character, GivenModifier
from rules.engine.position.dial import ValueName
from rules.engine.position.objects import BattleObject
from rules.engine.position.position import Position
from rules.engine.position.squares import Square
from rules.engine.reasons import Modifier, Parts
from rules.engine.steps import Moment, Step, StepName

Drawn = TypeVar("Drawn")
AttackKind = Literal["close", "ranged"]
EPIC_BATTLE: Final = 400
"""The build total from which on a battle is epic (Epic Actions, 2014)."""


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack in progress or asked about: its kind, attacker, target, and the powers used.

    `hindered` is whether the target gains the hindering terrain modifier, None while no line of fire is drawn.
    `destroys`: whether it is made against terrain or an object.
    """

    kind: AttackKind
    attacker: Character
    target: Character | None = None
    using: tuple[str, ...] = ()
    hindered: bool | None = None
    destroys: bool = False


@dataclass(frozen=True, slots=True)
class Damage:
    """Damage about to be dealt to one character: the amount, who deals it, and its source.

    `source` is `attack`, `knock-back`, `power`, `pushing`, `critical-miss` or `mystics`. `attack` is the attack that it is
    damage from; by the compiled rulebook of 2002 also for knock back damage. `targeted` is whether the
    character is a target of the attack rather than beside one. `already_reduced` is whether damage of the same attack
    has already been reduced. `parts` are the reasons of the amount, if it is more than a number.
    """

    character: Character
    amount: int
    source: str
    by: Character | None = None
    attack: Attack | None = None
    targeted: bool = True
    penetrating: str = ""
    unavoidable: bool = False
    already_reduced: bool = False
    parts: Parts = ()


Effect = Callable[["Play", "Strike", Character], None]
Against = Callable[["Play", Character], tuple[Modifier, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike:
    """One attack before its dice are rolled. A power shapes one by returning another (`Power.shapes_attack`).

    - `object`, `thrown`, `reach`: the object used, whether it is thrown, and its range.
    - `damage`: a number that replaces the damage value, with `because` and `topic`; `die`: the roll that decides it.
    - `added`: added to the damage dealt. `penetrating`: the power for which the damage can't be reduced.
    - `deals_damage`: false for attacks that deal none themselves; `critical_hurts`: whether a critical hit does.
    - `splash`: whether characters adjacent to a hit target are affected; `area`: whether it has no particular targets.
    - `sees_past`: what its lines of fire ignore, beside what the attacker's always do.
    - `roll`: the name of its roll. `against`: added to each target's defense for it.
    - `added_to_value`: added to the damage value, under its limits.
    - `effect`: what happens to each hit target, beside damage. `knocks_back`: whether doubles knock back.
    - `checked`: whether its targets have already been checked; `unaided`: whether only `added` raises the damage and no
      other power of the attacker follows.
    - `always_knocks_back`: whether it knocks back without doubles; `ignores_powers`: whether it ignores its targets'
      powers.
    - `helpers`: the characters that help and pay for it. `divide`: the damage for each hit target.
    """

    kind: AttackKind
    attacker: str
    targets: tuple[str, ...]
    using: tuple[str, ...] = ()
    object: BattleObject | None = None
    thrown: bool = False
    reach: int | None = None
    damage: int | None = None
    because: str = ""
    topic: str = "damage"
    die: str | None = None
    added: tuple[Modifier, ...] = ()
    added_to_value: tuple[Modifier, ...] = ()
    penetrating: str = ""
    deals_damage: bool = True
    critical_hurts: bool = True
    splash: bool = False
    area: bool = False
    sees_past: frozenset[str] = frozenset()
    roll: str = "attack"
    against: Against | None = None
    effect: Effect | None = None
    knocks_back: bool = True
    always_knocks_back: bool = False
    ignores_powers: bool = False
    helpers: tuple[str, ...] = ()
    divide: Mapping[str, int] | None = None
    topics: tuple[str, ...] = ()
    checked: bool = False
    unaided: bool = False


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
"""The book's section on a step in general, cited if the step has no topics of its own."""


@dataclass(slots=True)
class Play:
    """A battle during adjudication: the current position, what it remembers by lifetime, and the steps so far."""

    edition: Edition
    position: Position
    overrides: tuple[Override, ...] = ()
    """The judge's overrides in the file."""
    battle: OfBattle = field(default_factory=OfBattle)
    this_turn: OfTurn = field(default_factory=OfTurn)
    this_action: OfAction = field(default_factory=OfAction)
    steps: list[Step] = field(default_factory=list)
    lines: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The lines of fire of the last attack as overridden by a judge, by attacker and target."""
    strike: Strike | None = None
    """The attack that is being made."""
    suffered: Damage | None = None
    """The damage that has turned a dial, whose effects of cards follow now."""
    over: bool = False
    """Whether the attack or the action is over whose effects of cards follow now."""
    sighting: bool = False
    """Whether a line of fire is drawn to find whom an effect of a card reaches: then such effects don't count."""
    carded: bool = field(init=False)
    """Whether anything in the battle has cards with effects."""
    moments: frozenset[CardMoment] = field(init=False)
    """The moments at which cards let something happen."""
    watched: frozenset[CardMoment] = field(init=False)
    """Those of them that are moments of other characters, too."""
    passing: bool = field(init=False)
    """Whether effects of cards may begin or end to count though the position stays the same."""
    _shown: Position = field(init=False)
    """The position after the last step."""
    _points: Mapping[str, Fraction] | None = None
    """The victory points after the last step."""
    _drawings: dict[str, tuple[tuple[object, ...], Any]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Take the initial position as the one the first step is compared with."""
        self._shown = self.position
        cards = list(self.position.every_card())
        self.carded = bool(cards)
        self.passing = any(card.passing for card in cards)
        self.moments = frozenset(chain.from_iterable(card.moments for card in cards))
        self.watched = frozenset(chain.from_iterable(card.watched for card in cards))

    def drawn(self, name: str, sources: tuple[object, ...], draw: Callable[[], Drawn]) -> Drawn:
        """Return `draw(*sources)`, cached under `name` for as long as the sources are the same objects.

        Each name always has the same number of sources.
        """
        kept = self._drawings.get(name)
        if kept is None or not (kept[0][0] is sources[0] if len(sources) == 1 else all(map(is_, kept[0], sources))):
            kept = self._drawings[name] = (sources, draw())
        found: Drawn = kept[1]
        return found

    def character(self, name: str) -> Character:
        """Return the character with that id in its current state."""
        return self.position.character(name)

    def change(self, changed: Character) -> None:
        """Replace the character with the same id."""
        self.position = self.position.with_character(changed)

    def player_of(self, character: Character) -> str:
        """Return the player who controls the character now."""
        players = self.drawn("players", (self.position.sides,), self._players)
        return players[character.id]

    def _players(self) -> dict[str, str]:
        return {character.id: side.player for side in self.position.sides for character in side.characters}

    def friendly(self, one: Character, other: Character) -> bool:
        """Return whether two characters are on the same side."""
        return self.player_of(one) == self.player_of(other)

    def owner_of(self, character: Character) -> str:
        """Return the player on whose force the character is, regardless of who controls it now."""
        return next(owner for owner, name in self.owners() if name == character.id)

    def owners(self) -> Iterable[tuple[str, str]]:
        """Yield (player, id) for every character; mind-controlled ones belong to their own player."""
        lent = self.this_action.lent
        for side in self.position.sides:
            for character in side.characters:
                owner = lent.owner if lent is not None and lent.character == character.id else side.player
                yield owner, character.id

    def score(self, points: Mapping[str, Fraction]) -> None:
        """Set the victory points of these players."""
        self.battle = replace(self.battle, points={**self.battle.points, **points})

    def change_object(self, changed: BattleObject) -> None:
        """Replace the object with the same id."""
        self.position = self.position.with_object(changed)

    def roll(self, name: str, dice: int) -> tuple[int, ...]:
        """Return the dice of the next roll of that name. Raises AwaitingRoll if there is none."""
        rolled = self.this_action.dice.next(name)
        if rolled is None:
            raise AwaitingRoll(name, dice)
        if len(rolled) != dice:
            raise Illegal(
                f"The roll {name} needs {dice} {'die' if dice == 1 else 'dice'}, not {len(rolled)}.", ("timing",)
            )
        return rolled

    def must_choose(
        self, choice: Drawn | None, name: str, options: Iterable[object], why: str, player: str | None = None
    ) -> Drawn:
        """Return the choice of that name. Raises AwaitingChoice if it wasn't made."""
        if choice is None:
            raise AwaitingChoice(name, options, why, player)
        return choice

    @contextmanager
    def supposing(self, given: Action | None) -> Iterator[None]:
        """Have conditions of cards count as if this action were under way: a question is about it."""
        now = self.this_action
        before = now.given, now.acting
        now.given, now.acting = given, given.actor if given is not None else None
        try:
            yield
        finally:
            now.given, now.acting = before

    @property
    def epic(self) -> bool:
        """Whether this is an epic battle (Epic Actions, 2014)."""
        return self.position.build_total >= EPIC_BATTLE and "epic-action" in self.edition.topics

    def declines(self, power: str, character: Character) -> bool:
        """Return whether a character doesn't use a power now, given by its topic: declined, or set aside."""
        return f"{power}:{character.id}" in self.out_of_use

    @property
    def moment(self) -> object:
        """What cards' conditions may depend on, beside the position: the attack being made, the action under way.

        None where no effect does, so that what is cached stays; always another one while none is made any more.
        """
        if not self.passing:
            return None
        return (self.this_action.given,) if self.over else self.strike or self.this_action.given

    @property
    def out_of_use(self) -> frozenset[str]:
        """The abilities that are declined or set aside now, as `topic:ID`."""
        declined, aside = self.this_turn.declined, self.this_action.set_aside
        return self.drawn("out of use", (declined, aside), lambda: declined | aside) if aside else declined

    # ── A judge's overrides ────────────────────────────────────────────────────────────────────────

    def before(self, step: StepName | None, of: str | None = None) -> StepOverride:
        """Apply a judge's overrides before this step, and return the decisions about the step itself.

        Source: none; overrides need no rule. Raises Illegal if the judge forbids the act.
        """
        decided: dict[str, Any] = {}
        if step is not None:
            self.this_action.next_step = step
            self.this_action.asked.add(SAME_MOMENT.get(step, step))
        for number, override in enumerate(self.overrides):
            if number in self.battle.ruled or not override.at(self.this_action.number, step, of):
                continue
            if self.battle.passed.count(number) + 1 < override.time:
                self.battle = replace(self.battle, passed=(*self.battle.passed, number))
                continue
            self.battle = replace(self.battle, ruled=(*self.battle.ruled, number))
            self._rule(override)
            decided |= override.decides
        return (
            StepOverride(**{name.replace("-", "_"): value for name, value in decided.items()})
            if decided
            else NO_DECISION
        )

    def ruled(self, step: StepName, of: str | None = None) -> StepOverride:
        """Return a judge's decisions about the step that comes next."""
        self.this_action.next_step = step
        if not self.overrides:
            return NO_DECISION
        return self.before(step, of)

    def _come_to(self, step: StepName) -> None:
        """Apply a judge's overrides before a step that no rule has called `before` for."""
        moment = SAME_MOMENT.get(step, step)
        if moment not in self.this_action.asked:
            self.before(step)
        self.this_action.asked.discard(moment)

    def _rule(self, override: Override) -> None:
        for placing in override.placings:
            self.change(replace(self.character(placing.character), **placing.fields))
        for of, modifier in override.modifiers:
            character = self.character(of)
            self.change(replace(character, modifiers=(*character.modifiers, modifier)))
        for of, replacement in override.replacements:
            character = self.character(of)
            self.change(replace(character, replacements=(*character.replacements, replacement)))
        if override.event_dial is not None and self.position.event_dial is not None:
            self.position = self.position.with_event_dial(override.event_dial)
        if override.rift is not None:
            self.position = replace(self.position, rift=override.rift)
        if override.points:
            self.score({name: Fraction(value) for name, value in override.points.items()})
        self.record(
            StepName.RULING,
            override.sentence(lambda name: self.character(name).name),
            (),
            {"by": override.judge, **override.decides},
        )
        if override.forbids:
            raise Illegal(
                f"{override.judge} doesn't allow this action{f': {override.text}' if override.text else '.'}",
                by_judge=True,
            )

    def record(
        self,
        step: StepName,
        text: str,
        topics: Iterable[str] = (),
        numbers: dict[str, Any] | None = None,
        *,
        cited: bool = True,
        parts: Mapping[str, Parts] | None = None,
        moment: Moment | None = None,
        of: str | None = None,
        apart: Collection[str] = (),
        around: tuple[str, ...] = (),
    ) -> None:
        """Add a step to the record: its sentence, its changes, and the citations of its topics in this edition.

        `parts` are the reasons of its computed numbers; `moment` is when an illegal act was forbidden.

        A topic without a section in the edition is left out. A step without a topic of its own cites its chapter,
        unless a judge's override made it. `of`: the character that the step is about. `apart`: those of its topics
        already noted, each for its own character. `around`: topics that a refusal or note cites beside those it is about.
        """
        about = tuple(topics)
        named = tuple(topic for topic in dict.fromkeys((*about, *around)) if topic in self.edition.topics)
        if self.overrides and step not in (StepName.RULING, StepName.ILLEGAL):
            self._come_to(step)
        before = self._shown
        points = None
        if self.battle.points is not self._points:
            points = dict(self.battle.points)
            self._points = self.battle.points
        self._shown = self.position
        self.steps.append(
            Step(
                self.this_action.number,
                step,
                text,
                named,
                self.edition.cite(named) or (self.edition.cite(CHAPTERS.get(step, ())) if cited else ()),
                (),
                numbers or {},
                before,
                self.position,
                points,
                parts or {},
                moment,
                self.this_action.notes.stage,
                of,
            )
        )
        self.note(f"step:{step}", *(topic for topic in named if topic not in apart), of=of)
        if step in (StepName.ILLEGAL, StepName.NOTE):
            self.note(*(f"{step}:{topic}" for topic in named if topic in about), of=of)

    def note(self, *facts: str, of: str | None = None) -> None:
        """Note facts met, about a character where one is named, for selecting rulings."""
        self.this_action.notes.add(facts, of)

    def weakened(self, name: str, by: int, source: str) -> GivenModifier:
        """Reduce a character's damage value by that much until `strengthened` is called."""
        modifier = GivenModifier(ValueName.DAMAGE, -by, source)
        character = self.character(name)
        self.change(replace(character, modifiers=(*character.modifiers, modifier)))
        return modifier

    def strengthened(self, name: str, modifier: GivenModifier) -> None:
        """Remove the modifier that `weakened` gave a character."""
        character = self.character(name)
        modifiers = list(character.modifiers)
        modifiers.remove(modifier)
        self.change(replace(character, modifiers=tuple(modifiers)))

    def checkpoint(self) -> Checkpoint:
        """Return the state to restore if an action is refused."""
        return Checkpoint(self.position, self.battle, self.this_turn, len(self.steps), self._shown, self._points)

    def restore(self, kept: Checkpoint) -> None:
        """Restore the state of a checkpoint, and remove the steps since then."""
        self.position, self.battle, self.this_turn, steps, self._shown, self._points = kept
        del self.steps[steps:]


@dataclass(frozen=True, slots=True)
class Spot:
    """One end of a question about two places: a bare square, or a character with the squares it occupies."""

    squares: tuple[Square, ...]
    character: Character | None = None

    @property
    def name(self) -> str:
        """The name of this end in sentences."""
        if self.character is not None:
            return self.character.name
        return self.squares[0].name if self.squares else "nothing"


def spot_of(character: Character) -> Spot:
    """Return the spot that a character occupies."""
    return Spot(character.squares, character)
