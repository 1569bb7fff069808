"""Squares and edges in documents: JSON ↔ squares. Each reader raises `BadInput` with a pointer."""

from __future__ import annotations

from typing import Any, Final

from rules.engine.documents.reader import shaped, shown, text
from rules.engine.errors import BadInput
from rules.engine.position.edges import Edge, read_edge
from rules.engine.position.squares import Square, read_square

WIDEST_MAP: Final = 300


@shaped(lambda: {"type": "string"})
def a_square(value: Any) -> Square:
    """Return the square of that name."""
    found = read_square(text(value))
    if found is None:
        raise BadInput("", f"This must be a square such as D4, not {shown(value)}.")
    return found


@shaped(lambda: {"type": "string"})
def an_edge(value: Any) -> Edge:
    """Return the edge between the two squares named."""
    found = read_edge(text(value))
    if found is None:
        raise BadInput("", f"This must be an edge between two squares side by side, such as D4|E4, not {shown(value)}.")
    return found


@shaped(lambda: {"type": "string"})
def a_rectangle(value: Any) -> tuple[Square, ...]:
    """Return the squares of a rectangle given by two of its corners, such as D4:E6, or the single square named."""
    corners = text(value).split(":")
    if len(corners) == 1:
        return (a_square(value),)
    found = [read_square(corner) for corner in corners]
    if len(found) != 2 or found[0] is None or found[1] is None:
        raise BadInput("", f"This must be a square or a rectangle such as D4:E6, not {shown(value)}.")
    one, other = found[0], found[1]
    columns = range(min(one.column, other.column), max(one.column, other.column) + 1)
    rows = range(min(one.row, other.row), max(one.row, other.row) + 1)
    if len(columns) > WIDEST_MAP or len(rows) > WIDEST_MAP:
        raise BadInput("", f"{shown(value)} is larger than any map.")
    return tuple(Square(column, row) for row in rows for column in columns)
