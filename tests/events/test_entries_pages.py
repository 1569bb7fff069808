"""Pages about entries, through requests: what they show, say and keep; with the number of queries."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.models import AuditEntry, Entry, Event, Round
from events.roles import Actor
from events.services import rounds
from events.services.people import entry_link
from tests.conftest import client_of
from tests.events.simulation import play, play_round, players
from tests.factories import EntryFactory, PersonFactory

pytestmark = pytest.mark.django_db


def at(event, rest=""):
    return f"/events/{event.public_id}/{rest}"


@pytest.fixture
def event(staff):
    staff.event.number_of_rounds = 5
    staff.event.seats = 400
    staff.event.save()
    return staff.event


@pytest.fixture
def desk(staff):
    return staff.client("scorekeeper")


def text(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


# entering


def test_entering_leads_to_the_players_own_page(event):
    person = PersonFactory(name="Ana Alpha")
    client = client_of(person)
    assert "Ana Alpha" in client.get(at(event, "enter/")).content.decode()
    response = client.post(at(event, "enter/"), {"name": "Ana Alpha", "club": "North", "declares": "on"}, follow=True)
    assert response.redirect_chain == [(at(event, "entries/1/"), 302)]
    assert "You're registered." in text(response)
    assert client.get(at(event, "enter/")).url == at(event, "entries/1/")


def test_without_the_declaration_the_form_says_so_and_keeps_what_was_typed(event):
    response = client_of(PersonFactory()).post(at(event, "enter/"), {"name": "Ana", "club": "Nordstern"})
    assert "eligible to play." in text(response)
    assert "Nordstern" in response.content.decode()
    assert not Entry.objects.exists()


def test_an_official_is_told_why_not(staff, event):
    assert "Official of this event (judge)" in text(staff.client("judge").get(at(event, "enter/")))


def test_a_stranger_is_asked_to_sign_in(event):
    assert b"/accounts/login/?next=" in Client().get(at(event, "enter/")).content


# at the door


def test_the_door_enters_and_stays_open_for_the_next(event, desk):
    facts = {"name": "Bo Beta", "declares": "on", "checked_in": "on", "again": "yes"}
    response = desk.post(at(event, "entries/add/"), facts, follow=True)
    assert response.redirect_chain == [(at(event, "entries/add/"), 302)]
    assert "Bo Beta added as entry 1." in text(response)
    assert Entry.objects.get().state == "checked-in"


def test_a_taken_table_is_reported_at_its_field_and_nothing_is_lost(event, desk):
    EntryFactory(event=event, name="Ana", fixed_table=4)
    response = desk.post(
        at(event, "entries/add/"), {"name": "Bo", "club": "Nordstern", "fixed_table": "4", "declares": "on"}
    )
    assert "Table 4 is already reserved for Ana" in text(response)
    assert response.context["form"].errors.keys() == {"fixed_table"}
    assert "Nordstern" in response.content.decode()


def test_players_find_no_door(event):
    assert client_of(PersonFactory()).get(at(event, "entries/add/")).status_code == 403


# lists


def test_a_list_is_looked_at_first_and_then_entered_whole(event, desk):
    file = SimpleUploadedFile("list.csv", "Name;Club;Fixed table\n=Ana;Nord;\nBo;;3\n".encode("utf-16"))
    looked = desk.post(at(event, "entries/import/"), {"file": file})
    assert "2 players ready to add" in text(looked)
    assert not Entry.objects.exists()
    kept = looked.context["form"].initial["text"]
    done = desk.post(at(event, "entries/import/"), {"text": kept, "enter": "yes"}, follow=True)
    assert "2 players added." in text(done)
    assert list(Entry.objects.values_list("name", "club", "fixed_table")) == [("=Ana", "Nord", None), ("Bo", "", 3)]


def test_a_list_of_players_who_are_there_is_checked_in_at_once(event, desk):
    event.seats = 2
    event.save()
    sent = {"text": "Ana\nBo\nCy\n", "declared": "on", "checked_in": "on"}
    looked = desk.post(at(event, "entries/import/"), sent)
    assert "Players with a seat will be checked in." in text(looked)
    assert 'name="checked_in" value="on"' in looked.content.decode()
    done = desk.post(at(event, "entries/import/"), sent | {"enter": "yes"})
    assert done.headers["Location"] == at(event, "console/")
    states = dict(Entry.objects.values_list("name", "state"))
    assert states == {"Ana": "checked-in", "Bo": "checked-in", "Cy": "waiting"}
    assert AuditEntry.objects.get(verb="import-entries").facts["n"] == 3


def test_errors_of_a_list_are_reported_by_line_and_no_one_is_entered(event, desk):
    given = "name,e-mail\nAna,\nBo,nowhere\n,x@example.org\n"
    response = desk.post(at(event, "entries/import/"), {"text": given, "enter": "yes"})
    assert response.status_code == 400
    said = text(response)
    assert "Line 3: “nowhere” isn&#x27;t an e-mail address." in said
    assert "Line 4: The name is missing." in said
    assert "Bo,nowhere" in response.content.decode()
    assert not Entry.objects.exists()


def test_a_list_shows_waiting_players_and_duplicate_names(event, desk):
    event.seats = 1
    event.save()
    said = text(desk.post(at(event, "entries/import/"), {"text": "Ana\nAna\n"}))
    assert "1 player will join the waiting list" in said
    assert "This name appears more than once" in said


def test_an_empty_form_is_reported(event, desk):
    assert "Choose a file or paste a list." in text(desk.post(at(event, "entries/import/"), {}))


# check-in


def test_check_in_works_without_scripts_and_has_an_undo(event, desk):
    EntryFactory(event=event, name="Ana", state="entered")
    page = at(event, "entries/check-in/")
    response = desk.post(f"{page}?q=an", {"in": "1"}, follow=True)
    assert response.redirect_chain == [(f"{page}?q=an#entry-1", 302)]
    assert "Ana is checked in." in text(response)
    assert 'name="out" value="1"' in response.content.decode()
    desk.post(page, {"in": "1"})
    assert Entry.objects.get().state == "checked-in"
    desk.post(page, {"out": "1"})
    assert Entry.objects.get().state == "entered"


def test_late_players_are_told_what_that_means(event, desk, staff):
    players(event, 4)
    EntryFactory(event=event, name="Lara", state="entered")
    play_round(staff.actor("head_judge"), event)
    response = desk.post(at(event, "entries/check-in/"), {"in": "5"}, follow=True)
    assert "Lara is checked in and starts in round 2, with a loss for each round missed." in text(response)


def test_everyone_else_is_checked_in_after_one_question(event, desk, staff):
    page = at(event, "entries/check-in/")
    assert "Check in everyone else" not in desk.get(page).content.decode()
    for name, state in (
        ("Ana", "checked-in"),
        ("Bo", "entered"),
        ("Cy", "entered"),
        ("Di", "waiting"),
        ("Ed", "withdrawn"),
    ):
        EntryFactory(event=event, name=name, state=state)
    assert "Check in everyone else (2)" in text(desk.get(page))
    asked = desk.post(page, {"rest": "yes"})
    assert asked.status_code == 409
    assert "2 players will be checked in." in text(asked)
    done = desk.post(page, {"rest": "yes", "confirmed": "yes"}, follow=True)
    assert "2 players checked in." in text(done)
    assert "Check in everyone else" not in text(done)
    states = dict(event.entries.values_list("name", "state"))
    assert states == {"Ana": "checked-in", "Bo": "checked-in", "Cy": "checked-in", "Di": "waiting", "Ed": "withdrawn"}
    Event.objects.update(state=Event.State.RUNNING)
    assert desk.post(page, {"rest": "yes"}).status_code == 403


def test_a_checked_in_row_has_no_wide_switch_to_tap_by_mistake(event, desk):
    EntryFactory(event=event, name="Ana", state="checked-in")
    page = desk.get(at(event, "entries/check-in/")).content.decode()
    assert 'class="switch" name="out"' not in page
    assert "here" in page


def test_check_in_filters_and_shows_missing_players(event, desk):
    EntryFactory(event=event, name="Ana Alpha", state="entered")
    EntryFactory(event=event, name="Bo Beta", state="checked-in", club="Nordstern")
    page = at(event, "entries/check-in/")
    assert "Ana" not in text(desk.get(f"{page}?q=nord"))
    assert "Bo" not in text(desk.get(f"{page}?show=missing"))


def test_a_refusal_at_check_in_keeps_the_list(event, desk):
    event.seats = 1
    event.save()
    EntryFactory(event=event, name="Ana")
    EntryFactory(event=event, name="Bo", state="waiting")
    response = desk.post(at(event, "entries/check-in/"), {"in": "2"}, follow=True)
    assert "All 1 seats are taken" in text(response)


def test_players_check_themselves_in_where_it_is_open(event, desk):
    person = PersonFactory()
    EntryFactory(event=event, person=person, state="entered")
    mine = at(event, "entries/1/")
    assert "Check in at the judges" in text(client_of(person).get(mine))
    desk.post(at(event, "entries/check-in/"), {"self": "open"})
    assert "Check in" in text(client_of(person).get(mine))
    client_of(person).post(f"{mine}act/check-in/")
    assert Entry.objects.get().state == "checked-in"


# one entry


@pytest.fixture
def running(staff, event):
    players(event, 6)
    row = rounds.draft_round(by=staff.actor("head_judge"), event=event)
    rounds.publish_round(by=staff.actor("head_judge"), round=row)
    return event


def test_a_player_sees_table_opponent_and_the_way_to_report(running):
    entry = Entry.objects.get(number=1)
    entry.person = PersonFactory()
    entry.save()
    match = entry.matches_as_a.first() or entry.matches_as_b.first()
    other = match.b if match.a == entry else match.a
    page = text(client_of(entry.person).get(at(running, "entries/1/")))
    assert f"Table {match.table}" in page
    assert other.name in page
    assert "Report result" in page


def test_the_link_on_the_slip_opens_the_players_page(running):
    client = Client()
    response = client.get(entry_link(Entry.objects.get(number=2)), follow=True)
    assert "Report result" in text(response)


def test_a_spectator_sees_tables_but_no_buttons_and_no_full_name_of_a_minor(running):
    Entry.objects.filter(number=1).update(name="Mia Minor", is_minor=True)
    page = Client().get(at(running, "entries/1/")).content.decode()
    assert "Mia M." in page
    assert "Mia Minor" not in page
    assert "/act/" not in page
    assert "Mia Minor" not in Client().get(at(running, "entries/")).content.decode()


def test_a_drop_is_asked_for_first(running, desk):
    page = at(running, "entries/1/act/drop/")
    asked = desk.post(page, {"version": 1})
    assert asked.status_code == 409
    assert text(asked).count("played to the end") == 1
    assert '<button class="danger filled">Drop from event</button>' in asked.content.decode()
    done = desk.post(page, {"version": 1, "confirmed": "yes"}, follow=True)
    assert "has been dropped" in text(done)
    assert Entry.objects.get(number=1).state == "dropped"
    assert "Re-enter player" in text(desk.get(at(running, "entries/1/")))


def test_a_stale_form_shows_the_difference(event, desk):
    EntryFactory(event=event, name="Ana", club="North")
    Entry.objects.update(version=3, club="South")
    response = desk.post(at(event, "entries/1/edit/"), {"version": 1, "name": "Ana", "club": "West", "declares": "on"})
    assert response.status_code == 409
    assert "South" in text(response)
    assert "West" in text(response)


def test_the_desk_changes_an_entry(event, desk):
    EntryFactory(event=event, name="Ana")
    facts = {"version": 1, "name": "Anna", "club": "North", "fixed_table": "7", "declares": "on"}
    desk.post(at(event, "entries/1/edit/"), facts)
    entry = Entry.objects.get()
    assert (entry.name, entry.club, entry.fixed_table) == ("Anna", "North", 7)


def test_unknown_entries_and_verbs_are_not_found(event, desk):
    EntryFactory(event=event)
    assert desk.get(at(event, "entries/99/")).status_code == 404
    assert desk.post(at(event, "entries/1/act/explode/")).status_code == 404
    assert desk.post(at(event, "entries/check-in/"), {"in": "x"}).status_code == 404


# queries


def queries(client, address):
    with CaptureQueriesContext(
        connection,
    ) as caught:
        assert client.get(address).status_code == 200
    return len(caught)


@pytest.mark.parametrize(
    "who, place",
    [
        ("scorekeeper", "entries/"),
        ("scorekeeper", "entries/?sort=name"),
        ("scorekeeper", "entries/check-in/"),
        ("scorekeeper", "entries/1/"),
        (None, "entries/"),
        (None, "entries/1/"),
    ],
)
def test_no_page_asks_more_for_200_players_than_for_20(staff, event, who, place):
    client = staff.client(who) if who else Client()
    players(event, 20, club="North", is_minor=True)
    play_round(staff.actor("head_judge"), Event.objects.get(pk=event.pk))
    few = queries(client, at(event, place))
    players(event, 180, is_minor=True)
    assert queries(client, at(event, place)) == few


def test_a_list_of_two_hundred_is_entered_in_a_fixed_number_of_queries(event, staff, django_assert_max_num_queries):
    from events.services import entries

    lines = [entries.ListedPlayer(n + 2, f"Player {n}", email=f"p{n}@example.org") for n in range(200)]
    with django_assert_max_num_queries(30):
        entries.import_entries(by=Actor(person=staff.scorekeeper), event=event, lines=lines)


# after the last match


def test_players_outside_the_cut_wait_for_no_table(event, staff):
    by = staff.actor("head_judge")
    event.number_of_rounds, event.cut_to = 1, 2
    event.save()
    field = players(event, 6)
    play_round(by, event)
    page = at(event, "entries/{}/").format
    waiting = [text(Client().get(page(entry.number))) for entry in field]
    assert all("The next table appears here" in one for one in waiting)
    cut = rounds.draft_cut(by=by, event=event)
    rounds.publish_round(by=by, round=cut)
    seated = {number for match in cut.matches.all() for number in (match.a.number, match.b.number)}
    for entry in field:
        told = "Out of the bracket" in text(Client().get(page(entry.number)))
        assert told == (entry.number not in seated)
    play(by, cut)
    rounds.complete_round(by=by, round=cut)
    rounds.finish_event(by=by, event=event)
    assert "The event is over" in text(Client().get(page(1)))


def test_when_all_are_checked_in_the_list_offers_to_pair_round_1(event, desk):
    players(event, 3)
    page = text(desk.get(at(event, "entries/check-in/")))
    assert "All players are checked in" in page
    assert "Pair round 1" in page
    Entry.objects.filter(number=3).update(state="entered")
    page = text(desk.get(at(event, "entries/check-in/")))
    assert "All players are checked in" not in page
    assert "Pair without 1 player" in page


def test_a_player_who_dropped_asks_to_come_back_and_the_officials_decide(running, desk):
    mine, other = running.entries.order_by("number")[:2]
    Round.objects.update(state="complete")
    Entry.objects.filter(pk__in=(mine.pk, other.pk)).update(state="dropped", dropped_after=0)
    player = Client()
    player.get(entry_link(mine))
    page = at(running, f"entries/{mine.number}/")
    assert "Ask to re-enter" in text(player.get(page))
    assert "has asked to re-enter" not in text(desk.get(at(running, "console/")))
    for stranger in (Client(), player):
        stranger.post(at(running, f"entries/{other.number}/act/ask-return/"))
    assert not Entry.objects.filter(return_asked__isnull=False).exists(), "only for oneself"
    player.post(f"{page}act/ask-return/")
    mine.refresh_from_db()
    assert (mine.state, mine.return_asked is None) == ("dropped", False), "the player asks, no more"
    assert player.post(f"{page}act/return/").status_code == 403
    assert f"{mine.name} has asked to re-enter." in text(desk.get(at(running, "console/")))
    desk.post(f"{page}act/return/", {"confirmed": "yes"})
    mine.refresh_from_db()
    assert (mine.state, mine.return_asked) == ("checked-in", None)
