"""The JSON API of booster drafts: a table's state, a seat's own picks, and noting one. The same rules apply as on pages."""

from __future__ import annotations

import datetime
from typing import Any

from django.http import Http404, HttpRequest
from ninja import Router, Schema
from ninja.security import django_auth

from events.api import ApiFault
from events.models import Pod
from events.roles import OFFICIALS
from events.services import pods as services
from events.views.access import Visit, visit

router = Router(tags=["events"])


class PodOut(Schema):
    """A table's booster draft; `seats` are entries in order of passing to the left. Steps are counted from 0.

    `picks` are the names that the signed-in player noted by step (officials: of the entry asked for), else empty.
    """

    seats: list[int]
    boosters: int
    figures: int
    seconds: int
    step: int
    booster: int
    pick: int
    direction: str
    ends: datetime.datetime
    ended: datetime.datetime | None
    waiting_for: list[int]
    on_paper: list[int]
    picks: list[str | None]


class NoteIn(Schema):
    """A pick of an entry at a step: the code of an element of the catalogue. `replace` changes an earlier note."""

    entry: int
    step: int
    code: str
    replace: bool = False


def _pod(request: HttpRequest, event_id: str, number: int, table: int) -> tuple[Visit, Pod]:
    seen = visit(request, event_id)
    match = seen.match(number, table)
    match.round.event = seen.event
    pod = services.pod_of(match)
    if pod is None:
        raise Http404
    return seen, pod


def _pod_out(seen: Visit, pod: Pod, entry: int | None) -> dict[str, Any]:
    step = min(pod.step, pod.passing.steps - 1)
    own = entry if seen.roles & OFFICIALS and entry in pod.seats else services.own_seat(pod, seen.entry)
    noted = pod.noted(own) if own is not None else []
    return {
        **{name: getattr(pod, name) for name in PodOut.model_fields if hasattr(pod, name)},
        "booster": pod.passing.booster(step),
        "pick": pod.passing.pick(step),
        "direction": str(pod.passing.direction(step)),
        "picks": [one["facts"].get("name", "") if one else None for one in noted],
    }


@router.get("/events/{event_id}/rounds/{number}/tables/{table}/draft", response=PodOut, summary="A booster draft")
def booster_draft(
    request: HttpRequest, event_id: str, number: int, table: int, entry: int | None = None
) -> dict[str, Any]:
    """Return the booster draft of a table."""
    seen, pod = _pod(request, event_id, number, table)
    return _pod_out(seen, pod, entry)


@router.post(
    "/events/{event_id}/rounds/{number}/tables/{table}/draft",
    response={200: PodOut, 403: ApiFault, 409: ApiFault, 422: ApiFault},
    auth=django_auth,
    summary="Note a pick of a booster draft",
)
def note_pick(request: HttpRequest, event_id: str, number: int, table: int, note: NoteIn) -> Any:
    """Note what a player picked: the player's own picks, or anyone's for officials."""
    seen, pod = _pod(request, event_id, number, table)
    services.note(by=seen.actor, pod=pod, number=note.entry, step=note.step, code=note.code, replace=note.replace)
    return _pod_out(seen, pod, note.entry)
