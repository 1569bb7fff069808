"""The database is locked, full, read-only or unreachable: pages answer 503, reading works, no input is lost."""

import contextlib
import sqlite3

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client
from django.urls import reverse

from events import live
from events.models import Announcement
from events.unavailable import JAM
from tests.forms_of_page import as_sent, forms_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's locks; PostgreSQL's are in tests/postgresql"),
]
BROWSER = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
TYPED = {"text": "Lunch at one,\nround four at two", "minutes": "30"}


@pytest.fixture(autouse=True)
def _impatient():
    """Wait for a lock only briefly; end the locks of a test."""
    JAM.until = 0.0
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 50")
    yield
    JAM.until = 0.0
    connection.close()


@contextlib.contextmanager
def locked():
    """Hold SQLite's write lock, as another program would."""
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        yield
    finally:
        other.close()


def set_up(pragma):
    with connection.cursor() as cursor:
        cursor.execute(pragma)


def is_full():
    set_up("VACUUM")  # space freed by earlier tests would hold many rows
    with connection.cursor() as cursor:
        pages = cursor.execute("PRAGMA page_count").fetchone()[0]
    set_up(f"PRAGMA max_page_count = {pages}")


def judge_of(staff):
    client = Client(headers=BROWSER, raise_request_exception=False)
    client.force_login(staff.head_judge, backend="django.contrib.auth.backends.ModelBackend")
    return client


def announce_at(staff):
    return reverse("events:announce", args=[staff.event.public_id])


def form_to(page, address):
    (form,) = [form for form in forms_of(page) if form.action == address]
    return form


def test_a_form_that_met_a_locked_database_is_kept_and_sent_again(staff):
    client, where = judge_of(staff), announce_at(staff)
    with locked():
        told = client.post(where, TYPED)
    assert told.status_code == 503
    assert 5 <= int(told["Retry-After"]) < 10
    assert told["Cache-Control"] == "no-store"
    assert f'data-again="{told["Retry-After"]}"' in told.text
    assert "Lunch at one,<br>round four at two" in told.text
    assert "Nothing was saved." in told.text
    assert not Announcement.objects.exists()
    JAM.until = 0.0
    assert client.post(where, as_sent(form_to(told.text, where))).status_code == 302
    assert Announcement.objects.get().text.replace("\r", "") == TYPED["text"]


def test_while_it_is_known_to_be_locked_forms_are_answered_at_once(staff, django_assert_num_queries):
    client, where = judge_of(staff), announce_at(staff)
    with locked():
        client.post(where, TYPED)
        with django_assert_num_queries(0):
            assert client.post(where, TYPED).status_code == 503
    assert JAM.is_on


def test_pages_are_read_while_it_is_locked_even_where_their_session_cannot_be_saved(staff):
    client = judge_of(staff)
    assert client.post(announce_at(staff), TYPED).status_code == 302
    with locked():
        page = client.get(reverse("home"))  # skips the offer to undo: saving the session would write
        assert page.status_code == 200
        assert client.get(reverse("events:event", args=[staff.event.public_id])).status_code == 200


def test_scripts_and_the_interface_learn_when_to_try_again(staff):
    client, where = judge_of(staff), announce_at(staff)
    with locked():
        told = client.post(where, TYPED, headers={"accept": "application/json"})
        assert (told.status_code, told.json()["error"]["code"]) == (503, "busy")
        assert int(told["Retry-After"]) >= 5
        part = client.post(where, TYPED, headers={"hx-request": "true"})
        assert (part.status_code, part["HX-Retarget"]) == (503, "body")
        api = client.post("/api/nowhere/", {})
        assert api.status_code in (404, 503)


def test_a_committed_form_is_never_offered_again(staff, monkeypatch):
    client, where = judge_of(staff), announce_at(staff)

    def broken(*_given):
        raise sqlite_fault("SQLITE_BUSY", "database is locked")

    monkeypatch.setattr(live, "LISTENERS", [*live.LISTENERS, broken])
    told = client.post(where, TYPED)
    assert told.status_code == 302
    assert Announcement.objects.count() == 1
    monkeypatch.undo()
    assert "Your change was saved, but the next page" in client.get(told["Location"]).text
    monkeypatch.setattr(live, "LISTENERS", [broken])
    JAM.until = 0.0
    told = client.post(where, TYPED, headers={"accept": "application/json"})
    assert (told.status_code, told.json()["error"]["code"]) == (500, "saved")
    assert "Retry-After" not in told


