"""The JSON API of events: public data for everyone, and actions for signed-in officials and players.

Reading returns what the public pages show, including how minors' names are shortened. Writing calls the same services
as the forms, so the same action table applies. Send an API token; or sign in on the site first and send the CSRF token.
"""

from __future__ import annotations

import datetime
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema

from events import queries
from events.api_sign_in import SIGNED_IN
from events.battles import points_of_battle
from events.models import Claim, Event, Match, Round
from events.results.result import SEATS, as_json
from events.services import results as result_services
from events.standings_columns import standings_lines
from events.views.access import Visit, visit
from events.views.forces_scoring import battle_terms

router = Router(tags=["events"])


class EventOut(Schema):
    """An event, as on its public page."""

    id: str
    name: str
    state: str
    venue: str
    city: str
    starts: datetime.datetime
    time_zone: str
    universe: str
    format: str
    edition: str
    build_total: int | None
    """None: no build total, as in a Battle Royale."""
    seats: int
    table_size: int
    points_by_place: list[int]
    """At tables of three or four, from first place down; else empty."""
    table_ties: str
    """How players with equal victory points are placed there: `either`, `roll-off` or `shared`."""
    teams_of_two: bool
    pair_bonus: int
    """Points more for each player of the pair that wins a table of four."""
    pairing_style: str
    first_round: str
    rounds: int | None
    cut_to: int
    third_place: bool
    round_minutes: int
    cut_minutes: int | None
    final_minutes: int | None
    next_round_at: datetime.datetime | None
    fee: str
    prizes: str
    practice: bool


class ApiFault(Schema):
    """An error message."""

    detail: str


class MatchOut(Schema):
    """A match of a round, or a bye; `c` and `d` are only at tables of three or four.

    `third_place` is there, and true, only in the match for third place.
    """

    table: int | None
    kind: str
    a: str
    a_entry: int
    b: str | None
    b_entry: int | None
    c: str | None = None
    c_entry: int | None = None
    d: str | None = None
    d_entry: int | None = None
    state: str
    third_place: bool = False
    result: dict[str, Any] | None


class RoundOut(Schema):
    """A published round with its pairings; `bracket_size` is its places in the bracket, 2 in the final."""

    number: int
    stage: str
    state: str
    bracket_size: int | None
    minutes: int
    scenario: str
    published: datetime.datetime | None
    matches: list[MatchOut]


class StandingOut(Schema):
    """A row of the standings; `columns` are the event's tie-breakers in order, `byes` those received in it."""

    rank: int
    entry: int
    name: str
    dropped: bool
    level_with: list[int]
    byes: int
    awarded_byes: int
    columns: dict[str, dict[str, Any]]


class TeamStandingOut(Schema):
    """A row of the teams' standings; `players` are the numbers of everyone who plays or played in the team."""

    rank: int
    team: int
    name: str
    players: list[int]
    level_with: list[int]
    columns: dict[str, dict[str, Any]]


class RollOff(Schema):
    """The players' roll-off totals; at a table of three or four, of those who rolled."""

    a: int | None = None
    b: int | None = None
    c: int | None = None
    d: int | None = None


class ResultIn(Schema):
    """A result to report; the seats "a" to "d" are those of the pairings. Only tables of three or four have c and d.

    A `battle` file, whose players "A" to "D" are the seats, gives the points, the winner and who was knocked out.
    """

    score_a: int | None = None
    score_b: int | None = None
    score_c: int | None = None
    score_d: int | None = None
    winner: Literal["a", "b", "c", "d"] | None = None
    decided_by: Literal["last-standing", "scenario", "judge", "roll-off", "lowest-force"] | None = None
    knocked_out_by: dict[Literal["a", "b", "c", "d"], Literal["a", "b", "c", "d"]] | None = None
    double_loss: bool = False
    went_first: Literal["a", "b", "c", "d"] | None = None
    map_by: Literal["a", "b"] | None = None
    to_time: bool = False
    roll_off: RollOff | None = None
    late: Literal["a", "b", "both"] | None = None
    lost: list[Literal["a", "b", "c", "d"]] | None = None
    battle: dict[str, Any] | None = None


def event_out(event: Event) -> dict[str, Any]:
    """Return an event's public data."""
    return {
        "id": event.public_id,
        "name": event.name,
        "state": event.state,
        "venue": event.venue.name,
        "city": event.venue.city,
        "starts": event.starts,
        "time_zone": event.venue.time_zone,
        "universe": event.universe,
        "format": event.format,
        "edition": event.edition,
        "build_total": event.build_total or None,
        "seats": event.seats,
        "table_size": event.table_size,
        "points_by_place": event.points_by_place,
        "table_ties": event.table_ties,
        "teams_of_two": event.teams_of_two,
        "pair_bonus": event.pair_bonus,
        "pairing_style": event.pairing_style,
        "first_round": event.first_round,
        "rounds": event.number_of_rounds,
        "cut_to": event.cut_to,
        "third_place": event.third_place,
        "round_minutes": event.round_minutes,
        "cut_minutes": event.cut_minutes,
        "final_minutes": event.final_minutes,
        "next_round_at": event.next_round_at,
        "fee": event.fee,
        "prizes": event.prizes,
        "practice": event.is_practice,
    }


def match_out(match: Match) -> dict[str, Any]:
    """Return a match as in the public pairings, without the details that only its players see."""
    result = as_json(match.result) if match.result else {}
    result.pop("battle", None)
    return {
        "table": match.table,
        "kind": match.kind,
        "a": match.a.public_name,
        "a_entry": match.a.number,
        "b": match.b.public_name if match.b else None,
        "b_entry": match.b.number if match.b else None,
        **_further(match),
        **({"third_place": True} if match.is_third_place else {}),
        "state": match.state,
        "result": (result or None) if match.state == Match.State.CONFIRMED else None,
    }


