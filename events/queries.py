"""Queries shared by several pages, each a fixed number however large the event is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from events import standings
from events.counting import Counted, CountedMatch, CountedTable, Counting, RecordTable, StandingsPlayer
from events.models import Entry, Event, Match, Round, Team
from events.results.result import OTHER, SEATS, Result, Seat
from events.results.words import is_for_third_place
from events.teams import PARTNERS, team_table
from events.tournament import player_id, team_id

TOOK_PART = (Entry.State.CHECKED_IN, Entry.State.DROPPED, Entry.State.DISQUALIFIED)


def with_event(matches: list[Match], event: Event) -> list[Match]:
    """Set the known event on each match's round and entries, so that it isn't fetched again."""
    for match in matches:
        match.round.event = event
        for entry in match.entries:
            entry.event = event
    return matches


def published_rounds(event: Event) -> list[Round]:
    """Return the rounds that everyone may see, in order."""
    return list(event.rounds.exclude(state=Round.State.DRAFT).order_by("number"))


def results_of(event: Event, *, drafts: bool = False) -> list[Match]:
    """Return every match of the event by round and table, with rounds and entries; `drafts` includes drafts.

    Takes three queries. Each round and each entry is one object, however many matches it has.
    """
    rounds = {round.pk: round for round in (event.rounds.all() if drafts else published_rounds(event))}
    known: dict[int | None, Entry | None] = {None: None}
    known |= {entry.pk: entry for entry in event.entries.all()}
    found = list(Match.objects.filter(round__in=rounds).order_by("round__number", "table", "pk"))
    for match in found:  # not by assignment: with thousands of matches, that takes half of the whole
        kept = match._state.fields_cache
        kept["round"], kept["a"], kept["b"] = rounds[match.round_id], known[match.a_id], known[match.b_id]
        kept["c"], kept["d"] = known[match.c_id], known[match.d_id]
    return found


class Played(NamedTuple):
    """What standings need of a match: thousands of these are read in the time of a few hundred whole rows."""

    pk: int
    state: str
    kind: str
    result: Result | None
    round: Round
    a_id: int
    b_id: int | None
    a: Entry
    b: Entry | None
    bracket_slot: int | None
    table: int | None
    more: tuple[Entry, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries that sit here, by seat; `more` are the third and fourth at a table of more than two."""
        return (self.a, *self.more) if self.b is None else (self.a, self.b, *self.more)

    @property
    def entry_ids(self) -> tuple[int, ...]:
        """The keys of the entries that sit here, by seat."""
        two = (self.a_id,) if self.b_id is None else (self.a_id, self.b_id)
        return two if not self.more else (*two, *(entry.pk for entry in self.more))

    @property
    def is_third_place(self) -> bool:
        """Whether the losing semifinalists play it beside the final."""
        return self.bracket_slot is not None and is_for_third_place(self.round.bracket_size, self.bracket_slot)

    def entry_at(self, seat: Seat | None) -> Entry | None:
        """Return the entry in a seat; None if the seat is None or empty."""
        return dict(zip(SEATS, self.entries, strict=False)).get(seat or "")


def played(rounds: Iterable[Round], entries: Iterable[Entry]) -> list[Played]:
    """Return every match of these rounds by round and table; `entries` are all of their event's. Takes one query."""
    numbered, known = {round.pk: round for round in rounds}, {entry.pk: entry for entry in entries}
    columns = ("pk", "state", "kind", "result", "round_id", "a_id", "b_id", "bracket_slot", "table", "c_id", "d_id")
    return [
        Played(
            pk, state, kind, result, numbered[round_id], a, b, known[a], None if b is None else known[b], slot, table,
            () if c is None else (known[c],) if d is None else (known[c], known[d]),
        )
        for pk, state, kind, result, round_id, a, b, slot, table, c, d in Match.objects.filter(round__in=numbered)
        .order_by("round__number", "table", "pk")
        .values_list(*columns)
    ]  # fmt: skip


