"""The player's own page in the pocket: readable without network, with its age, until the player signs out."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from events.models import Entry
from tests.browser.conftest import PATIENCE
from tests.events.match_pages import play
from tests.factories import PersonFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
KEPT = """async () => (await caches.has('headjudge own page'))
  ? (await (await caches.open('headjudge own page')).keys()).map(({ url }) => new URL(url).pathname) : null"""


def wait_for(page, holds):
    """Wait until what the worker keeps is so. `wait_for_function` takes a promise for true, and wouldn't wait."""
    for _try in range(PATIENCE // 100):
        if holds(page.evaluate(KEPT)):
            return
        page.wait_for_timeout(100)
    raise AssertionError(page.evaluate(KEPT))


def test_the_own_page_is_read_without_network_until_its_player_signs_out(staff, live_server, page, context, sign_in):
    play(staff.event, 4, 1)
    mine, other = Entry.objects.filter(event=staff.event).order_by("number")[:2]
    mine.person = PersonFactory()
    mine.save()
    sign_in(context, mine.person)
    at = reverse("events:entry", args=[staff.event.public_id, mine.number])
    page.goto(live_server.url + at)
    wait_for(page, lambda kept: kept is not None and at in kept)
    page.goto(live_server.url + reverse("events:entry", args=[staff.event.public_id, other.number]))
    page.goto(live_server.url + reverse("events:standings", args=[staff.event.public_id]))
    assert [path for path in page.evaluate(KEPT) if path.startswith("/events/")] == [at]

    context.set_offline(True)
    page.goto(live_server.url)
    expect(page).to_have_url(live_server.url + at)
    age = re.compile(r"^No connection\. This page is from .+ \((this minute|\d minutes? ago)\)\.$")
    expect(page.locator("#kept")).to_have_text(age)
    expect(page.locator(".place-table")).to_have_text(re.compile(r"Table \d"))
    assert page.locator("link[rel=stylesheet]").evaluate("(link) => link.sheet.cssRules.length") > 100
    page.get_by_label("You", exact=True).fill("120")
    context.set_offline(False)
    expect(page.locator("#kept")).to_be_hidden()
    expect(page.get_by_label("You", exact=True)).to_have_value("120")

    page.goto(live_server.url + "/accounts/logout/")
    page.locator("#main").get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    wait_for(page, lambda kept: kept is None)


def test_the_site_can_be_installed(page, live_server):
    page.goto(live_server.url)
    session = page.context.new_cdp_session(page)
    told = session.send("Page.getAppManifest")
    assert told["errors"] == []
    assert told["url"] == f"{live_server.url}/app.webmanifest"
    faults = [one["errorId"] for one in session.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert faults == ["in-incognito"]  # the test's own window
