"""The next round in each style of pairing: Swiss, single elimination (and the cut), round robin."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from events.door import Refused
from events.models import Entry, Event, Match, Round
from events.pairing import NoPairing, draw, read_tables, read_tournament, report_of, report_of_tables, seat
from events.pairing.elimination import BracketMatch, bracket, next_round
from events.pairing.round_robin import by_lot, number_of_rounds, round_of, without_dropped
from events.queries import Played
from events.teams import seats_of_teams
from events.tournament import AtTable, Document, Pair, number_of, player_id, seed_of_round

from .rounds_field import Field


class NoLegalRound(Refused):
    """No round without a rematch is possible; a page offers the options."""


@dataclass(frozen=True)
class DrawnRound:
    """A round as drawn: pairs (None: a bye) or tables by standing, their slots in a bracket, and the pairing report."""

    tournament: Document
    pairs: tuple[AtTable, ...]
    report: dict[str, Any]
    slots: tuple[int | None, ...] = ()

    @property
    def bracket_size(self) -> int | None:
        """Return the places of the bracket in this round; None outside a bracket."""
        return self.report.get("stage")

    def kind(self, place: int) -> Match.Kind:
        """Return what a pair plays: a game, or no game because of a bye received or awarded."""
        a, b = self.pairs[place][:2]
        if b is not None:
            return Match.Kind.GAME
        return Match.Kind.AWARDED if a in self.report.get("awarded_byes", ()) else Match.Kind.BYE

    def slot(self, place: int) -> int | None:
        """Return a pair's slot in the bracket, or None."""
        return self.slots[place] if self.slots else None


def in_names(message: str, names: Mapping[str, str]) -> str:
    """Return a message of the pairing with names in place of ids."""
    return re.sub(r"\b[pt]\d+\b", lambda found: names.get(found.group(), found.group()), message)


def swiss(field: Field, number: int, *, allow_rematch: bool = False) -> DrawnRound:
    """Pair the best next Swiss round. Raise Refused with the options if none is left."""
    document = field.tournament(number, allow_rematch=allow_rematch)
    tournament = read_tournament(document)
    try:
        drawn = draw(tournament)
    except NoPairing as none:
        message = in_names(none.message, field.names)
        ways = _("Options: allow a rematch (with a reason), drop players who have left, or finish the event.")
        raise NoLegalRound(f"{message} {ways}") from None
    pairs: list[Pair] = list(drawn.pairs)
    pairs += [(player, None) for player in (drawn.bye, *tournament.awarded_byes) if player is not None]
    report = report_of(tournament, drawn) | {"certificate": asdict(drawn.certificate)}
    return DrawnRound(document, tuple(pairs), report)


def tables_round(field: Field, number: int) -> DrawnRound:
    """Return the best next round at tables of three or four; everyone plays."""
    document = field.tournament(number)
    tournament = read_tables(document)
    seated = seat(tournament)
    return DrawnRound(document, seated.tables, report_of_tables(tournament, seated))


def teams_round(field: Field, number: int, *, allow_rematch: bool = False) -> DrawnRound:
    """Return the best next Swiss round of teams, with the tables at which their players sit."""
    drawn = swiss(field, number, allow_rematch=allow_rematch)
    players = {
        team.number: [player_id(entry.number) for entry in team.playing] for team in field.teams if team.is_playing
    }
    tables: list[AtTable] = []
    for a, b in drawn.pairs:
        one = players[number_of(str(a))]
        if b is None:
            tables += [(player, None) for player in one]
        else:
            tables += seats_of_teams(one, players[number_of(b)], field.event.table_size)
    return replace(drawn, pairs=tuple(tables))


def round_robin_round(field: Field, number: int) -> DrawnRound:
    """Return a round of the schedule drawn from the event's seed; opponents of players who left have a bye."""
    first = [match for match in field.matches if match.round.number == 1]
    present = _seated(first) if first else {entry.pk for entry in field.playing}
    ids = by_lot([player_id(entry.number) for entry in field.entries if entry.pk in present], field.event.seed)
    if number > number_of_rounds(len(ids)):
        raise Refused(_("Everyone has played everyone. Finish the event, or cut to the top players."))
    gone = set(ids) - {player_id(entry.number) for entry in field.playing}
    games, byes = without_dropped(*round_of(ids, number), gone)
    left_alone: list[Pair] = [(player, None) for player in byes]
    report = _plain_report(number, games, left_alone, "round-robin")
    return DrawnRound(field.tournament(number), (*games, *left_alone), report)


def _seated(matches: Sequence[Played]) -> set[int]:
    return {entry.pk for match in matches for entry in match.entries}


def _plain_report(number: int, pairs: Sequence[Pair], byes: Sequence[Pair], style: str) -> dict[str, Any]:
    return {
        "id": f"r{number}",
        "pairings": [list(pair) for pair in pairs],
        "bye": byes[0][0] if len(byes) == 1 else None,
        "byes": [pair[0] for pair in byes],
        "style": style,
    }


