"""The database is locked when someone presses a button: the page says so, and resends the form once by itself."""

import re
import sqlite3

import pytest
from django.db import connection, connections
from django.urls import reverse
from playwright.sync_api import expect

from events import unavailable
from events.models import Announcement, Match
from tests.events.force_catalogue import small_catalogue
from tests.events.match_pages import play
from tests.factories import EntryFactory, PersonFactory

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's lock is held from outside"),
]


@pytest.fixture
def lock(monkeypatch, live_server):
    """Return `begin` and `end`, which hold SQLite's lock as another program does; the site waits briefly for it."""
    monkeypatch.setitem(connections.databases["default"]["OPTIONS"], "timeout", 0.05)
    monkeypatch.setattr(unavailable, "RETRY_AFTER", 1)
    monkeypatch.setattr(unavailable, "SPREAD", 1)
    monkeypatch.setattr(unavailable.Jam, "SECONDS", 0.1)
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)

    class Lock:
        def begin(self):
            other.execute("BEGIN IMMEDIATE")

        def end(self):
            other.execute("ROLLBACK")

    yield Lock()
    other.close()


def test_a_form_is_sent_again_by_itself_and_kept_once(staff, live_server, page, context, sign_in, lock):
    sign_in(context, staff.head_judge)
    where = reverse("events:announce", args=[staff.event.public_id])
    page.goto(live_server.url + where)
    form = page.locator("form:has([name=text])").first
    lock.begin()
    form.locator("[name=text]").fill("Lunch at one")
    form.locator("button").first.click()
    expect(page.get_by_role("heading", name="Not saved yet")).to_be_visible()
    expect(page.locator("#again-said")).to_be_visible()
    expect(page.locator("dl.facts")).to_contain_text("Lunch at one")
    page.wait_for_timeout(1500)  # the page has resent it once, without success
    assert not Announcement.objects.exists()
    lock.end()
    expect(page.get_by_role("heading", name="Not saved yet")).to_have_count(0, timeout=15_000)
    assert Announcement.objects.get().text == "Lunch at one"


def test_a_typed_result_waits_where_it_was_typed(staff, live_server, page, context, sign_in, lock):
    play(staff.event, 4, 1)
    sign_in(context, staff.scorekeeper)
    page.goto(live_server.url + reverse("events:results", args=[staff.event.public_id, 1]))
    lock.begin()
    for word in ("1", "120", "80"):
        page.keyboard.type(word)
        page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("The site is busy")
    lock.end()
    expect(page.locator("#said")).to_contain_text("Table 1:", timeout=15_000)
    assert Match.objects.get(table=1).result.score("a") == 120


def test_the_bench_of_a_force_is_asked_for_again(staff, live_server, page, context, sign_in, lock):
    small_catalogue()
    entry = EntryFactory(event=staff.event, name="Paula Player", person=PersonFactory(name="Paula Player"))
    sign_in(context, entry.person)
    page.goto(f"{live_server.url}/events/{staff.event.public_id}/entries/{entry.number}/force/")
    page.get_by_label("Search by name, number, keyword…").fill("heron")
    expect(page.locator("#found")).to_contain_text("1 found")
    lock.begin()
    page.get_by_role("button", name="Add Night Heron").click()
    expect(page.locator("#not-reached")).to_be_visible()
    lock.end()
    expect(page.locator("#bench").get_by_role("heading", name=re.compile("Night Heron"))).to_have_count(
        1, timeout=15_000
    )
    expect(page.locator("#not-reached")).to_be_hidden()
