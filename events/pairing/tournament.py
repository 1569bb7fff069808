"""Values for pairing: a player, and a tournament as played so far. Frozen, without any rules of pairing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

Pair = tuple[str, str]
Seats = tuple[tuple[str, str | None], ...]


class Player(NamedTuple):
    """A player: match points, byes received, club, rank (1 is best) or None, and the rounds with an awarded bye.

    `standing` is the place in the standings now (1 is best), which counts only for the bye, or None.
    """

    id: str
    points: int
    byes: int = 0
    dropped: bool = False
    club: str | None = None
    rank: int | None = None
    byes_awarded: frozenset[int] = frozenset()
    standing: int | None = None

    @property
    def claim(self) -> tuple[int, int, int]:
        """What decides who has the bye, the least first: fewest byes, then fewest points, then the last place."""
        return self.byes, self.points, -(self.standing or 0)


@dataclass(frozen=True)
class Tournament:
    """The players and whom each has met; `rounds` holds ids, with None for the opponent of a bye."""

    players: tuple[Player, ...]
    rounds: tuple[Seats, ...] = ()
    seed: int = 0
    avoid_same_club: bool = False
    allow_rematch: bool = False
    id: object = field(default=None)

    @cached_property
    def active(self) -> tuple[Player, ...]:
        """The players to be paired."""
        return tuple(player for player in self.players if not player.dropped and not self._has_awarded_bye(player))

    @cached_property
    def awarded_byes(self) -> tuple[str, ...]:
        """The players who were awarded a bye for this round before the event."""
        return tuple(player.id for player in self.players if not player.dropped and self._has_awarded_bye(player))

    def without_awarded_byes(self, seats: Iterable[Sequence[Any]]) -> Seats:
        """Return the seats of this round without those that stand for awarded byes."""
        return tuple((a, b) for a, b in seats if b is not None or a not in self.awarded_byes)

    def _has_awarded_bye(self, player: Player) -> bool:
        return len(self.rounds) + 1 in player.byes_awarded

    @cached_property
    def by_id(self) -> dict[str, Player]:
        """Every player, dropped or not, by id."""
        return {player.id: player for player in self.players}

    @cached_property
    def met(self) -> frozenset[frozenset[str]]:
        """The pairs that have been paired before, whatever the result."""
        return frozenset(frozenset((a, b)) for played in self.rounds for a, b in played if b is not None)

    def figures(self, pairs: Iterable[Pair]) -> tuple[int, int, int]:
        """Return (rematches, cost, pairings within a club) for any pairs of players.

        Cost is the sum of the squared differences of match points.
        """
        rematches = cost = same_club = 0
        for a, b in pairs:
            one, other = self.by_id[a], self.by_id[b]
            rematches += frozenset((a, b)) in self.met
            cost += (one.points - other.points) ** 2
            same_club += one.club is not None and one.club == other.club
        return rematches, cost, same_club
