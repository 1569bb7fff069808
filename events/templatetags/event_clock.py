"""Template tags for a round's clock and for live updates."""

from typing import Any

from django import template
from django.urls import reverse
from django.utils import timezone

from events import clock as clocks
from events import live
from events.models import Event, Match, Round, Series
from events.services.clock import clock_of, extra_seconds

register = template.Library()


def milliseconds(reading: clocks.ClockReading) -> dict[str, int | None]:
    """Return what a browser counts from: the time of the end while the clock runs, otherwise the time left."""
    return {
        "ends": int(reading.ends.timestamp() * 1000) if reading.running and reading.ends else None,
        "left": int(reading.remaining * 1000),
    }


def face(
    round: Round,
    *,
    match: Match | None = None,
    size: str = "big",
    stored: clocks.Clock | None = None,
    extra: int | None = None,
) -> dict:
    """Return everything that the clock's template shows; `stored` and `extra` save their queries."""
    if extra is None:
        extra = extra_seconds(match) if match is not None else 0
    now = timezone.now()
    reading = clocks.read(stored or clock_of(round), now, extra)
    words = clocks.announcements(max(reading.length, 1), round.event.time_called) if size != "small" else ()
    return {
        "round": round,
        "event": round.event,
        "match": match,
        "extra": extra,
        "reading": reading,
        "size": size,
        "counts": milliseconds(reading),
        "words": words,
        "due": clocks.fresh(reading, words),
        "is_preparation": reading.phase in (clocks.Phase.PREPARATION, clocks.Phase.READY),
    }


@register.inclusion_tag("events/clock/face.html")
def clock_face(shown: dict[str, Any]) -> dict[str, Any]:
    """Show a clock that the page's view has read with `face`: `{% clock_face clock %}`."""
    return shown


@register.inclusion_tag("events/clock/face.html")
def round_clock(
    round: Round, match: Match | None = None, size: str = "big", extra: int | None = None
) -> dict[str, Any]:
    """Show the clock of a round, or of one table with its extra time: `{% round_clock round %}`.

    `size`: big, small (within a line of text) or display. `extra`: the table's extra time, if the page knows it.
    """
    return face(round, match=match, size=size, extra=extra)


@register.inclusion_tag("events/live/part.html")
def live_updates(event: Event, counter: int | None = None, milliseconds: str = "") -> dict[str, Any]:
    """Keep this page up to date: counter, server's time, script, and the message shown when the connection is lost.

    `counter`: the event's, if the view has read it. `milliseconds`: the server's time, if the page knows it.
    """
    return {
        "event": event,
        "stream": live.stream_of([event]),
        "counter": live.newest(event) if counter is None else counter,
        "now": milliseconds or now_in_milliseconds(),
    }


@register.inclusion_tag("events/live/part.html")
def live_updates_of_series(series: Series, stream: str, counter: int) -> dict[str, Any]:
    """Keep a page of a series' prize draft up to date: `{% live_updates_of_series series stream counter %}`."""
    address = reverse("events:series-changes", args=[series.public_id])
    return {"notification": address, "stream": stream, "counter": counter, "now": now_in_milliseconds()}


def now_in_milliseconds() -> int:
    """Return the server's time as browsers count it."""
    return int(timezone.now().timestamp() * 1000)
