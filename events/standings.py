"""Standings from players and results, by the tie-breakers that the organiser chose.

Pure functions on plain values, computed from scratch each time; exact fractions, rounded only for display. A criterion
is one function, whose docstring says what it counts, and one row of CRITERIA with its column's title and explanation.
Players tied in every criterion share their rank, and the table says so. `events.pairing` decides who meets whom next;
`rules.engine` scores battles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from itertools import groupby
from math import lcm
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from .names import name_key

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Number = int | Fraction

KINDS = ("game", "bye", "awarded", "missed")
DEFAULT_CASCADE = ("wins", "victory-points", "opponents-win-percentage", "opponents-average-score")


@dataclass(frozen=True)
class StandingsPlayer:
    """A player in the standings. Dropped players stay listed and are flagged."""

    id: str
    name: str = ""
    dropped: bool = False


@dataclass(slots=True)  # not frozen: thousands are made for one page
class CountedMatch:
    """A match as the standings count it: a game, a bye received or awarded (a win), or a missed round (a loss).

    `winner` is an id; None in a game is a draw or, with `double_loss`, a loss for both. Scores are victory points
    before any cap; a bye without a score gets the event's. `forfeit`: one player didn't finish; it still counts as a
    game.
    """

    round: int
    a: str
    b: str | None = None
    winner: str | None = None
    score_a: Number | None = None
    score_b: Number | None = None
    kind: str = "game"
    double_loss: bool = False
    forfeit: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError for an impossible result."""
        if self.kind not in KINDS:
            raise ValueError(f"a result is one of {', '.join(KINDS)}, not {self.kind!r}")
        if (self.b is None) != (self.kind != "game"):
            raise ValueError("a game has two players; a bye or a missed round has one")
        if self.a == self.b:
            raise ValueError(f"{self.a} cannot play against himself")
        if self.winner is not None and (self.double_loss or self.winner not in (self.a, self.b)):
            raise ValueError(f"{self.winner} cannot have won this match")


@dataclass(frozen=True)
class Counting:
    """How an event counts: match points for a win, a draw and a loss; victory points for a bye; the cap.

    `cap`: the most victory points that count per match (usually the build total), or None. `floor`: the least that an
    opponent's win percentage counts. `seed` draws lots if that is one of the tie-breakers.
    """

    win: int = 3
    draw: int = 1
    loss: int = 0
    bye_score: Number = 0
    cap: Number | None = None
    floor: Fraction = Fraction(3, 10)
    seed: int = 0

    def recorded(self, score: Number | None) -> Number:
        """Return the victory points that count for a score."""
        score = score or 0
        return score if self.cap is None or score < self.cap else self.cap