@dataclass(frozen=True)
class PlaceInStandings:
    """A row of an event's standings: an entry's (or a team's) place, its values, and those it is tied with.

    `cut_rounds`: how many rounds of the cut the entry won, or None outside the cut.
    """

    place: int
    entry: Entry | Team
    standing: standings.Standing
    level: tuple[int, ...] = ()
    cut_rounds: int | None = None

    @property
    def number(self) -> int:
        """The number of the entry, or of the team."""
        return self.entry.number

    @property
    def name(self) -> str:
        """The full name; public pages show `entry.public_name`."""
        return self.entry.name

    @property
    def match_points(self) -> int:
        """The points by which rounds are paired."""
        return self.standing.match_points

    @property
    def cells(self) -> tuple[standings.Cell, ...]:
        """The values of the event's tie-breakers, in order."""
        return self.standing.cells

    @property
    def is_tied(self) -> bool:
        """Whether all tie-breakers leave this entry tied with another."""
        return bool(self.level)

    @property
    def is_disqualified(self) -> bool:
        """Whether the entry was disqualified; a team never is."""
        return isinstance(self.entry, Entry) and self.entry.state == Entry.State.DISQUALIFIED

    @property
    def has_left(self) -> bool:
        """Whether the entry dropped or was disqualified."""
        return self.standing.player.dropped


MAIN = Round.Stage.MAIN
MatchWithResult = tuple[Match | Played, Result]
"""A match with the result that counts."""


def cascade_of(event: Event) -> tuple[standings.Criterion, ...]:
    """Return the event's tie-breakers, most important first."""
    named = [name for name in event.cascade if name in standings.CRITERIA]
    return standings.criteria(named or standings.usual_cascade(by_place=event.has_tables))


def counting_of(event: Event) -> Counting:
    """Return how the event counts victory points."""
    return Counting(
        bye_score=event.bye_points,
        cap=event.cap,
        seed=event.seed,
        by_place=event.points_by_place,
        pair_bonus=event.pair_bonus if event.teams_of_two else 0,
    )


def counted_match(match: Match | Played, result: Result, *, by_place: bool = False, in_pairs: bool = False) -> Counted:
    """Return a match with this result for computing standings.

    `by_place`: its event gives points for places; `in_pairs`: two pairs play at a table of four.
    """
    if by_place and match.kind == Match.Kind.GAME:
        players = tuple(player_id(entry.number) for entry in match.entries)
        pairs = PARTNERS if in_pairs and len(players) == len(SEATS) else ()
        at = dict(zip(SEATS, players, strict=False))
        return CountedTable(
            match.round.number,
            players,
            tuple(map(result.place, result.seats)),
            result.scores,
            tuple(tuple(at[seat] for seat in pair) for pair in pairs),
            tuple(at[seat] for seat in result.winning_pair(pairs)) if pairs else (),
        )
    a, b = player_id(match.a.number), player_id(match.b.number) if match.b is not None else None
    winner = a if result.winner == "a" else b if result.winner == "b" else None
    score_a, score_b, *_further = result.scores
    has_abandoned = bool(result.abandoned)
    return CountedMatch(
        match.round.number, a, b, winner, score_a, score_b, match.kind, result.double_loss, has_abandoned
    )


