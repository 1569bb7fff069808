"""The JSON API of booster drafts: a table's state, a seat's own picks, and recording one. The same rules apply as on pages."""

from __future__ import annotations

import datetime
from typing import Annotated, Any

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest
from ninja import Query, Router
from pydantic import Field

from events.api_parameters import EventId, RoundNumber, TableNumber
from events.api_sign_in import SIGNED_IN
from events.forms.forces import ByHandForm
from events.forms.pods import BoosterDraftForm
from events.models import Pod
from events.roles import OFFICIALS
from events.services import pods as services
from events.token_rows import has_row
from events.views.access import Visit, visit
from rules.api_schema import ApiFault, Described, of

WhosePicks = Annotated[
    int | None, Query(description="The player whose picks officials want to see, by number.", examples=[12])
]
router = Router(tags=["events"])


class PodOut(Described):
    """A table's booster draft."""

    seats: list[int] = Field(examples=[[12, 15, 18]])
    """The players' numbers, in order of passing to the left."""
    boosters: int = of(Pod, "boosters")
    figures: int = of(Pod, "figures", 5)
    seconds: int = of(Pod, "seconds", 60)
    step: int = Field(examples=[0])
    """The current step, counted from 0."""
    booster: int = Field(examples=[0])
    """The booster being picked from, counted from 0."""
    pick: int = Field(examples=[0])
    """The pick of this booster, counted from 0."""
    direction: str = Field(examples=["left"])
    """Where boosters are passed after this pick."""
    ends: datetime.datetime
    """When the time for the pick ends."""
    ended: datetime.datetime | None
    """When the draft ended; null while it runs."""
    waiting_for: list[int] = Field(examples=[[15]])
    """The numbers of players who haven't recorded this pick."""
    on_paper: list[int] = Field(examples=[[18]])
    """The numbers of players who record their picks on paper."""
    picks: list[str | None] = Field(examples=[["Recruit", None]])
    """The player's own picks by step, null where none is recorded; for officials, those of the player asked for."""


class TableOut(PodOut):
    """A table's booster draft in the list of a round."""

    table: int = Field(examples=[7])
    """The table's number."""


class PrintedIn(Described):
    """An element that the catalogue lacks, as it is printed."""

    name: str = Field(examples=["Recruit"])
    """Its name, as printed."""
    section: str = "characters"
    """The list of a force to which it belongs."""
    points: int | None = Field(None, examples=[20])
    """Its points."""
    set: str = Field("", examples=["ic"])
    """The code of its set."""
    number: str = Field("", examples=["001"])
    """Its collector number."""


class DraftPickIn(Described):
    """A pick of an entry at a step: the code of an element of the catalogue, or what is printed on one it lacks."""

    entry: int = Field(examples=[12])
    """The player's number."""
    step: int = Field(examples=[0])
    """The step, counted from 0."""
    code: str | None = Field(None, examples=["ic-001"])
    """The figure, by its code in the catalogue."""
    printed: PrintedIn | None = None
    """The figure as printed, if the catalogue lacks it."""
    replace: bool = False
    """Replace what was recorded before."""


class StartIn(Described):
    """What starts booster drafts: at one table, or at all that have none; settings left out are the event's."""

    table: int | None = Field(None, examples=[7])
    """One table; leave it out for all without a draft."""
    boosters_each: int | None = Field(None, examples=[2])
    """Boosters for each player."""
    booster_figures: int | None = Field(None, examples=[5])
    """Figures in a booster."""
    pick_seconds: int | None = Field(None, examples=[60])
    """Seconds for a pick."""


class StepIn(Described):
    """The step after which boosters are passed."""

    step: int = Field(examples=[0])
    """The step, counted from 0."""


class PaperIn(Described):
    """Whether an entry records its picks on paper."""

    entry: int = Field(examples=[12])
    """The player's number."""
    on_paper: bool = Field(examples=[True])
    """Whether the player records picks on paper."""


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
    request: HttpRequest, event_id: EventId, number: RoundNumber, table: TableNumber, entry: WhosePicks = None
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
def record_pick(
    request: HttpRequest, event_id: EventId, number: RoundNumber, table: TableNumber, pick: DraftPickIn
) -> Any:
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
def booster_drafts(request: HttpRequest, event_id: EventId, number: RoundNumber) -> list[dict[str, Any]]:
    """Return the booster drafts of a round by table."""
    seen = visit(request, event_id)
    return [_table_out(seen, pod) for pod in services.pods_of(seen.round(number))]


@router.post(
    "/events/{event_id}/rounds/{number}/drafts",
    response={200: list[TableOut], 403: ApiFault, 409: ApiFault, 422: ApiFault},
    auth=SIGNED_IN,
    summary="Start booster drafts (judges)",
)
def start_drafts(request: HttpRequest, event_id: EventId, number: RoundNumber, start: StartIn) -> Any:
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
def pass_boosters(
    request: HttpRequest, event_id: EventId, number: RoundNumber, table: TableNumber, given: StepIn
) -> Any:
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
def draft_on_paper(
    request: HttpRequest, event_id: EventId, number: RoundNumber, table: TableNumber, given: PaperIn
) -> Any:
    """Store whether an entry records its picks on paper, so that the table doesn't wait for its phone."""
    seen, pod = _pod(request, event_id, number, table)
    services.on_paper(by=seen.actor, pod=pod, number=given.entry, is_on_paper=given.on_paper)
    return _pod_out(seen, pod, None)
