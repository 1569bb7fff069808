"""The JSON API of what only some may read: the console, entries in full, calls, rulings, penalties, the audit log.

Each operation asks its row of the action table, so a token needs that row. A session with an account works as well.
"""

from __future__ import annotations

import datetime
import functools
import json
from typing import Annotated, Any, Literal

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Count
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import ConfigDict, Field

from events import clock as clocks
from events.api_parameters import EventId, Limit
from events.api_sign_in import SIGNED_IN
from events.management.samples import SAMPLES
from events.models import Entry, Event, Match, Round
from events.queries import current_round
from events.services.clock import clock_of
from events.views.access import Visit, visit
from judging.audit_export import log_as_rows
from judging.models import Call, Decision, Penalty
from judging.services import calls as call_services
from judging.services import decisions as ruling_services
from judging.services.finish import document_of
from rules.api_schema import ApiFault, Described, like, of

router = Router(tags=["officials"])
CHANGE = {"model": "events.Entry", "id": 40, "before": {"state": "entered"}, "after": {"state": "checked-in"}}
BeforeEntry = Annotated[
    int | None, Query(ge=0, le=10**18, description="The id of an entry; only what is earlier.", examples=[311])
]
KEPT_OUT = {401: ApiFault, 403: ApiFault, 404: ApiFault}


def a_list(name: str) -> Any:
    """Return a list of an event file; its example is the first row of the sample's."""
    return Field([], json_schema_extra=like(lambda: sample_event().get(name, [])[:1]))


@functools.cache
def sample_event() -> dict[str, Any]:
    """Return the event file that commands print as a sample."""
    found: dict[str, Any] = json.loads((SAMPLES / "event.json").read_text(encoding="utf-8"))
    return found


class EntryOut(Described):
    """An entry as the public list shows it."""

    number: int = Field(examples=[12])
    """The player's number in the event."""
    name: str = Field(examples=["Ada Lund"])
    """The player's name."""
    state: str = of(Entry, "state", "checked-in")
    club: str = Field(examples=["Northside"])
    """The club or team, if it is known."""
    rank: int | None = of(Entry, "rank", 3)
    from_round: int = of(Entry, "from_round")


class PrivateEntryOut(EntryOut):
    """An entry with what only officials see; without the row `see-private-entries` these are null."""

    email: str | None = Field(None, examples=["ada@example.org"])
    """The e-mail address."""
    under_18: bool | None = None
    """Whether the player is under 18."""
    eligible_declared: bool | None = Field(None, examples=[True])
    """Whether the player has confirmed being eligible."""
    fixed_table: int | None = Field(None, examples=[3])
    """The table at which the player always sits."""
    awarded_byes: list[int] | None = Field(None, examples=[[1]])
    """The rounds with an awarded bye."""
    version: int | None = Field(None, examples=[2])
    """The version of the entry."""


class ClockOut(Described):
    """The clock of the current round."""

    phase: str = Field(json_schema_extra={"enum": [one.value for one in clocks.Phase]}, examples=["round"])
    """The phase."""
    running: bool = Field(examples=[True])
    """Whether the clock runs."""
    seconds: int = Field(examples=[1800])
    """The seconds left in the phase, negative after the call of time."""


class OpenTableOut(Described):
    """A table without a confirmed result."""

    table: int = Field(examples=[7])
    """The table's number."""
    state: str = of(Match, "state")
    entries: list[int] = Field(examples=[[12, 15]])
    """The players' numbers, by seat."""
    version: int = Field(examples=[1])
    """The version of the match."""


class CurrentRoundOut(Described):
    """The round being played, or played last."""

    number: int = Field(examples=[1])
    """The round's number."""
    state: str = of(Round, "state", "running")
    version: int = Field(examples=[4])
    """The version of the round."""
    clock: ClockOut
    """The clock."""
    open_tables: list[OpenTableOut]
    """The tables without a confirmed result."""


