"""How often a judge taps for the commonest acts, and how much of a phone the open tables take."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from events.models import Claim, Entry, Extension, Match, Round
from events.roles import Actor
from events.services import results, rounds
from tests.events.match_pages import play
from tests.factories import EntryFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def judge(staff, live_server, browser, sign_in):
    """A phone with a judge signed in; `taps` counts its taps."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    sign_in(context, staff.head_judge)
    page = context.new_page()
    page.taps = 0

    def tap(name, *, within=page):
        within.get_by_role("button", name=name).or_(within.get_by_role("link", name=name)).first.tap()
        page.taps += 1

    page.tapped = tap
    page.open = lambda name, *parts: page.goto(
        live_server.url + reverse(name, args=[staff.event.public_id, *parts]), wait_until="domcontentloaded"
    )
    yield page
    context.close()


def test_the_commonest_acts_take_few_taps(staff, judge):
    play(staff.event, 22, 1)
    Entry.objects.filter(matches_as_a__table=1).update(name="Maximilienne van den Broucke")
    match = Match.objects.select_related("a", "b", "round__event").get(table=1)
    for entry, score in ((match.a, 120), (match.b, 77)):
        given = {"score_a": score, "score_b": 80}
        results.claim_result(by=Actor(entry=entry), match=match, result=given)

    judge.open("events:open-tables", 1)
    last = judge.locator(".open-tables tbody tr").last.bounding_box()
    assert judge.locator(".open-tables tbody tr").count() == 11
    assert last["y"] + last["height"] <= 1300
    judge.open("events:console")
    assert judge.evaluate("document.documentElement.scrollHeight") <= 2100, (
        "eleven open tables and every link of the event"
    )
    judge.open("events:round", 1)
    heights = judge.locator(".pair > a").evaluate_all("links => links.map(link => link.offsetHeight)")
    assert len(heights) == 22
    assert min(heights) >= 44

    judge.open("events:table", 1, 1)
    accept = judge.get_by_role("button", name=f"Accept {match.a}'s report")
    assert accept.bounding_box()["height"] < 60, "more than two lines"
    judge.tapped(f"Accept {match.a}'s report")
    expect(judge.locator("#main")).to_contain_text("Judge's decision recorded:")
    assert judge.taps == 1
    assert Claim.objects.filter(how=Claim.How.JUDGE).count() == 1

    judge.taps = 0
    judge.open("events:open-tables", 1)
    judge.locator(".open-tables tbody tr").last.tap()
    judge.taps += 1
    judge.tapped("+3 min")
    expect(judge.locator("#main")).to_contain_text("3 extra minutes")
    assert judge.taps == 2
    assert Extension.objects.get().seconds == 180

    judge.taps = 0
    judge.open("events:entry", match.a.number)
    judge.tapped("Drop from event")
    expect(judge.get_by_role("heading", name="Drop from event?")).to_be_visible()
    judge.tapped("Drop from event")
    expect(judge.locator("#main")).to_contain_text("has been dropped")
    assert judge.taps == 2
    assert Entry.objects.get(pk=match.a.pk).state == Entry.State.DROPPED


def test_checking_in_takes_one_tap_and_a_swap_three(staff, judge):
    names = ["Anna", "Bert", "Carl", "Dora"]
    for number, name in enumerate(names, 1):
        EntryFactory(event=staff.event, number=number, name=name, state=Entry.State.ENTERED)
    judge.open("events:check-in")
    for name in names:
        judge.tapped(name)
    expect(judge.locator("#counts")).to_contain_text("4 of 4")
    assert judge.taps == 4

    rounds.draft_round(by=staff.actor("head_judge"), event=staff.event)
    one, other = Match.objects.select_related("a").order_by("table")
    judge.taps = 0
    judge.open("events:draft", 1)
    for name in (one.a.name, other.a.name):
        judge.locator(".swap-seat").filter(has_text=name).tap()
        judge.taps += 1
    judge.tapped("Swap players")
    expect(judge.locator("#main")).to_contain_text(f"{one.a} and {other.a} swapped")
    assert judge.taps == 3
    assert Round.objects.get().changes_by_hand[0]["reason"] == ""
