"""Standings from players and results, by the tie-breakers that the organiser chose.

Pure functions on plain values, computed from scratch each time; exact fractions, rounded only for display. A criterion
is one function, whose docstring says what it counts, and one row of CRITERIA with its column's title and explanation.
Players tied in every criterion share their rank, and the table says so. `events.pairing` decides who meets whom next;
`rules.engine` scores battles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from .counting import Counted, Counting, Number, RecordTable, StandingsPlayer
from .names import name_key

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

DEFAULT_CASCADE = ("wins", "victory-points", "opponents-win-percentage", "opponents-average-score")
CASCADE_BY_PLACE = ("match-points", "wins", "victory-points", "opponents-average-score")
"""The tie-breakers of an event that gives points for places, unless it has others."""
AS_USUAL = Counting()


def usual_cascade(*, by_place: bool) -> tuple[str, ...]:
    """Return the tie-breakers of an event that chose none."""
    return CASCADE_BY_PLACE if by_place else DEFAULT_CASCADE


def wins(table: RecordTable, player: str, level: Sequence[str]) -> Number:
    """Matches won, and byes."""
    return table.records[player].wins


def match_points(table: RecordTable, player: str, level: Sequence[str]) -> Number:
    """Match points for wins, draws and losses."""
    return table.match_points(player)


def victory_points(table: RecordTable, player: str, level: Sequence[str]) -> Number:
    """Counted victory points of all rounds: each match's at most the cap, if there is one."""
    return table.records[player].points


def victory_points_uncapped(table: RecordTable, player: str, level: Sequence[str]) -> Number:
    """Victory points of all rounds, without the cap."""
    return table.records[player].uncapped


def opponents_win_percentage(table: RecordTable, player: str, level: Sequence[str]) -> Number:
    """The average of the opponents' win percentages, each at least the floor, without byes."""
    return table.opponents_win_share[player]


def opponents_opponents_win_percentage(table: RecordTable, player: str, level: Sequence[str]) -> Number:
    """The average of the opponents' own opponents' win percentages."""
    return table.opponents_opponents_win_share[player]


def opponents_average_score(table: RecordTable, player: str, level: Sequence[str]) -> Number:
    """The average of the opponents' counted victory points per match, without byes."""
    return table.opponents_average_points[player]


def head_to_head(table: RecordTable, player: str, level: Sequence[str]) -> Number:
    """Wins among the tied players; if not all have met, 1 for a player who beat all the others, otherwise 0."""
    others = [other for other in level if other != player]
    records = table.records
    if all(one in records[other].opponents for one in level for other in level if one != other):
        return sum(other in records[player].beaten for other in others)
    return int(bool(others) and all(other in records[player].beaten for other in others))


def victory_point_difference(table: RecordTable, player: str, level: Sequence[str]) -> Number:
    """Counted victory points less the opponent's (of three or four at a table: the others' mean), in matches played."""
    return table.records[player].difference


def strength_of_schedule(table: RecordTable, player: str, level: Sequence[str]) -> Number:
    """The sum of the opponents' wins."""
    return sum(table.records[opponent].wins for opponent in table.records[player].opponents)


def fewest_byes(table: RecordTable, player: str, level: Sequence[str]) -> Number:
    """Byes received: fewer is better."""
    return table.records[player].byes


def fewest_losses(table: RecordTable, player: str, level: Sequence[str]) -> Number:
    """Losses, including missed rounds and double losses: fewer is better."""
    return table.records[player].losses


def lot(table: RecordTable, player: str, level: Sequence[str]) -> Number:
    """A number drawn for the player from the event's published seed: higher is better."""
    drawn = blake2b(f"{table.counting.seed}/{player}".encode("utf-8", "surrogatepass"), digest_size=6).digest()
    return int.from_bytes(drawn, "big")


Value = Callable[[RecordTable, str, Sequence[str]], Number]


@dataclass(frozen=True)
class Criterion:
    """A tie-breaker and its column. `shown`: "whole", "percent" or "decimal"."""

    name: str
    title: StrOrPromise
    explanation: StrOrPromise
    value: Value
    shown: str = "whole"
    fewer_is_better: bool = False

    def text(self, value: Number, *, in_column: bool = False, in_parts: bool = False) -> str:
        """Return the value as displayed: 66.67%, 83.5 (`in_column`: 83.50), 4. Halves are rounded up.

        `in_parts`: another value of the column isn't whole, so that 4 is 4.0.
        """
        if self.shown == "percent":
            return f"{_rounded(value, 2, times=100)}%"
        if self.shown == "decimal":
            return _rounded(value, 2) if in_column else _rounded(value, 2).rstrip("0").rstrip(".")
        return _rounded(value, 1 if in_parts or value.denominator != 1 else 0)


