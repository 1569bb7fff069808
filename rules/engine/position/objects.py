"""Objects on the battlefield: tokens in squares or held by characters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from rules.engine.position.cards import Card
from rules.engine.position.squares import Square


class ObjectKind(StrEnum):
    """The kind of an object, shown by the ring around its token."""

    LIGHT = "light"
    HEAVY = "heavy"
    IMMOBILE = "immobile"
    ULTRA_LIGHT = "ultra-light"
    ULTRA_HEAVY = "ultra-heavy"


@dataclass(frozen=True, slots=True)
class BattleObject:
    """One object.

    - `square`: None while a character holds it or has it on its card, and once it is removed.
    - `assigned_to`: the character on whose card it is: equipment that it is equipped with, a relic.
    - `player`: on whose force it came; the opponents score its points.
    - `equip`: who may equip it, if it is equipment; `unequip`: what becomes of it when it is unequipped.
    - `marker`: whether it is the special marker of a scenario that characters carry: a scientist, an artifact, files.
    - `indestructible`: whether only its use in an attack removes it. `relic`: the lowest roll that assigns it.
    """

    id: str
    kind: ObjectKind
    square: Square | None
    special: bool = False
    name: str = ""
    removed: bool = False
    assigned_to: str | None = None
    cards: tuple[Card, ...] = ()
    points: int = 0
    player: str | None = None
    equip: Literal["friendly", "any"] | None = None
    unequip: Literal["ko", "drop"] = "ko"
    indestructible: bool = False
    relic: int | None = None
    marker: bool = False