class ConsoleOut(Described):
    """What the console is about."""

    state: str = of(Event, "state", "running")
    version: int = Field(examples=[9])
    """The version of the event."""
    entries: dict[str, int] = Field(examples=[{"checked-in": 16, "dropped": 1}])
    """The number of entries in each state."""
    round: CurrentRoundOut | None
    """The current round; null before the first."""


class CallOut(Described):
    """A judge call that isn't resolved."""

    id: int = Field(examples=[5])
    """The call's id."""
    round: int = Field(examples=[1])
    """The round's number."""
    table: int | None = Field(examples=[7])
    """The table's number."""
    state: str = of(Call, "state")
    reason: str = of(Call, "reason")
    text: str = Field(examples=["May it move?"])
    """What the players wrote."""
    for_head_judge: bool = of(Call, "for_head_judge")
    judge: str = Field(examples=["Joe Judge"])
    """The judge who took the call; empty if no one has."""
    raised: datetime.datetime
    """When the call was raised."""
    version: int = Field(examples=[1])
    """The version of the call."""


class RulingOut(Described):
    """A ruling."""

    number: int = Field(examples=[3])
    """The ruling's number."""
    state: str = of(Decision, "state")
    round: int | None = Field(examples=[1])
    """The round's number, if the ruling was given at a table."""
    table: int | None = Field(examples=[7])
    """The table's number, if the ruling was given at a table."""
    question: str = Field(examples=["May it move?"])
    """The question."""
    answer: str = of(Decision, "answer")
    text: str = Field(examples=["It has moved already."])
    """The ruling in words."""
    reasons: str = Field(examples=["The rulebook says so."])
    """The reasons."""
    ruled_by: str = Field(examples=["Joe Judge"])
    """The judge."""
    ruled_at: datetime.datetime
    """When the ruling was given."""
    appeal: str = Field(examples=[""])
    """The appeal; empty if there is none."""
    final_answer: str = of(Decision, "final_answer", "", words="The head judge's answer, after an appeal.")
    final_text: str = Field(examples=[""])
    """The head judge's ruling in words, after an appeal."""
    final_reasons: str = Field(examples=[""])
    """The head judge's reasons, after an appeal."""
    version: int = Field(examples=[1])
    """The version of the ruling."""


class PenaltyOut(Described):
    """A penalty."""

    id: int = Field(examples=[2])
    """The penalty's id."""
    entry: int = Field(examples=[12])
    """The player's number."""
    name: str = Field(examples=["Ada Lund"])
    """The player's name."""
    round: int | None = Field(examples=[1])
    """The round's number; null if it was given between rounds."""
    kind: str = of(Penalty, "kind")
    category: str = of(Penalty, "category")
    text: str = Field(examples=["Thought for ten minutes"])
    """What happened."""
    withdrawn: bool
    """Whether it was withdrawn."""
    version: int = Field(examples=[1])
    """The version of the penalty."""


class LogEntryOut(Described):
    """An entry of the audit log."""

    id: int = Field(examples=[311])
    """The entry's id."""
    at: datetime.datetime
    """When it happened."""
    action: str = Field(examples=["check-in"])
    """The row of the action table."""
    by: str = Field(examples=["Sam Score"])
    """The person who did it; empty if it was the site."""
    role: str = Field(examples=["scorekeeper"])
    """The role in which they did it."""
    by_code: bool
    """Whether they were signed in by a code."""
    by_token: str = Field(examples=["Calls"])
    """The name of the API token; empty if there was none."""
    summary: str = Field(examples=["Ada Lund checked in"])
    """What happened, in a sentence."""
    reason: str = Field(examples=[""])
    """The reason."""
    non_standard: bool
    """Whether it departs from the usual course."""
    undoes: int | None = Field(examples=[310])
    """The id of the entry that it undid."""
    changes: list[dict[str, Any]] = Field(examples=[[CHANGE]])
    """Each changed row before and after; null where it didn't exist."""


