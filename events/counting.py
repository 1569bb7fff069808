"""What standings count: players, matches and tables, how an event counts them, and each player's record.

Pure values. `events.standings` orders the players by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm

Number = int | Fraction

KINDS = ("game", "bye", "awarded", "missed")


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
            raise ValueError(f"{self.a} can't play against themselves")
        if self.winner is not None and (self.double_loss or self.winner not in (self.a, self.b)):
            raise ValueError(f"{self.winner} can't have won this match")


@dataclass(slots=True)
class CountedTable:
    """A table of up to four, as the standings count it: each player's place and points.

    If two `pairs` play against each other, `winners` are the players of the pair that won, or nobody.
    """

    round: int
    players: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[Number, ...]
    pairs: tuple[tuple[str, ...], ...] = ()
    winners: tuple[str, ...] = ()

    def opponents_of(self, player: str) -> list[str]:
        """Return the others at the table, without the player's partner."""
        own = next((pair for pair in self.pairs if player in pair), (player,))
        return [other for other in self.players if other not in own]


Counted = CountedMatch | CountedTable


@dataclass(frozen=True)
class Counting:
    """How an event counts: match points for a win, a draw and a loss; victory points for a bye; the cap.

    `by_place`: match points for each place at a table of three or four, from the first; a bye is worth the first.
    `pair_bonus`: match points more for each player of the pair that won the table, where pairs play.

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
    by_place: tuple[int, ...] = ()
    pair_bonus: int = 0

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
    games: int = 0
    place_points: int = 0
    opponents: list[str] = field(default_factory=list)
    beaten: set[str] = field(default_factory=set)


class RecordTable:
    """Every player's record, and the values derived from other players' records, computed when first used."""

    def __init__(self, players: Iterable[StandingsPlayer], results: Iterable[Counted], counting: Counting) -> None:
        self.players = {player.id: player for player in players}
        self.counting = counting
        self.records: dict[str, PlayerRecord] = {player: PlayerRecord() for player in self.players}
        seated: set[tuple[int, str]] = set()
        for result in results:
            for player in result.players if isinstance(result, CountedTable) else (result.a, result.b):
                if player is None:
                    continue
                if player not in self.records:
                    raise ValueError(f"{player} isn't a player of this event")
                if (result.round, player) in seated:
                    raise ValueError(f"{player} has two results in round {result.round}")
                seated.add((result.round, player))
            if isinstance(result, CountedTable):
                self._count_table(result)
            else:
                self._count(result)

    def _count_table(self, result: CountedTable) -> None:
        scores = [self.counting.recorded(score) for score in result.scores]
        for player, place, scored, uncapped in zip(result.players, result.places, scores, result.scores, strict=True):
            record = self.records[player]
            others = result.opponents_of(player)
            record.games += 1
            record.opponents += others
            record.points += scored
            record.game_points += scored
            record.uncapped += uncapped
            of = dict(zip(result.players, scores, strict=True))
            record.difference += scored - Fraction(sum(of[other] for other in others), len(others))
            record.place_points += self.counting.by_place[place - 1]
            if result.pairs:
                self._count_pair(record, result, player, others)
                continue
            record.wins += place == 1 == result.places.count(1)
            record.draws += place == 1 < result.places.count(1)
            record.losses += place > 1
            record.beaten |= {other for other, its in zip(result.players, result.places, strict=True) if its > place}

    def _count_pair(self, record: PlayerRecord, result: CountedTable, player: str, others: list[str]) -> None:
        """Count a table at which two pairs played: a player wins or loses with the partner."""
        won = player in result.winners
        record.place_points += self.counting.pair_bonus * won
        record.wins += won
        record.draws += not result.winners
        record.losses += bool(result.winners) and not won
        record.beaten |= set(others) if won else set()

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
        self._count_game(record, result, result.b, a, b, result.score_a or 0, result.winner == result.a)
        self._count_game(self.records[result.b], result, result.a, b, a, result.score_b or 0, result.winner == result.b)

    @staticmethod
    def _count_game(
        record: PlayerRecord, result: CountedMatch, opponent: str, scored: Number, conceded: Number, uncapped: Number,
        has_won: bool,
    ) -> None:  # fmt: skip
        record.games += 1
        record.opponents.append(opponent)
        record.points += scored
        record.game_points += scored
        record.uncapped += uncapped
        record.difference += scored - conceded
        if has_won:
            record.wins += 1
            record.beaten.add(opponent)
        elif result.winner is None and not result.double_loss:
            record.draws += 1
        else:
            record.losses += 1

    def match_points(self, player: str) -> int:
        """Return match points for wins (including byes), draws and losses; pairing uses these."""
        record, counting = self.records[player], self.counting
        if counting.by_place:
            return record.place_points + (record.byes + record.awarded_byes) * counting.by_place[0]
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
            player: Fraction(sum(map(whole.__getitem__, record.opponents)), common * len(record.opponents))
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
