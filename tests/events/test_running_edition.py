"""New boards and disputes begin with the running event's edition."""

import re

import pytest
from django.urls import reverse

from events.models import Event
from tests.conftest import client_of
from tests.factories import EventFactory, OfficialFactory, PersonFactory

pytestmark = pytest.mark.django_db


def chosen(client, query=""):
    page = client.get(reverse("rules:dispute-new") + query).content.decode()
    return re.search(r'<option value="([^"]+)" selected>', page)[1]


def running(edition):
    return EventFactory(state=Event.State.RUNNING, edition=edition)


def test_a_dispute_opens_in_the_edition_of_the_event_that_is_running(client):
    EventFactory(state=Event.State.OPEN, edition="core-2014")
    assert chosen(client) == "core-modern"
    running("dc-2005")
    assert chosen(client) == "dc-2005"
    assert chosen(client, "?edition=car-2002") == "car-2002"
    assert 'name="edition" value="dc-2005"' in client.get(reverse("rules:board")).content.decode()


def test_of_two_running_events_the_own_one_counts(client):
    mine = running("dc-2005")
    running("core-2014")
    assert chosen(client) == "core-modern"
    assert chosen(client_of(OfficialFactory(event=mine, person=PersonFactory()).person)) == "dc-2005"
