"""The officials of an event see who of its players is checked in at another event at the same time; no one else does."""

import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from events.models import Entry, Event, Role
from events.services.entries import checked_in_elsewhere
from tests.factories import EntryFactory, EventFactory, PersonFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(staff):
    return staff.event


def checked_in(event, number, **facts):
    return EntryFactory(event=event, number=number, state=Entry.State.CHECKED_IN, **facts)


@pytest.fixture
def both(event):
    """A side event in the same shop, and one elsewhere; three players are at two of them."""
    side = EventFactory(venue=event.venue, name="Side event", starts=event.starts)
    away = EventFactory(name="Secret club night", starts=event.starts + datetime.timedelta(hours=1))
    person = PersonFactory(email="Ada@example.org")
    checked_in(event, 1, name="Ada", person=person)
    checked_in(event, 2, name="Ben", email="ben@example.org")
    checked_in(event, 3, name="Cleo", email="cleo@example.org")
    checked_in(event, 4, name="Dora", email="dora@example.org")
    checked_in(side, 1, name="Somebody", email="ada@EXAMPLE.org")
    checked_in(side, 2, name="Benjamin", person=PersonFactory(email="ben@example.org"))
    EntryFactory(event=side, number=3, name="Cleo", email="cleo@example.org", state=Entry.State.ENTERED)
    checked_in(away, 1, name="Dora", email="dora@example.org")
    checked_in(away, 2, name="Nobody")
    return side, away


AT_SIDE, AWAY = "also checked in at Side event", "also checked in at another venue"


def test_the_same_account_or_address_is_found_and_no_more_is_told(event, staff, both):
    found = checked_in_elsewhere(event, staff.actor("head_judge").roles(event=event))
    assert found == {1: AT_SIDE, 2: AT_SIDE, 4: AWAY}
    judge = staff.client("head_judge")
    for name in ("entries", "check-in"):
        page = judge.get(reverse(f"events:{name}", args=[event.public_id])).text
        assert (page.count(AT_SIDE), page.count(AWAY)) == (2, 1)
        assert "Secret club night" not in page
    console = judge.get(reverse("events:console", args=[event.public_id])).text
    assert "3 players (Ada, Ben, Dora) are checked in at two events." in console


def test_only_officials_are_told(event, staff, both, client):
    for who in (client, staff.client("manager"), staff.client("office")):
        for name in ("entries", "console"):
            assert "also checked in" not in who.get(reverse(f"events:{name}", args=[event.public_id])).text
            assert "at two events" not in who.get(reverse(f"events:{name}", args=[event.public_id])).text
    assert checked_in_elsewhere(event, staff.actor("manager").roles(event=event)) == {}
    side, _away = both
    assert (
        checked_in_elsewhere(side, staff.actor("head_judge").roles(event=side)) == {}
    )  # an official of the one event only


@pytest.mark.parametrize(
    "facts",
    [
        {"starts": timezone.now() + datetime.timedelta(hours=30)},
        {"starts": timezone.now() - datetime.timedelta(hours=40)},
        {"state": Event.State.FINISHED},
        {"state": Event.State.DRAFT},
    ],
    ids=["later", "earlier", "finished", "draft"],
)
def test_an_event_at_another_time_or_over_says_nothing(event, staff, both, facts):
    side, away = both
    Event.objects.filter(pk__in=[side.pk, away.pk]).update(**facts)
    assert checked_in_elsewhere(event, staff.actor("judge").roles(event=event)) == {}


def test_it_asks_as_often_for_many_players_as_for_few(event, staff, both):
    def asked():
        with CaptureQueriesContext(connection) as queries:
            checked_in_elsewhere(event, {Role.JUDGE})
        return len(queries)

    few = asked()
    for number in range(10, 30):
        checked_in(event, number, name=f"P{number}", email=f"p{number}@example.org")
        checked_in(both[0], number, name=f"P{number}", email=f"p{number}@example.org")
    assert asked() == few