def standings_of(
    event: Event,
    after_round: int | None = None,
    *,
    instead: Mapping[int, Result] | None = None,
    matches: Iterable[Match | Played] | None = None,
    entries: Iterable[Entry] | None = None,
) -> list[PlaceInStandings]:
    """Return the event's standings, now or after a round; three queries.

    Confirmed results of published rounds count. A cut's rounds don't change the values; they put the entries of the cut
    first, by how far they came. `instead` tries other results for single matches (by key); `matches` and `entries` save
    the queries if already loaded.
    """
    entries = list(event.entries.order_by("number")) if entries is None else entries
    kept = _until(after_round, played(published_rounds(event), entries) if matches is None else matches)
    counted = _counted(kept, instead or {})
    known = _known(kept, entries)
    lines = standings.ranked(_records(event, counted, known), [criterion.name for criterion in cascade_of(event)])
    places = [
        PlaceInStandings(line.rank, known[line.player.id], line, tuple(known[other].number for other in line.tied_with))
        for line in lines
    ]
    cut = [(match, result) for match, result in counted if match.round.stage == Round.Stage.CUT]
    in_cut: set[int | None] = {pk for match in kept if match.round.stage == Round.Stage.CUT for pk in match.entry_ids}
    if in_cut:
        return _by_the_cut(places, cut, in_cut)
    for match, result in counted:
        if match.bracket_slot is not None and match.is_third_place:
            _third_before_fourth(places, match.entry_at(result.winner), match.entry_at(OTHER.get(result.winner or "")))
    return places


def final_place(event: Event, row: Entry) -> dict[str, int] | None:
    """Return an entry's final place and the number of players; None if the player left."""
    places = standings_of(event)
    found = next((place for place in places if place.number == row.number and not place.has_left), None)
    return {"place": found.place, "of": len(places)} if found else None


def _until(after_round: int | None, matches: Iterable[Match | Played]) -> list[Match | Played]:
    return [match for match in matches if after_round is None or match.round.number <= after_round]


def _known(matches: Iterable[Match | Played], entries: Iterable[Entry]) -> dict[str, Entry]:
    """Return the entries of the standings by their ids: everyone who took part or was ever seated."""
    seated = {pk for match in matches for pk in match.entry_ids}
    return {player_id(entry.number): entry for entry in entries if entry.state in TOOK_PART or entry.pk in seated}


def _records(event: Event, counted: Iterable[MatchWithResult], known: Mapping[str, Entry]) -> RecordTable:
    by_place, in_pairs = event.has_tables, event.teams_of_two
    left = (Entry.State.DROPPED, Entry.State.DISQUALIFIED)
    return RecordTable(
        [StandingsPlayer(player, entry.name, entry.state in left) for player, entry in known.items()],
        [
            counted_match(match, result, by_place=by_place, in_pairs=in_pairs)
            for match, result in counted
            if match.round.stage == MAIN and (match.bracket_slot is None or not match.is_third_place)
        ],
        counting_of(event),
    )


def teams_of(event: Event, entries: Iterable[Entry]) -> dict[int, Team]:
    """Return the event's teams by key, with their players among `entries`; one query, none without teams."""
    found = {team.pk: team for team in event.teams.order_by("number")} if event.teams_of_two else {}
    for team in found.values():
        team.event, team.members = event, []
    for entry in entries:
        if entry.team_id in found:
            found[entry.team_id].members.append(entry)
    return found


def team_names(event: Event, *, public: bool = False) -> dict[int, str]:
    """Return the name of each entry's team, by the entry's key; empty in an event without teams.

    `public`: as public pages show it.
    """
    if not event.teams_of_two:
        return {}
    teams = teams_of(event, event.entries.order_by("number")).values()
    return {entry.pk: team.public_name if public else team.name for team in teams for entry in team.members}


def team_standings_of(
    event: Event,
    after_round: int | None = None,
    *,
    matches: Iterable[Match | Played] | None = None,
    entries: Iterable[Entry] | None = None,
    known_teams: Mapping[int, Team] | None = None,
) -> list[PlaceInStandings]:
    """Return the standings of the teams, whose values are the sums of their players'; none in an event without teams.

    Four queries; `matches`, `entries` and `known_teams` (by key) save them if already loaded.
    """
    if not event.teams_of_two:
        return []
    entries = list(event.entries.order_by("number")) if entries is None else list(entries)
    kept = _until(after_round, played(published_rounds(event), entries) if matches is None else matches)
    known = _known(kept, entries)
    there = {entry.team_id for entry in known.values()}
    teams = {
        team_id(team.number): team for team in (known_teams or teams_of(event, entries)).values() if team.pk in there
    }
    by_key = {team.pk: name for name, team in teams.items()}
    lines = standings.ranked(
        team_table(
            _records(event, _counted(kept, {}), known),
            {player: by_key[entry.team_id] for player, entry in known.items() if entry.team_id in by_key},
            [StandingsPlayer(name, team.name, not team.partners) for name, team in teams.items()],
            counting_of(event),
        ),
        [criterion.name for criterion in cascade_of(event)],
    )
    return [
        PlaceInStandings(line.rank, teams[line.player.id], line, tuple(teams[one].number for one in line.tied_with))
        for line in lines
    ]


