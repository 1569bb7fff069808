"""A form sent twice (a double-click, a lost answer) creates its rows once."""

import datetime
import threading

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from events.models import Announcement, Entry, Event, Extension, Official, Person, SentForm, Venue
from judging import background
from judging.models import Penalty
from tests.conftest import client_of
from tests.events.match_pages import play
from tests.events.test_venues import facts
from tests.factories import EntryFactory, PersonFactory
from tests.forms_of_page import forms_of

pytestmark = pytest.mark.django_db
BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def _filled(client, address, typed, *, action=""):
    """Return a page's form as a browser submits it, with its token, and its target."""
    page = client.get(address, headers=BROWSER)
    assert page.status_code == 200
    forms = [
        one
        for one in forms_of(page.content.decode())
        if one.method == "post" and (one.action or address).endswith(action)
    ]
    form = next(one for one in forms if set(typed) & set(one.fields))
    assert form.fields["csrfmiddlewaretoken"]
    return form.action or address, form.fields | {name: [value] for name, value in typed.items()}


def _twice(client, address, typed, **named):
    where, sent = _filled(client, address, typed, **named)
    first = client.post(where, sent, headers=BROWSER)
    second = client.post(where, sent, headers=BROWSER)
    assert first.status_code == 302, first.content.decode()
    assert second.status_code == 200
    assert "was saved only once" in second.content.decode()
    return second


def _of(event, page):
    return f"/events/{event.public_id}/{page}"


def test_a_double_click_enters_one_player(staff):
    client = staff.client("scorekeeper")
    told = _twice(client, _of(staff.event, "entries/add/"), {"name": "Anna", "declares": "on"})
    assert Entry.objects.filter(name="Anna").count() == 1
    assert "Anna" in told.content.decode()


def test_another_player_of_the_same_name_is_entered_from_a_form_opened_again(staff):
    client = staff.client("scorekeeper")
    for _n in range(2):
        where, sent = _filled(client, _of(staff.event, "entries/add/"), {"name": "Anna", "declares": "on"})
        assert client.post(where, sent, headers=BROWSER).status_code == 302
    assert Entry.objects.filter(name="Anna").count() == 2


def test_a_refused_form_can_be_sent_again(staff):
    """Nothing was created, so the form doesn't count as used."""
    client = staff.client("scorekeeper")
    where, sent = _filled(client, _of(staff.event, "entries/add/"), {"name": "Anna", "declares": "on"})
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.CANCELLED)
    assert client.post(where, sent, headers=BROWSER).status_code == 403
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.OPEN)
    assert client.post(where, sent, headers=BROWSER).status_code == 302
    assert Entry.objects.filter(name="Anna").count() == 1


def test_entering_oneself(staff):
    player = PersonFactory(name="Paul")
    where, sent = _filled(client_of(player), _of(staff.event, "enter/"), {"name": "Paul", "declares": "on"})
    client = client_of(player)
    answers = [client.post(where, sent, headers=BROWSER).status_code for _n in range(2)]
    assert answers == [302, 200]
    assert Entry.objects.filter(person=player).count() == 1


def test_a_list_of_players(staff):
    client = staff.client("head_judge")
    address = _of(staff.event, "entries/import/")
    _twice(client, address, {"text": "Anna\nBert", "declared": "on", "enter": "yes"})
    assert Entry.objects.count() == 2


def test_an_official_and_an_announcement(staff):
    other = PersonFactory()
    _twice(staff.client("manager"), _of(staff.event, "officials/"), {"email": other.email, "role": "judge"})
    assert Official.objects.filter(person=other).count() == 1
    _twice(staff.client("head_judge"), _of(staff.event, "announce/"), {"text": "Pizza is here"})
    assert Announcement.objects.count() == 1


def test_a_penalty(staff):
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
    entry = EntryFactory(event=staff.event, state=Entry.State.CHECKED_IN)
    client, address = staff.client("head_judge"), _of(staff.event, "penalties/")
    page = client.get(address).content.decode()
    form = next(one for one in forms_of(page) if "entry" in one.fields or "entries" in one.fields)
    sent = form.fields | {"entry": [str(entry.pk)], "kind": ["warning"], "category": ["slow-play"], "text": ["slow"]}
    for _n in range(2):
        client.post(form.action or address, sent, headers=BROWSER)
    assert Penalty.objects.count() == 1


def test_a_venue(staff):
    client = client_of(PersonFactory())
    typed = facts(name="The Shop")
    where, sent = _filled(client, "/venues/register/", typed)
    for _n in range(2):
        client.post(where, sent, headers=BROWSER)
    assert Venue.objects.filter(name="The Shop").count() == 1


