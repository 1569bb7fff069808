"""A power is a row; a moment of the sequence is a column.

`Power` holds one optional function for each moment at which a power, a team ability or a
symbol's ability may have a say. `None` means: not concerned. The list of moments is closed and
typed; the rows stand in `powers`, the words simple ones are written in in `powers.building`,
and what exists in an edition in its tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rules.engine.action import Action
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.reasons import Change, Replacement

if TYPE_CHECKING:  # The circle play, edition, power is explained in `play`.
    from rules.engine.play import Attack, Damage, Play, Strike

ReplaceValue = Callable[["Play", Character, ValueName, "Attack | None"], Iterable[Replacement]]
ModifyValue = Callable[["Play", Character, ValueName, "Attack | None"], Iterable[Change]]
ShareValue = Callable[["Play", Character, Character, ValueName, "Attack | None"], "int | None"]
LendModifier = Callable[["Play", Character, Character, ValueName, "Attack | None"], Iterable[Change]]
Ignores = Callable[["Play", Character], frozenset[str]]
Refuses = Callable[["Play", Character], "str | None"]
RefusesPair = Callable[["Play", Character, Character], "str | None"]
BreakAwayChange = Callable[["Play", Character, Character], "int | None"]
Act = Callable[["Play", "Action", Character], None]
ShapesAttack = Callable[["Play", "Strike"], "Strike"]
Reduces = Callable[["Play", Character, "Damage"], int]
AfterDamage = Callable[["Play", Character, "Damage"], None]
OnKo = Callable[["Play", Character], None]
GrantsPowers = Callable[["Play", Character], Iterable[str]]
Targets = Literal["opponents", "friends", "all"]
Number = Callable[["Play", Character], int]


@dataclass(frozen=True, slots=True)
class ShapeChange:
    """A roll (its name before `:ID`) by which the bearer, chosen as a target, is taken for a friend."""

    roll: str
    on: frozenset[int]


@dataclass(frozen=True, slots=True)
class Evades:
    """A roll (its name before `:ID`) by which a hit on the bearer becomes a miss; perhaps only where it is a target."""

    roll: str
    on: frozenset[int]
    only_targets: bool = False
    by_psychic_blast_ignored: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """A power, team ability or combat ability: its name, the topic that cites it, and what it does when.

    - `optional`: whether its bearer may decline it; `rolls_at_will`: whether it may at least leave the roll unrolled.
    - `replace_value`, `modify_value`: its bearer's own combat values.
    - `share_value`: the value (owner, friend) that a friend may use instead of its own, or None.
    - `shares_onward`: whether a value that was itself shared may be passed on.
    - `lend_modifier`: what its owner adds to a friend's value.
    - `hides_behind_hindering`: whether hindering terrain blocks lines of fire drawn to the bearer.
    - `sees_past`: what a line drawn by the bearer ignores: `hindering`, `elevated`, `blocking`, `characters`,
      `adjacent`, `stealth`.
    - `moves_past`: what a move of the bearer ignores: `hindering`, `water`, `elevated`, `blocking`,
      `outdoor-blocking`, `characters` (passes through opponents and does not stop beside them),
      `through-characters` (passes, but stops), `adjacent` (does not stop), `break-away` (needs no roll).
    - `rests_on_blocking`: whether the bearer may end its move on top of outdoor blocking terrain.
    - `squares`: how many squares a move with it goes at most, whatever the speed value.
    - `break_away_bonus`, `holds_back`: what is added to a break away roll of its bearer (mover, holder), and to
      one of somebody who leaves its bearer (holder, mover).
    - `passengers`: how many friends the bearer may carry.
    - `may_be_carried`, `may_be_knocked_back`, `may_shoot`: why the bearer may not, or None.
    - `may_target`: why it may not be used on somebody (bearer, target), or None.
    - `reaches_other_elevations`: whether the bearer's close attacks reach adjacent squares of other elevations.
    - `close_reach`: how many squares away the bearer's close attacks reach, with a line of fire beyond one.
    - `shoots_beside`: whether the bearer may make ranged attacks while an opponent is adjacent.
    - `targets`: whom an attack with it may target.
    - `action`: which kinds of action it asks for, where it asks for one.
    - `act`: what it does with that action, where it is more than a move or an attack.
    - `grants`: which attacks a move with it may make; `starts_turn`: whether it is used at the beginning of a turn.
    - `shapes_attack`: what an attack with it becomes (strike → strike).
    - `shape_change`: by which roll an attacker takes its bearer for a friend; `evade`: by which roll a hit becomes a miss.
    - `reduce_damage`: how much of the damage it takes away.
    - `transfers_damage`: whether its bearer may have a neighbour take the damage.
    - `after_damage`, `after_damaging`: what follows when its bearer has been damaged by an attack, or has damaged.
    - `on_ko`: what follows when its bearer is knocked out. `pushed_unhurt`: whether pushing does it no damage.
    - `rerolls`: whether its bearer may have a roll made again.
    - `free_move`, `shares_action`: whether it moves without one of the turn's actions, or shares one with its team.
    - `cannot_join`: the powers that cannot be used with it in one action.
    - `lifts`: whether its bearer picks up heavy objects.
    - `grants_powers`: the powers that it gives its bearer now.
    - `reduces_penetrating`: whether it takes away of penetrating damage too. `adds_actions`: to its side's action total.
    - `implied`: whether a move that grants an attack uses it without naming it.
    - `eases_any_move`: whether a move that does not name it is eased by it, though it also acts when it is named.
    - `leaves_first`: what its bearer does beside an opponent before the attack that a move with it grants, also where
      it names no path: it `breaks-away`, or breaks away and `moves`.
    - `starts_eased`: whether hindering terrain at the start does not halve a move with it for a bearer of anything that
      ignores terrain on movement, used or not.
    - `knocks_back`: whether its bearer's close attacks knock back without doubles.
    """

    name: str
    topic: str
    optional: bool = True
    rolls_at_will: bool = False
    action: tuple[str, ...] = ()
    replace_value: ReplaceValue | None = None
    modify_value: ModifyValue | None = None
    share_value: ShareValue | None = None
    shares_onward: bool = False
    lend_modifier: LendModifier | None = None
    hides_behind_hindering: bool = False
    sees_past: Ignores | None = None
    moves_past: Ignores | None = None
    rests_on_blocking: bool = False
    halves_speed: bool = False
    squares: int | None = None
    break_away_bonus: BreakAwayChange | None = None
    holds_back: BreakAwayChange | None = None
    passengers: Number | None = None
    may_be_carried: Refuses | None = None
    may_be_knocked_back: Refuses | None = None
    may_shoot: Refuses | None = None
    may_target: RefusesPair | None = None
    reaches_other_elevations: bool = False
    close_reach: int = 1
    shoots_beside: bool = False
    targets: Targets = "opponents"
    known: bool = True
    act: Act | None = None
    grants: tuple[str, ...] = ()
    starts_turn: bool = False
    shapes_attack: ShapesAttack | None = None
    shape_change: ShapeChange | None = None
    evade: Evades | None = None
    reduce_damage: Reduces | None = None
    transfers_damage: bool = False
    after_damage: AfterDamage | None = None
    after_damaging: AfterDamage | None = None
    on_ko: OnKo | None = None
    pushed_unhurt: bool = False
    rerolls: bool = False
    free_move: bool = False
    shares_action: bool = False
    cannot_join: tuple[str, ...] = ()
    lifts: bool = False
    grants_powers: GrantsPowers | None = None
    reduces_penetrating: bool = False
    adds_actions: int = 0
    implied: bool = False
    eases_any_move: bool = False
    leaves_first: Literal["", "breaks-away", "moves"] = ""
    starts_eased: bool = False
    knocks_back: bool = False