def _further(match: Match) -> dict[str, Any]:
    """Return the third and fourth player; a match of two has no such keys."""
    seated = list(zip(SEATS, match.entries, strict=False))[2:]
    return {seat: entry.public_name for seat, entry in seated} | {
        f"{seat}_entry": entry.number for seat, entry in seated
    }


def _seen(request: HttpRequest, event_id: str) -> Visit:
    return visit(request, event_id)


@router.get("/events", response=list[EventOut], summary="Events, the latest first")
def events(
    request: HttpRequest,
    state: Literal["open", "running", "finished", "verified"] | None = None,
    before: datetime.datetime | None = None,
    limit: int = Query(50, ge=1, le=200),
) -> list[dict[str, Any]]:
    """Return at most `limit` events; `before` (a date and time) selects those that start earlier."""
    found = Event.objects.exclude(state__in=[Event.State.DRAFT, Event.State.CANCELLED]).select_related("venue")
    if state:
        found = found.filter(state=state)
    if before:
        found = found.filter(starts__lt=before)
    return [event_out(event) for event in found.order_by("-starts", "-pk")[:limit]]


@router.get("/events/{event_id}", response=EventOut, summary="One event")
def event(request: HttpRequest, event_id: str) -> dict[str, Any]:
    """Return the public data of one event."""
    return event_out(_seen(request, event_id).event)


@router.get("/events/{event_id}/rounds", response=list[RoundOut], exclude_unset=True, summary="All published rounds")
def rounds(request: HttpRequest, event_id: str) -> list[dict[str, Any]]:
    """Return every published round with its pairings and confirmed results."""
    seen = _seen(request, event_id)
    by_round: dict[int, list[Match]] = {}
    for match in queries.results_of(seen.event):
        by_round.setdefault(match.round.number, []).append(match)
    return [
        round_out(row, by_round.get(row.number, []))
        for row in seen.event.rounds.exclude(state=Round.State.DRAFT).order_by("number")
    ]


def round_out(row: Round, matches: list[Match]) -> dict[str, Any]:
    """Return a round with its pairings."""
    return {
        "number": row.number,
        "stage": row.stage,
        "state": row.state,
        "bracket_size": row.bracket_size,
        "minutes": row.round_seconds // 60,
        "scenario": row.scenario,
        "published": row.published_at,
        "matches": [match_out(match) for match in matches],
    }


@router.get(
    "/events/{event_id}/rounds/{number}", response=RoundOut, exclude_unset=True, summary="The pairings of a round"
)
def pairings(request: HttpRequest, event_id: str, number: int) -> dict[str, Any]:
    """Return one published round with its pairings and confirmed results."""
    seen = _seen(request, event_id)
    row = seen.round(number)
    return round_out(row, [match for match in queries.results_of(seen.event, drafts=True) if match.round_id == row.pk])


@router.get("/events/{event_id}/standings", response=list[StandingOut], summary="The standings, now or after a round")
def standings(request: HttpRequest, event_id: str, after: int | None = None) -> list[dict[str, Any]]:
    """Return the standings by the event's tie-breakers, with exact values and values as displayed."""
    return standings_out(_seen(request, event_id).event, after)


def standings_out(event: Event, after: int | None = None) -> list[dict[str, Any]]:
    """Return the standings under the names that the public may read."""
    public = {entry.number: entry.public_name for entry in event.entries.all()}
    lines = standings_lines(event, after)
    return [{**line, "entry": line["id"], "name": public[line["id"]]} for line in lines]


@router.get(
    "/events/{event_id}/standings/teams",
    response=list[TeamStandingOut],
    summary="The standings of the teams of two, now or after a round",
)
def team_standings(request: HttpRequest, event_id: str, after: int | None = None) -> list[dict[str, Any]]:
    """Return the teams' standings, their values the sums of their players'; none in an event without teams."""
    return team_standings_out(_seen(request, event_id).event, after)


def team_standings_out(event: Event, after: int | None = None) -> list[dict[str, Any]]:
    """Return the teams' standings under the names that the public may read; none in an event without teams."""
    teams = {
        team.number: (team.public_name, [entry.number for entry in team.members])
        for team in queries.teams_of(event, event.entries.order_by("number")).values()
    }
    return [
        {**line, "team": line["id"], "name": teams[line["id"]][0], "players": teams[line["id"]][1]}
        for line in standings_lines(event, after, of_teams=True)
    ]


@router.post(
    "/events/{event_id}/rounds/{number}/tables/{table}/result",
    response={200: MatchOut, 403: ApiFault, 409: ApiFault, 422: ApiFault},
    exclude_unset=True,
    auth=SIGNED_IN,
    summary="Report a result (players) or enter it (officials)",
)
def report(request: HttpRequest, event_id: str, number: int, table: int, result: ResultIn) -> Any:
    """Report a result. A player's report waits for the opponent's; an official's is confirmed at once."""
    seen = _seen(request, event_id)
    match = seen.match(number, table)
    match.round.event = seen.event
    given = result.dict(exclude_unset=True)
    if given.get("battle"):
        given = points_of_battle(given["battle"], given, battle_terms(match), result_services.terms_of(match))
    if seen.may("enter-result", match.round):
        result_services.enter_result(by=seen.actor, match=match, result=given, how=Claim.How.SCOREKEEPER)
    else:
        result_services.claim_result(by=seen.actor, match=match, result=given)
    match.refresh_from_db()
    return match_out(queries.with_event([match], seen.event)[0])
