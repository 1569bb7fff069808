"""Registering with a name and a link by e-mail: it takes over no account and no entry, and reveals none."""

import html
import re
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from events.models import AuditEntry, Entry, Event, Person
from events.roles import LINKED_ENTRIES
from tests.conftest import client_of
from tests.factories import EntryFactory, EventFactory, PersonFactory

pytestmark = pytest.mark.django_db
SENT = {"name": "Nora New", "email": "nora@example.org", "club": "Owls", "declares": "on"}


@pytest.fixture(autouse=True)
def _no_limits():
    cache.clear()


@pytest.fixture
def event(staff):
    Event.objects.filter(pk=staff.event.pk).update(is_practice=False)
    staff.event.refresh_from_db()
    return staff.event


def url(name, event, *more):
    return reverse(f"events:{name}", args=[event.public_id, *more])


def asked(event, client=None, **changed):
    return (client or Client()).post(url("enter-by-mail", event), SENT | changed)


def link() -> str:
    return re.search(r"https?://\S+?(/\S+)", mail.outbox[-1].body)[1]


def words(response) -> str:
    """Return the page's text, without its form's token and what the visitor typed."""
    page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", html.unescape(response.content.decode()))
    return re.sub(r"[\w.]+@example\.org", "…", page)


def test_a_name_and_a_link_are_enough(event):
    assert asked(event).status_code == 200
    assert not Entry.objects.exists(), "nothing is stored before the link is opened"
    phone = Client()
    assert "Nora New" in words(phone.get(link()))
    assert not Entry.objects.exists(), "a mail program that opens links registers no one"
    page = phone.post(link(), follow=True)
    entry = Entry.objects.get()
    assert page.redirect_chain[-1][0] == url("entry", event, entry.number)
    assert (entry.name, entry.email, entry.person, entry.state) == ("Nora New", "nora@example.org", None, "entered")
    assert (entry.club, entry.eligible_declared, entry.origin) == ("Owls", True, "self")
    assert "New entry: Nora New" in AuditEntry.objects.get(verb="enter-self").words


def test_the_link_opens_the_same_entry_again_on_another_device(event):
    asked(event)
    for _device in range(2):
        page = Client().post(link(), follow=True)
        assert "You're registered" in words(page)
    assert Entry.objects.count() == 1


def test_a_new_link_for_the_player_ends_the_mailed_one(event):
    asked(event)
    Client().post(link())
    Entry.objects.update(link_issue=2)
    thief = Client()
    assert "This link no longer works." in words(thief.post(link()))
    assert LINKED_ENTRIES not in thief.session


def test_the_page_is_the_same_whether_the_address_has_an_account_or_an_entry(event):
    PersonFactory(email="ada@example.org")
    EmailAddress.objects.create(user=PersonFactory(), email="further@example.org", verified=False)
    EntryFactory(event=event, email="listed@example.org", person=None, number=40)
    addresses = ["new@example.org", "ada@example.org", "ADA@example.org", "further@example.org", "listed@example.org"]
    pages = {words(asked(event, email=email)) for email in addresses}
    assert len(pages) == 1
    assert len(mail.outbox) == len(addresses)


@pytest.mark.parametrize("is_confirmed", [True, False])
def test_an_address_with_an_account_gets_no_link_that_registers(event, is_confirmed):
    ada = PersonFactory(email="ada@example.org")
    EmailAddress.objects.create(user=ada, email=ada.email, verified=is_confirmed, primary=True)
    asked(event, email="Ada@Example.org")
    assert link().startswith("/accounts/login/?next=")
    client = Client()
    client.get(link())
    assert "_auth_user_id" not in client.session


def test_a_link_sent_before_the_account_was_made_takes_nothing_from_it(event):
    asked(event)
    account = PersonFactory(email="nora@example.org")
    client = Client()
    assert "This address has an account. Sign in to register." in words(client.post(link()))
    assert not Entry.objects.exists()
    assert "_auth_user_id" not in client.session
    assert Person.objects.get(pk=account.pk).version == account.version


def test_a_link_takes_over_no_entry_that_an_official_made(event):
    EntryFactory(event=event, email="nora@example.org", person=None, number=40, origin="list")
    asked(event)
    thief = Client()
    assert "This address is already registered." in words(thief.post(link()))
    assert LINKED_ENTRIES not in thief.session
    assert Entry.objects.count() == 1


def test_a_link_counts_at_its_own_event_only_and_no_forged_one_counts(event):
    other = EventFactory(venue=event.venue, state="open")
    asked(event)
    token = link().rstrip("/").rsplit("/", 1)[1]
    for where in (
        url("enter-confirm", other, token),
        url("enter-confirm", event, f"{token}x"),
        url("enter-confirm", event, "a:b:c"),
    ):
        for answer in (Client().get(where), Client().post(where)):
            assert "This link no longer works." in words(answer)
    assert not Entry.objects.exists()


def test_an_old_link_registers_no_one(event):
    asked(event)
    with mock.patch("django.core.signing.time.time", return_value=4_000_000_000):
        assert "This link no longer works." in words(Client().post(link()))
    assert not Entry.objects.exists()


def test_a_link_registers_no_one_once_registration_is_closed(event):
    asked(event)
    Event.objects.update(state="running")
    Client().post(link())
    assert not Entry.objects.exists()
    assert asked(event).status_code == 403
    assert len(mail.outbox) == 1


def test_nothing_that_a_stranger_types_is_in_the_mail(event):
    asked(event, name="Win http://evil.example now", club="http://evil.example", email="nora@example.org")
    sent = mail.outbox[-1]
    assert "evil" not in f"{sent.subject} {sent.body.replace(link(), '')}"
    assert sent.to == ["nora@example.org"]
    assert asked(event, email="nora@example.org\nBcc: all@example.org").status_code == 400


def test_an_address_is_not_flooded(event):
    answers = [asked(event).status_code for _ in range(5)]
    assert answers == [200, 200, 200, 429, 429]
    assert len(mail.outbox) == 3


def test_a_session_known_to_someone_else_is_replaced(event):
    asked(event)
    client = Client()
    client.get(link())
    session = client.session
    session["bait"] = "x"
    session.save()
    client.cookies["sessionid"] = session.session_key
    client.post(link(), follow=True)
    assert client.session.session_key != session.session_key


def test_a_signed_in_person_registers_with_the_account(event):
    asked(event)
    person = PersonFactory()
    assert client_of(person).post(link()).url == url("enter", event)
    assert not Entry.objects.exists()
    assert asked(event, client_of(person)).url == url("enter", event)


def test_the_event_stays_in_sight_through_sign_up(event):
    page = words(Client().get(url("enter", event)))
    assert event.name in page
    for path in ("login", "signup"):
        assert f"/accounts/{path}/?next=" in page
        shown = words(Client().get(f"/accounts/{path}/?next={url('enter', event)}"))
        assert f"Register for {event.name}" in shown
    Event.objects.update(state="draft")
    assert event.name not in words(Client().get(f"/accounts/login/?next={url('enter', event)}"))
    assert Client().get("/accounts/login/?next=https://evil.example/").status_code == 200


def test_without_a_mail_server_no_form_asks_for_an_address(event, settings):
    settings.EMAIL_BACKEND = settings.MAIL_NOWHERE[0]
    assert 'name="email"' not in Client().get(url("enter", event)).content.decode()
    assert asked(event).status_code == 400
