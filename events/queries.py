"""Reads that more than one page needs, each in a fixed number of queries however large the event is."""

from __future__ import annotations

from events.models import Event, Match, Round


def with_event(matches: list[Match], event: Event) -> list[Match]:
    """Give each match's round and entries the event that is known already, so that nothing is fetched again."""
    for match in matches:
        match.round.event = event
        match.a.event = event
        if match.b is not None:
            match.b.event = event
    return matches


def results_of(event: Event, *, drafts: bool = False) -> list[Match]:
    """Return every match of the event with its round and entries, by round and table; one query. Drafts on demand."""
    found = (
        Match.objects.filter(round__event=event).select_related("round", "a", "b").order_by("round__number", "table")
    )
    if not drafts:
        found = found.exclude(round__state=Round.State.DRAFT)
    return with_event(list(found), event)
