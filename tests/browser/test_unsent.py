"""Forms sent without network stay on the page with what was typed, say so, and are sent once when the network is back."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from events.models import Claim, Entry, Match
from tests.events.match_pages import play
from tests.factories import EntryFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SAID = "will be sent when the network is back"


def test_a_result_waits_for_the_network_and_counts_once_though_its_answer_was_lost(
    staff, live_server, page, context, sign_in
):
    play(staff.event, 4, 1)
    sign_in(context, staff.scorekeeper)
    page.goto(live_server.url + reverse("events:table", args=[staff.event.public_id, 1, 1]))
    page.get_by_label("Victory points").first.fill("120")
    page.get_by_label("Victory points").last.fill("80")
    tries = []

    def lose_the_answer(route):
        tries.append(route.request.headers["x-form"])
        if len(tries) == 1:
            return route.abort("internetdisconnected")
        if len(tries) == 2:
            route.fetch(max_redirects=0)
            return route.abort("connectionreset")
        return route.continue_()

    page.route("**/enter/", lose_the_answer)
    page.get_by_role("button", name="Save result").click()
    expect(page.locator(".unsent")).to_contain_text(SAID)
    expect(page.get_by_label("Victory points").first).to_have_value("120")
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_timeout(500)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_role("button", name="Save result")).to_have_count(0)  # the page has opened again
    expect(page.locator("#main")).to_contain_text("120 : 80")
    assert len(tries) == 3
    assert len(set(tries)) == 1
    assert Claim.objects.count() == 1
    assert Match.objects.get(table=1).result.score("a") == 120


def test_check_ins_wait_in_their_rows(staff, live_server, page, context, sign_in):
    for name in ("Anna", "Bert"):
        EntryFactory(event=staff.event, name=name, state=Entry.State.ENTERED)
    sign_in(context, staff.scorekeeper)
    page.goto(live_server.url + reverse("events:check-in", args=[staff.event.public_id]))
    context.set_offline(True)
    for name in ("Anna", "Bert"):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("listitem").filter(has_text=name).locator(".unsent")).to_contain_text(SAID)
    context.set_offline(False)
    expect(page.locator("#counts")).to_contain_text("2 of 2")
    expect(page.locator(".unsent")).to_have_count(0)
    assert Entry.objects.filter(state=Entry.State.CHECKED_IN).count() == 2


def test_a_form_that_waited_is_not_sent_for_whoever_signed_in_since(staff, live_server, page, context, sign_in):
    entry = EntryFactory(event=staff.event, name="Anna", state=Entry.State.ENTERED)
    sign_in(context, staff.scorekeeper)
    page.goto(live_server.url + reverse("events:check-in", args=[staff.event.public_id]))
    context.set_offline(True)
    page.get_by_role("button", name="Anna").click()
    expect(page.locator(".unsent")).to_contain_text(SAID)
    sign_in(context, staff.judge)
    context.add_cookies([{"name": "csrftoken", "value": "x" * 32, "url": live_server.url}])
    page.on("dialog", lambda dialog: dialog.accept())
    context.set_offline(False)
    expect(page.locator("#main")).to_contain_text("before you signed in or out")
    entry.refresh_from_db()
    assert entry.state == Entry.State.ENTERED
