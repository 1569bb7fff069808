"""Squares of a map, named as players call them: column letter from the left, row number from the top."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

_NAME = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,3})", re.ASCII)


class Square(NamedTuple):
    """A square, counted from 0: `Square(0, 0)` is `A1`, `Square(3, 1)` is `D2`."""

    column: int
    row: int

    @property
    def name(self) -> str:
        """The square's name: `D2`."""
        return column_letters(self.column) + str(self.row + 1)

    def __str__(self) -> str:
        return self.name


@cache
def column_letters(column: int) -> str:
    """Return the letters of a column counted from 0: A to Z, then AA, AB and so on."""
    letters = ""
    number = column + 1
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def read_square(name: str) -> Square | None:
    """Return the square of that name; None if the text isn't a square."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return Square(column - 1, int(match[2]) - 1)


def distance(one: Square, other: Square) -> int:
    """Return the distance between two squares; a diagonal step counts as one."""
    return max(abs(one.column - other.column), abs(one.row - other.row))


def in_squares(number: int) -> str:
    """Return a number of squares in words: "1 square"."""
    return "1 square" if number == 1 else f"{number} squares"