def test_an_act_stands_where_only_its_session_could_not_be_saved(staff, monkeypatch):
    client, where = judge_of(staff), announce_at(staff)

    def broken(self, must_create=False):
        raise sqlite_fault("SQLITE_BUSY", "database is locked")

    monkeypatch.setattr(SessionStore, "save", broken)
    assert client.post(where, TYPED).status_code == 302
    assert Announcement.objects.count() == 1


def test_signing_in_says_that_it_is_busy_and_shows_no_password(staff):
    staff.judge.set_password("three-action-tokens")
    staff.judge.save()
    client = Client(headers=BROWSER, raise_request_exception=False)
    typed = {"login": staff.judge.email, "password": "three-action-tokens"}
    with locked():
        told = client.post(reverse("account_login"), typed)
    assert told.status_code == 503
    assert "three-action-tokens" not in told.text
    assert "data-again" not in told.text
    JAM.until = 0.0
    assert client.post(reverse("account_login"), typed).status_code == 302


def test_no_page_holds_or_keeps_a_code(staff):
    client = judge_of(staff)
    client.get(reverse("home"))
    for where, name in ((reverse("events:sign-in-by-code"), "code"), (reverse("judging:event-import"), "pairing_code")):
        typed = {"email": "judge@example.org", name: "HJKM PQRS", "trust": "on"}
        JAM.note()
        told = client.post(where, typed)
        assert told.status_code == 503
        assert "HJKM PQRS" not in told.text
        JAM.until = 0.0
        stranger = Client(headers=BROWSER, enforce_csrf_checks=True)
        assert "HJKM PQRS" not in stranger.post(where, typed).text
        signed_out = Client(headers=BROWSER)
        signed_out.post(where, typed)
        assert "HJKM PQRS" not in str(dict(signed_out.session))


def test_a_strangers_form_is_refused_and_never_sent_from_here(staff):
    client = Client(headers=BROWSER, enforce_csrf_checks=True, raise_request_exception=False)
    client.force_login(staff.head_judge, backend="django.contrib.auth.backends.ModelBackend")
    JAM.note()
    with locked():
        told = client.post(announce_at(staff), TYPED, headers={"origin": "https://stranger.example"})
    assert told.status_code == 403
    assert "data-again" not in told.text


@pytest.mark.parametrize(
    ("cause", "said"),
    [(is_full, "disk is full"), (lambda: set_up("PRAGMA query_only = ON"), "is read-only")],
    ids=["full", "read-only"],
)
def test_a_full_disk_or_a_read_only_database_is_reported_and_nothing_is_half_saved(staff, cause, said):
    client, where = judge_of(staff), announce_at(staff)
    cause()
    long = TYPED | {"text": "Lunch at one. " * 20}
    for _n in range(40):  # even a full database has room for some rows
        told = client.post(where, long)
        if told.status_code == 503:
            break
    assert told.status_code == 503
    assert said in told.text
    assert int(told["Retry-After"]) >= 30
    assert client.get(reverse("home")).status_code == 200
    set_up("PRAGMA query_only = OFF")
    set_up("PRAGMA max_page_count = 1000000")
    kept = Announcement.objects.count()
    assert client.post(where, as_sent(form_to(told.text, where))).status_code == 302
    assert Announcement.objects.count() == kept + 1


def test_a_database_that_is_away_is_reported_without_asking_it(staff, monkeypatch):
    client = judge_of(staff)

    def away(self):
        raise OperationalError("connection failed: connection refused")

    connection.close()
    monkeypatch.setattr(BaseDatabaseWrapper, "ensure_connection", away)
    page = client.get(reverse("home"))
    assert page.status_code == 503
    assert 'http-equiv="refresh"' in page.text
    assert client.cookies[settings.SESSION_COOKIE_NAME].value
    told = client.post(announce_at(staff), TYPED)
    assert told.status_code == 503
    assert "Lunch at one" in told.text


def sqlite_fault(name, text):
    """Return an error as Django raises it for one of SQLite's."""
    cause = sqlite3.OperationalError(text)
    cause.sqlite_errorname = name
    fault = OperationalError(text)
    fault.__cause__ = cause
    return fault
