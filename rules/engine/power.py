"""`Power`: one row per power, with one column for each moment of the sequence at which it may apply.

A column holds a value or a named procedure, in four groups: moving, attacking, defending, lending. `None` means that
the power doesn't apply at that moment. The list of moments is closed and typed. The rows are in `powers`, the helpers
that build simple ones in `powers.building`, and the edition's tables list those that exist in it.

"The character" below is the character that has the power.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rules.engine.action import Action
from rules.engine.position.cards import CardMoment
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.reasons import Modifier, Replacement

if TYPE_CHECKING:  # `play` explains the import cycle of play, edition and power.
    from rules.engine.play import Attack, Damage, Play, Strike

ReplaceValue = Callable[["Play", Character, ValueName, "Attack | None"], Iterable[Replacement]]
ModifyValue = Callable[["Play", Character, ValueName, "Attack | None"], Iterable[Modifier]]
BoundValue = Callable[["Play", Character, ValueName, "Attack | None"], Iterable["Bound"]]
ShareValue = Callable[["Play", Character, Character, ValueName, "Attack | None"], "int | None"]
LendModifier = Callable[["Play", Character, Character, ValueName, "Attack | None"], Iterable[Modifier]]
Ignores = Callable[["Play", Character], frozenset[str]]
Refuses = Callable[["Play", Character], "str | None"]
RefusesAttack = Callable[["Play", Character, str, tuple[str, ...]], "str | None"]
AddsDamage = Callable[["Play", Character, "Attack"], Iterable[Modifier]]
Pierces = Callable[["Play", Character, "Damage"], "Literal['penetrating', 'unavoidable'] | None"]
Prevents = Callable[["Play", Character, "Damage"], bool]
MostDamage = Callable[["Play", Character, "Damage"], "int | None"]
MostTargets = Callable[["Play", Character, str, int], int]
RefusesPair = Callable[["Play", Character, Character], "str | None"]
BreakAwayChange = Callable[["Play", Character, Character], "int | None"]
Eases = Callable[["Iterable[Power]"], bool]
BeforeAttack = Callable[["Play", Character, tuple[str, ...]], None]
Act = Callable[["Play", Action, Character], None]
ShapesAttack = Callable[["Play", "Strike"], "Strike"]
KnocksBack = Callable[["Strike"], bool]
Works = Callable[["Play", "Strike", Character, bool], bool]
Reduces = Callable[["Play", Character, "Damage"], int]
AfterDamage = Callable[["Play", Character, "Damage"], None]
OnKo = Callable[["Play", Character], None]
GrantsPowers = Callable[["Play", Character], Iterable[str]]
Targets = Literal["opponents", "friends", "all"]
Happens = Callable[["Play", Character], None]
HappensTo = Callable[["Play", Character, Character], bool]
Number = Callable[["Play", Character], int]
Concerns = Callable[["Play", Character], bool]
Uses = Callable[["Play", Character, Action], Iterator[Action]]


@dataclass(frozen=True, slots=True)
class Bound:
    """A minimum or a maximum of a value, and what sets it."""

    kind: Literal["least", "most"]
    at: int
    why: str


@dataclass(frozen=True, slots=True)
class ShapeChange:
    """A roll (its name before `:ID`) by which a chosen target prevents the attack on itself."""

    roll: str
    on: frozenset[int]


@dataclass(frozen=True, slots=True)
class Evades:
    """A roll (its name before `:ID`) that turns a hit on the character into a miss.

    `works`: whether it applies now, given the attack, the character, and whether the character is a target of it.
    """

    roll: str
    on: frozenset[int]
    works: Works | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moving:
    """Effects on moves, of the character itself or of characters beside it."""

    moves_past: Ignores | None = None
    """Terrain and figures that the character's move ignores: `hindering`, `water`, `elevated`, `blocking`,
    `outdoor-blocking`, `characters` (passes through opponents and doesn't stop beside them), `through-characters`
    (passes, but stops), `adjacent` (doesn't stop), `break-away` (needs no roll)."""
    rests_on_blocking: bool = False
    """Whether the character may end its move on top of outdoor blocking terrain."""
    halves_speed: bool = False
    """Whether a move that uses it is made at half speed."""
    starts_eased: bool = False
    """Whether hindering terrain at the start doesn't halve the move a second time for a character with any ability to
    ignore terrain on movement, used or not."""
    squares: int | None = None
    """The maximum number of squares of a move that uses it, whatever the speed value."""
    eases: Eases | None = None
    """Whether it helps a move that doesn't name it, given the powers that the move names. None: it helps unless it has
    an action of its own."""
    break_away_bonus: BreakAwayChange | None = None
    """The modifier to the character's own break away roll (mover, holder)."""
    holds_back: BreakAwayChange | None = None
    """The modifier to the break away roll of a mover leaving the character (holder, mover)."""
    passengers: Number | None = None
    """How many friendly characters the character may carry."""
    carries_any_size: bool = False
    """Whether the size of those it carries doesn't matter."""
    carries_equal_size: bool = False
    """Whether characters as large as it can be its passengers, too, if they aren't fliers."""
    carried_at_any_size: bool = False
    """Whether its own size doesn't matter when it is carried."""
    may_be_carried: Refuses | None = None
    """The reason why the character may not be carried, or None."""
    lifts: bool = False
    """Whether the character can pick up heavy objects."""
    free_move: bool = False
    """Whether a move that uses it costs none of the turn's actions."""
    grants: tuple[str, ...] = ()
    """The kinds of attacks that a move using it may grant."""
    before_attack: BeforeAttack | None = None
    """Whether the character breaks away before the attack that a move grants, if no path is given; it may raise Illegal,
    also citing these topics, if the character has to move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attacking:
    """Effects on the character's own attacks."""

    may_shoot: Refuses | None = None
    """The reason why the character may not make ranged attacks, or None."""
    shoots_beside: bool = False
    """Whether the character may make ranged attacks while an opponent is adjacent."""
    sees_past: Ignores | None = None
    """Terrain and figures that the character's lines of fire ignore: `hindering`, `elevated`, `blocking`, `characters`,
    `adjacent`, `stealth`."""
    close_reach: int = 1
    """The reach of the character's close attacks in squares; beyond 1 they need a line of fire."""
    reaches_other_elevations: bool = False
    """Whether the character's close attacks reach adjacent squares of other elevations."""
    shapes_attack: ShapesAttack | None = None
    """The strike that an attack using it becomes."""
    always_knocks_back: KnocksBack | None = None
    """Whether the character's attacks knock back without doubles."""
    after_damaging: AfterDamage | None = None
    """A step after the character has damaged a target by an attack."""
    most_targets: MostTargets | None = None
    """How many targets its attacks may have (character, kind of attack, number otherwise)."""
    adds_damage: AddsDamage | None = None
    """What is added to the damage that its attacks deal."""
    pierces: Pierces | None = None
    """Whether the damage that its attacks and powers deal is penetrating or unavoidable."""
    shares_action: bool = False
    """Whether members of its team share one of the turn's actions when they attack the same target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defending:
    """Effects on attacks against the character, and on damage and knock back that reach it."""

    hides_behind_hindering: bool = False
    """Whether hindering terrain blocks lines of fire drawn to the character."""
    shape_change: ShapeChange | None = None
    """The roll that prevents an attack on the character."""
    evade: Evades | None = None
    """The roll that turns a hit on the character into a miss."""
    transfers_damage: bool = False
    """Whether an adjacent friendly character may take the damage in its place."""
    reduce_damage: Reduces | None = None
    """How much damage it removes."""
    reduces_all_on: frozenset[int] = frozenset()
    """The results of a roll on which it removes all the damage of an attack."""
    reduces_penetrating: bool = False
    """Whether it also reduces penetrating damage."""
    prevents_damage: Prevents | None = None
    """Whether it prevents damage altogether."""
    most_damage: MostDamage | None = None
    """The most damage that the character takes at once, if this damage has a maximum."""
    heals_less: tuple[tuple[str, int], ...] = ()
    """How many clicks fewer it is healed, by the topic of what heals it."""
    may_be_targeted: RefusesAttack | None = None
    """The reason why attacks of that kind, with those powers, may not target the character, or None."""
    unaffected_by: frozenset[str] = frozenset()
    """The powers of opponents that don't affect it."""
    may_be_knocked_back: Refuses | None = None
    """The reason why the character isn't knocked back, or None."""
    after_damage: AfterDamage | None = None
    """A step after an attack has damaged the character."""
    pushed_unhurt: bool = False
    """Whether the character takes no damage from pushing."""
    on_ko: OnKo | None = None
    """A step when the character is knocked out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lending:
    """Effects on friendly characters."""

    share_value: ShareValue | None = None
    """The character's value that a friendly one may use instead of its own (character, friend), or None."""
    shares_onward: bool = False
    """Whether a value that was itself shared may be shared further."""
    lend_modifier: LendModifier | None = None
    """The modifier to a friendly character's value (character, friend)."""
    lends_for: Literal["close", "ranged"] = "ranged"
    """The kind of attack that the modifier helps."""
    rerolls: bool = False
    """Whether the character may have a roll made again."""
    adds_actions: Number | None = None
    """How many actions it adds to its side's action total."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """A power, team ability or combat ability: its name, the topic that cites it, and its effects."""

    name: str
    """Its name on cards and in documents."""
    topic: str
    """The topic of the books' sections on it."""
    known: bool = True
    """Whether the engine adjudicates it; otherwise the judge decides by its card."""
    known_in_part: str = ""
    """What of an unknown one the engine adjudicates all the same, in words."""
    declinable: Literal["yes", "its-roll", "no"] = "yes"
    """What the character may decline: all of it, only making its roll, or nothing."""
    action: tuple[str, ...] = ()
    """The kinds of action it requires, if any."""
    implied_by: Literal["", "attack", "object"] = ""
    """A way of using it without naming it: an attack granted to a move, or an object as the only target of a power
    action."""
    named_by_anyone: bool = False
    """Whether an action may name it though the actor doesn't have it, because another character uses it."""
    cannot_join: tuple[str, ...] = ()
    """Powers that can't be used with it in one action."""
    starts_turn: bool = False
    """Whether it is used at the beginning of a turn."""
    off_map: bool = False
    """Whether a character that isn't on the map may use it."""
    despite_tokens: Concerns | None = None
    """Whether the character may be given an action with it despite two action tokens."""
    targets: Targets = "opponents"
    """The legal targets of an attack or action that uses it."""
    may_target: RefusesPair | None = None
    """The reason why it may not be used on a target (character, target), or None."""
    act: Act | None = None
    """Its own effect as an action, if that is more than a move or an attack."""
    resolves_then: bool = False
    """Whether its act resolves the actions that it grants."""
    left_open: bool = False
    """Whether it is an action of a card of which the judge decides something: it may have a path, targets and more."""
    offered: Concerns | None = None
    """Whether it is listed among a character's possible actions, if every character has it by the book."""
    uses: Uses | None = None
    """The ways of using it to try for that list; None: on each character on the map."""
    grants_powers: GrantsPowers | None = None
    """The powers that it grants the character now."""
    replace_value: ReplaceValue | None = None
    """The replacement of the character's own combat values."""
    modify_value: ModifyValue | None = None
    """The modifier to the character's own combat values."""
    bound_value: BoundValue | None = None
    """The minimum or maximum of the character's own combat values."""
    text: str = ""
    """What its card says, if the engine doesn't adjudicate it."""
    bears_on: frozenset[str] | None = None
    """The questions on whose answers it may bear, if the engine doesn't adjudicate it; None: on any."""
    judged: str = ""
    """The card that grants it with a change, or on a condition, that is left to the judge."""
    besides: Power | None = None
    """The same power as another card of the character grants it, left to the judge."""
    lends: frozenset[str] = frozenset()
    """Powers of which only a judge can say whether its card lets the character use them now."""
    lets: frozenset[str] | None = None
    """What it lets happen at its moment once the action has resolved: kinds of actions, or powers at no cost."""
    at_no_cost: bool = False
    """Whether it can be used only at no cost, when its card lets that happen."""
    of: str | None = None
    """The id of the character with that card, which may be another."""
    reach: int | None = None
    """How far it reaches, if its card says so."""
    only: str = ""
    """What its card lets it be used for only."""
    cannot: frozenset[str] = frozenset()
    """What the character can't do, in the words of cards (`cannot`)."""
    uncounted: frozenset[str] = frozenset()
    """The kinds of the character's actions that don't count against the action total."""
    epic: bool = False
    """Whether it asks for an epic action."""
    moment: CardMoment | None = None
    """When something happens by it, in the words of cards."""
    happens: Happens | None = None
    """What happens then."""
    of_others: HappensTo | None = None
    """Whether a character is one whose moment it is, given the one with the card and the other; None: its own moment."""
    counted_as: str = ""
    """The name under which its uses are counted, where a card limits them."""
    spent: frozenset[str] = frozenset()
    """Powers whose uses by its card are spent: they can't be used now, but they aren't lost."""
    moving: Moving = Moving()
    attacking: Attacking = Attacking()
    defending: Defending = Defending()
    lending: Lending = Lending()
