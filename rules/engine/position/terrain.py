"""Kinds of terrain and of terrain markers, and areas of them. What they do is the board's and the books' matter."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.engine.position.squares import Square


class TerrainKind(StrEnum):
    """What a boundary line on the map encloses."""

    HINDERING = "hindering"
    BLOCKING = "blocking"
    WATER = "water"
    OBSCURING = "obscuring"
    ELEVATED = "elevated"
    INDOOR = "indoor"
    STARTING_AREA = "starting-area"
    SPECIAL = "special"


class MarkerKind(StrEnum):
    """What a terrain marker shows."""

    HINDERING = "hindering"
    BLOCKING = "blocking"
    DEBRIS = "debris"
    WATER = "water"
    OBSCURING = "obscuring"
    CLEAR = "clear"
    SMOKE = "smoke"
    BARRIER = "barrier"
    SPECIAL = "special"


@dataclass(frozen=True, slots=True)
class Area:
    """Squares of one kind of terrain; `level` is that of elevated terrain, `player` whose starting area it is."""

    kind: TerrainKind
    squares: tuple[Square, ...]
    level: int = 2
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Marker:
    """A terrain marker in its square. Markers of a map are listed oldest first."""

    kind: MarkerKind
    square: Square
