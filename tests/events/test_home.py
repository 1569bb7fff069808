"""The first page, as a player and a venue manager see it on the day of an event."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from events.models import Event
from events.roles import Actor
from events.services import rounds
from judging.services.calls import raise_call
from tests.conftest import client_of
from tests.events.simulation import play_round, players
from tests.factories import EventFactory, OfficialFactory, PersonFactory

pytestmark = pytest.mark.django_db


def text(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def test_a_player_reads_table_and_opponent_at_once(staff):
    event, by = staff.event, staff.actor("head_judge")
    field = players(event, 3)
    people = []
    for entry in field:
        entry.person = PersonFactory()
        entry.save()
        people.append(entry.person)
    assert "My entry" in text(client_of(people[0]).get("/"))
    round_ = rounds.draft_round(by=by, event=event)
    assert "Table" not in text(client_of(people[0]).get("/")), "nobody sees a draft"
    rounds.publish_round(by=by, round=round_)
    game = round_.matches.get(kind="game")
    for mine, other in ((game.a, game.b), (game.b, game.a)):
        page = text(client_of(mine.person).get("/"))
        assert f"Table {game.table} Round 1 · against {other.name}" in page
        assert page.count(event.name) == 1
    assert "Bye Round 1" in text(client_of(round_.matches.get(kind="bye").a.person).get("/"))


def test_a_minor_s_name_is_short_on_the_opponent_s_first_page(staff):
    one, two = players(staff.event, 2)
    one.person, two.name, two.is_minor = PersonFactory(), "Kim Kestrel", True
    one.save()
    two.save()
    rounds.publish_round(
        by=staff.actor("head_judge"), round=rounds.draft_round(by=staff.actor("head_judge"), event=staff.event)
    )
    assert "against Kim K." in text(client_of(one.person).get("/"))


@pytest.mark.parametrize("state", ["open", "finished"])
def test_a_judge_finds_an_open_or_finished_event_once(staff, state):
    Event.objects.filter(pk=staff.event.pk).update(state=state)
    page = text(staff.client("head_judge").get("/"))
    assert page.count(staff.event.name) == 1
    assert "No events are open" not in page
    assert staff.event.name in text(Client().get("/"))


def test_only_a_refused_form_says_that_nothing_was_changed(staff):
    person, address = client_of(PersonFactory()), reverse("events:officials", args=[staff.event.public_id])
    read, sent = person.get(address), person.post(address, {"email": "me@example.org"})
    assert (read.status_code, sent.status_code) == (403, 403)
    assert "Nothing was changed." not in text(read)
    assert "Nothing was changed." in text(sent)


def test_a_player_has_no_empty_box_for_officials(staff):
    assert "Officiating" not in text(client_of(PersonFactory()).get("/me/"))
    assert "Officiating" in text(staff.client("head_judge").get("/me/"))


@pytest.mark.parametrize(
    "street, lines",
    [("12 Lane, 9000 Ghent", "12 Lane, 9000 Ghent Belgium"), ("12 Ghent Road", "12 Ghent Road Ghent, Belgium")],
)
def test_an_address_names_its_city_once(staff, street, lines):
    venue = staff.event.venue
    venue.public_location, venue.city, venue.country = street, "Ghent", "Belgium"
    venue.save()
    assert lines in text(Client().get(reverse("events:event", args=[staff.event.public_id])))


def test_a_manager_finds_the_event_that_runs_or_waits_to_be_set_up(staff):
    manager = staff.client("manager")
    assert "Create event" in text(manager.get("/"))
    draft = EventFactory(venue=staff.event.venue, state=Event.State.DRAFT, name="Half made")
    page = text(manager.get("/"))
    assert "Half made" in page
    assert "Continue set-up" in page
    draft.delete()
    players(staff.event, 4)
    play_round(staff.actor("head_judge"), staff.event)
    assert "Open console" in text(manager.get("/"))


def test_a_cancelled_event_says_so_to_players_and_strangers(staff):
    (entry,) = players(staff.event, 1)
    entry.person = PersonFactory()
    entry.save()
    players(staff.event, 3)
    play_round(staff.actor("head_judge"), staff.event)
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.CANCELLED)
    for client in (client_of(entry.person), Client()):
        page = text(client.get(f"/events/{staff.event.public_id}/"))
        assert "The event is cancelled" in page
        assert "You're checked in" not in page
        assert "Round 1" not in page


def test_a_judge_of_two_running_events_sees_both_and_all_tables_that_wait(staff):
    judge, counted = staff.client("judge"), []
    other = EventFactory(venue=staff.event.venue, name="Second Cup", state=Event.State.OPEN)
    OfficialFactory(event=other, person=staff.judge, role="judge")
    OfficialFactory(event=other, person=staff.head_judge)
    for number, event in enumerate((staff.event, other), 1):
        players(event, 4)
        by = Actor(person=staff.head_judge)
        round_ = rounds.draft_round(by=by, event=event)
        rounds.publish_round(by=by, round=round_)
        raise_call(by=by, match=round_.matches.filter(kind="game").first(), reason="rules")
        with CaptureQueriesContext(connection) as captured:
            page = text(judge.get("/"))
        counted.append(len(captured))
        assert page.count("Open console") == number
        assert page.count("1 table is waiting for a judge") == number
    assert counted[1] <= counted[0]


def test_a_manager_creates_an_event_from_the_first_page_whatever_runs(staff):
    manager = staff.client("manager")
    assert "Create event" in text(manager.get("/"))
    players(staff.event, 4)
    play_round(staff.actor("head_judge"), staff.event)
    page = manager.get("/").text
    assert "Create event" in page
    assert reverse("events:create") in page
    assert "Create event" not in text(staff.client("judge").get("/"))


@pytest.mark.usefixtures("administrator")
def test_a_form_with_errors_lists_them_at_its_top_with_links_to_the_fields():
    page = Client().post(reverse("account_signup"), {"email": "nobody"}).text
    summary = re.search(r'<div class="message error" role="alert".*?</div>', page, re.DOTALL)[0]
    links = re.findall(r'href="#([^"]+)"', summary)
    assert "id_email" in links
    assert all(f'id="{link}"' in page for link in links)
