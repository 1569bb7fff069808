"""Kinds and areas of terrain, and terrain markers. Their effects are decided elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.engine.position.squares import Square


class TerrainKind(StrEnum):
    """The kind of terrain inside a boundary line on the map."""

    HINDERING = "hindering"
    BLOCKING = "blocking"
    WATER = "water"
    OBSCURING = "obscuring"
    ELEVATED = "elevated"
    INDOOR = "indoor"
    STARTING_AREA = "starting-area"
    SPECIAL = "special"


class MarkerKind(StrEnum):
    """The kind of a terrain marker."""

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
    """Squares of one kind of terrain; `level` is for elevated terrain, `player` for a starting area."""

    kind: TerrainKind
    squares: tuple[Square, ...]
    level: int = 2
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Marker:
    """A terrain marker in its square. Markers of a map are listed oldest first."""

    kind: MarkerKind
    square: Square
