"""Which squares, edges and corners a straight line between two centres crosses. No rules, no fractions.

A line is drawn from the centre of one square to the centre of another. Between two squares
of its way it passes either through the inside of their common edge or exactly through the
corner where four squares meet; nothing else is possible. All comparisons are between whole
numbers, so an exact diagonal is exactly that.

The same line as *bits*: squares are numbered row by row from the top left, and a set of
squares is a whole number with the bit of each square set. That makes "does this line meet
any of those squares" one operation.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.engine.position.squares import Square

LARGEST_REMEMBERED = 4096
"""Maps of up to so many squares keep the bits of their lines; larger ones work them out each time."""


class LineStep(NamedTuple):
    """One step of a line: from the square before to the square after, across an edge or through a corner."""

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
    """Return the steps of a line that leads so many columns right and rows down, each as (columns, rows).

    A step with both numbers not 0 goes exactly through a corner.
    """
    right = 1 if columns > 0 else -1
    down = 1 if rows > 0 else -1
    width, height = abs(columns), abs(rows)
    taken = []
    across, along = 1, 1  # the next vertical and the next horizontal grid line, as odd numbers of half squares
    while across < 2 * width or along < 2 * height:
        vertical, horizontal = across * height, along * width
        if along > 2 * height or (across < 2 * width and vertical < horizontal):
            taken.append((right, 0))
            across += 2
        elif across > 2 * width or horizontal < vertical:
            taken.append((0, down))
            along += 2
        else:
            taken.append((right, down))
            across += 2
            along += 2
    return tuple(taken)


def passages(start: Square, end: Square) -> list[LineStep]:
    """Return the passages of the line from one centre to the other, in order. Empty for a square to itself."""
    way = []
    before = start
    for column, row in steps(end.column - start.column, end.row - start.row):
        after = Square(before.column + column, before.row + row)
        way.append(LineStep(before, after))
        before = after
    return way


class Trace(NamedTuple):
    """What a line crosses, as bits: the squares between its ends, the edges and the corners.

    An upright edge (`across`) is numbered by the square on its left, a level one (`down`) by the
    square above it, a corner by the square up and left of it; a corner is `falling` when the line
    passes it from top left to bottom right, `rising` when from bottom left to top right.
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
    """Return what such a line crosses on a map of that size, its box pushed into the top left corner.

    Shift each number left by the number of the box's top left square to put the line in its place.
    """
    if width * height > LARGEST_REMEMBERED:
        return _trace(columns, rows, width)
    return _remembered_trace(columns, rows, width)


def squares_of(bits: int, width: int) -> list[Square]:
    """Return the squares whose bits are set, in the order of their numbers."""
    found = []
    while bits:
        lowest = bits & -bits
        row, column = divmod(lowest.bit_length() - 1, width)
        found.append(Square(column, row))
        bits ^= lowest
    return found