def _third_before_fourth(places: list[PlaceInStandings], won: Entry | None, lost: Entry | None) -> None:
    """Put the winner of a match for third place before its loser, who won as many rounds of the bracket."""
    at = {place.entry.pk: index for index, place in enumerate(places)}
    if won is None or lost is None:
        return
    winner, loser = places[at[won.pk]], places[at[lost.pk]]
    first, second = sorted((at[won.pk], at[lost.pk]))
    third = places[first].place
    fourth = max(places[second].place, third + 1)
    places[first] = replace(winner, place=third, level=())
    places[second] = replace(loser, place=fourth, level=())


def _counted(matches: Iterable[Match | Played], instead: Mapping[int, Result]) -> list[MatchWithResult]:
    found = []
    for match in matches:
        result = instead.get(match.pk, match.result if match.state == Match.State.CONFIRMED else None)
        if result is not None:
            found.append((match, result))
    return found


def _by_the_cut(
    places: list[PlaceInStandings], cut: list[MatchWithResult], in_cut: set[int | None]
) -> list[PlaceInStandings]:
    """Put the entries of the cut first, in order of the rounds they won; those still in it come before those out.

    Entries that went out in the same round keep the order of the main rounds; a match for third place decides between
    two.
    """
    cut = _without_replayed(cut)
    won: dict[int | None, int] = dict.fromkeys(in_cut, 0)
    out: dict[int | None, int] = {}
    third: set[int | None] = set()
    for match, result in sorted(cut, key=lambda played: played[0].round.number):
        winner = {"a": match.a_id, "b": match.b_id}.get(result.winner or "")
        if match.a_id in out:
            third.add(winner)
            continue
        for entry_id in match.entry_ids:
            if entry_id is None:
                continue
            if entry_id == winner:
                won[entry_id] += 1
            else:
                out[entry_id] = match.round.number
    ahead = sorted(
        (place for place in places if place.entry.pk in in_cut),
        key=lambda place: (
            place.entry.pk in out,
            -out.get(place.entry.pk, 0),
            place.entry.pk not in third,
            -won[place.entry.pk],
        ),
    )
    first = [
        replace(place, place=index, level=(), cut_rounds=won[place.entry.pk]) for index, place in enumerate(ahead, 1)
    ]
    others = [place for place in places if place.entry.pk not in in_cut]
    ranks = [place.place for place in others]
    return first + [replace(place, place=len(first) + 1 + bisect_left(ranks, place.place)) for place in others]


def _without_replayed(cut: list[MatchWithResult]) -> list[MatchWithResult]:
    """Leave out matches that both players lost and that were replayed, and the byes of those who waited."""
    met: dict[frozenset[int | None], Match | Played] = {}
    gone: set[int] = set()
    again: set[int] = set()
    for match, _result in sorted(cut, key=lambda played: played[0].round.number):
        pair = frozenset((match.a_id, match.b_id))
        if match.b_id is not None and pair in met:
            gone.add(met[pair].pk)
            again.add(match.round.pk)
        met[pair] = match
    return [
        (match, result)
        for match, result in cut
        if match.pk not in gone and not (match.b_id is None and match.round.pk in again)
    ]


def current_round(event: Event) -> Round | None:
    """Return the round being played or played last, ignoring drafts; None before the first."""
    found = event.rounds.exclude(state=Round.State.DRAFT).order_by("-number").first()
    if found is not None:
        found.event = event
    return found