class EventFileOut(Described):
    """An event file (docs/formats.md, “Event files”); one that was verified long ago may lack later keys."""

    model_config = ConfigDict(extra="allow")

    format: Literal["headjudge-event"]
    """The kind of file."""
    version: int
    """The version of the format."""
    event: dict[str, Any] = Field(json_schema_extra=like(lambda: sample_event()["event"]))
    """The event, with its venue and every setting."""
    officials: list[dict[str, Any]] = a_list("officials")
    """The officials."""
    players: list[dict[str, Any]] = a_list("players")
    """The players."""
    entries: list[dict[str, Any]] = a_list("entries")
    """The entries: when and how each player plays."""
    teams: list[dict[str, Any]] = a_list("teams")
    """The teams of two; only in an event with teams."""
    forces: list[dict[str, Any]] = a_list("forces")
    """The forces."""
    pools: list[dict[str, Any]] = a_list("pools")
    """The sealed products opened."""
    rounds: list[dict[str, Any]] = a_list("rounds")
    """The rounds, with their pairings and clocks."""
    results: list[dict[str, Any]] = a_list("results")
    """Every report of a result, in order."""
    penalties: list[dict[str, Any]] = a_list("penalties")
    """The penalties."""
    calls: list[dict[str, Any]] = a_list("calls")
    """The judge calls."""
    decisions: list[dict[str, Any]] = a_list("decisions")
    """The rulings."""
    disputes: list[dict[str, Any]] = a_list("disputes")
    """The positions set up for tables."""
    announcements: list[dict[str, Any]] = a_list("announcements")
    """The announcements."""
    standings: list[dict[str, Any]] = a_list("standings")
    """The standings."""
    team_standings: list[dict[str, Any]] = a_list("team_standings")
    """The standings of the teams; only in an event with teams."""
    booster_drafts: list[dict[str, Any]] = a_list("booster_drafts")
    """The booster drafts; only if there are any."""
    prizes: dict[str, Any] | None = Field(None, examples=[{"pool": ["A booster"], "order": [12, 15], "turns": []}])
    """The prize draft; only if there is one."""
    record: list[dict[str, Any]] = a_list("record")
    """The audit log."""


def _allowed(request: HttpRequest, event_id: str, verb: str) -> Visit:
    seen = visit(request, event_id)
    seen.require(verb)
    return seen


@router.get("/events/{event_id}/entries", response={200: list[PrivateEntryOut], 404: ApiFault}, summary="The entries")
def entries(request: HttpRequest, event_id: EventId) -> list[dict[str, Any]]:
    """Return the entries by number, as the public list shows them; in full to those who may see them so."""
    seen = visit(request, event_id)
    in_full = bool(seen.may("see-private-entries"))
    found = seen.event.entries.select_related("person").order_by("number")
    if not in_full:
        found = found.exclude(state=Entry.State.WITHDRAWN)
    return [_entry_out(seen, entry, in_full=in_full) for entry in found]


def _entry_out(seen: Visit, entry: Entry, *, in_full: bool) -> dict[str, Any]:
    entry.event = seen.event
    told = {name: getattr(entry, name) for name in EntryOut.model_fields}
    told["name"] = entry.name if in_full else entry.public_name
    if in_full:
        told |= {name: getattr(entry, name) for name in ("eligible_declared", "fixed_table", "awarded_byes", "version")}
        told |= {"email": entry.person.email if entry.person else entry.email, "under_18": entry.is_minor}
    return told


@router.get(
    "/events/{event_id}/console",
    response={200: ConsoleOut, **KEPT_OUT},
    auth=SIGNED_IN,
    summary="The console (officials)",
)
def console(request: HttpRequest, event_id: EventId) -> dict[str, Any]:
    """Return the state of the event and of its current round, the clock and the open tables."""
    seen = _allowed(request, event_id, "see-console")
    counts = seen.event.entries.order_by().values_list("state").annotate(n=Count("pk"))
    told: dict[str, Any] = {"state": seen.event.state, "version": seen.event.version, "entries": dict(counts)}
    return told | {"round": _round_out(seen)}


