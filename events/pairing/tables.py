"""Rounds at tables of three or four: fewest repeated meetings, then least cost, then fewest pairs of one club.

There are as few tables as the size allows, filled evenly, and nobody has a bye. Up to EXACT players the best round is
found by trying every one; beyond, players of two tables are exchanged until no exchange betters the round. FORMATS,
"More than two at a table".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from .line import lot
from .tournament import Player

EXACT = 12
"""Up to so many players every round is tried: at most 15,400 of them."""
STARTS = 800
"""The most players to be seated in all attempts on a larger field, each of which begins with another order of equals."""


@dataclass(frozen=True)
class TableTournament:
    """The players, and who sat together; `rounds` holds the ids at each table, `size` is the most at one."""

    players: tuple[Player, ...]
    size: int
    rounds: tuple[tuple[tuple[str, ...], ...], ...] = ()
    seed: int = 0
    avoid_same_club: bool = False
    id: object = None


@dataclass(frozen=True)
class SeatedRound:
    """A round of tables, the best players first.

    `repeats` counts, over all pairs at one table, how often they have met; `cost` is the sum over these pairs of the
    squared differences of points. `proved`: repeats, cost and (if clubs are kept apart) pairs of one club are least.
    """

    tables: tuple[tuple[str, ...], ...]
    repeats: int
    cost: int
    same_club: int
    proved: bool


def table_sizes(players: int, size: int) -> list[int]:
    """Return how many sit at each table, the fullest first: as few tables as possible, filled evenly."""
    tables = -(-players // size)
    return [players // tables + (table < players % tables) for table in range(tables)]


def seat(tournament: TableTournament) -> SeatedRound:
    """Return the best round of tables for the active players; it always exists."""
    field = _Field(tournament)
    if len(field.ids) <= EXACT:
        return field.round_of(field.best_of_all(), searched=True)
    rounds = (field.round_of(found, searched=False) for found in field.exchanged())
    best = next(rounds)
    for other in rounds:
        best = best if best.proved else min(best, other, key=field.merit)
    return best


def judged(tournament: TableTournament, tables: Sequence[Sequence[str]]) -> SeatedRound:
    """Return a round that someone else seated, with its figures; players who have left since don't count."""
    field = _Field(tournament)
    number = {player: place for place, player in enumerate(field.ids)}
    return field.round_of([tuple(number[one] for one in table if one in number) for table in tables], searched=False)


@dataclass(frozen=True)
class Exchange:
    """Two players of different tables who would change seats, and the round's figures after it."""

    player: str
    other: str
    after: SeatedRound


def exchanges(tournament: TableTournament, tables: Sequence[Sequence[str]], at: int) -> list[Exchange]:
    """Return for each player at a table the exchange with another table that costs the round least."""
    field = _Field(tournament)
    number = {player: place for place, player in enumerate(field.ids)}
    seated = [tuple(number[one] for one in table if one in number) for table in tables]
    here, elsewhere = seated[at], [table for place, table in enumerate(seated) if place != at]
    found = []
    for one in here:
        others = [(field.change(one, here, other, there), other) for there in elsewhere for other in there]
        if not others:
            continue
        _change, other = min(others)
        changed = [
            tuple(other if seat == one else one if seat == other else seat for seat in table) for table in seated
        ]
        found.append(Exchange(field.ids[one], field.ids[other], field.round_of(changed, searched=False)))
    return found


