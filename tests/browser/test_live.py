"""Live updates of open pages: by the stream, after a restart, and without a working stream."""

import itertools
import re
import socket
import threading
import time

import pytest
import uvicorn
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.urls import reverse
from playwright.sync_api import Page, expect

from config.front import Front
from config.site import Site
from events import stream
from events.models import Entry, Match, Round
from events.services.clock import start_round
from events.services.setup import announce
from rules.positions import pieces
from rules.services.disputes import begin_dispute, change_dispute
from tests.events.match_pages import play
from tests.factories import PersonFactory

from .test_dispute import position

pytestmark = pytest.mark.django_db(transaction=True)
FIRST_LOAD = 60_000
EVENT_PAGES = ("", "rounds/2/", "standings/", "clock/")
PUBLIC = [f"{{event}}{one}" for one in EVENT_PAGES]
PUBLIC += ["/", "/rules/", "/rules/catalogue/", "/rules/quick/", "/rules/board/", "/forces/check/", "/policy/"]
FIRST_REQUESTS = 13


class Server:
    """The site run by the server that venues use; it can be stopped and restarted at the same address."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def begin(self) -> None:
        told = uvicorn.Config(
            Front(Site()),
            host="127.0.0.1",
            port=self.port,
            log_level="warning",
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
        self.server = uvicorn.Server(told)
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()
        until = time.monotonic() + 20
        while not self.server.started and time.monotonic() < until:
            time.sleep(0.02)
        assert self.server.started

    def end(self) -> None:
        self.server.should_exit = True
        self.thread.join(20)
        assert not self.thread.is_alive()


@pytest.fixture
def site(staff, monkeypatch):
    hub = stream.Hub()
    monkeypatch.setattr(stream, "HUB", hub)
    monkeypatch.setattr("config.front.HUB", hub)
    found = Server()
    found.begin()
    yield found
    found.end()
    hub.stop()


@pytest.fixture
def played(staff):
    play(staff.event, 6, 2)
    return staff


def signed_in(page: Page, site: Server, person) -> None:
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session.session_key, "url": site.url}])


def say(staff, text):
    announce(by=staff.actor("judge"), event=staff.event, text=text)


def test_the_stream_alone_brings_updates(page: Page, site, played):
    page.route("**/changes", lambda route: route.abort())
    with page.expect_response(lambda answer: "/live?" in answer.url):
        page.goto(f"{site.url}/events/{played.event.public_id}/standings/")
    say(played, "Lunch is served")
    expect(page.get_by_text("Lunch is served")).to_be_visible()


def test_a_phone_that_was_away_catches_up(page: Page, site, played):
    page.goto(f"{site.url}/events/{played.event.public_id}/standings/")
    page.context.set_offline(True)
    say(played, "Said while away")
    expect(page.locator("#live-behind")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("Said while away")).to_be_visible()
    expect(page.locator("#live-behind")).to_be_hidden()


def test_a_page_says_soon_that_the_network_is_gone_though_nothing_happens(page: Page, site, played):
    with page.expect_response(lambda answer: "/live?" in answer.url):
        page.goto(f"{site.url}/events/{played.event.public_id}/standings/")
    page.context.set_offline(True)
    expect(page.locator("#live-behind")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#live-behind")).to_be_hidden()


def test_a_server_that_restarts_loses_nothing_typed(page: Page, site, played):
    Round.objects.filter(event=played.event, number=2).update(state=Round.State.RUNNING)
    Match.objects.filter(round__event=played.event, round__number=2).update(state="open", result=None)
    signed_in(page, site, played.scorekeeper)
    page.goto(f"{site.url}/events/{played.event.public_id}/rounds/2/results/")
    typed = page.locator("input[name=score_a], input[name=table]").first
    typed.fill("12")
    site.end()
    expect(page.locator("#live-behind")).to_be_visible()
    say(played, "Said while the server was down")
    site.begin()
    expect(page.get_by_text("Said while the server was down")).to_be_visible()
    expect(page.locator("#live-behind")).to_be_hidden()
    expect(typed).to_have_value("12")


def test_a_page_polls_without_a_stream(page: Page, site, played):
    page.route("**/live?*", lambda route: route.fulfill(status=503, body="too many"))
    page.goto(f"{site.url}/events/{played.event.public_id}/standings/")
    say(played, "Heard by asking")
    expect(page.get_by_text("Heard by asking")).to_be_visible()


def test_a_page_that_could_not_be_made_is_asked_for_again(page: Page, site, played):
    """A busy server's answer must not replace the page: the page says so, retries patiently and catches up."""
    address = f"{site.url}/events/{played.event.public_id}/standings/"
    page.goto(address)
    asked = []

    def busy(route):
        asked.append(time.monotonic())
        route.fulfill(status=503, body="busy")

    page.route(address, busy)
    say(played, "Said while the server was busy")
    expect(page.locator("#live-behind")).to_be_visible()
    assert len(asked) >= 2
    assert all(later - earlier > 2 for earlier, later in itertools.pairwise(asked))
    page.unroute(address)
    expect(page.get_by_text("Said while the server was busy")).to_be_visible()
    expect(page.locator("#live-behind")).to_be_hidden()


