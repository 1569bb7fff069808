"""The squares, edges and corners that a straight line between the centres of two squares crosses.

Between two squares on its way, the line passes either through the inside of their common edge or exactly through the
corner where four squares meet. All comparisons are between integers, so an exact diagonal is recognised exactly.

A line is also available as *bits*: squares are numbered row by row from the top left, and a set of squares is an
integer with the bit of each square set. Whether a line meets any of a set of squares is then a single operation.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.engine.position.squares import Square

LARGEST_REMEMBERED = 4096
"""Lines on maps of up to this many squares are cached; on larger ones they are computed each time."""


class LineStep(NamedTuple):
    """One step of a line, from one square to the next, across an edge or through a corner."""

    before: Square
    after: Square

    @property
    def through_corner(self) -> bool:
        """Whether the line passes exactly through the corner between the two squares."""
        return self.before.column != self.after.column and self.before.row != self.after.row

    def sides(self) -> tuple[Square, Square]:
        """Return the two squares that touch the corner and are not on the line."""
        return Square(self.after.column, self.before.row), Square(self.before.column, self.after.row)


@lru_cache(maxsize=65536)
def steps(columns: int, rows: int) -> tuple[tuple[int, int], ...]:
    """Return the steps of a line leading this many columns right and rows down, each as (columns, rows).

    A step with both numbers nonzero passes exactly through a corner.
    """
    right = 1 if columns > 0 else -1
    down = 1 if rows > 0 else -1
    width, height = abs(columns), abs(rows)
    taken = []
    across, along = 1, 1  # the next vertical and horizontal grid line, in half squares (odd numbers)
    while across < 2 * width or along < 2 * height:
        vertical, horizontal = across * height, along * width
        if vertical < horizontal:
            taken.append((right, 0))
            across += 2
        elif horizontal < vertical:
            taken.append((0, down))
            along += 2
        else:
            taken.append((right, down))
            across += 2
            along += 2
    return tuple(taken)


def passages(start: Square, end: Square) -> list[LineStep]:
    """Return the steps of the line from one centre to the other, in order; empty from a square to itself."""
    way = []
    before = start
    for column, row in steps(end.column - start.column, end.row - start.row):
        after = Square(before.column + column, before.row + row)
        way.append(LineStep(before, after))
        before = after
    return way


class Trace(NamedTuple):
    """The parts of the grid that a line crosses, as bits: the squares between its ends, the edges and the corners.

    A vertical edge (`across`) is numbered by the square on its left, a horizontal one (`down`) by the square above it,
    a corner by the square above and left of it. A corner is `falling` if the line passes it from top left to bottom
    right, `rising` if from bottom left to top right.
    """

    squares: int
    across: int
    down: int
    falling: int
    rising: int


def _trace(columns: int, rows: int, stride: int) -> Trace:
    column, row = max(0, -columns), max(0, -rows)
    squares = across = down = falling = rising = 0
    for right, below in steps(columns, rows):
        number = row * stride + column
        squares |= 1 << number
        if right and below:
            corner = 1 << (min(row, row + below) * stride + min(column, column + right))
            if right == below:
                falling |= corner
            else:
                rising |= corner
        elif right:
            across |= 1 << (row * stride + min(column, column + right))
        else:
            down |= 1 << (min(row, row + below) * stride + column)
        column += right
        row += below
    first = 1 << (max(0, -rows) * stride + max(0, -columns))
    return Trace(squares & ~first, across, down, falling, rising)


_remembered_trace = lru_cache(maxsize=65536)(_trace)


def trace(columns: int, rows: int, width: int, height: int) -> Trace:
    """Return the trace of such a line on a map of that size, with its bounding box in the top left corner.

    Shift each number left by the number of the box's actual top left square to move the line to its place.
    """
    if width * height > LARGEST_REMEMBERED:
        return _trace(columns, rows, width)
    return _remembered_trace(columns, rows, width)


def squares_of(bits: int, width: int) -> list[Square]:
    """Return the squares whose bits are set, in numerical order."""
    found = []
    while bits:
        lowest = bits & -bits
        row, column = divmod(lowest.bit_length() - 1, width)
        found.append(Square(column, row))
        bits ^= lowest
    return found
