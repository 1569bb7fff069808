"""Push messages in Chromium: turned on and off by one tap; what the server sent is shown by the real service worker."""

import json

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from events.models import Entry, Match, PushSubscription, Round
from events.web_push import public_key
from judging import pushes
from tests.events.match_pages import play
from tests.factories import PersonFactory
from tests.receivers import receiving
from tests.web_push import Browser, claims_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
STAND_IN = """
(() => {
  const subscription = {
    options: {},
    toJSON: () => ({ endpoint: ENDPOINT, keys: KEYS }),
    endpoint: ENDPOINT,
    unsubscribe: async () => { localStorage.removeItem("subscribed"); return true; },
  };
  PushManager.prototype.subscribe = async (options) => {
    localStorage.setItem("subscribed", btoa(String.fromCharCode(...options.applicationServerKey)));
    if (!options.userVisibleOnly) throw new Error("refused");
    return subscription;
  };
  PushManager.prototype.getSubscription = async () => (localStorage.getItem("subscribed") ? subscription : null);
})();
"""
SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  for (let tries = 0; tries < 200; tries += 1) {
    const [one] = await worker.getNotifications();
    if (one) return { title: one.title, body: one.body, tag: one.tag, data: one.data };
    await new Promise((later) => setTimeout(later, 50));
  }
}"""


@pytest.fixture
def mine(staff):
    play(staff.event, 4, 1)
    Round.objects.update(published_at=timezone.now())
    entry = Entry.objects.filter(event=staff.event).order_by("number")[0]
    entry.person = PersonFactory()
    entry.save()
    return entry


@pytest.fixture
def service(settings):
    """A push service at which the browser subscribes; this one can't reach its maker's."""
    settings.PUSH = settings.WEBHOOKS_INSIDE = True
    with receiving(status=201) as one:
        yield one


def test_what_the_server_pushed_is_shown_by_the_service_worker_until_it_is_turned_off(
    mine, service, live_server, page, context, sign_in
):
    phone, at = Browser(), live_server.url + reverse("events:entry", args=[mine.event.public_id, mine.number])
    script = STAND_IN.replace("ENDPOINT", json.dumps(service.address)).replace("KEYS", json.dumps(phone.keys))
    page.add_init_script(script)
    context.grant_permissions(["notifications"], origin=live_server.url)
    sign_in(context, mine.person)
    devtools = page.context.new_cdp_session(page)
    registered = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda told: registered.extend(told["registrations"]))
    devtools.send("ServiceWorker.enable")
    page.goto(at)
    page.get_by_role("button", name="Notify me about pairings").click()
    off = page.get_by_role("button", name="Turn off notifications")
    expect(off).to_be_visible()
    expect(page.get_by_role("button", name="Notify me about pairings")).to_be_hidden()
    expect(page.get_by_text("Keep this page open")).to_be_hidden()
    row = PushSubscription.objects.get()
    assert (row.person, row.endpoint, row.p256dh) == (mine.person, service.address, phone.keys["p256dh"])
    given = page.evaluate("localStorage.getItem('subscribed')")
    assert given.replace("+", "-").replace("/", "_").rstrip("=") == public_key()

    pushes.collect()
    pushes.send_all(row.host, "", seconds=60)
    (sent,) = service.got
    assert claims_of(sent.headers["authorization"], public_key())["aud"] == service.address.removesuffix("/hook")
    message = phone.read(sent.body).decode()
    (worker,) = {one["registrationId"] for one in registered}
    facts = {"origin": live_server.url, "registrationId": worker, "data": message}
    devtools.send("ServiceWorker.deliverPushMessage", facts)
    match = next(one for one in Match.objects.with_entries() if mine in one.entries)
    (opponent,) = match.opponents_of(mine)
    assert page.evaluate(SHOWN) == {
        "title": mine.event.name,
        "body": f"Round 1: table {match.table} against {opponent.name}",
        "tag": f"{mine.event.public_id} pairings",
        "data": at,
    }

    page.reload()
    off.click()
    expect(page.get_by_role("button", name="Notify me about pairings")).to_be_visible()
    page.wait_for_function("() => !localStorage.getItem('subscribed')")
    assert not PushSubscription.objects.exists()


def test_where_the_browser_reaches_no_push_service_the_open_page_notifies(
    mine, service, live_server, page, context, sign_in
):
    page.add_init_script("PushManager.prototype.subscribe = async () => { throw new Error('no push service'); };")
    context.grant_permissions(["notifications"], origin=live_server.url)
    sign_in(context, mine.person)
    page.goto(live_server.url + reverse("events:entry", args=[mine.event.public_id, mine.number]))
    page.get_by_role("button", name="Notify me about pairings").click()
    expect(page.get_by_text("Keep this page open")).to_be_visible()
    expect(page.get_by_role("button", name="Turn off notifications")).to_be_hidden()
    assert not PushSubscription.objects.exists()


def test_signing_out_turns_a_devices_notifications_off(mine, service, live_server, page, context, sign_in):
    page.add_init_script(STAND_IN.replace("ENDPOINT", "'https://push.example/'").replace("KEYS", "{}"))
    sign_in(context, mine.person)
    page.goto(live_server.url + reverse("events:entry", args=[mine.event.public_id, mine.number]))
    page.evaluate("async () => { await navigator.serviceWorker.ready; localStorage.setItem('subscribed', 'x'); }")
    page.goto(live_server.url + "/accounts/logout/")
    page.locator("#main").get_by_role("button", name="Sign out").click()
    page.wait_for_function("() => !localStorage.getItem('subscribed')")
