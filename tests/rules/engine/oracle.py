"""A second, simple reading of the books for lines of fire between empty squares, to compare with the engine.

Dictionaries, sets and exact fractions; written independently of the engine and sharing no code with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import floor

Spot = tuple[int, int]
CLEAR, HINDERED, BLOCKED = 0, 1, 2
WORDS = ("clear", "hindered", "blocked")


@cache
def way(columns: int, rows: int) -> tuple[tuple[Spot, Spot], ...]:
    """Return the pairs of squares between which the line from (0, 0) to (columns, rows) passes, by exact fractions."""
    if (columns, rows) == (0, 0):
        return ()
    cuts = {Fraction(2 * k - 1, 2 * abs(columns)) for k in range(1, abs(columns) + 1)} if columns else set()
    cuts |= {Fraction(2 * k - 1, 2 * abs(rows)) for k in range(1, abs(rows) + 1)} if rows else set()
    ends = [Fraction(0), *sorted(cuts), Fraction(1)]
    passed = []
    for start, end in pairwise(ends):
        middle = (start + end) / 2
        half = Fraction(1, 2)
        passed.append((floor(columns * middle + half), floor(rows * middle + half)))
    return tuple(pairwise(passed))


@dataclass
class Field:
    """A board as sets of squares."""

    width: int
    height: int
    blocking: set[Spot] = field(default_factory=set)
    hindering: set[Spot] = field(default_factory=set)
    level: dict[Spot, int] = field(default_factory=dict)
    walls: set[frozenset[Spot]] = field(default_factory=set)
    indoors: bool = False
    figures: dict[Spot, str] = field(default_factory=dict)

    def high(self, spot: Spot) -> int:
        return self.level.get(spot, 1)

    def area(self, spot: Spot) -> set[Spot]:
        """Return the elevated squares connected to this one edge to edge."""
        seen, waiting = {spot}, [spot]
        while waiting:
            x, y = waiting.pop()
            for other in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if self.high(other) > 1 and other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen

    def rim(self, spot: Spot) -> bool:
        x, y = spot
        beside = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        return any(
            0 <= a < self.width and 0 <= b < self.height and self.high((a, b)) < self.high(spot) for a, b in beside
        )


def line(edition: str, board: Field, start: Spot, end: Spot) -> str:
    """Return clear, hindered or blocked for the line between two empty squares."""
    from_level, to_level = board.high(start), board.high(end)
    low, same = min(from_level, to_level), from_level == to_level
    top = start if from_level > to_level else end
    if edition == "dc-2005" and not same and not board.rim(top):
        return "blocked"
    worst = CLEAR
    own_area = board.area(top) if edition == "dc-2005" and not same else set()

    def terrain(spot: Spot) -> int:
        level = board.high(spot)
        if level > low:
            if edition == "dc-2005" and not same and spot in own_area and board.rim(spot):
                return BLOCKED if spot in board.blocking else CLEAR
            return BLOCKED
        if level == low:
            if spot in board.blocking:
                return BLOCKED
            matters = same or (edition in ("ic-2002", "car-2002") and from_level < to_level)
            return HINDERED if spot in board.hindering and matters else CLEAR
        return BLOCKED if edition == "core-2014" and board.indoors and spot in board.blocking else CLEAR

    def body(spot: Spot) -> int:
        size = board.figures.get(spot)
        if size is None or spot in (start, end):
            return CLEAR
        level = board.high(spot)
        if edition in ("ic-2002", "car-2002"):
            hit = level == low and (same or from_level < to_level)
        elif edition == "dc-2005":
            hit = size == "colossal" or (level == low if same else size == "giant" or level > low)
        elif edition == "core-2014":
            hit = size in ("giant", "colossal") or (same and level == low)
        else:
            hit = size in ("giant", "colossal") or (same and level == low and size != "tiny")
        return BLOCKED if hit else CLEAR

    def edge(one: Spot, other: Spot) -> int:
        if frozenset((one, other)) not in board.walls:
            return CLEAR
        higher = max(board.high(one), board.high(other))
        if higher >= low:
            return BLOCKED
        return BLOCKED if edition == "core-2014" and board.indoors else CLEAR

    first_entered = None
    for step_from, step_to in way(end[0] - start[0], end[1] - start[1]):
        before = (start[0] + step_from[0], start[1] + step_from[1])
        after = (start[0] + step_to[0], start[1] + step_to[1])
        here = CLEAR
        if before[0] != after[0] and before[1] != after[1]:
            sides = []
            for side in ((after[0], before[1]), (before[0], after[1])):
                standing = CLEAR if edition in ("ic-2002", "car-2002") else body(side)
                sides.append(max(terrain(side), standing, edge(before, side), edge(side, after)))
            here = min(sides)
        else:
            here = edge(before, after)
        if after != end:
            here = max(here, terrain(after), body(after))
        elif after in board.hindering:
            here = max(here, HINDERED)
        if first_entered is None:
            first_entered = here
        worst = max(worst, here)
    if start == end and start in board.hindering:
        worst = max(worst, HINDERED)
    counts = same or (edition in ("ic-2002", "car-2002") and from_level < to_level)
    if start in board.hindering and counts and worst != BLOCKED:
        if edition in ("ic-2002", "car-2002") and worst == HINDERED and first_entered == CLEAR:
            return "clear"
        if edition == "core-2014":
            return "hindered"
    return WORDS[worst]
