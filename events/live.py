"""Change notifications: after each commit, every listener is told that something at an event is new.

The counter of an event is the number of its newest entry in the audit log: a page knows the one it was made from, asks
for the newest, and fetches itself again where they differ.
"""

from collections.abc import Callable, Iterable
from itertools import islice
from urllib.parse import urlencode

from django.db import connection

from .models import AuditEntry, Event

Listener = Callable[[int | None, int, frozenset[str]], None]
LISTENERS: list[Listener] = []
CHANNEL = "headjudge"
STREAM = "/live"
MAX_STREAMED = 20


def announce(event_id: int | None, number: int) -> None:
    """Let PostgreSQL carry the notification to the other workers when this transaction commits; SQLite's readers look."""
    if event_id is not None and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{event_id}:{number}"])


def tell(event_id: int | None, number: int, topics: frozenset[str]) -> None:
    """Notify every listener; called on commit only."""
    for listener in LISTENERS:
        listener(event_id, number, topics)


def newest(event: Event) -> int:
    """Return the event's counter: the number of its newest entry in the audit log, 0 where there is none."""
    return AuditEntry.objects.filter(event=event).order_by("-pk").values_list("pk", flat=True).first() or 0


def stream_of(events: Iterable[Event]) -> str:
    """Return the address of the stream that follows these events together, the first twenty; "" for none."""
    asked = urlencode([("event", event.public_id) for event in islice(events, MAX_STREAMED)])
    return f"{STREAM}?{asked}" if asked else ""
