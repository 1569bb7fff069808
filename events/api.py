"""The JSON API of events: public data for everyone, and actions for signed-in officials and players.

Reading returns what the public pages show, including how minors' names are shortened. Writing calls the same services
as the forms, so the same action table applies. Send an API token; or sign in on the site first and send the CSRF token.
"""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import Field

from events import queries
from events.api_parameters import After, Before, EventId, Limit, RoundNumber, TableNumber
from events.api_sign_in import SIGNED_IN
from events.battles import points_of_battle
from events.models import Claim, Event, Match, Round
from events.results.result import SEATS, as_json
from events.services import results as result_services
from events.standings_columns import standings_lines
from events.views.access import Visit, visit
from events.views.forces_scoring import battle_terms
from rules.api_documents import sample
from rules.api_schema import ApiFault, Described, like, of

router = Router(tags=["events"])


class EventOut(Described):
    """An event, as on its public page."""

    id: str = Field(examples=["k7d2mPqXw0Ab"])
    """The event's id, as in its address."""
    name: str = Field(examples=["Saturday Skirmish"])
    """The event's name."""
    state: str = of(Event, "state", "running")
    venue: str = Field(examples=["The Dice Tower"])
    """The venue's name."""
    city: str = Field(examples=["Ghent"])
    """The venue's city."""
    starts: datetime.datetime
    """When the event starts."""
    time_zone: str = Field(examples=["Europe/Brussels"])
    """The venue's time zone."""
    universe: str = of(Event, "universe")
    format: str = of(Event, "format")
    edition: str = of(Event, "edition", "core-2014")
    build_total: int | None = Field(examples=[300])
    """The build total; null if there is none, as in a Battle Royale."""
    seats: int = of(Event, "seats", 32)
    table_size: int = of(Event, "table_size")
    points_by_place: list[int] = Field(examples=[[]])
    """The points for each place at tables of three or four, from first place down; else empty."""
    table_ties: str = of(Event, "table_ties")
    teams_of_two: bool = of(Event, "teams_of_two")
    pair_bonus: int = Field(examples=[1])
    """Points more for each player of the pair that wins a table of four."""
    pairing_style: str = of(Event, "pairing_style")
    first_round: str = of(Event, "first_round")
    rounds: int | None = Field(examples=[4])
    """The number of main rounds; null until it is chosen."""
    cut_to: int = Field(examples=[0])
    """The number of players after the cut; 0: no cut."""
    third_place: bool = of(Event, "third_place")
    round_minutes: int = of(Event, "round_minutes", 50)
    cut_minutes: int | None = of(Event, "cut_minutes", 50)
    final_minutes: int | None = of(Event, "final_minutes", 60)
    next_round_at: datetime.datetime | None
    """When the next round starts, if that was announced."""
    fee: str = Field(examples=["€5"])
    """The fee, in words; empty if it is free."""
    prizes: str = Field(examples=["A booster for each player"])
    """The prizes, in words."""
    practice: bool = of(Event, "is_practice")


class MatchOut(Described):
    """A match of a round, or a bye; `c` and `d` are only at tables of three or four."""

    table: int | None = Field(examples=[7])
    """The table's number; null for a bye."""
    kind: str = of(Match, "kind", words="A match, a bye, an awarded bye, or a round missed.")
    a: str = Field(examples=["Ada Lund"])
    """The name of the player in seat a."""
    a_entry: int = Field(examples=[12])
    """The number of the player in seat a."""
    b: str | None = Field(examples=["Ben Okoro"])
    """The name of the player in seat b; null for a bye."""
    b_entry: int | None = Field(examples=[15])
    """The number of the player in seat b."""
    c: str | None = Field(None, examples=[None])
    """The name of the player in seat c."""
    c_entry: int | None = Field(None, examples=[None])
    """The number of the player in seat c."""
    d: str | None = Field(None, examples=[None])
    """The name of the player in seat d."""
    d_entry: int | None = Field(None, examples=[None])
    """The number of the player in seat d."""
    state: str = of(Match, "state", "confirmed")
    third_place: bool = False
    """True in the match for third place; others don't have it."""
    result: dict[str, Any] | None = Field(
        examples=[{"winner": "a", "score_a": 200, "score_b": 150, "double_loss": False}]
    )
    """The confirmed result, with the fields of a reported one."""


class RoundOut(Described):
    """A published round with its pairings."""

    number: int = Field(examples=[1])
    """The round's number."""
    stage: str = of(Round, "stage", words="Whether it is a main round or a round of the bracket.")
    state: str = of(Round, "state", "running")
    bracket_size: int | None = Field(examples=[8])
    """Its places in the bracket, 2 in the final; null in a main round."""
    minutes: int = Field(examples=[50])
    """How long the round lasts."""
    scenario: str = Field(examples=[""])
    """The scenario, empty if there is none."""
    published: datetime.datetime | None
    """When the round was published."""
    matches: list[MatchOut]
    """Its matches, by table."""


