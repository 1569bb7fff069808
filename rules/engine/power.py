"""A power is a row; a moment of the sequence is a column.

`Power` holds a value or a named procedure for each moment at which a power, a team ability or a symbol's ability may
have a say, in four groups: moving, attacking, defending, lending. `None` means: not concerned. The list of moments is
closed and typed; the rows stand in `powers`, the words simple ones are written in in `powers.building`, and what exists
in an edition in its tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rules.engine.action import Action
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.reasons import Modifier, Replacement

if TYPE_CHECKING:  # The circle play, edition, power is explained in `play`.
    from rules.engine.play import Attack, Damage, Play, Strike

ReplaceValue = Callable[["Play", Character, ValueName, "Attack | None"], Iterable[Replacement]]
ModifyValue = Callable[["Play", Character, ValueName, "Attack | None"], Iterable[Modifier]]
ShareValue = Callable[["Play", Character, Character, ValueName, "Attack | None"], "int | None"]
LendModifier = Callable[["Play", Character, Character, ValueName, "Attack | None"], Iterable[Modifier]]
Ignores = Callable[["Play", Character], frozenset[str]]
Refuses = Callable[["Play", Character], "str | None"]
RefusesPair = Callable[["Play", Character, Character], "str | None"]
BreakAwayChange = Callable[["Play", Character, Character], "int | None"]
Eases = Callable[["Iterable[Power]"], bool]
BeforeAttack = Callable[["Play", Character, tuple[str, ...]], bool]
Act = Callable[["Play", Action, Character], None]
ShapesAttack = Callable[["Play", "Strike"], "Strike"]
KnocksBack = Callable[["Strike"], bool]
Works = Callable[["Play", "Strike", Character, bool], bool]
Reduces = Callable[["Play", Character, "Damage"], int]
AfterDamage = Callable[["Play", Character, "Damage"], None]
OnKo = Callable[["Play", Character], None]
GrantsPowers = Callable[["Play", Character], Iterable[str]]
Targets = Literal["opponents", "friends", "all"]
Number = Callable[["Play", Character], int]
Concerns = Callable[["Play", Character], bool]
Uses = Callable[["Play", Character, Action], Iterator[Action]]


@dataclass(frozen=True, slots=True)
class ShapeChange:
    """A roll (its name before `:ID`) by which the bearer, chosen as a target, is taken for a friend."""

    roll: str
    on: frozenset[int]


@dataclass(frozen=True, slots=True)
class Evades:
    """A roll (its name before `:ID`) by which a hit on the bearer becomes a miss.

    `works`: whether it does so now, by the attack, the bearer, and whether that is a target of it.
    """

    roll: str
    on: frozenset[int]
    works: Works | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moving:
    """What a power has to do with moves, of its bearer or of those beside it."""

    moves_past: Ignores | None = None
    """What a move of the bearer ignores: `hindering`, `water`, `elevated`, `blocking`, `outdoor-blocking`, `characters`
    (passes through opponents and does not stop beside them), `through-characters` (passes, but stops), `adjacent` (does
    not stop), `break-away` (needs no roll)."""
    rests_on_blocking: bool = False
    """Whether the bearer may end its move on top of outdoor blocking terrain."""
    halves_speed: bool = False
    """Whether a move with it is made at half speed."""
    starts_eased: bool = False
    """Whether hindering terrain at the start does not halve the move once more for a bearer of anything that ignores
    terrain on movement, used or not."""
    squares: int | None = None
    """How many squares a move with it goes at most, whatever the speed value."""
    eases: Eases | None = None
    """Whether it eases a move that does not name it, by the powers that the move names. None: unless it acts when it is
    named."""
    break_away_bonus: BreakAwayChange | None = None
    """What it adds to a break away roll of its bearer (mover, holder)."""
    holds_back: BreakAwayChange | None = None
    """What it adds to a break away roll of someone who leaves its bearer (holder, mover)."""
    passengers: Number | None = None
    """How many friends the bearer may carry."""
    may_be_carried: Refuses | None = None
    """Why the bearer may not be carried, or None."""
    lifts: bool = False
    """Whether the bearer picks up heavy objects."""
    free_move: bool = False
    """Whether a move with it costs none of the turn's actions."""
    grants: tuple[str, ...] = ()
    """The kinds of attacks that a move with it may make."""
    before_attack: BeforeAttack | None = None
    """What the bearer does before the attack that a move grants, where it names no path: return whether it breaks away;
    raise Illegal, with these topics too, where it has to move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attacking:
    """What a power has to do with its bearer's attacks."""

    may_shoot: Refuses | None = None
    """Why the bearer may not make ranged attacks, or None."""
    shoots_beside: bool = False
    """Whether the bearer may make ranged attacks while an opponent is adjacent."""
    sees_past: Ignores | None = None
    """What a line of fire drawn by the bearer ignores: `hindering`, `elevated`, `blocking`, `characters`, `adjacent`,
    `stealth`."""
    close_reach: int = 1
    """How many squares away the bearer's close attacks reach, with a line of fire beyond one."""
    reaches_other_elevations: bool = False
    """Whether the bearer's close attacks reach adjacent squares of other elevations."""
    shapes_attack: ShapesAttack | None = None
    """What an attack that uses it becomes."""
    always_knocks_back: KnocksBack | None = None
    """Whether an attack of the bearer knocks back without doubles."""
    after_damaging: AfterDamage | None = None
    """What follows when the bearer has damaged someone by an attack."""
    shares_action: bool = False
    """Whether members of its team share one of the turn's actions when they attack the same target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defending:
    """What a power has to do with attacks on its bearer, and with damage and knock back that reach it."""

    hides_behind_hindering: bool = False
    """Whether hindering terrain blocks lines of fire drawn to the bearer."""
    shape_change: ShapeChange | None = None
    """By which roll an attacker takes the bearer for a friend."""
    evade: Evades | None = None
    """By which roll a hit on the bearer becomes a miss."""
    transfers_damage: bool = False
    """Whether the bearer may have a neighbour take the damage."""
    reduce_damage: Reduces | None = None
    """How much of the damage it takes away."""
    reduces_penetrating: bool = False
    """Whether it takes away of penetrating damage too."""
    may_be_knocked_back: Refuses | None = None
    """Why the bearer is not knocked back, or None."""
    after_damage: AfterDamage | None = None
    """What follows when the bearer has been damaged by an attack."""
    pushed_unhurt: bool = False
    """Whether pushing does the bearer no damage."""
    on_ko: OnKo | None = None
    """What follows when the bearer is knocked out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lending:
    """What a power does for its bearer's friends."""

    share_value: ShareValue | None = None
    """The bearer's value that a friend may use instead of its own (bearer, friend), or None."""
    shares_onward: bool = False
    """Whether a value that was itself shared may be passed on."""
    lend_modifier: LendModifier | None = None
    """What it adds to a friend's value (bearer, friend)."""
    rerolls: bool = False
    """Whether the bearer may have a roll made again."""
    adds_actions: Number | None = None
    """How many actions it adds to its side's action total."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """A power, team ability or combat ability: its name, the topic that cites it, and what it does when."""

    name: str
    """Its name, as cards and documents write it."""
    topic: str
    """The topic under which the books speak of it."""
    known: bool = True
    """Whether the engine adjudicates it; else the judge decides by its card."""
    declinable: Literal["yes", "its-roll", "no"] = "yes"
    """Whether its bearer may decline it: all of it, only to make its roll, or not at all."""
    action: tuple[str, ...] = ()
    """Which kinds of action it asks for, where it asks for one."""
    implied_by: Literal["", "attack", "object"] = ""
    """What makes an action use it without naming it: an attack that is granted to a move, or an object as the only target
    of a power action."""
    named_by_anyone: bool = False
    """Whether an action may name it though its actor has not got it, because someone else uses it then."""
    cannot_join: tuple[str, ...] = ()
    """The powers that cannot be used with it in one action."""
    starts_turn: bool = False
    """Whether it is used at the beginning of a turn."""
    despite_tokens: Concerns | None = None
    """Whether its bearer may be given an action with it though it bears two action tokens."""
    targets: Targets = "opponents"
    """Whom an attack or an action with it may target."""
    may_target: RefusesPair | None = None
    """Why it may not be used on someone (bearer, target), or None."""
    act: Act | None = None
    """What it does with its action, where that is more than a move or an attack."""
    offered: Concerns | None = None
    """Whether it is listed among what a character may be given, where everyone has it by the book."""
    uses: Uses | None = None
    """The ways in which it could be used that are tried for that list; None: on each character on the map."""
    grants_powers: GrantsPowers | None = None
    """The powers that it gives its bearer now."""
    replace_value: ReplaceValue | None = None
    """What replaces its bearer's own combat values."""
    modify_value: ModifyValue | None = None
    """What modifies its bearer's own combat values."""
    moving: Moving = Moving()
    attacking: Attacking = Attacking()
    defending: Defending = Defending()
    lending: Lending = Lending()
