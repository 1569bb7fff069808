"""No page of an event needs more queries for many players than for few; the addresses are found automatically."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver

from events.models import Entry, Event, Match, Round
from tests.conftest import client_of
from tests.factories import EventFactory, MatchFactory, OfficialFactory, PersonFactory, RoundFactory

from .match_pages import play

pytestmark = pytest.mark.django_db

SMALL, LARGE = 12, 72
"""Both are larger than a page's fixed parts; with a query per row the difference is sixty."""
SLACK = 2
"""A page may need a query or two more if there is anything to show, but never one per row."""


def event_addresses() -> list[str]:
    """Return every route of the site that is about one event, as written in the URLs."""
    found = []

    def walk(patterns, before: str) -> None:
        for pattern in patterns:
            route = before + str(pattern.pattern).lstrip("^")
            if isinstance(pattern, URLResolver):
                walk(pattern.url_patterns, route)
            elif isinstance(pattern, URLPattern) and ("public_id" in route or "event_id" in route):
                found.append(route)

    walk(get_resolver().url_patterns, "")
    return sorted(set(found))


def filled(route: str, event: Event) -> str | None:
    """Return the route's address for this event, or None if it needs something that a new event doesn't have."""
    known = {"public_id": event.public_id, "event_id": event.public_id, "number": "1", "table": "1"}

    def value(match: re.Match) -> str:
        return known.get(match["name"], "\0")

    route = re.sub(r"\(\?P<(?P<name>\w+)>[^)]*\)", value, route)
    address = "/" + re.sub(r"<(?:\w+:)?(?P<name>\w+)>", value, route).rstrip("$")
    return None if "\0" in address else address


def large_event(event: Event, players: int) -> Event:
    """Give the event players, two complete rounds, one running and one draft."""
    play(event, players, 3)
    entries = list(event.entries.all())
    draft = RoundFactory(event=event, number=4, state=Round.State.DRAFT)
    for table in range(players // 2):
        MatchFactory(round=draft, table=table + 1, a=entries[2 * table], b=entries[2 * table + 1])
    return event


@pytest.fixture
def two_events(staff):
    """Return a small and a large event with the same head judge, and a player of each."""
    other = EventFactory(venue=staff.event.venue)
    OfficialFactory(event=other, person=staff.head_judge)
    events = [large_event(staff.event, SMALL), large_event(other, LARGE)]
    for event in events:
        Entry.objects.filter(event=event, number=1).update(person=PersonFactory())
    return events


def queries(client: Client, address: str) -> tuple[int, int]:
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
        if answer.streaming:
            b"".join(answer.streaming_content)
    return answer.status_code, len(captured)


def test_the_addresses_are_found():
    assert len(event_addresses()) > 40


@pytest.mark.parametrize("who", ["nobody", "head judge", "player"])
def test_no_page_asks_more_for_more_players(staff, two_events, who):
    faults, seen = [], 0
    clients = {
        "nobody": lambda _event: Client(),
        "head judge": lambda _event: staff.client("head_judge"),
        "player": lambda event: client_of(event.entries.get(number=1).person),
    }
    visitors = [(event, clients[who](event)) for event in two_events]
    for route in event_addresses():
        if filled(route, staff.event) is None:
            continue
        counts = [queries(client, filled(route, event)) for event, client in visitors]
        if counts[0][0] != 200:
            continue
        seen += 1
        (small_status, small), (large_status, large) = counts
        if small_status != large_status or large > small + SLACK:
            faults.append(f"{route}: {small} queries for {SMALL} players, {large} for {LARGE}")
    assert not faults, "\n".join(faults)
    assert seen >= 10
    assert Match.objects.count() > LARGE
