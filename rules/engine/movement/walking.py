"""A path walked square by square: how far it can be followed, what it costs, and why it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.engine.movement.paths import Mode, Way
from rules.engine.position.squares import Square, distance


@dataclass(frozen=True, slots=True)
class Walk:
    """The result of following a path: the squares entered, the speed left after each, and why it went no further.

    `refused` is (sentence, topic) if the path includes an illegal step; `ended` says that the last square entered ends
    the move.
    """

    squares: tuple[Square, ...]
    spent: int
    ended: bool
    refused: tuple[str, str] | None = None


def walk(way: Way, start: Square, path: Sequence[Square], speed: int, mode: Mode = "ground") -> Walk:
    """Return how far a path can be followed from a square with this much speed, in one flight mode.

    `may_end` decides whether the mover may stay in the last square.
    """
    here, spent, ended = start, 0, False
    entered: list[Square] = []
    for after in path:
        if after == here:
            continue
        if not way.ground.has(after):
            return Walk(tuple(entered), spent, ended, (f"{after} isn't on the map", "movement"))
        if distance(here, after) != 1:
            return Walk(tuple(entered), spent, ended, (f"{after} doesn't touch {here}", "movement"))
        if ended:
            return Walk(tuple(entered), spent, ended, (f"the move ends in {here}", "movement"))
        taken = way.step(here, after, mode)
        if taken is None:
            return Walk(tuple(entered), spent, ended, way.why_not(here, after, mode))
        cost, ended = taken
        if spent + cost > speed:
            return Walk(tuple(entered), spent, False, (f"{after} is farther than the speed of {speed}", "movement"))
        spent += cost
        here = after
        entered.append(after)
    return Walk(tuple(entered), spent, ended)


def may_end(way: Way, square: Square, mode: Mode = "ground") -> bool:
    """Return whether the mover may end its move in a square: free, and not blocking terrain that it can't rest on."""
    return bool(way.endable[mode] & way.ground.bit(square)) or square in way.figure.character.squares
