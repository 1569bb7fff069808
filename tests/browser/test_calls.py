"""A call in browsers: two judges press, one comes, and the table's end time changes on an open page."""

import datetime
import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from events.models import ClockRun, Entry, Extension, Match, Round
from judging.models import Call
from judging.services import calls
from tests.events.match_pages import play
from tests.factories import OfficialFactory, PersonFactory

from .accessible import no_violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 780}


@pytest.fixture
def hall(staff):
    """Four tables of a running round, 20 minutes in; a player at table 2 has an account."""
    play(staff.event, 8, 1)
    began = timezone.now() - datetime.timedelta(minutes=20)
    ClockRun.objects.create(round=Round.objects.get(), phase="round", began=began)
    return staff


@pytest.fixture
def player(hall):
    person = PersonFactory(name="Polly Player")
    Entry.objects.filter(pk=Match.objects.get(table=2).a_id).update(person=person)
    return person


@pytest.fixture
def phone(browser, live_server, sign_in):
    """Return a function that opens a page on a phone as a person."""
    made = []

    def page_of(person):
        context = browser.new_context(viewport=PHONE, has_touch=True, base_url=live_server.url, reduced_motion="reduce")
        made.append(context)
        sign_in(context, person)
        return context.new_page()

    yield page_of
    for context in made:
        context.close()


def to(hall, name, *parts):
    return reverse(name, args=[hall.event.public_id, *parts])


def test_two_judges_take_one_call_and_one_is_told(hall, player, phone):
    table = phone(player)
    table.goto(to(hall, "events:table", 1, 2))
    other = OfficialFactory(event=hall.event, role="judge").person
    one, two = phone(hall.judge), phone(other)
    for judge in (one, two):
        judge.goto(to(hall, "judging:calls"))
        expect(judge.get_by_role("heading", name="No calls")).to_be_visible()
    table.get_by_text("Call a judge").tap()
    table.get_by_role("button", name="Rules question").tap()
    expect(table.locator("main")).to_contain_text("Judge called to table 2.")
    for judge in (one, two):
        expect(judge.locator("#oldest")).to_have_text("Table 2")
    no_violations(one)
    two.route("**/changes*", lambda route: route.abort())
    one.get_by_role("button", name="Take call").first.tap()
    expect(one.get_by_role("heading", name="You're on your way")).to_be_visible()
    two.get_by_role("button", name="Take call").first.tap()
    expect(two.get_by_role("alert")).to_contain_text(f"{hall.judge} took the call")
    expect(two.get_by_role("alert")).to_contain_text("is on the way to table 2")
    two.get_by_role("link", name="Go back").tap()
    expect(two.locator("main")).to_contain_text(f"{hall.judge} is coming")
    expect(table.locator("[data-live=call]")).to_contain_text(f"{hall.judge} is coming")
    assert Call.objects.get().judge == hall.judge


def test_the_oldest_call_is_the_biggest_thing_and_within_a_thumb(hall, phone):
    for number in (3, 1, 4):
        calls.raise_call(by=hall.actor("head_judge"), match=Match.objects.get(table=number))
    page = phone(hall.judge)
    page.goto(to(hall, "judging:calls"))
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    sizes = page.locator("main *").evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize))")
    assert page.locator("#oldest").inner_text() == "Table 3"
    assert page.locator("#oldest").evaluate(size) == max(sizes)
    button = page.get_by_role("button", name="Take call").first.bounding_box()
    assert button["height"] >= 80
    assert button["y"] + button["height"] <= PHONE["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_closing_extends_the_tables_end_on_a_page_that_is_open(hall, player, phone):
    calls.raise_call(by=hall.actor("head_judge"), match=Match.objects.get(table=2))
    board = phone(player)
    board.goto(to(hall, "events:table", 1, 2))
    clock = board.locator("[data-live=match] [data-clock]")
    before = int(clock.get_attribute("data-ends"))
    judge = phone(hall.judge)
    judge.goto(to(hall, "judging:calls"))
    judge.get_by_role("button", name="Take call").first.tap()
    expect(judge.get_by_role("heading", name="You're on your way")).to_be_visible()
    judge.get_by_role("button", name="I'm at the table").tap()
    expect(judge.get_by_role("timer", name="Time at the table")).to_have_text(re.compile(r"^\d+:\d\d$"))
    call = Call.objects.get()
    began = call.arrived - datetime.timedelta(minutes=4, seconds=2)
    Call.objects.update(raised=began, arrived=began)
    judge.reload()
    no_violations(judge)
    expect(judge.get_by_label("Minutes lost")).to_have_value("5")
    judge.get_by_label("line of fire or distance").tap()
    judge.get_by_label("Details").fill("Past the corner: clear")
    judge.get_by_label("Extra minutes").fill("2")
    expect(judge.locator("[data-total]")).to_contain_text("Extension for the table: 7 min")
    judge.get_by_role("button", name="Resolve call").tap()
    expect(judge.locator("main")).to_contain_text("The table gets 7 extra minutes.")
    expect(clock).to_have_attribute("data-ends", str(before + 7 * 60_000))
    expect(board.locator("[data-live=match]")).to_contain_text("7 extra minutes: Judge call: line of fire or distance")
    assert Extension.objects.get().seconds == 420


def test_the_proposal_grows_with_the_stopwatch_until_someone_types(hall, phone):
    call, _new = calls.raise_call(by=hall.actor("judge"), match=Match.objects.get(table=2))
    calls.arrive_at_table(by=hall.actor("judge"), call=call)
    began = timezone.now() - datetime.timedelta(seconds=116)
    Call.objects.update(raised=began, arrived=began)
    page = phone(hall.judge)
    page.goto(to(hall, "judging:call", call.pk))
    minutes = page.get_by_label("Minutes lost")
    expect(minutes).to_have_value(re.compile("^[23]$"))
    expect(minutes).to_have_value("3")
    minutes.fill("1")
    page.get_by_label("Details").fill("kept")
    page.evaluate(
        """() => {
          window.fresh = new Promise((done) => document.addEventListener("headjudge:fresh", () => done(true)));
        }"""
    )
    calls.raise_call(by=hall.actor("head_judge"), match=Match.objects.get(table=1))
    assert page.evaluate("window.fresh")
    expect(minutes).to_have_value("1")
    expect(page.get_by_label("Details")).to_have_value("kept")