def test_a_page_polls_if_its_stream_opens_but_delivers_nothing(page: Page, site, played):
    """Some networks deliver what a stream says only when it ends."""
    page.add_init_script(
        "window.EventSource = class { static CLOSED = 2; readyState = 1; addEventListener() {} close() {} }"
    )
    with page.expect_response(lambda answer: answer.url.endswith("/changes")):
        page.goto(f"{site.url}/events/{played.event.public_id}/standings/")
    say(played, "Heard beside a silent stream")
    expect(page.get_by_text("Heard beside a silent stream")).to_be_visible()


def test_a_player_is_told_when_the_pairings_are_out(page: Page, site, played):
    entry = Entry.objects.filter(event=played.event).first()
    entry.person = PersonFactory()
    entry.save()
    Round.objects.filter(event=played.event, number=2).update(state=Round.State.DRAFT)
    signed_in(page, site, entry.person)
    page.goto(f"{site.url}/events/{played.event.public_id}/entries/{entry.number}/")
    page.get_by_role("button", name="Notify me about pairings").click()
    expect(page.get_by_text("Keep this page open")).to_be_visible()
    Match.objects.filter(round__event=played.event, round__number=2).update(state="open", result=None)
    Round.objects.filter(event=played.event, number=2).update(state=Round.State.PUBLISHED)
    start_round(by=played.actor("judge"), round=Round.objects.get(event=played.event, number=2))
    expect(page).to_have_title(re.compile(r"^● Round 2: table \d+ against "))


def test_a_phone_in_the_pocket_shows_a_notification(page: Page, site, played):
    """Phones show only notifications from a service worker, not those that a page makes."""
    page.add_init_script(
        """
        Object.defineProperty(document, "hidden", { get: () => Boolean(window.inThePocket) });
        window.Notification = class {
          static permission = "granted";
          constructor() { throw new TypeError("Illegal constructor"); }
        };
        ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
          window.noticed = { title, scope: this.scope, worker: this.active.scriptURL, ...options };
        };
        """
    )
    entry = Entry.objects.filter(event=played.event).first()
    entry.person = PersonFactory()
    entry.save()
    Round.objects.filter(event=played.event, number=2).update(state=Round.State.DRAFT)
    Match.objects.filter(round__event=played.event, round__number=2).update(state="open", result=None)
    signed_in(page, site, entry.person)
    address = f"{site.url}/events/{played.event.public_id}/entries/{entry.number}/"
    page.goto(address)
    page.get_by_role("button", name="Notify me about pairings").click()
    expect(page.get_by_text("Keep this page open")).to_be_visible()
    page.evaluate(
        """async () => {
          while ((await navigator.serviceWorker.getRegistrations())[0]?.active?.state !== "activated")
            await new Promise((later) => setTimeout(later, 50));
        }"""
    )
    page.evaluate("window.inThePocket = true")
    Round.objects.filter(event=played.event, number=2).update(state=Round.State.PUBLISHED)
    start_round(by=played.actor("judge"), round=Round.objects.get(event=played.event, number=2))
    expect(page).to_have_title(re.compile("^● Round 2"))
    told = page.evaluate(
        """async () => {
          while (!window.noticed) await new Promise((later) => setTimeout(later, 50));
          return window.noticed;
        }"""
    )
    assert re.match(r"Round 2: table \d+ against ", told["body"])
    assert told["data"] == address
    assert told["worker"].endswith("/worker.js")


