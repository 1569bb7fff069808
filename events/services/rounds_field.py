"""The field that a round is paired from, read from the database: players, whom each has met, and points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from events.models import Entry, Event, Match, Team
from events.queries import TOOK_PART, Played, played, published_rounds, standings_of, team_standings_of, teams_of
from events.seeding import meeting, order_of
from events.tournament import (
    PAIR_SIZE,
    Contestant,
    Document,
    player_id,
    seed_of_round,
    team_id,
    tournament_file,
)


@dataclass(frozen=True)
class Field:
    """An event's entries and published matches, read once; everything a draft needs is derived from them.

    Where teams of two play, `points` and `ranks` are the teams', by their numbers, and so is everything that a
    tournament file says.
    """

    event: Event
    entries: tuple[Entry, ...]
    matches: tuple[Played, ...]
    points: dict[int, int]
    ranks: dict[int, int]
    teams: tuple[Team, ...] = ()

    @cached_property
    def by_number(self) -> dict[int, Entry]:
        """The entries by number."""
        return {entry.number: entry for entry in self.entries}

    @cached_property
    def names(self) -> dict[str, str]:
        """Every entry's name, and every team's, by its id in the tournament file."""
        teams = {team_id(team.number): team.name for team in self.teams}
        return {player_id(entry.number): entry.name for entry in self.entries} | teams

    @cached_property
    def fixed_tables(self) -> dict[str, int]:
        """The tables reserved for players, by their id in the tournament file."""
        return {player_id(entry.number): entry.fixed_table for entry in self.entries if entry.fixed_table}

    @property
    def playing(self) -> list[Entry]:
        """The entries to be paired."""
        return [entry for entry in self.entries if entry.is_playing]

    @cached_property
    def by_rank(self) -> list[str]:
        """The ids of those who play, by the rank they came with: best first, the others last by lot."""
        ranks = {player_id(entry.number): entry.rank for entry in self.playing}
        return order_of(ranks, seed_of_round(self.event.seed, 1))

    def _first_round(self, *, in_bracket: bool) -> dict[str, tuple[int | None, int | None]]:
        """Return rank and standing of each player in a round 1 by rank, as `events.seeding` brings them together."""
        if self.event.first_round == Event.FirstRound.DRAWN or self.event.has_tables or self.event.teams_of_two:
            return {}
        places = {player: place for place, player in enumerate(self.by_rank, 1)}
        if in_bracket:
            return {player: (place, None) for player, place in places.items()}
        waiting = {player_id(entry.number) for entry in self.playing if 1 in entry.awarded_byes}
        playing = [player for player in self.by_rank if player not in waiting]
        ranks = meeting(playing, self.event.first_round, seed_of_round(self.event.seed, 1))
        return {player: (ranks.get(player), place) for player, place in places.items()}

    @property
    def took_part(self) -> list[Entry]:
        """Everyone who played or plays, from whose number the rounds are proposed."""
        seated = {entry.pk for match in self.matches for entry in match.entries}
        return [entry for entry in self.entries if entry.is_playing or entry.pk in seated]

    def met_before(self, number: int) -> list[list[tuple[int | None, ...]]]:
        """Return the pairs, or tables, of entry numbers of each round before this one, without missed rounds.

        Where teams play, the pairs are those of the teams' numbers.
        """
        rounds: dict[int, list[tuple[int | None, ...]]] = {n: [] for n in range(1, number)}
        for match in self.matches:
            if match.round.number in rounds and match.kind != Match.Kind.MISSED:
                numbers = self._met_at(match)
                if numbers and numbers not in rounds[match.round.number]:
                    rounds[match.round.number].append(numbers)
        return [sorted(seated, key=lambda one: one[0] or 0) for seated in rounds.values()]

    @cached_property
    def team_numbers(self) -> dict[int | None, int]:
        """The teams' numbers by their keys."""
        return {team.pk: team.number for team in self.teams}

    def _met_at(self, match: Played) -> tuple[int | None, ...]:
        """Return who met at a match, by numbers, None for a bye."""
        alone = () if match.b else (None,)
        if not self.event.teams_of_two:
            return (*(entry.number for entry in match.entries), *alone)
        met = sorted({self.team_numbers[entry.team_id] for entry in match.entries if entry.team_id})
        return (*met, *alone)

    def contestants(self, number: int, *, in_bracket: bool) -> list[Contestant]:
        """Return the players of the tournament file of a round, or the teams where teams play."""
        byes: dict[int | None, set[int]] = {}
        for match in self.matches:
            if match.kind == Match.Kind.BYE and match.round.number < number:
                key = match.a.team_id if self.event.teams_of_two else match.a_id
                byes.setdefault(key, set()).add(match.round.number)
        present = {entry.pk for entry in self.took_part}
        if self.event.teams_of_two:
            return [
                Contestant(
                    number=team.number,
                    points=self.points.get(team.number, 0),
                    rank=self.ranks.get(team.number) if number > 1 else None,
                    byes=len(byes.get(team.pk, ())),
                    club=team.club,
                    plays=team.is_playing,
                )
                for team in self.teams
                if any(entry.pk in present for entry in team.members)
            ]
        first = self._first_round(in_bracket=in_bracket) if number == 1 else {}
        of = {e.number: first.get(player_id(e.number), (None, None)) for e in self.entries}
        return [
            Contestant(
                number=entry.number,
                points=self.points.get(entry.number, 0),
                rank=self.ranks.get(entry.number) if number > 1 else of[entry.number][0],
                standing=of[entry.number][1],
                byes=len(byes.get(entry.pk, ())),
                club=entry.club,
                plays=entry.is_playing,
                byes_awarded=() if in_bracket else entry.awarded_byes,
            )
            for entry in self.entries
            if entry.pk in present
        ]

    def tournament(self, number: int, *, allow_rematch: bool = False, in_bracket: bool = False) -> Document:
        """Return the tournament file from which round `number` is paired; no bye is awarded in a bracket."""
        return tournament_file(
            event_seed=self.event.seed,
            number=number,
            contestants=self.contestants(number, in_bracket=in_bracket),
            rounds=self.met_before(number),
            avoid_same_club=self.event.keep_clubs_apart and number == 1,
            allow_rematch=allow_rematch,
            table_size=PAIR_SIZE if self.event.teams_of_two else self.event.table_size,
            id_of=team_id if self.event.teams_of_two else player_id,
        )

    @property
    def planned_rounds(self) -> int:
        """The number of main rounds: as the officials chose, else as proposed for the field."""
        return self.event.rounds_for(len(self.took_part))


def read_field(event: Event) -> Field:
    """Return the field, read in a fixed number of queries."""
    everyone = list(event.entries.order_by("number"))
    entries = [entry for entry in everyone if entry.state in TOOK_PART]
    matches = played(published_rounds(event), everyone)
    standings = team_standings_of if event.teams_of_two else standings_of
    places = standings(event, matches=matches, entries=entries) if matches else []
    return Field(
        event=event,
        entries=tuple(entries),
        matches=tuple(matches),
        points={row.number: row.match_points for row in places},
        ranks={row.number: row.place for row in places},
        teams=tuple(teams_of(event, entries).values()),
    )
