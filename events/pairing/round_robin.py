"""Round robin by the circle method: everyone meets everyone once.

One player stays and the others move on by one position each round. With an odd number an empty position moves, too; the
player opposite it has the bye, each player once.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from .tournament import Pair


def number_of_rounds(players: int) -> int:
    """Return how many rounds it takes until everyone has met everyone."""
    return 0 if players < 2 else players - 1 + players % 2


def by_lot(ids: Sequence[str], seed: int) -> tuple[str, ...]:
    """Return the players in an order drawn from the seed, independent of the given order."""
    return tuple(sorted(ids, key=lambda one: (blake2b(f"{seed}/{one}".encode(), digest_size=8).digest(), one)))


def round_of(ids: Sequence[str], number: int) -> tuple[tuple[Pair, ...], str | None]:
    """Return round `number` (from 1): its pairs and the bye, or None.

    `ids` must be the same players in the same order for every round. Raise ValueError if there is no such round.
    """
    if len(set(ids)) != len(ids):
        raise ValueError("a player stands twice in the list")
    last = number_of_rounds(len(ids))
    if not 1 <= number <= last:
        raise ValueError(f"{len(ids)} players have {last} rounds; there is no round {number}")
    circle: list[str | None] = [*ids, None] if len(ids) % 2 else [*ids]
    shift = (number - 1) % (len(circle) - 1)
    moving = circle[1:]
    seats = [circle[0], *moving[len(moving) - shift :], *moving[: len(moving) - shift]]
    pairs: list[Pair] = []
    bye = None
    for a, b in zip(seats[: len(seats) // 2], reversed(seats[len(seats) // 2 :]), strict=True):
        if a is None or b is None:
            bye = a if a is not None else b
        else:
            pairs.append((a, b))
    return tuple(pairs), bye


def schedule(ids: Sequence[str]) -> tuple[tuple[tuple[Pair, ...], str | None], ...]:
    """Return every round."""
    return tuple(round_of(ids, number) for number in range(1, number_of_rounds(len(ids)) + 1))


def without_dropped(
    pairs: Sequence[Pair], bye: str | None, dropped: frozenset[str] | set[str]
) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """Return a round's pairs and byes without the dropped players, whose opponents get a bye."""
    playing = tuple(pair for pair in pairs if not dropped & set(pair))
    left = [one for pair in pairs for one in pair if dropped & set(pair) and one not in dropped]
    if bye is not None and bye not in dropped:
        left.append(bye)
    return playing, tuple(left)
