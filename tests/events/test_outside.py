"""What is seen of an event outside the site: facts for search engines, previews of links, frames, the view for streams."""

import datetime as dt
import html
import json
import re
import struct
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from events.models import Event, Force, Round
from events.results.result import Result
from tests.factories import EntryFactory, MatchFactory, RoundFactory

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


def test_a_shared_link_shows_the_event(staff, settings):
    settings.SITE_NAME = "Judges & Co"
    Event.objects.update(state="open", name='Cup "X"', build_total=400)
    told = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page_of(staff.event)))
    assert html.unescape(told["title"]) == 'Cup "X"'
    assert told["url"] == f"http://testserver/events/{staff.event.public_id}/"
    for word in (staff.event.venue.name, staff.event.venue.city, "400 points"):
        assert word in html.unescape(told["description"])
    assert html.unescape(told["site_name"]) == "Judges & Co"
    path = told["image"].removeprefix("http://testserver")
    picture = Path(finders.find(path.removeprefix(settings.STATIC_URL))).read_bytes()
    assert (picture[1:4], picture[16:24]) == (b"PNG", struct.pack(">II", 512, 512))
    settings.SITE_URL = "https://judge.example"
    assert f'<meta property="og:image" content="https://judge.example{path}">' in page_of(staff.event)


# frames on other websites, and the view for streams


def round_of(event, **facts):
    found = RoundFactory(event=event, number=1, state=Round.State.RUNNING)
    one = EntryFactory(event=event, name="Ada Able", state="checked-in")
    other = EntryFactory(event=event, name="Minor Child", is_minor=True, state="checked-in")
    return MatchFactory(round=found, table=7, a=one, b=other, **facts)


@pytest.mark.parametrize("what", ["standings", "pairings"])
def test_a_frame_may_stand_on_any_website_and_holds_nothing_of_its_reader(staff, what):
    Event.objects.update(state="running")
    round_of(staff.event, state="confirmed", result=Result((90, 20), winner="a"))
    address = reverse("events:outside", args=[staff.event.public_id, what])
    answers = [client.get(address) for client in (Client(), staff.client("head_judge"))]
    assert answers[0].content == answers[1].content
    page = answers[0].content.decode()
    assert "frame-ancestors *" in answers[0]["Content-Security-Policy"]
    assert "X-Frame-Options" not in answers[0]
    assert "Ada Able" in page
    assert "Minor C." in page
    assert "Child" not in page
    assert not re.search("<script|<form|<button|csrf", page)
    assert "X-Frame-Options" in Client().get(reverse("events:event", args=[staff.event.public_id]))


def test_no_frame_shows_a_draft_or_a_result_that_is_not_confirmed(staff):
    Event.objects.update(state="running")
    match = round_of(staff.event, state="claimed", result=Result((91, 20), winner="a"))
    address = reverse("events:outside", args=[staff.event.public_id, "pairings"])
    assert ">91<" not in Client().get(address).content.decode()
    Round.objects.update(state="draft")
    assert "Ada Able" not in staff.client("head_judge").get(address).content.decode()
    match.state = "confirmed"
    Event.objects.update(state="draft")
    for what in ("standings", "pairings", "calls"):
        asked = reverse("events:outside", args=[staff.event.public_id, what])
        assert staff.client("head_judge").get(asked).status_code == 404


def test_the_broadcast_view_shows_a_table_with_its_public_forces_and_score(staff):
    Event.objects.update(state="running")
    match = round_of(staff.event, state="open")
    document = {
        "force": {"characters": [{"ref": "c1", "name": "Captain <b>", "set": "XX", "number": "012", "points": 40}]}
    }
    Force.objects.create(entry=match.a, state="submitted", document=document, total=40)
    Force.objects.create(entry=match.b, state="draft", document={"force": {"characters": [{"name": "Hidden"}]}})
    address = reverse("events:broadcast", args=[staff.event.public_id])

    def shown(table="7", client=None):
        return (client or Client()).get(address, {"table": table}).content.decode()

    assert "Ada Able" in shown()
    assert "Captain &lt;b&gt; (XX 012)" in shown()
    assert "Hidden" not in shown(client=staff.client("head_judge"))
    match.result, match.state = Result((90, 20), winner="a"), "confirmed"
    match.save()
    assert ">90<" in shown()
    for table in ("8", "", "x", "99999999"):
        assert "Ada Able" not in shown(table)
    Event.objects.update(forces_public=False)
    assert "Captain" not in shown(client=staff.client("head_judge"))


def test_officials_get_the_code_for_a_website(staff):
    Event.objects.update(name='A "B" </textarea>')
    answer = staff.client("head_judge").get(reverse("events:embed", args=[staff.event.public_id]))
    page = html.unescape(answer.content.decode())
    for what in ("standings", "pairings"):
        assert f'<iframe src="http://testserver/events/{staff.event.public_id}/frame/{what}/"' in page
        assert 'title="Standings: A &quot;B&quot; &lt;/textarea&gt;"' in page
    assert Client().get(reverse("events:embed", args=[staff.event.public_id])).status_code == 403
