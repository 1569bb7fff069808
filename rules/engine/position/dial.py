"""Combat dials: the values and powers of each click, as printed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ValueName(StrEnum):
    """The five combat values."""

    SPEED = "speed"
    ATTACK = "attack"
    DEFENSE = "defense"
    DAMAGE = "damage"
    RANGE = "range"


@dataclass(frozen=True, slots=True)
class Click:
    """One click of a dial: its four printed values and the names of its powers."""

    speed: int
    attack: int
    defense: int
    damage: int
    powers: tuple[str, ...] = ()
