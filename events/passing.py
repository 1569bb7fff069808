"""How boosters go round a table in a draft, pure: the direction alternates by booster, the first goes to the left.

Seats are numbered from 0, clockwise: the left neighbour of seat 0 is seat 1.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Direction(enum.StrEnum):
    """Where a booster is passed after a pick."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True)
class Passing:
    """A draft at one table: its seats, the boosters each seat opens, and the figures in a booster."""

    seats: int
    boosters: int
    figures: int

    @property
    def steps(self) -> int:
        """How many picks each seat makes."""
        return self.boosters * self.figures

    def booster(self, step: int) -> int:
        """Return the number of the booster from which a step picks, from 1; steps are counted from 0."""
        return step // self.figures + 1

    def pick(self, step: int) -> int:
        """Return the number of the pick from that booster, from 1."""
        return step % self.figures + 1

    def direction(self, step: int) -> Direction:
        """Return where the boosters go after this pick."""
        return Direction.LEFT if self.booster(step) % 2 else Direction.RIGHT

    def is_last_of_booster(self, step: int) -> bool:
        """Return whether the boosters are empty after this pick."""
        return self.pick(step) == self.figures

    def opener(self, seat: int, step: int) -> int:
        """Return the seat that opened the booster which lies before a seat at this step."""
        gone = self.pick(step) - 1
        return (seat - gone if self.direction(step) is Direction.LEFT else seat + gone) % self.seats

    def next_seat(self, seat: int, step: int) -> int:
        """Return the seat to which a seat passes after this pick."""
        return (seat + (1 if self.direction(step) is Direction.LEFT else -1)) % self.seats
