"""Objects on the battlefield: tokens in squares or held by characters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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

    `square` is None while a character holds it or has it on its card, and once it is removed.
    """

    id: str
    kind: ObjectKind
    square: Square | None
    special: bool = False
    name: str = ""
    removed: bool = False
    assigned_to: str | None = None
    cards: tuple[Card, ...] = ()
