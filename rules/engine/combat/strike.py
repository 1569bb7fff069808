"""What an attack is before its dice fall: who attacks whom, with what, and what the powers in use make of it.

A `Strike` is frozen; a power shapes one by returning another (`Power.shapes_attack`). Its sequence is in `attack`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.engine.play import AttackKind, Play
from rules.engine.position.characters import Character
from rules.engine.position.objects import BattleObject, ObjectKind
from rules.engine.reasons import Change

if TYPE_CHECKING:
    from rules.engine.combat.roll import Roll

Effect = Callable[[Play, "Strike", Character], None]
Against = Callable[[Play, Character], tuple[Change, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike:
    """One attack.

    - `object`, `thrown`, `reach`: the object that is used, whether it is thrown, and how far.
    - `damage`: a number in place of the damage value, with `because` and `topic`; `die`: the roll that decides it.
    - `added`: what is added to the damage dealt. `penetrating`: whether nothing reduces it.
    - `deals_damage`: false for attacks that do none by themselves; `critical_hurts`: whether a critical hit does.
    - `splash`: whether everybody beside a target that is hit is affected; `area`: whether it targets nobody in particular.
    - `roll`: the name of its roll. `against`: what is added to each target's defense for it.
    - `added_to_value`: what is added to the damage value, under its limits.
    - `effect`: what happens to each target that is hit, beside damage. `knocks_back`: whether doubles knock back.
    - `checked`: whether its targets have been checked already; `unaided`: whether nothing but `added` raises the damage,
      and no other power of the attacker's follows.
    - `always_knocks_back`: whether it knocks back without doubles; `ignores_powers`: whether its targets' powers matter.
    - `helpers`: who helps and pays for it. `divide`: the damage for each target that is hit.
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
    added: tuple[Change, ...] = ()
    added_to_value: tuple[Change, ...] = ()
    penetrating: bool = False
    deals_damage: bool = True
    critical_hurts: bool = True
    splash: bool = False
    area: bool = False
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


@dataclass(frozen=True, slots=True)
class Hit:
    """One character that an attack has hit: as often as it is affected, and whether it is a target."""

    character: str
    times: int = 1
    targeted: bool = True


@dataclass(frozen=True, slots=True)
class Struck:
    """What an attack has come to: its dice, who was hit, and the damage that each has taken."""

    roll: Roll
    hits: tuple[Hit, ...]
    taken: Mapping[str, int]

    @property
    def succeeded(self) -> bool:
        """Whether anybody was hit."""
        return bool(self.hits)


def weight_of(kind: ObjectKind) -> Change:
    """Return what an object in hand adds in close combat: 1, a heavy one 2, an ultra heavy one 3 (2014)."""
    by = {ObjectKind.HEAVY: 2, ObjectKind.ULTRA_HEAVY: 3}.get(kind, 1)
    return Change(by, f"a {kind.value} object", "object-attack")
