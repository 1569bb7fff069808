"""The players in order, best first, and what the order alone proves.

In a list sorted by points, every gap with an odd number of players above it is crossed by some pair, and a pair that
crosses several gaps costs at least the sum of their squares. So pairing neighbours, first with second, third with
fourth, is optimal wherever neighbours may meet; only elsewhere is a search needed (`windows`). The same holds for
ranks, as far as they rise along the list. The order among equals comes from a hash of seed, round and id, so that a
published seed reproduces a draw on any machine, in whatever order the players are listed.

A bye is one more position in the list, among the players who may have it, equal to them in points and rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from .tournament import Tournament

REACH = 64


def lot(seed: int, rounds: int, player_id: str) -> bytes:
    """Return a player's lot for the round after so many: the order among equals, from the seed alone."""
    text = f"{seed}/{rounds}/{player_id}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def lowest_cost(points: Sequence[int]) -> int:
    """Return a lower bound on the cost: gap² summed over the gaps with an odd number of players above.

    With an odd number of players, leave the points of the one with the bye out of `points`.
    """
    row = sorted(points, reverse=True)
    return sum((row[place] - row[place + 1]) ** 2 for place in range(0, len(row) - 1, 2))


class NumberedField:
    """A round to be paired, with players as numbers 0, 1, … by standing; the bye, if any, is the last number.

    `order` is the list; everything else is indexed by number. `met` keeps two numbers apart. `along` is a number's
    position on the scale of ranks: never further apart than the players' real ranks, so distances along it are lower
    bounds.
    """

    def __init__(self, tournament: Tournament) -> None:
        players = sorted(
            tournament.active,
            key=lambda player: (
                -player.points,
                player.rank is None,
                player.rank or 0,
                lot(tournament.seed, len(tournament.rounds), player.id),
                player.id,
            ),
        )
        self.players = players
        self.points = [player.points for player in players]
        self.ranks: list[int | None] = [player.rank for player in players]
        self.has_ranks = sum(rank is not None for rank in self.ranks) > 1
        self.clubs: list[str | None] = [player.club for player in players]
        self.keeps_clubs_apart = tournament.avoid_same_club and any(club is not None for club in self.clubs)
        self.allows_rematch = False
        number = {player.id: place for place, player in enumerate(players)}
        self.met: list[set[int]] = [set() for _ in players]
        met = self.met
        for played in tournament.rounds:
            for a, b in played:
                if b is not None and a in number and b in number:
                    one, other = number[a], number[b]
                    met[one].add(other)
                    met[other].add(one)
        self.order = list(range(len(players)))
        self.bye: int | None = None
        self.along = [0] * len(players)

    def seat_bye(self, takers: Sequence[int]) -> None:
        """Add the bye to the list, open only to `takers`: players on equal points."""
        if self.bye is None:
            self.bye = len(self.players)
            self.points.append(0)
            self.ranks.append(None)
            self.clubs.append(None)
            self.met.append(set())
            self.along.append(0)
        self.points[self.bye] = self.points[takers[0]]
        may = set(takers)
        self.met[self.bye] = {number for number in range(len(self.players)) if number not in may}
        for number in range(len(self.players)):
            if number in may:
                self.met[number].discard(self.bye)
            else:
                self.met[number].add(self.bye)

    def lay(self, takers: Sequence[int] = (), *, provable: bool = True) -> None:
        """Order the list and measure the ranks along it.

        `provable`: measure so that the ranks' cost is bounded from below; otherwise no proof is attempted.
        """
        self.order = list(range(len(self.players)))
        if self.bye is not None:
            last = max(takers) if provable or not self.has_ranks else self._cheapest_bye(takers)
            if not self.has_ranks:
                while last + 1 < len(self.players) and self.points[last + 1] == self.points[last]:
                    last += 1
            self.order.insert(last + 1, self.bye)
        if self.has_ranks:
            self._measure(takers, provable=provable)

    def _cheapest_bye(self, takers: Sequence[int]) -> int:
        """Return the taker whose bye leaves neighbours closest in points, then in rank; of equals the last."""
        rows = [(self.points[number], self.ranks[number] or 0) for number in range(len(self.players))]

        def apart(one: int, other: int) -> tuple[int, int]:
            return (rows[one][0] - rows[other][0]) ** 2, (rows[one][1] - rows[other][1]) ** 2

        above, below = [(0, 0)], [(0, 0)] * (len(rows) + 2)
        for place in range(1, len(rows), 2):
            cost, difference = apart(place - 1, place)
            above.append((above[-1][0] + cost, above[-1][1] + difference))
        for place in range(len(rows) - 2, 0, -1):
            cost, difference = apart(place, place + 1)
            after = below[place + 2]
            below[place] = (after[0] + cost, after[1] + difference)
        best: tuple[tuple[int, int], int] | None = None
        for taker in takers:
            if taker % 2:
                continue
            before, after = above[taker // 2], below[taker + 1] if taker + 1 < len(rows) else (0, 0)
            total = (before[0] + after[0], before[1] + after[1])
            if best is None or total <= best[0]:
                best = (total, taker)
        return best[1] if best else takers[-1]

    def _measure(self, takers: Sequence[int], *, provable: bool) -> None:
        """Set `along`: each step is as wide as the ranks surely differ between all players before and after it."""
        order, ranks = self.order, self.ranks
        steps = [0] * len(order)
        real = [ranks[number] for number in order if number != self.bye]
        if provable:
            if None not in real:
                most, highest = -1, []
                for number in order:
                    most = max(most, ranks[number] or 0)
                    highest.append(most)
                least = 1 << 62
                for place in range(len(order) - 1, 0, -1):
                    rank = ranks[order[place]]
                    least = least if rank is None else min(least, rank)
                    steps[place] = max(0, least - highest[place - 1])
                if self.bye is not None:
                    span = {self.bye, *takers}
                    places = [place for place, number in enumerate(order) if number in span]
                    for place in range(places[0] + 1, places[-1] + 1):
                        steps[place] = 0
        else:
            last = next((rank for rank in real if rank is not None), 0)
            for place, number in enumerate(order):
                rank = ranks[number]
                if rank is not None:
                    steps[place] = max(0, rank - last)
                    last = rank
        where = 0
        for place, number in enumerate(order):
            where += steps[place]
            self.along[number] = where

    def may_meet(self, a: int, b: int) -> bool:
        """Return whether a and b haven't met and, if clubs are kept apart, are from different clubs."""
        if b in self.met[a]:
            return False
        return not (self.keeps_clubs_apart and self.clubs[a] is not None and self.clubs[a] == self.clubs[b])

    def difference(self, a: int, b: int) -> int:
        """Return the difference of two numbers' ranks, or 0 if either has none."""
        one, other = self.ranks[a], self.ranks[b]
        return 0 if one is None or other is None else one - other

    def swap_equals(self) -> None:
        """Swap neighbours who may not meet with equals nearby: this costs nothing and nearly always suffices."""
        order = self.order
        if self.has_ranks:
            ranks, points = self.ranks, self.points
            level = [(points[number], ranks[number] or -number - 1) for number in range(len(points))]
        else:
            level = [(value, 0) for value in self.points]
        may_meet = self.may_meet
        for place in range(0, len(order) - 1, 2):
            a, b = order[place], order[place + 1]
            if may_meet(a, b):
                continue
            if self._swap_ahead(place, level) or self._swap_back(place, level):
                continue

    def _swap_ahead(self, place: int, level: list[tuple[int, int]]) -> bool:
        order = self.order
        a, b = order[place], order[place + 1]
        for later in range(place + 2, min(len(order), place + 2 + REACH)):
            other = order[later]
            if level[other] != level[b]:
                return False
            if self.may_meet(a, other):
                order[place + 1], order[later] = other, b
                return True
        return False

    def _swap_back(self, place: int, level: list[tuple[int, int]]) -> bool:
        order, may_meet = self.order, self.may_meet
        for mine, left in ((place + 1, order[place]), (place, order[place + 1])):
            moved = order[mine]
            for earlier in range(place - 1, max(-1, place - 1 - REACH), -1):
                other = order[earlier]
                if level[other] != level[moved]:
                    break
                if may_meet(left, other) and may_meet(moved, order[earlier ^ 1]):
                    order[mine], order[earlier] = other, moved
                    return True
        return False