def _round_out(seen: Visit) -> dict[str, Any] | None:
    row = current_round(seen.event)
    if row is None:
        return None
    reading = clocks.read(clock_of(row), timezone.now())
    games = row.matches.filter(kind=Match.Kind.GAME).exclude(state=Match.State.CONFIRMED).with_entries()
    return {
        "number": row.number,
        "state": row.state,
        "version": row.version,
        "clock": {"phase": reading.phase.value, "running": reading.running, "seconds": reading.seconds},
        "open_tables": [
            {
                "table": match.table,
                "state": match.state,
                "entries": [entry.number for entry in match.entries],
                "version": match.version,
            }
            for match in games.order_by("table")
        ],
    }


@router.get(
    "/events/{event_id}/calls",
    response={200: list[CallOut], **KEPT_OUT},
    auth=SIGNED_IN,
    summary="The open judge calls (officials)",
)
def calls(request: HttpRequest, event_id: EventId) -> list[dict[str, Any]]:
    """Return the calls that aren't resolved, urgent ones first, then the oldest."""
    seen = _allowed(request, event_id, "see-calls")
    return [
        {
            "id": call.pk,
            "round": call.round.number,
            "table": call.match.table,
            "judge": str(call.judge or ""),
            **{
                name: getattr(call, name) for name in ("state", "reason", "text", "for_head_judge", "raised", "version")
            },
        }
        for call in call_services.open_calls([seen.event])
    ]


@router.get(
    "/events/{event_id}/rulings",
    response={200: list[RulingOut], **KEPT_OUT},
    auth=SIGNED_IN,
    summary="The rulings (officials)",
)
def rulings(request: HttpRequest, event_id: EventId, limit: Limit = 50) -> list[dict[str, Any]]:
    """Return at most `limit` rulings, the latest first."""
    seen = _allowed(request, event_id, "see-decisions")
    own = set(RulingOut.model_fields) - {"round", "table", "ruled_by"}
    return [
        {name: getattr(row, name) for name in own}
        | {
            "round": row.match.round.number if row.match else None,
            "table": row.match.table if row.match else None,
            "ruled_by": str(row.ruled_by),
        }
        for row in ruling_services.decisions().filter(event=seen.event).order_by("-pk")[:limit]
    ]


@router.get(
    "/events/{event_id}/penalties",
    response={200: list[PenaltyOut], **KEPT_OUT},
    auth=SIGNED_IN,
    summary="The penalties (officials)",
)
def penalties(request: HttpRequest, event_id: EventId) -> list[dict[str, Any]]:
    """Return the penalties, the latest first."""
    seen = _allowed(request, event_id, "see-console")
    return [
        {
            "id": row.pk,
            "entry": row.entry.number,
            "name": row.entry.name,
            "round": row.round.number if row.round else None,
            **{name: getattr(row, name) for name in ("kind", "category", "text", "withdrawn", "version")},
        }
        for row in Penalty.objects.filter(entry__event=seen.event).select_related("entry", "round").order_by("-pk")
    ]


@router.get(
    "/events/{event_id}/audit-log",
    response={200: list[LogEntryOut], **KEPT_OUT},
    auth=SIGNED_IN,
    summary="The audit log (officials)",
)
def audit_log(
    request: HttpRequest,
    event_id: EventId,
    before: BeforeEntry = None,
    limit: Limit = 50,
) -> list[dict[str, Any]]:
    """Return at most `limit` entries, the latest first; `before` (an entry's id) continues after a page."""
    seen = _allowed(request, event_id, "see-record")
    found = seen.event.record.select_related("by_person", "by_entry")
    if before is not None:
        found = found.filter(pk__lt=before)
    return log_as_rows(found.order_by("-pk")[:limit])


@router.get(
    "/events/{event_id}/file",
    response={200: EventFileOut, **KEPT_OUT},
    exclude_unset=True,
    auth=SIGNED_IN,
    summary="The event file (officials)",
)
def event_file(request: HttpRequest, event_id: EventId) -> dict[str, Any]:
    """Return the whole event as an event file: entries, rounds, results, rulings and the audit log."""
    seen = _allowed(request, event_id, "export-event")
    document: dict[str, Any] = json.loads(json.dumps(document_of(seen.event), cls=DjangoJSONEncoder))
    return document