def test_a_copy_of_an_event_is_made_once(staff):
    client = staff.client("manager")
    page = client.get(_of(staff.event, "")).content.decode()
    form = next(one for one in forms_of(page) if one.action.endswith("/copy/"))
    answers = [client.post(form.action, form.fields, headers=BROWSER).status_code for _n in range(2)]
    assert answers == [302, 200]
    assert Event.objects.count() == 2


def test_repeated_requests_by_scripts_count_each_time(staff):
    client = staff.client("scorekeeper")
    where, sent = _filled(client, _of(staff.event, "entries/add/"), {"name": "Anna", "declares": "on"})
    for headers in ({"accept": "*/*"}, {"accept": "application/json"}, BROWSER | {"hx-request": "true"}):
        client.post(where, sent, headers=headers)
    assert Entry.objects.filter(name="Anna").count() == 3
    assert not SentForm.objects.exists()


def test_sent_forms_are_forgotten_after_two_days(staff):
    _twice(staff.client("scorekeeper"), _of(staff.event, "entries/add/"), {"name": "Anna", "declares": "on"})
    background.sweep()
    assert SentForm.objects.count() == 1
    SentForm.objects.update(at=timezone.now() - datetime.timedelta(days=3))
    background.sweep()
    assert not SentForm.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_the_same_instant_enter_one_player(staff):
    """Both have checked for existing rows before either writes."""
    client = staff.client("scorekeeper")
    where, sent = _filled(client, _of(staff.event, "entries/add/"), {"name": "Anna", "declares": "on"})
    answers = at_once(4, lambda: _again(client).post(where, sent, headers=BROWSER).status_code)
    assert sorted(answers) == [200, 200, 200, 302]
    assert Entry.objects.filter(name="Anna").count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("administrator")
def test_two_clicks_at_the_same_instant_make_one_account(client):
    where, sent = _filled(client, "/accounts/signup/", {"email": "new@example.org"})
    sent |= {"name": ["Nora"], "password1": ["a-long-pass-phrase-9"], "password2": ["a-long-pass-phrase-9"]}
    answers = at_once(3, lambda: _again(client).post(where, sent, headers=BROWSER).status_code)
    assert all(status < 500 for status in answers), answers
    assert Person.objects.filter(email="new@example.org").count() == 1


def _again(client):
    """Return the same browser for another thread."""
    other = Client(raise_request_exception=False)
    other.cookies = client.cookies
    return other


def at_once(n, act):
    """Return the results of `act` in several threads that start together."""
    gate, found = threading.Barrier(n), []

    def begin():
        try:
            gate.wait(20)
            found.append(act())
        finally:
            connection.close()

    threads = [threading.Thread(target=begin) for _n in range(n)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60)
    return found


def _once(client, address, form="1" * 32, **typed):
    return client.post(address, typed, headers={"accept": "application/json", "x-form": form})


def test_a_form_sent_until_an_answer_arrives_counts_once_though_it_creates_no_row(staff):
    """The page that keeps sending it learns where to go on; the second time it learns only that it had arrived."""
    entry = EntryFactory(event=staff.event, state=Entry.State.ENTERED)
    address, client = _of(staff.event, f"entries/{entry.number}/act/check-in/"), staff.client("scorekeeper")
    first = _once(client, address)
    assert (first.status_code, first["X-To"]) == (204, _of(staff.event, f"entries/{entry.number}/"))
    assert Entry.objects.get().state == Entry.State.CHECKED_IN
    assert _once(client, address.replace("check-in", "undo-check-in"), "2" * 32).status_code == 204
    second = _once(client, address)
    assert (second.status_code, "X-To" in second) == (204, False)
    assert Entry.objects.get().state == Entry.State.ENTERED, "the lost answer doesn't check in again"


@pytest.mark.parametrize(
    "path", ["rounds/pair/", "rounds/1/publish/", "rounds/1/complete/", "entries/1/act/disqualify/"]
)
def test_what_a_page_may_not_send_by_itself_is_refused(staff, path):
    """Nothing that changes the event for everyone is sent later, whatever the page says."""
    answer = _once(staff.client("head_judge"), _of(staff.event, path))
    assert answer.status_code == 400
    assert "can't be sent automatically" in answer.json()["error"]["message"]


def test_a_call_to_end_the_time_is_not_sent_later_but_an_extension_is(staff):
    play(staff.event, 4, 1)
    client, address = staff.client("head_judge"), _of(staff.event, "clock/")
    assert _once(client, address, act="start").status_code == 400
    form = {"act": "extend", "one-table": "1", "one-minutes": "3", "one-reason": "spill"}
    assert [_once(client, address, **form).status_code for _n in range(2)] == [204, 204]
    assert Extension.objects.count() == 1