def _rounded(value: Number, places: int, times: int = 1) -> str:
    scaled = (2 * abs(value.numerator) * times * 10**places // value.denominator + 1) // 2
    whole, part = divmod(scaled, 10**places)
    sign = "−" if value.numerator < 0 and scaled else ""
    return f"{sign}{whole}.{part:0{places}d}" if places else f"{sign}{whole}"


CRITERIA: dict[str, Criterion] = {
    criterion.name: criterion
    for criterion in (
        Criterion("wins", _("Wins"), _("Matches won. A bye counts as a win."), wins),
        Criterion(
            "match-points",
            _("Match points"),
            _(
                "Points for each match won, drawn or lost, or for the place at each table of three or four, as set for "
                "this event. A bye counts as a win."
            ),
            match_points,
        ),
        Criterion(
            "victory-points",
            _("Victory points"),
            _("Total victory points from all rounds. If the event has a cap, each match counts up to the cap."),
            victory_points,
        ),
        Criterion(
            "victory-points-uncapped",
            _("Victory points, uncapped"),
            _("Total victory points from all rounds, without the cap."),
            victory_points_uncapped,
        ),
        Criterion(
            "opponents-win-percentage",
            _("Opponents' win %"),
            _("The average of the opponents' win percentages, each counted as at least 30%. Byes are left out."),
            opponents_win_percentage,
            "percent",
        ),
        Criterion(
            "opponents-opponents-win-percentage",
            _("Opponents' opponents' win %"),
            _("The average of the opponents' own opponents' win percentages."),
            opponents_opponents_win_percentage,
            "percent",
        ),
        Criterion(
            "opponents-average-score",
            _("Opponents' average score"),
            _("The opponents' average victory points per match, without byes."),
            opponents_average_score,
            "decimal",
        ),
        Criterion(
            "head-to-head",
            _("Head to head"),
            _(
                "Wins against the players still tied at this point, if all of them have met. Otherwise, a "
                "player who beat all the others gets 1, and everyone else gets 0."
            ),
            head_to_head,
        ),
        Criterion(
            "victory-point-difference",
            _("Point difference"),
            _("Victory points scored minus victory points conceded, without byes."),
            victory_point_difference,
        ),
        Criterion(
            "strength-of-schedule",
            _("Strength of schedule"),
            _("The total wins of all opponents."),
            strength_of_schedule,
        ),
        Criterion("fewest-byes", _("Byes"), _("Byes received. Fewer is better."), fewest_byes, fewer_is_better=True),
        Criterion(
            "fewest-losses",
            _("Losses"),
            _("Matches lost and rounds missed. Fewer is better."),
            fewest_losses,
            fewer_is_better=True,
        ),
        Criterion(
            "lot",
            _("Random draw"),
            _("A number drawn from the event's published random seed. The highest number comes first."),
            lot,
        ),
    )
}


@dataclass(slots=True)
class Cell:
    """One player's value of a criterion; `decides`: it separated the player from one tied until then."""

    criterion: Criterion
    value: Number
    decides: bool

    @property
    def text(self) -> str:
        """The value as displayed."""
        return self.criterion.text(self.value)


@dataclass(slots=True)
class Standing:
    """A row of the standings. `tied_with`: players with whom every tie-breaker leaves this one tied."""

    rank: int
    player: StandingsPlayer
    cells: tuple[Cell, ...]
    tied_with: tuple[str, ...]
    wins: int
    draws: int
    losses: int
    byes: int
    awarded_byes: int
    match_points: int

    def value(self, name: str) -> Number:
        """Return a criterion's value by name. Raise KeyError if it isn't one of the tie-breakers."""
        for cell in self.cells:
            if cell.criterion.name == name:
                return cell.value
        raise KeyError(name)


def criteria(names: Sequence[str]) -> tuple[Criterion, ...]:
    """Return the criteria of these names, or the default ones without names. Raise ValueError for an unknown name."""
    for name in names:
        if name not in CRITERIA:
            raise ValueError(f"{name!r} isn't a tie-breaker. Tie-breakers: {', '.join(CRITERIA)}.")
    return tuple(CRITERIA[name] for name in (names or DEFAULT_CASCADE))


def standings(
    players: Iterable[StandingsPlayer],
    results: Iterable[Counted],
    *,
    cascade: Sequence[str] = DEFAULT_CASCADE,
    counting: Counting = AS_USUAL,
    after: int | None = None,
) -> tuple[Standing, ...]:
    """Return the standings, best first, after round `after` or after all rounds.

    Each criterion separates players whom the earlier ones left tied. Players still tied at the end share a rank (1, 2,
    2, 4) and are ordered by name. Raise ValueError for a result of an unknown player, or two of one player in a round.
    """
    kept = [result for result in results if after is None or result.round <= after]
    return ranked(RecordTable(players, kept, counting), cascade)


def ranked(table: RecordTable, cascade: Sequence[str] = DEFAULT_CASCADE) -> tuple[Standing, ...]:
    """Return the standings from the records of a table, of players or of teams."""
    columns = criteria(cascade)
    groups: list[tuple[str, ...]] = [tuple(table.players)] if table.players else []
    cells: dict[str, list[Cell]] = defaultdict(list)
    for column in columns:
        parted: list[tuple[str, ...]] = []
        for group in groups:
            values = {player: column.value(table, player, group) for player in group}
            ordered = sorted(group, key=values.__getitem__, reverse=not column.fewer_is_better)
            levels = [tuple(level) for _value, level in groupby(ordered, key=values.__getitem__)]
            for player in group:
                cells[player].append(Cell(column, values[player], len(levels) > 1))
            parted += levels
        groups = parted
    lines = []
    rank = 1
    for group in groups:
        by_name = sorted(group, key=lambda player: (name_key(table.players[player].name), player))
        for player in by_name:
            record = table.records[player]
            lines.append(
                Standing(
                    rank,
                    table.players[player],
                    tuple(cells[player]),
                    tuple(other for other in by_name if other != player),
                    record.wins,
                    record.draws,
                    record.losses,
                    record.byes,
                    record.awarded_byes,
                    table.match_points(player),
                )
            )
        rank += len(group)
    return tuple(lines)


def proposed_rounds(field_size: int, table_size: int = 2) -> int:
    """Return how many Swiss rounds leave one player unbeaten: 6–8 players 3, 9–16 4, 17–32 5, 33–64 6, …

    With four at a table: up to 4 players 1, 5–16 2, 17–64 3.
    """
    rounds, unbeaten = 0, field_size
    while unbeaten > 1:
        rounds, unbeaten = rounds + 1, -(-unbeaten // table_size)
    return rounds
