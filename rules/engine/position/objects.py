"""Objects on the battlefield: tokens that lie in squares or are held by a character."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.engine.position.squares import Square


class ObjectKind(StrEnum):
    """The ring around an object token."""

    LIGHT = "light"
    HEAVY = "heavy"
    IMMOBILE = "immobile"
    ULTRA_LIGHT = "ultra-light"
    ULTRA_HEAVY = "ultra-heavy"


@dataclass(frozen=True, slots=True)
class BattleObject:
    """One object. `square` is None while a character holds it or bears it on its card, and once it is removed."""

    id: str
    kind: ObjectKind
    square: Square | None
    special: bool = False
    name: str = ""
    removed: bool = False
    assigned_to: str | None = None
