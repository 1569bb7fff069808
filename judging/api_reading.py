"""The JSON API of what only some may read: the console, entries in full, calls, rulings, penalties, the audit log.

Each operation asks its row of the action table, so a token needs that row. A session with an account works as well.
"""

from __future__ import annotations

import datetime
import json
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Count
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema

from events import clock as clocks
from events.api import ApiFault
from events.api_sign_in import SIGNED_IN
from events.models import Entry, Match
from events.queries import current_round
from events.services.clock import clock_of
from events.views.access import Visit, visit
from judging.audit_export import log_as_rows
from judging.models import Penalty
from judging.services import calls as call_services
from judging.services import decisions as ruling_services
from judging.services.finish import document_of

router = Router(tags=["officials"])
KEPT_OUT = {401: ApiFault, 403: ApiFault, 404: ApiFault}


class EntryOut(Schema):
    """An entry as the public list shows it."""

    number: int
    name: str
    state: str
    club: str
    rank: int | None
    from_round: int


class PrivateEntryOut(EntryOut):
    """An entry with what only officials see; without the row `see-private-entries` these are null."""

    email: str | None = None
    under_18: bool | None = None
    eligible_declared: bool | None = None
    fixed_table: int | None = None
    awarded_byes: list[int] | None = None
    version: int | None = None


class ClockOut(Schema):
    """The clock of the current round; `seconds` is the time left, negative after the call of time."""

    phase: str
    running: bool
    seconds: int


class OpenTableOut(Schema):
    """A table without a confirmed result."""

    table: int
    state: str
    entries: list[int]
    version: int


class CurrentRoundOut(Schema):
    """The round being played, or played last."""

    number: int
    state: str
    version: int
    clock: ClockOut
    open_tables: list[OpenTableOut]


class ConsoleOut(Schema):
    """What the console is about; `entries` counts them by state."""

    state: str
    version: int
    entries: dict[str, int]
    round: CurrentRoundOut | None


class CallOut(Schema):
    """A judge call that isn't resolved."""

    id: int
    round: int
    table: int | None
    state: str
    reason: str
    text: str
    for_head_judge: bool
    judge: str
    raised: datetime.datetime
    version: int


class RulingOut(Schema):
    """A ruling; `final_…` are the head judge's after an appeal."""

    number: int
    state: str
    round: int | None
    table: int | None
    question: str
    answer: str
    text: str
    reasons: str
    ruled_by: str
    ruled_at: datetime.datetime
    appeal: str
    final_answer: str
    final_text: str
    final_reasons: str
    version: int


class PenaltyOut(Schema):
    """A penalty."""

    id: int
    entry: int
    name: str
    round: int | None
    kind: str
    category: str
    text: str
    withdrawn: bool
    version: int


class LogEntryOut(Schema):
    """An entry of the audit log, with each changed row before and after."""

    id: int
    at: datetime.datetime
    action: str
    by: str
    role: str
    by_code: bool
    by_token: str
    summary: str
    reason: str
    non_standard: bool
    undoes: int | None
    changes: list[dict[str, Any]]


def _allowed(request: HttpRequest, event_id: str, verb: str) -> Visit:
    seen = visit(request, event_id)
    seen.require(verb)
    return seen


@router.get("/events/{event_id}/entries", response={200: list[PrivateEntryOut], 404: ApiFault}, summary="The entries")
def entries(request: HttpRequest, event_id: str) -> list[dict[str, Any]]:
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
def console(request: HttpRequest, event_id: str) -> dict[str, Any]:
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
def calls(request: HttpRequest, event_id: str) -> list[dict[str, Any]]:
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
def rulings(request: HttpRequest, event_id: str, limit: int = Query(50, ge=1, le=200)) -> list[dict[str, Any]]:
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
def penalties(request: HttpRequest, event_id: str) -> list[dict[str, Any]]:
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
    event_id: str,
    before: int | None = Query(None, ge=0, le=10**18),
    limit: int = Query(50, ge=1, le=200),
) -> list[dict[str, Any]]:
    """Return at most `limit` entries, the latest first; `before` (an entry's id) continues after a page."""
    seen = _allowed(request, event_id, "see-record")
    found = seen.event.record.select_related("by_person", "by_entry")
    if before is not None:
        found = found.filter(pk__lt=before)
    return log_as_rows(found.order_by("-pk")[:limit])


@router.get(
    "/events/{event_id}/file",
    response={200: dict[str, Any], **KEPT_OUT},
    auth=SIGNED_IN,
    summary="The event file (officials)",
)
def event_file(request: HttpRequest, event_id: str) -> dict[str, Any]:
    """Return the whole event as an event file: entries, rounds, results, rulings and the audit log."""
    seen = _allowed(request, event_id, "export-event")
    document: dict[str, Any] = json.loads(json.dumps(document_of(seen.event), cls=DjangoJSONEncoder))
    return document
