"""The field that a round is paired from, read from the database: players, whom each has met, and points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from events.choices import proposed_rounds
from events.models import Entry, Event, Match
from events.queries import TOOK_PART, Played, played, published_rounds, standings_of
from events.seeding import meeting, order_of
from events.tournament import Contestant, Document, player_id, seed_of_round, tournament_file


@dataclass(frozen=True)
class Field:
    """An event's entries and published matches, read once; everything a draft needs is derived from them."""

    event: Event
    entries: tuple[Entry, ...]
    matches: tuple[Played, ...]
    points: dict[int, int]
    ranks: dict[int, int]

    @cached_property
    def by_number(self) -> dict[int, Entry]:
        """The entries by number."""
        return {entry.number: entry for entry in self.entries}

    @cached_property
    def names(self) -> dict[str, str]:
        """Every entry's name by its id in the tournament file."""
        return {player_id(entry.number): entry.name for entry in self.entries}

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
        if self.event.first_round == Event.FirstRound.DRAWN or self.event.has_tables:
            return {}
        places = {player: place for place, player in enumerate(self.by_rank, 1)}
        if in_bracket:
            return {player: (place, None) for player, place in places.items()}
        waiting = {player_id(entry.number) for entry in self.playing if 1 in entry.awarded_byes}
        ranks = meeting([player for player in self.by_rank if player not in waiting], self.event.first_round)
        return {player: (ranks.get(player), place) for player, place in places.items()}

    @property
    def took_part(self) -> list[Entry]:
        """Everyone who played or plays, from whose number the rounds are proposed."""
        seated = {entry.pk for match in self.matches for entry in match.entries}
        return [entry for entry in self.entries if entry.is_playing or entry.pk in seated]

    def met_before(self, number: int) -> list[list[tuple[int | None, ...]]]:
        """Return the pairs, or tables, of entry numbers of each round before this one, without missed rounds."""
        rounds: dict[int, list[tuple[int | None, ...]]] = {n: [] for n in range(1, number)}
        for match in self.matches:
            if match.round.number in rounds and match.kind != Match.Kind.MISSED:
                numbers = tuple(entry.number for entry in match.entries)
                rounds[match.round.number].append(numbers if match.b else (*numbers, None))
        return [sorted(seated, key=lambda one: one[0] or 0) for seated in rounds.values()]

    def tournament(self, number: int, *, allow_rematch: bool = False, in_bracket: bool = False) -> Document:
        """Return the tournament file from which round `number` is paired; no bye is awarded in a bracket."""
        byes: dict[int, int] = {}
        for match in self.matches:
            if match.kind == Match.Kind.BYE and match.round.number < number:
                byes[match.a_id] = byes.get(match.a_id, 0) + 1
        present = {entry.pk for entry in self.took_part}
        first = self._first_round(in_bracket=in_bracket) if number == 1 else {}
        of = {e.number: first.get(player_id(e.number), (None, None)) for e in self.entries}
        return tournament_file(
            event_seed=self.event.seed,
            number=number,
            contestants=[
                Contestant(
                    number=entry.number,
                    points=self.points.get(entry.number, 0),
                    rank=self.ranks.get(entry.number) if number > 1 else of[entry.number][0],
                    standing=of[entry.number][1],
                    byes=byes.get(entry.pk, 0),
                    club=entry.club,
                    plays=entry.is_playing,
                    byes_awarded=() if in_bracket else entry.awarded_byes,
                )
                for entry in self.entries
                if entry.pk in present
            ],
            rounds=self.met_before(number),
            avoid_same_club=self.event.keep_clubs_apart and number == 1,
            allow_rematch=allow_rematch,
            table_size=self.event.table_size,
        )

    @property
    def planned_rounds(self) -> int:
        """The number of main rounds: as the officials chose, else as proposed for the field."""
        if self.event.number_of_rounds:
            return self.event.number_of_rounds
        return proposed_rounds(len(self.took_part), self.event.pairing_style, self.event.table_size)


def read_field(event: Event) -> Field:
    """Return the field, read in a fixed number of queries."""
    everyone = list(event.entries.order_by("number"))
    entries = [entry for entry in everyone if entry.state in TOOK_PART]
    matches = played(published_rounds(event), everyone)
    places = standings_of(event, matches=matches, entries=entries) if matches else []
    return Field(
        event=event,
        entries=tuple(entries),
        matches=tuple(matches),
        points={row.number: row.match_points for row in places},
        ranks={row.number: row.place for row in places},
    )
