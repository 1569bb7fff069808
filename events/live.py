"""Change notifications: each commit tells every listener that something at an event has changed.

An event's counter is the number of its newest audit log entry. A page knows the counter it was rendered at, asks for
the newest, and reloads itself if they differ.
"""

from collections.abc import Callable, Iterable
from itertools import islice
from urllib.parse import urlencode

from django.db import connection

from rules.services.disputes import CHANNEL

from .models import AuditEntry, Event, Series
from .prepared import Prepared, asked

Listener = Callable[[int | None, int, frozenset[str]], None]
LISTENERS: list[Listener] = []
STREAM = "/live"
MAX_STREAMED = 20
NEWEST = Prepared(
    lambda: AuditEntry.objects.filter(event=asked("event")).order_by("-pk").values_list("pk", flat=True)[:1]
)


def announce(followed: int | str | None, number: int) -> None:
    """Have PostgreSQL notify the other workers when this transaction commits; with SQLite, readers poll.

    `followed` is the key of an event or the public id of a series; `number` is its counter.
    """
    if followed is not None and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{followed}:{number}"])


def tell(event_id: int | None, number: int, topics: frozenset[str]) -> None:
    """Notify every listener; called only on commit."""
    for listener in LISTENERS:
        listener(event_id, number, topics)


def newest(event: Event) -> int:
    """Return the event's counter: the number of its newest audit log entry, or 0."""
    return NEWEST.first(event=event.pk) or 0


def stream_of(events: Iterable[Event]) -> str:
    """Return the URL of the stream that follows these events (at most twenty), or "" for none."""
    asked = urlencode([("event", event.public_id) for event in islice(events, MAX_STREAMED)])
    return f"{STREAM}?{asked}" if asked else ""


def stream_of_series(series: Series) -> str:
    """Return the URL of the stream that follows a series."""
    return f"{STREAM}?{urlencode({'series': series.public_id})}"