@dataclass(slots=True)
class PlayerRecord:
    """One player's totals so far. `wins` includes byes, `losses` includes missed rounds and double losses."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    byes: int = 0
    awarded_byes: int = 0
    missed: int = 0
    points: Number = 0
    uncapped: Number = 0
    game_points: Number = 0
    difference: Number = 0
    opponents: list[str] = field(default_factory=list)
    beaten: set[str] = field(default_factory=set)

    @property
    def games(self) -> int:
        """Matches against an opponent."""
        return len(self.opponents)


class RecordTable:
    """Every player's record, and the values derived from other players' records, computed when first used."""

    def __init__(self, players: Iterable[StandingsPlayer], results: Iterable[CountedMatch], counting: Counting) -> None:
        self.players = {player.id: player for player in players}
        self.counting = counting
        self.records: dict[str, PlayerRecord] = {player: PlayerRecord() for player in self.players}
        seated: set[tuple[int, str]] = set()
        for result in results:
            for player in (result.a, result.b):
                if player is None:
                    continue
                if player not in self.records:
                    raise ValueError(f"{player} is no player of this event")
                if (result.round, player) in seated:
                    raise ValueError(f"{player} has two results in round {result.round}")
                seated.add((result.round, player))
            self._count(result)

    def _count(self, result: CountedMatch) -> None:
        record, counting = self.records[result.a], self.counting
        if result.kind == "missed":
            record.losses += 1
            record.missed += 1
            return
        if result.b is None:
            record.wins += 1
            record.byes += result.kind == "bye"
            record.awarded_byes += result.kind == "awarded"
            score = counting.bye_score if result.score_a is None else result.score_a
            record.points += counting.recorded(score)
            record.uncapped += score
            return
        a, b = counting.recorded(result.score_a), counting.recorded(result.score_b)
        sides = ((result.a, result.b, a, b, result.score_a), (result.b, result.a, b, a, result.score_b))
        for player, opponent, scored, conceded, uncapped in sides:
            record = self.records[player]
            record.opponents.append(opponent)
            record.points += scored
            record.game_points += scored
            record.uncapped += uncapped or 0
            record.difference += scored - conceded
            if result.winner == player:
                record.wins += 1
                record.beaten.add(opponent)
            elif result.winner is None and not result.double_loss:
                record.draws += 1
            else:
                record.losses += 1

    def match_points(self, player: str) -> int:
        """Return match points for wins (including byes), draws and losses; pairing uses these."""
        record, counting = self.records[player], self.counting
        return record.wins * counting.win + record.draws * counting.draw + record.losses * counting.loss

    @cached_property
    def win_share(self) -> dict[str, Fraction]:
        """Each player's share of rounds won, without byes, a draw counting half, at least the floor."""
        shares = {}
        for player, record in self.records.items():
            rounds = record.games + record.missed
            won = 2 * (record.wins - record.byes - record.awarded_byes) + record.draws
            shares[player] = max(self.counting.floor, Fraction(won, 2 * rounds) if rounds else Fraction(0))
        return shares

    def over_opponents(self, each: Mapping[str, Fraction], default: Number) -> dict[str, Fraction]:
        """Return each player's average over the opponents, or `default` without any; added up as whole numbers."""
        common = lcm(*(share.denominator for share in each.values()))
        whole = {player: share.numerator * (common // share.denominator) for player, share in each.items()}
        return dict.fromkeys(self.records, Fraction(default)) | {
            player: Fraction(sum(map(whole.__getitem__, record.opponents)), common * record.games)
            for player, record in self.records.items()
            if record.opponents
        }

    @cached_property
    def opponents_win_share(self) -> dict[str, Fraction]:
        """Each player's average of the opponents' win shares."""
        return self.over_opponents(self.win_share, self.counting.floor)

    @cached_property
    def opponents_opponents_win_share(self) -> dict[str, Fraction]:
        """Each player's average of the opponents' own averages."""
        return self.over_opponents(self.opponents_win_share, self.counting.floor)

    @cached_property
    def opponents_average_points(self) -> dict[str, Fraction]:
        """Each player's average of the opponents' victory points per match played."""
        return self.over_opponents(self.average_points, 0)

    @cached_property
    def average_points(self) -> dict[str, Fraction]:
        """Each player's counted victory points per match played, without byes."""
        return {
            player: Fraction(record.game_points) / record.games if record.games else Fraction(0)
            for player, record in self.records.items()
        }


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
    """Counted victory points scored less those conceded, in matches played."""
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

    def text(self, value: Number, *, in_column: bool = False) -> str:
        """Return the value as displayed: 66.67%, 83.5 (`in_column`: 83.50), 4. Halves are rounded up."""
        if self.shown == "percent":
            return f"{_rounded(value, 2, times=100)}%"
        if self.shown == "decimal":
            return _rounded(value, 2) if in_column else _rounded(value, 2).rstrip("0").rstrip(".")
        return _rounded(value, 0 if value.denominator == 1 else 1)


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
            _("Points for each match won, drawn or lost, as set for this event. A bye counts as a win."),
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
            _("Opponents’ win %"),
            _("The average of the opponents’ win percentages, each at least 30 per cent. Byes are left out."),
            opponents_win_percentage,
            "percent",
        ),
        Criterion(
            "opponents-opponents-win-percentage",
            _("Opponents’ opponents’ win %"),
            _("The average of the opponents’ own opponents’ win percentages."),
            opponents_opponents_win_percentage,
            "percent",
        ),
        Criterion(
            "opponents-average-score",
            _("Opponents’ average score"),
            _("The opponents’ average victory points per match, without byes."),
            opponents_average_score,
            "decimal",
        ),
        Criterion(
            "head-to-head",
            _("Head to head"),
            _(
                "Wins against the players still tied at this point, if all of them have met. "
                "Otherwise 1 for a player who beat all the others."
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
            _("Drawn at random from the event’s published seed. The higher number comes first."),
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


@dataclass(frozen=True)
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
            raise ValueError(f"{name!r} is no criterion; there are {', '.join(CRITERIA)}")
    return tuple(CRITERIA[name] for name in (names or DEFAULT_CASCADE))


def standings(
    players: Iterable[StandingsPlayer],
    results: Iterable[CountedMatch],
    *,
    cascade: Sequence[str] = DEFAULT_CASCADE,
    counting: Counting = Counting(),
    after: int | None = None,
) -> tuple[Standing, ...]:
    """Return the standings, best first, after round `after` or after all rounds.

    Each criterion separates players whom the earlier ones left tied. Players still tied at the end share a rank (1, 2,
    2, 4) and are ordered by name. Raise ValueError for a result of an unknown player, or two of one player in a round.
    """
    columns = criteria(cascade)
    kept = [result for result in results if after is None or result.round <= after]
    table = RecordTable(players, kept, counting)
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


def proposed_rounds(field_size: int) -> int:
    """Return how many Swiss rounds leave one player unbeaten: 6–8 players 3, 9–16 4, 17–32 5, 33–64 6, …"""
    return (field_size - 1).bit_length() if field_size > 1 else 0