class _Field:
    """The active players as numbers 0, 1, … by points and lot, and what each pair of them at one table would cost."""

    def __init__(self, tournament: TableTournament) -> None:
        active = (player for player in tournament.players if not player.dropped)
        draw = tournament.seed, len(tournament.rounds)
        players = sorted(active, key=lambda one: (-one.points, lot(*draw, one.id), one.id))
        self.ids = [player.id for player in players]
        self.points = [player.points for player in players]
        self.clubs = [player.club for player in players]
        self.keeps_clubs_apart = tournament.avoid_same_club
        self.sizes = table_sizes(len(players), tournament.size)
        number = {player.id: place for place, player in enumerate(players)}
        self.met = Counter(
            pair
            for played in tournament.rounds
            for table in played
            for pair in combinations(sorted(number[one] for one in table if one in number), 2)
        )
        self.worth = self._worth()

    def _worth(self) -> list[list[int]]:
        """Return each pair's price as one number: a repeat outweighs every cost, and cost every pair of one club."""
        pairs = len(self.ids) * max(self.sizes, default=0)
        cost = pairs + 1
        spread = self.points[0] - self.points[-1] if self.points else 0
        repeat = cost * (pairs * spread**2 + 1)
        worth = [[cost * (one - other) ** 2 for other in self.points] for one in self.points]
        for (a, b), times in self.met.items():
            worth[a][b] += times * repeat
            worth[b][a] += times * repeat
        if self.keeps_clubs_apart:
            for one, club in enumerate(self.clubs):
                for other, its in enumerate(self.clubs):
                    worth[one][other] += one != other and club is not None and club == its
        return worth

    def price(self, table: Sequence[int]) -> int:
        """Return what a table costs."""
        return sum(self.worth[a][b] for a, b in combinations(table, 2))

    def change(self, one: int, here: Sequence[int], other: int, there: Sequence[int]) -> int:
        """Return how much dearer a round becomes if two players of different tables exchange their seats."""
        worth = self.worth
        change = sum(worth[other][seat] - worth[one][seat] for seat in here if seat != one)
        return change + sum(worth[one][seat] - worth[other][seat] for seat in there if seat != other)

    # A small field

    def best_of_all(self) -> list[tuple[int, ...]]:
        """Return the cheapest way to divide all players among the tables."""
        price = cache(self.price)

        @cache
        def rest(players: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[int, tuple[tuple[int, ...], ...]]:
            if not players:
                return 0, ()
            found = []
            for size in dict.fromkeys(sizes):
                left = list(sizes)
                left.remove(size)
                for others in combinations(players[1:], size - 1):
                    table = (players[0], *others)
                    after = rest(tuple(one for one in players if one not in table), tuple(left))
                    found.append((price(table) + after[0], (table, *after[1])))
            return min(found, key=lambda one: one[0])

        return list(rest(tuple(range(len(self.ids))), tuple(self.sizes))[1])

    # A large field

    def exchanged(self) -> Iterator[list[tuple[int, ...]]]:
        """Yield rounds that no exchange of two players betters, each begun with another order of equal players."""
        sizes = self.cheapest_sizes()[1]
        for turn in range(max(1, STARTS // len(self.ids))):
            order = self._turned(turn)
            seats = iter(order)
            yield self._settled([[next(seats) for _ in range(size)] for size in sizes])

    def _turned(self, turn: int) -> list[int]:
        """Return the players by points; those with equal points begin elsewhere in each turn."""
        order: list[int] = []
        for points in dict.fromkeys(self.points):
            equal = [number for number, its in enumerate(self.points) if its == points]
            start = turn * 7919 % len(equal)
            order += equal[start:] + equal[:start]
        return order

    def cheapest_sizes(self) -> tuple[int, list[int]]:
        """Return the least cost that the points alone allow, and the sizes of its tables from the best player down.

        In a round of least cost no player of one table stands strictly between two of another: with sizes that differ
        by at most one, exchanging the one in the middle with one of the outer two would be cheaper. So the cheapest
        way to cut the row of players into tables is the least cost of any round.
        """
        small = min(self.sizes)
        smalls, tables = self.sizes.count(small), len(self.sizes)

        def cut(start: int, size: int) -> int:
            return sum((a - b) ** 2 for a, b in combinations(self.points[start : start + size], 2))

        best: dict[int, tuple[int, list[int]]] = {0: (0, [])}
        for table in range(1, tables + 1):
            after: dict[int, tuple[int, list[int]]] = {}
            for used, (cost, sizes) in best.items():
                start = (table - 1) * (small + 1) - used
                for size, now in ((small, used + 1), (small + 1, used)):
                    if now <= smalls and table - now <= tables - smalls:
                        total = cost + cut(start, size)
                        if now not in after or total < after[now][0]:
                            after[now] = total, [*sizes, size]
            best = after
        return best[smalls]

    def _settled(self, tables: list[list[int]]) -> list[tuple[int, ...]]:
        """Exchange players between tables as long as an exchange makes the round cheaper."""
        worth = self.worth
        at = [0] * len(self.ids)
        for number, seated in enumerate(tables):
            for one in seated:
                at[one] = number

        def cost_at(seated: list[int]) -> list[int]:
            """Return what each player costs beside those who sit at a table."""
            return [sum(prices) for prices in zip(*(worth[other] for other in seated), strict=True)]

        costs = [cost_at(seated) for seated in tables]
        one = content = 0
        while content < len(self.ids):
            here, own, table = at[one], worth[one], costs[at[one]]
            stays = table[one]
            changes = (
                (costs[there][one] - costs[there][other] + table[other] - stays - 2 * own[other], other)
                for other, there in enumerate(at)
                if there != here
            )
            change, other = min(changes, default=(0, one))
            if change < 0:
                there = at[other]
                tables[here][tables[here].index(one)] = other
                tables[there][tables[there].index(other)] = one
                at[one], at[other] = there, here
                for number in (here, there):
                    costs[number] = cost_at(tables[number])
                content = 0
            else:
                content += 1
            one = (one + 1) % len(self.ids)
        return [tuple(table) for table in tables]

    # What was found

    def round_of(self, tables: list[tuple[int, ...]], *, searched: bool) -> SeatedRound:
        """Return a round with its figures, tables and seats in the order of standing."""
        ordered = sorted(tuple(sorted(table)) for table in tables)
        pairs = [pair for table in ordered for pair in combinations(table, 2)]
        repeats = sum(self.met[pair] for pair in pairs)
        cost = sum((self.points[a] - self.points[b]) ** 2 for a, b in pairs)
        same_club = sum(self.clubs[a] is not None and self.clubs[a] == self.clubs[b] for a, b in pairs)
        clubs_matter = self.keeps_clubs_apart and same_club > 0
        proved = searched or (repeats == 0 and not clubs_matter and cost == self.cheapest_sizes()[0])
        seated = tuple(tuple(self.ids[one] for one in table) for table in ordered)
        return SeatedRound(seated, repeats, cost, same_club, proved)

    def merit(self, found: SeatedRound) -> tuple[int, int, int]:
        """Return what decides between rounds, the least first."""
        return found.repeats, found.cost, found.same_club if self.keeps_clubs_apart else 0
