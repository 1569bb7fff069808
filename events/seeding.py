"""Round 1 by rank: who should meet, as the ranks and standings from which `events.pairing` pairs it.

Pairing brings equal ranks together (FORMATS, "Tournament file"), so that those who should meet get one rank: the first
and the last, the first of each half, or one of each half by lot. Clubs kept apart and awarded byes then count as in any
round, and the checker of event files proves the round without further knowledge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from events.pairing.round_robin import by_lot

FOLD, SLIDE, RANDOM = "fold", "slide", "random"


def order_of(ranks: Mapping[str, int | None], seed: int) -> list[str]:
    """Return the players by rank, best first; players without a rank come last, equal ones by lot."""
    drawn = by_lot(list(ranks), seed)
    return sorted(drawn, key=lambda player: (ranks[player] is None, ranks[player] or 0))


def meeting(order: Sequence[str], how: str, seed: int = 0) -> dict[str, int]:
    """Return a number for each player, best first: those with equal numbers should meet. A last odd one meets no one.

    With `RANDOM`, the seed draws who of the lower half meets whom of the upper.
    """
    half = len(order) // 2
    paired = 2 * half
    if how == RANDOM:
        order = [*order[:half], *by_lot(list(order[half:paired]), seed), *order[paired:]]
    numbers = {
        player: min(place, paired + 1 - place) if how == FOLD else (place - 1) % half + 1
        for place, player in enumerate(order[:paired], 1)
    }
    return numbers | dict.fromkeys(order[paired:], half + 1)
