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

from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.reasons import Change, Replacement

if TYPE_CHECKING:
    from rules.engine.play import Attack, Play

ReplaceValue = Callable[["Play", Character, ValueName, "Attack | None"], Iterable[Replacement]]
ModifyValue = Callable[["Play", Character, ValueName, "Attack | None"], Iterable[Change]]
ShareValue = Callable[["Play", Character, Character, ValueName, "Attack | None"], "int | None"]
LendModifier = Callable[["Play", Character, Character, ValueName, "Attack | None"], Iterable[Change]]
Ignores = Callable[["Play", Character], frozenset[str]]
Refuses = Callable[["Play", Character], "str | None"]
RefusesPair = Callable[["Play", Character, Character], "str | None"]
BreakAwayChange = Callable[["Play", Character, Character], "int | None"]
Targets = Literal["opponents", "friends", "all"]
Number = Callable[["Play", Character], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """A power, team ability or combat ability: its name, the topic that cites it, and what it does when.

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
    - `break_away_bonus`, `holds_back`: what is added to a break away roll of its bearer (mover, holder), and to
      one of somebody who leaves its bearer (holder, mover).
    - `passengers`: how many friends the bearer may carry.
    - `may_be_carried`, `may_be_knocked_back`, `may_shoot`: why the bearer may not, or None.
    - `may_be_targeted`: why the bearer (target, attacker) may not be targeted, or None.
    - `reaches_other_elevations`: whether the bearer's close attacks reach adjacent squares of other elevations.
    - `close_reach`: how many squares away the bearer's close attacks reach, with a line of fire beyond one.
    - `shoots_beside`: whether the bearer may make ranged attacks while an opponent is adjacent.
    - `targets`: whom an attack with it may target.
    - `action`: which kinds of action it asks for, where it asks for one.
    """

    name: str
    topic: str
    optional: bool = True
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
    break_away_bonus: BreakAwayChange | None = None
    holds_back: BreakAwayChange | None = None
    passengers: Number | None = None
    may_be_carried: Refuses | None = None
    may_be_knocked_back: Refuses | None = None
    may_shoot: Refuses | None = None
    may_be_targeted: RefusesPair | None = None
    reaches_other_elevations: bool = False
    close_reach: int = 1
    shoots_beside: bool = False
    targets: Targets = "opponents"
    known: bool = True
