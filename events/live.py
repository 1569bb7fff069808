"""Word of change: after each commit, what listens is told that something at an event is new.

The counter of an event is the number of its newest entry in the record: a page knows the one it was made from, asks
for the newest, and fetches itself again where they differ.
"""

from collections.abc import Callable

from .models import Event, RecordEntry

Listener = Callable[[int | None, int, frozenset[str]], None]
LISTENERS: list[Listener] = []


def tell(event_id: int | None, number: int, topics: frozenset[str]) -> None:
    """Give word to every listener; called on commit only."""
    for listener in LISTENERS:
        listener(event_id, number, topics)


def newest(event: Event) -> int:
    """Return the event's counter: the number of its newest entry in the record, 0 where there is none."""
    return RecordEntry.objects.filter(event=event).order_by("-pk").values_list("pk", flat=True).first() or 0
