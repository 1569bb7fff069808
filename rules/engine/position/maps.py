"""The map of a battle as printed, with the markers and destruction that the battle has added."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from rules.engine.position.edges import Edge
from rules.engine.position.squares import Square
from rules.engine.position.terrain import Area, Marker


class MapKind(StrEnum):
    """Outdoor, indoor, or an outdoor map with indoor squares marked."""

    OUTDOOR = "outdoor"
    INDOOR = "indoor"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class BattleMap:
    """A map: its size in squares, its areas of terrain, the features on its edges, and its markers, oldest first."""

    width: int
    height: int
    kind: MapKind = MapKind.OUTDOOR
    terrain: tuple[Area, ...] = ()
    walls: frozenset[Edge] = frozenset()
    windows: frozenset[Edge] = frozenset()
    doors: frozenset[Edge] = frozenset()
    stairs: frozenset[Edge] = frozenset()
    ladders: frozenset[Edge] = frozenset()
    markers: tuple[Marker, ...] = field(default=())

    def holds(self, square: Square) -> bool:
        """Return whether the square lies on the map."""
        return 0 <= square.column < self.width and 0 <= square.row < self.height

    def squares(self) -> list[Square]:
        """Return every square of the map, row by row from the top left."""
        return [Square(column, row) for row in range(self.height) for column in range(self.width)]
