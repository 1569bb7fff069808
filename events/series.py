"""The table of a series from the standings of its events: points, the best results that count, and the order.

Pure functions on plain values, computed from scratch each time, with exact fractions. `events.series_table` reads the
rows; nothing of a table is stored, so a corrected result corrects every table that counts it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from itertools import groupby

from .counting import Number

PLACE_POINTS = (4, 3, 2, 1)
"""Points for the places of an event, unless the series has others."""


@dataclass(frozen=True)
class SeriesRules:
    """How a series counts. `best_of`: how many results count (None: all); `min_events`: how many make eligible."""

    place_points: tuple[int, ...] = PLACE_POINTS
    win_points: int = 0
    match_point_points: int = 0
    attendance_points: int = 0
    best_of: int | None = None
    min_events: int = 1
    seed: int = 0


@dataclass(frozen=True)
class EntryResult:
    """What one entry achieved at one event. `counts`: it took part in a match or had a bye, and wasn't disqualified."""

    player: str
    place: int
    wins: int = 0
    match_points: Number = 0
    counts: bool = True


@dataclass(frozen=True)
class CountedEvent:
    """An event of a series, by any key, with what its points are multiplied by."""

    key: Hashable
    multiplier: Fraction
    results: tuple[EntryResult, ...]


@dataclass(frozen=True)
class Score:
    """A player's points at one event, multiplied. `is_best`: among the results that count."""

    place: int
    points: Fraction
    counts: bool
    is_best: bool = False


@dataclass(frozen=True)
class SeriesRow:
    """A row of the table. `place` is None for a player who isn't eligible at the end; `scores` by the event's key."""

    player: str
    place: int | None
    total: Fraction
    scores: Mapping[Hashable, Score]
    attended: int
    missing: int
    is_tied: bool = False

    @property
    def is_eligible(self) -> bool:
        """Whether the player has taken part in enough events."""
        return not self.missing


def points_of(result: EntryResult, rules: SeriesRules) -> Number:
    """Return an entry's points at one event, before they are multiplied: those for place, wins and attendance."""
    if not result.counts:
        return 0
    by_place = rules.place_points[result.place - 1] if result.place <= len(rules.place_points) else 0
    return (
        by_place
        + rules.win_points * result.wins
        + rules.match_point_points * result.match_points
        + rules.attendance_points
    )


def table(events: Sequence[CountedEvent], rules: SeriesRules, *, is_over: bool = False) -> tuple[SeriesRow, ...]:
    """Return the table, best first.

    Players are ordered by their total, then by their best result that counts, the second best, and so on; players equal
    in all of these share a place. Once the series `is_over`, players who aren't eligible come last, without a place.
    """
    scores: dict[str, dict[Hashable, Score]] = {}
    for event in events:
        for result in event.results:
            points = Fraction(points_of(result, rules)) * event.multiplier
            scores.setdefault(result.player, {})[event.key] = Score(result.place, points, result.counts)
    rows = [_row(player, found, rules) for player, found in scores.items()]
    ranked = [row for row in rows if row.is_eligible or not is_over]
    return (*_placed(ranked), *sorted((row for row in rows if row not in ranked), key=_order))


def _row(player: str, scores: Mapping[Hashable, Score], rules: SeriesRules) -> SeriesRow:
    counted = [key for key, score in scores.items() if score.counts]
    best = set(sorted(counted, key=lambda key: -scores[key].points)[: rules.best_of])
    marked = {key: Score(score.place, score.points, score.counts, is_best=key in best) for key, score in scores.items()}
    total = sum((scores[key].points for key in best), Fraction(0))
    return SeriesRow(player, None, total, marked, len(counted), max(0, rules.min_events - len(counted)))


def _order(row: SeriesRow) -> tuple[Fraction, list[Fraction]]:
    return -row.total, sorted(-score.points for score in row.scores.values() if score.is_best)


def _placed(rows: Iterable[SeriesRow]) -> Iterable[SeriesRow]:
    place = 1
    for _key, level in groupby(sorted(rows, key=_order), key=_order):
        tied = list(level)
        for row in tied:
            yield SeriesRow(row.player, place, row.total, row.scores, row.attended, row.missing, len(tied) > 1)
        place += len(tied)


def prize_order(rows: Iterable[SeriesRow], rules: SeriesRules) -> list[SeriesRow]:
    """Return the eligible players in the order of the prize draft; a lot from the published seed parts shared places."""
    eligible = [row for row in rows if row.is_eligible]
    return sorted(eligible, key=lambda row: (_order(row), -lot(row.player, rules.seed)))


def lot(player: str, seed: int) -> int:
    """Return the number drawn for a player: the highest comes first."""
    return int.from_bytes(blake2b(f"{seed}/{player}".encode("utf-8", "surrogatepass"), digest_size=6).digest(), "big")


# who is the same player

ACCOUNT, AGAIN = "account:", "#"


@dataclass(frozen=True)
class SeriesEntry:
    """An entry of an event, with the player that its account or its name stands for."""

    event: Hashable
    number: int
    player: str


def account_player(account: int) -> str:
    """Return the player that an account stands for."""
    return f"{ACCOUNT}{account}"


def account_of(player: str) -> int | None:
    """Return the account for which a player stands, or None."""
    return int(player.removeprefix(ACCOUNT)) if player.startswith(ACCOUNT) and AGAIN not in player else None


def name_player(key: str) -> str:
    """Return the player that a name without an account stands for; `key` sorts the name (`events.names.name_key`)."""
    return f"name:{key.replace(AGAIN, ' ')}"


def without_number(player: str) -> str:
    """Return the player that a second one with the same name looks like."""
    return player.partition(AGAIN)[0]


def joined(player: str, joins: Mapping[str, str]) -> str:
    """Return the player as which another one counts, through any number of joins."""
    seen = {player}
    while (target := joins.get(player)) is not None and target not in seen:
        player = target
        seen.add(player)
    return player


def players_of(entries: Iterable[SeriesEntry], joins: Mapping[str, str]) -> dict[tuple[Hashable, int], str]:
    """Return the player of each entry, by event and number.

    Two entries of one event can't be one player: the second with the same name is another player with that name. An
    entry that stands for the player itself comes before one that was joined to it.
    """
    found: dict[tuple[Hashable, int], str] = {}
    seen: Counter[tuple[Hashable, str]] = Counter()
    for entry in sorted(entries, key=lambda one: (joined(one.player, joins) != one.player, one.number)):
        player = joined(entry.player, joins)
        seen[entry.event, player] += 1
        again = seen[entry.event, player]
        found[entry.event, entry.number] = f"{player}{AGAIN}{again}" if again > 1 else player
    return found
