"""The JSON API of series: public tables and prize drafts, as on their pages, and a pick."""

from __future__ import annotations

import datetime
from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from ninja import Router
from pydantic import Field

from events.api_parameters import Before, Limit, SeriesId
from events.api_prizes import PickIn, PrizeLeft
from events.api_sign_in import SIGNED_IN
from events.door import Refused
from events.models import Event, Series
from events.series_table import draft_document, series_facts, series_table, table_document
from events.services import series_draft as services
from events.views.series import visit
from events.views.series_prizes import picking
from rules.api_schema import ApiFault, Described, of

router = Router(tags=["series"])


class SeriesOut(Described):
    """A series and how it counts."""

    id: str = Field(examples=["p4s9vTzQe1Lm"])
    """The series' id, as in its address."""
    name: str = Field(examples=["Winter League"])
    """The series' name."""
    venue: str = Field(examples=["The Dice Tower"])
    """The name of the venue that runs it."""
    city: str = Field(examples=["Ghent"])
    """That venue's city."""
    description: str = Field(examples=["Every first Saturday"])
    """The description."""
    ended: datetime.datetime | None
    """When the series ended; null while it runs."""
    place_points: list[int] = Field(examples=[[10, 7, 5]])
    """The points for each place at an event, from the first."""
    win_points: int = of(Series, "win_points", 1)
    match_point_points: int = of(Series, "match_point_points", 0)
    attendance_points: int = of(Series, "attendance_points", 1)
    best_of: int | None = of(Series, "best_of", 4)
    min_events: int = of(Series, "min_events", 2)
    seed: int = Field(examples=[7])
    """The seed of its draws."""


class SeriesEventOut(Described):
    """An event of a series."""

    id: str = Field(examples=["k7d2mPqXw0Ab"])
    """The event's id."""
    name: str = Field(examples=["Saturday Skirmish"])
    """The event's name."""
    venue: str = Field(examples=["The Dice Tower"])
    """The venue's name."""
    starts: datetime.datetime
    """When the event starts."""
    state: str = of(Event, "state", "verified")
    counted: bool
    """Whether its results are in the table."""
    multiplier: int | str = Field(examples=[1])
    """What its points are multiplied by."""


class ScoreOut(Described):
    """A player's place and points at one event."""

    event: str = Field(examples=["k7d2mPqXw0Ab"])
    """The event's id."""
    place: int = Field(examples=[1])
    """The place at the event."""
    points: int | str = Field(examples=[10])
    """The points from the event."""
    best: bool
    """Whether they count in the total."""


class SeriesLineOut(Described):
    """A row of the table."""

    place: int | None = Field(examples=[1])
    """The place in the table; null, once the series has ended, for players who aren't eligible."""
    name: str = Field(examples=["Ada Lund"])
    """The player's name, as the public may read it."""
    total: int | str = Field(examples=[17])
    """The total."""
    events: int = Field(examples=[2])
    """The number of events played."""
    eligible: bool
    """Whether the player has played enough events."""
    scores: list[ScoreOut]
    """The points from each event."""


class DraftPlayerOut(Described):
    """A player of a prize draft."""

    place: int = Field(examples=[1])
    """The place in the order of the draft, from 1."""
    name: str = Field(examples=["Ada Lund"])
    """The player's name."""


class SeriesPickOut(DraftPlayerOut):
    """A turn that was taken."""

    prize: str | None = Field(examples=["A booster"])
    """The prize that was picked; null if the turn was skipped."""


class SeriesDraftOut(Described):
    """A prize draft of a series."""

    order: list[DraftPlayerOut]
    """The players, in the order of the first picks; empty until the draft starts."""
    turn: int | None = Field(examples=[2])
    """The place of the player who picks now; null if no one does."""
    next: list[int] = Field(examples=[[2, 1]])
    """The places of the players who pick after that."""
    left: list[PrizeLeft]
    """The prizes that are left."""
    picks: list[SeriesPickOut]
    """The picks so far."""
    version: int = Field(examples=[3])
    """The version of the draft."""


class SeriesTableOut(SeriesOut):
    """A series with its events, its table and, after the end, the order of the prize draft."""

    events: list[SeriesEventOut]
    """The events of the series."""
    table: list[SeriesLineOut]
    """The players by points."""
    prize_order: list[str] | None = Field(examples=[["Ada Lund", "Ben Okoro"]])
    """The players in the order of the prize draft; null before the end."""
    prizes: SeriesDraftOut | None
    """The prize draft; null if there is none."""


@router.get("/series", response=list[SeriesOut], summary="Series, the newest first")
def series_list(request: HttpRequest, before: Before = None, limit: Limit = 50) -> list[dict[str, Any]]:
    """Return at most `limit` series; `before` (a date and time) selects those created earlier."""
    found = Series.objects.select_related("venue")
    if before:
        found = found.filter(created__lt=before)
    return [series_facts(series) for series in found.order_by("-created", "-pk")[:limit]]


@router.get("/series/{series_id}", response=SeriesTableOut, summary="The standings of a series")
def series(request: HttpRequest, series_id: SeriesId) -> dict[str, Any]:
    """Return the table, computed from the confirmed results; points that aren't whole are fractions as text."""
    found = get_object_or_404(Series.objects.select_related("venue"), public_id=series_id)
    return table_document(series_table(found), services.draft_of(found))


@router.post(
    "/series/{series_id}/prizes/picks",
    response={200: SeriesDraftOut, 403: ApiFault, 409: ApiFault, 422: ApiFault},
    auth=SIGNED_IN,
    summary="Pick prize of a series (the player whose turn it is) or record a pick (managers of its venue)",
)
def pick_series_prize(request: HttpRequest, series_id: SeriesId, pick: PickIn) -> Any:
    """Record the pick of the player whose turn it is."""
    seen = visit(request, series_id)
    draft = services.draft_of(seen.series)
    if draft is None:
        raise Refused(_("List the prizes first."))
    draft.series = seen.series
    services.pick(by=picking(seen, draft), draft=draft, prize=pick.prize, version=pick.version)
    return draft_document(series_table(seen.series), draft)