@pytest.mark.parametrize("where", PUBLIC)
def test_a_public_page_is_light(page: Page, site, played, where):
    """At most 60 kB and 13 requests on the first visit, nothing from other sites."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    sizes, asked = [], []
    session.on("Network.loadingFinished", lambda done: sizes.append(done["encodedDataLength"]))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site.url + where.format(event=f"/events/{played.event.public_id}/"))
    page.wait_for_timeout(500)
    assert all(address.startswith(site.url) for address in asked if not address.startswith("data:"))
    assert len(asked) <= FIRST_REQUESTS
    assert sum(sizes) <= FIRST_LOAD


def test_two_devices_on_one_dispute_see_each_others_changes(browser, page: Page, site):
    row = begin_dispute(document=position())
    page.goto(site.url + row.judging_address())
    expect(page.locator("#dispute")).to_be_visible()
    context = browser.new_context()
    second = context.new_page()
    second.goto(site.url + row.judging_address())
    second.locator("#title-question summary").click()
    second.locator("#question").fill("Was she in the bushes?")
    page.get_by_role("button", name="Ranged attack → Joker").click()
    expect(second.locator("#next h2").first).to_contain_text("Attack roll")
    expect(second.locator("#question")).to_have_value("Was she in the bushes?")
    second.get_by_role("button", name="Save title and question").click()
    expect(page.locator(".dispute-question")).to_have_text("Was she in the bushes?")
    reader = context.new_page()
    reader.goto(site.url + row.reading_address())
    second.goto(f"{site.url}{reverse('rules:dispute', args=[row.public_id])}?sheet=batman")
    button = second.get_by_role("group", name="Action tokens").get_by_role("button", name="1")
    button.focus()
    reader.route("**/live?*", lambda route: route.fulfill(status=503, body="too many"))
    reader.reload()
    page.get_by_role("button", name="Roll for me").click()
    expect(reader.locator("#next h2").first).to_contain_text("Result")
    expect(reader.locator("#spoken")).to_contain_text("This dispute was changed on another device.")
    expect(second.locator("#spoken")).to_contain_text("This dispute was changed on another device.")
    expect(button).to_be_focused()
    for one, figure in ((page, "batman"), (second, "joker")):
        one.goto(f"{site.url}{reverse('rules:dispute', args=[row.public_id])}?sheet={figure}")
        one.evaluate("document.getElementById('dispute').dataset.stream = ''")  # so that it doesn't know of the other's
    for one in (page, second):
        one.get_by_role("group", name="Action tokens").get_by_role("button", name="2").click()
        expect(one.get_by_role("group", name="Action tokens").locator("[aria-pressed=true]")).to_have_text("2")
    row.refresh_from_db()
    assert [piece.get("tokens") for _player, piece in pieces(row.document)] == [2, 2], "neither loses an entry"
    context.close()


def test_what_is_typed_into_a_dispute_stays_with_its_figure_and_outlives_a_change_that_can_not_be_fetched(
    page: Page, site
):
    row = begin_dispute(document=position())
    page.goto(site.url + row.judging_address())
    one, other = [piece["id"] for _player, piece in pieces(row.document)][:2]
    home = page.url.partition("?")[0]
    page.goto(f"{home}?sheet={one}")
    page.locator("#sheet-values summary").click()
    page.locator("#sheet-value-attack").fill("3")
    asked = re.compile(re.escape(home) + r"\?sheet")
    page.route(asked, lambda route: route.abort())
    with page.expect_request(asked):
        change_dispute(dispute=row, version=row.version, said="named", title="Another title")
    page.wait_for_timeout(300)
    expect(page.locator("#sheet-value-attack")).to_have_value("3")
    page.unroute(asked)
    expect(page.locator("h1")).to_have_text("Another title")
    expect(page.locator("#sheet-value-attack")).to_have_value("3")
    page.evaluate(
        "address => document.querySelector('#sheet a.button').setAttribute('href', address)", f"{home}?sheet={other}"
    )
    page.locator("#sheet a.button").first.click()
    expect(page.locator("#sheet input[name=figure]").first).to_have_value(other)
    assert page.locator("#sheet-value-attack").input_value() == page.locator("#sheet-value-attack").get_attribute(
        "value"
    )