class StandingOut(Described):
    """A row of the standings."""

    rank: int = Field(examples=[1])
    """The place."""
    entry: int = Field(examples=[12])
    """The player's number."""
    name: str = Field(examples=["Ada Lund"])
    """The player's name, as the public may read it."""
    dropped: bool
    """Whether the player has dropped."""
    level_with: list[int] = Field(examples=[[]])
    """The numbers of players level with this one."""
    byes: int = Field(examples=[0])
    """The byes received at the event."""
    awarded_byes: int = Field(examples=[0])
    """The byes awarded before the event."""
    columns: dict[str, dict[str, Any]] = Field(examples=[{"wins": {"exact": 3, "shown": "3"}}])
    """The event's tie-breakers in order, each exact and as shown."""


class TeamStandingOut(Described):
    """A row of the teams' standings."""

    rank: int = Field(examples=[1])
    """The place."""
    team: int = Field(examples=[3])
    """The team's number."""
    name: str = Field(examples=["Towers"])
    """The team's name."""
    players: list[int] = Field(examples=[[12, 15]])
    """The numbers of everyone who plays or played in the team."""
    level_with: list[int] = Field(examples=[[]])
    """The numbers of teams level with this one."""
    columns: dict[str, dict[str, Any]] = Field(examples=[{"wins": {"exact": 5, "shown": "5"}}])
    """The event's tie-breakers in order, each exact and as shown."""


class RollOff(Described):
    """The players' roll-off totals; at a table of three or four, of those who rolled."""

    a: int | None = Field(None, examples=[9])
    """The total of the player in seat a."""
    b: int | None = Field(None, examples=[4])
    """The total of the player in seat b."""
    c: int | None = Field(None, examples=[7])
    """The total of the player in seat c."""
    d: int | None = Field(None, examples=[5])
    """The total of the player in seat d."""


class ResultIn(Described):
    """A result to report; the seats "a" to "d" are those of the pairings. Only tables of three or four have c and d.

    A `battle` file, whose players "A" to "D" are the seats, gives the points, the winner and who was knocked out.
    """

    score_a: int | None = Field(None, examples=[200])
    """Victory points of seat a."""
    score_b: int | None = Field(None, examples=[150])
    """Victory points of seat b."""
    score_c: int | None = Field(None, examples=[100])
    """Victory points of seat c."""
    score_d: int | None = Field(None, examples=[50])
    """Victory points of seat d."""
    winner: Literal["a", "b", "c", "d"] | None = None
    """The winner's seat, if the points don't decide."""
    decided_by: Literal["last-standing", "scenario", "judge", "roll-off", "lowest-force"] | None = None
    """What decided the match, if the points didn't."""
    knocked_out_by: dict[Literal["a", "b", "c", "d"], Literal["a", "b", "c", "d"]] | None = Field(
        None, examples=[{"b": "a"}]
    )
    """Who knocked out whom, by seats."""
    double_loss: bool = False
    """Both players lose."""
    went_first: Literal["a", "b", "c", "d"] | None = None
    """The seat that went first."""
    map_by: Literal["a", "b"] | None = None
    """The seat that chose the map."""
    to_time: bool = False
    """The match went to time."""
    roll_off: RollOff | None = None
    """The roll-off totals."""
    late: Literal["a", "b", "both"] | None = None
    """The seat that arrived late; a note only."""
    lost: list[Literal["a", "b", "c", "d"]] | None = Field(None, examples=[["b"]])
    """The seats with a loss at a table of three or four."""
    battle: dict[str, Any] | None = Field(None, json_schema_extra=like(lambda: sample("battle")))
    """A battle file, which is kept with the result."""


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
    state: Annotated[
        Literal["open", "running", "finished", "verified"] | None, Query(description="Only events in this state.")
    ] = None,
    before: Before = None,
    limit: Limit = 50,
) -> list[dict[str, Any]]:
    """Return at most `limit` events; `before` (a date and time) selects those that start earlier."""
    found = Event.objects.exclude(state__in=[Event.State.DRAFT, Event.State.CANCELLED]).select_related("venue")
    if state:
        found = found.filter(state=state)
    if before:
        found = found.filter(starts__lt=before)
    return [event_out(event) for event in found.order_by("-starts", "-pk")[:limit]]


@router.get("/events/{event_id}", response=EventOut, summary="One event")
def event(request: HttpRequest, event_id: EventId) -> dict[str, Any]:
    """Return the public data of one event."""
    return event_out(_seen(request, event_id).event)


@router.get("/events/{event_id}/rounds", response=list[RoundOut], exclude_unset=True, summary="All published rounds")
def rounds(request: HttpRequest, event_id: EventId) -> list[dict[str, Any]]:
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
def pairings(request: HttpRequest, event_id: EventId, number: RoundNumber) -> dict[str, Any]:
    """Return one published round with its pairings and confirmed results."""
    seen = _seen(request, event_id)
    row = seen.round(number)
    return round_out(row, [match for match in queries.results_of(seen.event, drafts=True) if match.round_id == row.pk])


@router.get("/events/{event_id}/standings", response=list[StandingOut], summary="The standings, now or after a round")
def standings(request: HttpRequest, event_id: EventId, after: After = None) -> list[dict[str, Any]]:
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
def team_standings(request: HttpRequest, event_id: EventId, after: After = None) -> list[dict[str, Any]]:
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
def report(request: HttpRequest, event_id: EventId, number: RoundNumber, table: TableNumber, result: ResultIn) -> Any:
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