def bracket_start(field: Field, number: int, players: Sequence[str]) -> DrawnRound:
    """Return a bracket's first round: the best against the last, with byes for the best if needed to fill it."""
    return _bracket(field, number, bracket(list(players)), {"seeds": list(players)})


def bracket_next(field: Field, number: int, previous: Round) -> DrawnRound:
    """Return a bracket's next round: winners of neighbouring slots meet.

    A player whose opponent has left, or whose opposite slot no one won, advances without a match. The losing
    semifinalists who are still playing meet for third place if the event has that match. Raise Refused if no one is
    left to play.
    """
    stage = int(previous.pairing_report["stage"])
    sitting = {match.bracket_slot: match for match in _of_stage(field, stage)}
    played, winners = [], {}
    for slot in range(stage // 2):
        match = sitting.get(slot)
        winner = winner_of(match) if match is not None else None
        through = player_id(winner.number) if winner is not None else None
        if match is None or match.b is None:
            played.append(BracketMatch(stage, slot, through, None))
            continue
        place = BracketMatch(stage, slot, player_id(match.a.number), player_id(match.b.number))
        played.append(place)
        winners[place.key] = through
    following = next_round(played, winners, third_place=field.event.third_place)
    there = {player_id(entry.number) for entry in field.playing}
    return _bracket(field, number, [place.among(there) for place in following], {})


def _of_stage(field: Field, stage: int) -> list[Played]:
    """Return the matches of a stage of the bracket, replays last; who waited for a replay played before it."""
    found = [match for match in field.matches if match.round.bracket_size == stage and not match.is_third_place]
    games = {match.bracket_slot for match in found if match.b is not None}
    return [match for match in found if match.b is not None or match.bracket_slot not in games]


def bracket_again(field: Field, number: int, previous: Round, last: Sequence[Played]) -> DrawnRound:
    """Return a round that replays only the matches no one won; the winners keep their slots.

    A player whose opponent has since left advances without a match. Raise Refused if no one is left to play.
    """
    stage = int(previous.pairing_report["stage"])
    places = []
    for match in sorted(last, key=lambda match: match.bracket_slot or 0):
        if match.is_third_place:
            continue
        winner = winner_of(match)
        there = (match.a, match.b) if winner is None else (winner, None)
        a, b = (player_id(one.number) if one is not None and one.is_playing else None for one in there)
        places.append(BracketMatch(stage, match.bracket_slot or 0, a, b))
    return _bracket(field, number, places, {"again": previous.number})


def _bracket(field: Field, number: int, places: Sequence[BracketMatch], more: dict[str, Any]) -> DrawnRound:
    games = [place for place in places if place.is_played]
    walkovers = [place for place in places if place.is_bye]
    if not games and not walkovers:
        raise Refused(_("No players are left in the bracket. Finish the event."))
    pairs: list[Pair] = [(str(place.a), place.b) for place in games]
    alone: list[Pair] = [(str(place.a or place.b), None) for place in walkovers]
    report = _plain_report(number, pairs, alone, "elimination") | more | {"stage": places[0].stage}
    return DrawnRound(
        field.tournament(number, in_bracket=True),
        (*pairs, *alone),
        report,
        tuple(place.slot for place in (*games, *walkovers)),
    )


def winner_of(match: Match | Played) -> Entry | None:
    """Return the entry that advances from a bracket match, or None if it has no winner."""
    if match.kind == Match.Kind.BYE:
        return match.a
    return match.entry_at(match.result.winner) if match.result else None


def seeds(field: Field) -> list[str]:
    """Return the seeds of an elimination, which has no standings: by rank, or in the order of the event's draw."""
    if field.event.first_round != Event.FirstRound.DRAWN:
        return field.by_rank
    return list(by_lot([player_id(entry.number) for entry in field.playing], seed_of_round(field.event.seed, 1)))


def best(field: Field, places: int) -> list[str]:
    """Return the best players by standings who are still playing, for a cut."""
    ranked = sorted(field.playing, key=lambda entry: (field.ranks.get(entry.number, 10**6), entry.number))
    return [player_id(entry.number) for entry in ranked[:places]]


def bracket_is_decided(last: Round) -> bool:
    """Return whether the round was the final."""
    return int(last.pairing_report.get("stage", 0)) <= 2


def next_pairing(event: Event, field: Field, number: int, previous: Round | None, *, allow_rematch: bool) -> DrawnRound:
    """Return the next round in the event's style, or of the cut if it has begun."""
    if previous is not None and previous.stage == Round.Stage.CUT:
        return bracket_next(field, number, previous)
    if event.pairing_style == Event.Style.ELIMINATION:
        if previous is not None:
            return bracket_next(field, number, previous)
        return bracket_start(field, number, seeds(field))
    if event.pairing_style == Event.Style.ROUND_ROBIN:
        return round_robin_round(field, number)
    if event.teams_of_two:
        return teams_round(field, number, allow_rematch=allow_rematch)
    if event.has_tables:
        return tables_round(field, number)
    return swiss(field, number, allow_rematch=allow_rematch)
