"""Edges of the grid: the side that two orthogonally adjacent squares share, written `D4|E4`.

Walls, windows, doors, stairs and ladders are on edges.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.engine.position.squares import Square, read_square


class Edge(NamedTuple):
    """The side between two squares, the leftmost or uppermost square first."""

    first: Square
    second: Square

    @property
    def name(self) -> str:
        """The edge's name in documents: `D4|E4`."""
        return f"{self.first.name}|{self.second.name}"

    def __str__(self) -> str:
        return self.name


def edge_between(one: Square, other: Square) -> Edge | None:
    """Return the edge shared by two squares; None if they don't share one."""
    if abs(one.column - other.column) + abs(one.row - other.row) != 1:
        return None
    return Edge(min(one, other), max(one, other))


def read_edge(name: str) -> Edge | None:
    """Return the edge written `X|Y`, in either order; None if the text isn't an edge."""
    sides = name.split("|")
    if len(sides) != 2:
        return None
    one, other = read_square(sides[0]), read_square(sides[1])
    return edge_between(one, other) if one is not None and other is not None else None
