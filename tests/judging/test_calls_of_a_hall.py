"""Several events in one hall share the queue: a judge of one takes a call of another, and the audit log says who."""

import pytest
from django.utils import timezone

from events.models import AuditEntry, ClockRun, Event, Extension, Hall, Match, Official, Role, Round
from events.roles import Actor
from judging.models import Call
from judging.services import calls as services
from tests.conftest import client_of
from tests.events.match_pages import play
from tests.factories import EntryFactory, EventFactory, OfficialFactory

pytestmark = pytest.mark.django_db

CLOSING = {"category": "rule", "outcome": "ruled", "minutes": "3", "agreed": "1"}


@pytest.fixture
def neighbour(staff):
    """A judge of another running event in the same hall; table 2 of the first event has called."""
    room = Hall.objects.create(venue=staff.event.venue, name="Great hall")
    play(staff.event, 8, 1)
    beside = EventFactory(venue=staff.event.venue)
    judge = OfficialFactory(event=beside, role="judge").person
    play(beside, 4, 1)
    Event.objects.update(hall=room)
    staff.event.refresh_from_db()
    ClockRun.objects.create(round=Round.objects.get(event=staff.event), phase="round", began=timezone.now())
    table = Match.objects.get(round__event=staff.event, table=2)
    services.raise_call(by=staff.actor("scorekeeper"), match=table)
    return judge


def address(event, verb=""):
    call = Call.objects.get()
    return f"/events/{event.public_id}/calls/{call.pk}/{verb}"


def test_a_neighbours_judge_takes_the_call_times_it_and_gives_the_time_back(staff, neighbour):
    client, event = client_of(neighbour), staff.event
    queue = client.get(f"/venues/{event.venue_id}/halls/{event.hall_id}/calls/").content.decode()
    assert "Take call" in queue
    taken = client.post(address(event, "take/"), {"from": "hall"}, follow=True)
    assert "You're on your way" in taken.content.decode()
    assert "judge at another event in this hall" in taken.content.decode()
    client.post(address(event, "arrive/"))
    assert client.post(address(event, "close/"), CLOSING).status_code == 302
    call = Call.objects.get()
    assert (call.state, call.judge, call.ended_by) == ("closed", neighbour, neighbour)
    assert Extension.objects.get().given_by == neighbour
    written = AuditEntry.objects.filter(event=event, by_person=neighbour).values_list("verb", "as_role")
    assert set(written) == {
        (verb, "hall-judge") for verb in ("take-call", "arrive-at-table", "close-call", "extend-table")
    }


def test_the_neighbours_judge_may_ask_for_the_head_judge_but_is_none(staff, neighbour):
    client = client_of(neighbour)
    client.post(address(staff.event, "arrive/"))
    assert client.post(address(staff.event, "escalate/")).status_code == 302
    refused = client.post(address(staff.event, "take/"))
    assert refused.status_code == 403
    assert "Table 2 is waiting for the head judge." in refused.content.decode()


def test_the_head_judge_of_the_neighbour_is_not_the_head_judge_here(staff, neighbour):
    Official.objects.filter(person=neighbour).update(role="head-judge")
    services.escalate_call(by=staff.actor("judge"), call=Call.objects.get())
    assert client_of(neighbour).post(address(staff.event, "take/")).status_code == 403


@pytest.mark.parametrize("path", ["", "results/1/", "penalties/", "audit-log/"])
def test_nothing_else_of_the_event_is_open_to_them(staff, neighbour, path):
    client = client_of(neighbour)
    page = {"": "console/"}.get(path, path)
    assert client.get(f"/events/{staff.event.public_id}/{page}").status_code in (403, 404)
    assert client.get(f"/events/{staff.event.public_id}/calls/").status_code == 200


@pytest.mark.parametrize("why", ["another hall", "not running", "not accepted", "scorekeeper", "plays here", "no hall"])
def test_only_judges_of_events_that_run_in_the_hall_now(staff, neighbour, why):
    event, office = staff.event, Official.objects.filter(person=neighbour)
    beside = Event.objects.exclude(pk=event.pk).get()
    if why == "another hall":
        Event.objects.filter(pk=beside.pk).update(hall=Hall.objects.create(venue=event.venue, name="Small hall"))
    elif why == "not running":
        Event.objects.filter(pk=beside.pk).update(state="verified")
    elif why == "not accepted":
        office.update(accepted=None)
    elif why == "scorekeeper":
        office.update(role="scorekeeper")
    elif why == "plays here":
        EntryFactory(event=event, person=neighbour)
    else:
        Event.objects.update(hall=None)
    event.refresh_from_db()
    assert Role.HALL_JUDGE not in Actor(person=neighbour).roles(event=event)
    assert client_of(neighbour).post(address(event, "take/")).status_code == 403


def test_a_judge_of_the_event_is_that_and_nothing_else(staff, neighbour):
    OfficialFactory(event=staff.event, person=neighbour, role="judge")
    roles = Actor(person=neighbour).roles(event=staff.event)
    assert Role.JUDGE in roles
    assert Role.HALL_JUDGE not in roles
