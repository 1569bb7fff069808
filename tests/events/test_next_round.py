"""The announced start of the next round: in the venue's time, everywhere, until the round is published."""

import datetime

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from events.models import Event
from events.services import rounds
from events.services.people import entry_link
from events.services.setup import announce_next_round
from events.services.undo import undo
from judging.keeping.event_file import event_file
from tests.events.simulation import players

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(staff):
    players(staff.event, 4)
    return staff.event


def in_minutes(event, minutes):
    """Return a moment in the venue's zone, as its form field holds it."""
    moment = timezone.now() + datetime.timedelta(minutes=minutes)
    return moment.astimezone(event.venue.zone)


def test_it_stands_on_every_page_until_the_round_is_published(event, staff, client):
    by, judge = staff.actor("head_judge"), staff.client("scorekeeper")
    starts = in_minutes(event, 45)
    address = reverse("events:next-round", args=[event.public_id])
    assert judge.post(address, {"starts": f"{starts:%Y-%m-%dT%H:%M}"}).status_code == 302
    said = f"The next round starts at {starts:%H:%M}"
    own = type(client)()
    own.get(entry_link(event.entries.get(number=1)))
    pages = [("event",), ("display",), ("rounds",), ("entry", 1)]
    for name, *parts in pages:
        assert said in own.get(reverse(f"events:{name}", args=[event.public_id, *parts])).text, name
    assert client.get(f"/api/events/{event.public_id}").json()["next_round_at"]
    assert event_file(Event.objects.get(pk=event.pk))["event"]["next_round_at"]
    round = rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=Event.objects.get(pk=event.pk)))
    for name, *parts in pages:
        assert said not in own.get(reverse(f"events:{name}", args=[event.public_id, *parts])).text, name
    undo(by=by, entry=event.record.filter(verb="publish-round").get(), confirmed=True, reason="too early")
    assert Event.objects.get(pk=event.pk).next_round_at is not None
    assert round.event_id == event.pk


def test_it_is_withdrawn_and_names_another_day(event, staff, client):
    judge, address = staff.client("judge"), reverse("events:next-round", args=[event.public_id])
    tomorrow = in_minutes(event, 24 * 60)
    judge.post(address, {"starts": f"{tomorrow:%Y-%m-%dT%H:%M}"})
    page = client.get(reverse("events:event", args=[event.public_id])).text
    assert f"at {tomorrow:%H:%M} on {tomorrow:%A}" in page
    announced = judge.get(reverse("events:announce", args=[event.public_id])).text
    assert 'name="withdraw"' in announced
    assert judge.post(address, {"withdraw": "yes"}).status_code == 302
    assert "The next round starts" not in client.get(reverse("events:event", args=[event.public_id])).text
    log = judge.get(reverse("judging:audit-log", args=[event.public_id])).text
    assert "Announcement withdrawn: start of the next round" in log


def test_other_people_and_other_times_are_refused(event, staff, client):
    address = reverse("events:next-round", args=[event.public_id])
    soon = f"{in_minutes(event, 45):%Y-%m-%dT%H:%M}"
    own = type(client)()
    own.get(entry_link(event.entries.get(number=1)))
    for stranger in (client, own, staff.client("manager")):
        assert stranger.post(address, {"starts": soon}).status_code in (302, 403)
    for wrong in (
        "",
        "soon",
        f"{in_minutes(event, -30):%Y-%m-%dT%H:%M}",
        f"{in_minutes(event, 20_000):%Y-%m-%dT%H:%M}",
    ):
        assert staff.client("judge").post(address, {"starts": wrong}).status_code == 400
    with pytest.raises(ValidationError):
        announce_next_round(by=staff.actor("judge"), event=event, starts=timezone.now() - datetime.timedelta(hours=1))
    assert Event.objects.get(pk=event.pk).next_round_at is None
