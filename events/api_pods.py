"""The JSON API of booster drafts: a table's state, a seat's own picks, and recording one. The same rules apply as on pages."""

from __future__ import annotations

import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest
from ninja import Router, Schema

from events.api import ApiFault
from events.api_sign_in import SIGNED_IN
from events.forms.forces import ByHandForm
from events.forms.pods import BoosterDraftForm
from events.models import Pod
from events.roles import OFFICIALS
from events.services import pods as services
from events.token_rows import has_row
from events.views.access import Visit, visit

router = Router(tags=["events"])


class PodOut(Schema):
    """A table's booster draft; `seats` are entries in order of passing to the left. Steps are counted from 0.

    `picks` are the names that the signed-in player recorded, by step (officials: of the entry asked for), else empty.
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


class TableOut(PodOut):
    """A table's booster draft in the list of a round."""

    table: int


class PrintedIn(Schema):
    """An element that the catalogue lacks, as it is printed."""

    name: str
    section: str = "characters"
    points: int | None = None
    set: str = ""
    number: str = ""


class DraftPickIn(Schema):
    """A pick of an entry at a step: the code of an element of the catalogue, or what is printed on one it lacks.

    `replace` changes an earlier pick.
    """

    entry: int
    step: int
    code: str | None = None
    printed: PrintedIn | None = None
    replace: bool = False


class StartIn(Schema):
    """What starts booster drafts: at one table, or at all that have none; settings left out are the event's."""

    table: int | None = None
    boosters_each: int | None = None
    booster_figures: int | None = None
    pick_seconds: int | None = None


class StepIn(Schema):
    """The step after which boosters are passed, counted from 0."""

    step: int


class PaperIn(Schema):
    """Whether an entry records its picks on paper."""

    entry: int
    on_paper: bool


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
    own = own if has_row("record-draft-pick") else None
    picks = pod.recorded(own) if own is not None else []
    return {
        **{name: getattr(pod, name) for name in PodOut.model_fields if hasattr(pod, name)},
        "booster": pod.passing.booster(step),
        "pick": pod.passing.pick(step),
        "direction": str(pod.passing.direction(step)),
        "picks": [one["facts"].get("name", "") if one else None for one in picks],
    }


def _table_out(seen: Visit, pod: Pod) -> dict[str, Any]:
    return {"table": pod.match.table, **_pod_out(seen, pod, None)}


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
    auth=SIGNED_IN,
    summary="Record a pick of a booster draft",
)
def record_pick(request: HttpRequest, event_id: str, number: int, table: int, pick: DraftPickIn) -> Any:
    """Record what a player picked: the player's own picks, or anyone's for officials."""
    seen, pod = _pod(request, event_id, number, table)
    by_hand = None
    if pick.printed is not None:
        form = ByHandForm({key: value for key, value in pick.printed.dict().items() if value is not None})
        if not form.is_valid():
            raise ValidationError([f"{name}: {words}" for name, all_ in form.errors.items() for words in all_])
        by_hand = form.cleaned_data["facts"]
    services.record(
        by=seen.actor, pod=pod, number=pick.entry, step=pick.step, code=pick.code, by_hand=by_hand, replace=pick.replace
    )
    return _pod_out(seen, pod, pick.entry)


@router.get(
    "/events/{event_id}/rounds/{number}/drafts", response=list[TableOut], summary="The booster drafts of a round"
)
def booster_drafts(request: HttpRequest, event_id: str, number: int) -> list[dict[str, Any]]:
    """Return the booster drafts of a round by table."""
    seen = visit(request, event_id)
    return [_table_out(seen, pod) for pod in services.pods_of(seen.round(number))]


@router.post(
    "/events/{event_id}/rounds/{number}/drafts",
    response={200: list[TableOut], 403: ApiFault, 409: ApiFault, 422: ApiFault},
    auth=SIGNED_IN,
    summary="Start booster drafts (judges)",
)
def start_drafts(request: HttpRequest, event_id: str, number: int, start: StartIn) -> Any:
    """Start the booster draft at a table, or at each table of the round that has none."""
    seen = visit(request, event_id)
    row = seen.round(number)
    asked = {name: getattr(start, name) for name in services.LIMITS}
    known = {name: getattr(seen.event, name) if value is None else value for name, value in asked.items()}
    form = BoosterDraftForm(known, tables=[])
    if not form.is_valid():
        raise ValidationError([f"{name}: {words}" for name, all_ in form.errors.items() for words in all_])
    services.start(by=seen.actor, round=row, settings=known, table=start.table)
    return [_table_out(seen, pod) for pod in services.pods_of(row)]


@router.post(
    "/events/{event_id}/rounds/{number}/tables/{table}/draft/pass",
    response={200: PodOut, 403: ApiFault, 409: ApiFault},
    auth=SIGNED_IN,
    summary="Pass the boosters of a table",
)
def pass_boosters(request: HttpRequest, event_id: str, number: int, table: int, given: StepIn) -> Any:
    """Pass the boosters: officials at any time, players of the table after the time for the pick."""
    seen, pod = _pod(request, event_id, number, table)
    services.pass_on(by=seen.actor, pod=pod, step=given.step)
    return _pod_out(seen, pod, None)


@router.post(
    "/events/{event_id}/rounds/{number}/tables/{table}/draft/paper",
    response={200: PodOut, 403: ApiFault, 409: ApiFault},
    auth=SIGNED_IN,
    summary="Say whether a player records the picks on paper (officials)",
)
def draft_on_paper(request: HttpRequest, event_id: str, number: int, table: int, given: PaperIn) -> Any:
    """Store whether an entry records its picks on paper, so that the table doesn't wait for its phone."""
    seen, pod = _pod(request, event_id, number, table)
    services.on_paper(by=seen.actor, pod=pod, number=given.entry, is_on_paper=given.on_paper)
    return _pod_out(seen, pod, None)
