"""The figures on the map, derived from the characters of a position: squares, level, flight mode and size."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.position.characters import Character
from rules.engine.position.squares import Square


@dataclass(frozen=True, slots=True)
class Figure:
    """A character on the map: its squares as bits, its level (that of its lowest square), mode and size."""

    character: Character
    player: str
    bits: int
    level: int
    soaring: bool
    hovering: bool
    size: int
    on_blocking: bool

    @property
    def name(self) -> str:
        """The figure's name in sentences."""
        return self.character.name


@dataclass(frozen=True, slots=True)
class FiguresOnMap:
    """All figures on the map: by id, by square, and as bits by (level, soaring, size)."""

    figures: dict[str, Figure]
    at: dict[Square, Figure]
    bodies: dict[tuple[int, bool, int], int]
    large: tuple[Figure, ...]
