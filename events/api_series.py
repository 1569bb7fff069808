"""The JSON API of series: public tables and prize drafts, as on their pages, and a pick."""

from __future__ import annotations

import datetime
from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from ninja import Query, Router, Schema

from events.api import ApiFault
from events.api_prizes import PickIn, PrizeLeft
from events.api_sign_in import SIGNED_IN
from events.door import Refused
from events.models import Series
from events.series_table import draft_document, series_facts, series_table, table_document
from events.services import series_draft as services
from events.views.series import visit
from events.views.series_prizes import picking

router = Router(tags=["series"])


class SeriesOut(Schema):
    """A series and how it counts."""

    id: str
    name: str
    venue: str
    city: str
    description: str
    ended: datetime.datetime | None
    place_points: list[int]
    win_points: int
    match_point_points: int
    attendance_points: int
    best_of: int | None
    min_events: int
    seed: int


class SeriesEventOut(Schema):
    """An event of a series; `counted`: whether its results are in the table."""

    id: str
    name: str
    venue: str
    starts: datetime.datetime
    state: str
    counted: bool
    multiplier: int | str


class ScoreOut(Schema):
    """A player's place and points at one event; `best`: whether they count."""

    event: str
    place: int
    points: int | str
    best: bool


class SeriesLineOut(Schema):
    """A row of the table. `place` is null for players who aren't eligible once the series has ended."""

    place: int | None
    name: str
    total: int | str
    events: int
    eligible: bool
    scores: list[ScoreOut]


class DraftPlayerOut(Schema):
    """A player of a prize draft."""

    place: int
    name: str


class SeriesPickOut(DraftPlayerOut):
    """A turn that was taken; `prize` is null if it was skipped."""

    prize: str | None


class SeriesDraftOut(Schema):
    """A prize draft; `order` is empty until it starts, `turn` is the place in it of the player who picks now, or null."""

    order: list[DraftPlayerOut]
    turn: int | None
    next: list[int]
    left: list[PrizeLeft]
    picks: list[SeriesPickOut]
    version: int


class SeriesTableOut(SeriesOut):
    """A series with its events, its table and, after the end, the order of the prize draft."""

    events: list[SeriesEventOut]
    table: list[SeriesLineOut]
    prize_order: list[str] | None
    prizes: SeriesDraftOut | None


@router.get("/series", response=list[SeriesOut], summary="Series, the newest first")
def series_list(
    request: HttpRequest, before: datetime.datetime | None = None, limit: int = Query(50, ge=1, le=200)
) -> list[dict[str, Any]]:
    """Return at most `limit` series; `before` (a date and time) selects those created earlier."""
    found = Series.objects.select_related("venue")
    if before:
        found = found.filter(created__lt=before)
    return [series_facts(series) for series in found.order_by("-created", "-pk")[:limit]]


@router.get("/series/{series_id}", response=SeriesTableOut, summary="The standings of a series")
def series(request: HttpRequest, series_id: str) -> dict[str, Any]:
    """Return the table, computed from the confirmed results; points that aren't whole are fractions as text."""
    found = get_object_or_404(Series.objects.select_related("venue"), public_id=series_id)
    return table_document(series_table(found), services.draft_of(found))


@router.post(
    "/series/{series_id}/prizes/picks",
    response={200: SeriesDraftOut, 403: ApiFault, 409: ApiFault, 422: ApiFault},
    auth=SIGNED_IN,
    summary="Pick prize of a series (the player whose turn it is) or record a pick (managers of its venue)",
)
def pick_series_prize(request: HttpRequest, series_id: str, pick: PickIn) -> Any:
    """Record the pick of the player whose turn it is."""
    seen = visit(request, series_id)
    draft = services.draft_of(seen.series)
    if draft is None:
        raise Refused(_("List the prizes first."))
    draft.series = seen.series
    services.pick(by=picking(seen, draft), draft=draft, prize=pick.prize, version=pick.version)
    return draft_document(series_table(seen.series), draft)
