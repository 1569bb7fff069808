"""The JSON API of series: public tables, as on their pages."""

from __future__ import annotations

import datetime
from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema

from events.models import Series
from events.series_table import series_facts, series_table, table_document

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


class SeriesTableOut(SeriesOut):
    """A series with its events, its table and, after the end, the order of the prize draft."""

    events: list[SeriesEventOut]
    table: list[SeriesLineOut]
    prize_order: list[str] | None


@router.get("/series", response=list[SeriesOut], summary="Series, the newest first")
def series_list(
    request: HttpRequest, before: datetime.datetime | None = None, limit: int = Query(50, ge=1, le=200)
) -> list[dict[str, Any]]:
    """Return at most `limit` series; `before` (a date and time) selects those created earlier."""
    found = Series.objects.select_related("venue")
    if before:
        found = found.filter(created__lt=before)
    return [series_facts(series) for series in found.order_by("-created", "-pk")[:limit]]


@router.get("/series/{series_id}", response=SeriesTableOut, summary="The table of a series")
def series(request: HttpRequest, series_id: str) -> dict[str, Any]:
    """Return the table, computed from the confirmed results; points that aren't whole are fractions as text."""
    return table_document(series_table(get_object_or_404(Series.objects.select_related("venue"), public_id=series_id)))
