"""What leaves the site with an event's page: facts for search engines, and the preview of a shared link."""

import datetime as dt
import html
import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from events.models import Event

pytestmark = pytest.mark.django_db


def page_of(event) -> str:
    return Client().get(reverse("events:event", args=[event.public_id])).content.decode()


def facts_of(page: str) -> dict:
    (found,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    return json.loads(found)


def test_an_event_tells_search_engines_when_and_where_it_is(staff, settings):
    settings.SITE_URL = "https://judge.example"
    staff.event.venue.time_zone = "Europe/Brussels"
    staff.event.venue.save()
    Event.objects.update(state="open", seats=16, starts=dt.datetime(2031, 7, 5, 8, 0, tzinfo=dt.UTC))
    facts = facts_of(page_of(staff.event))
    assert facts["@type"] == "Event"
    assert facts["startDate"] == "2031-07-05T10:00:00+02:00"
    assert facts["endDate"] > facts["startDate"]
    assert facts["eventStatus"] == "https://schema.org/EventScheduled"
    assert facts["location"]["name"] == staff.event.venue.name
    assert facts["location"]["address"]["addressLocality"] == staff.event.venue.city
    assert facts["url"] == f"https://judge.example/events/{staff.event.public_id}/"
    assert (facts["maximumAttendeeCapacity"], facts["remainingAttendeeCapacity"]) == (16, 16)
    Event.objects.update(state="cancelled")
    facts = facts_of(page_of(staff.event))
    assert facts["eventStatus"] == "https://schema.org/EventCancelled"
    assert "remainingAttendeeCapacity" not in facts


def test_a_name_with_markup_stays_a_name(staff):
    name = 'A </script><script>alert(1)</script> & "B" <!--'
    Event.objects.update(state="open", name=name, description=name)
    page = page_of(staff.event)
    assert "<script>alert" not in page
    facts = facts_of(page)
    assert (facts["name"], facts["description"]) == (name, name)


def test_a_shared_link_shows_the_event(staff):
    Event.objects.update(state="open", name='Cup "X"', build_total=400)
    told = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page_of(staff.event)))
    assert html.unescape(told["title"]) == 'Cup "X"'
    assert told["url"] == f"http://testserver/events/{staff.event.public_id}/"
    for word in (staff.event.venue.name, staff.event.venue.city, "400 points"):
        assert word in html.unescape(told["description"])
