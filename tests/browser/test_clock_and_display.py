"""The clock counts the same on every screen; the display is legible, turns, and never scrolls."""

import datetime

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from events.models import ClockRun, Round
from events.services.clock import pause, start_round
from tests.events.match_pages import play

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def hall(staff):
    play(staff.event, 30, 2)
    return staff


def go(page, live_server, hall, name, query=""):
    page.goto(live_server.url + reverse(f"events:{name}", args=[hall.event.public_id]) + query)


def seconds(page):
    minutes, rest = page.locator("[data-clock=round] [data-digits]").inner_text().split(":")
    return int(minutes) * 60 + int(rest)


def test_all_screens_show_the_same_second(hall, live_server, context):
    began = timezone.now() - datetime.timedelta(minutes=20)
    ClockRun.objects.create(round=Round.objects.get(number=2), phase="round", began=began)
    first, second = context.new_page(), context.new_page()
    go(first, live_server, hall, "clock")
    go(second, live_server, hall, "display")
    first.wait_for_timeout(1500)
    one, other = seconds(first), seconds(second)
    left = 3000 - (timezone.now() - began).total_seconds()
    assert abs(one - other) <= 1
    assert abs(one - left) <= 2
    first.wait_for_timeout(2100)
    assert 1 <= one - seconds(first) <= 4


def test_an_announcement_is_said_when_its_time_comes(hall, live_server, page):
    began = timezone.now() - datetime.timedelta(seconds=2400 - 6)
    ClockRun.objects.create(round=Round.objects.get(number=2), phase="round", began=began)
    go(page, live_server, hall, "clock")
    expect(page.locator("#clock-said")).to_have_text("10 minutes left in the round.", timeout=15_000)


def test_starting_and_pausing_reach_a_page_that_is_open(hall, live_server, page):
    row = Round.objects.get(number=2)
    go(page, live_server, hall, "clock")
    expect(page.locator(".clock-words")).to_contain_text("not started")
    start_round(by=hall.actor("judge"), round=row)
    expect(page.locator(".clock-words")).to_contain_text("running", timeout=15_000)
    pause(by=hall.actor("judge"), round=row)
    expect(page.locator(".clock-words")).to_contain_text("paused", timeout=15_000)


def test_the_display_is_legible_turns_and_never_scrolls(hall, live_server, page):
    page.set_viewport_size({"width": 1920, "height": 1080})
    ClockRun.objects.create(round=Round.objects.get(number=2), phase="round", began=timezone.now())
    go(page, live_server, hall, "display", "?seconds=5&show=clock&show=pairings&show=standings")
    shown = page.locator("section.slide:visible")
    expect(shown).to_have_count(1)
    first = shown.get_attribute("data-slide")
    assert page.locator("[data-clock]").bounding_box()["height"] >= 270
    measured = "element => parseFloat(getComputedStyle(element).fontSize)"
    assert shown.locator("td strong").first.evaluate(measured) >= 40
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert shown.evaluate("slide => slide.scrollHeight <= slide.clientHeight + 2")
    assert Axe().run(page).violations_count == 0
    page.wait_for_function(
        "first => !document.querySelector(`[data-slide='${first}']:not([hidden])`)", arg=first, timeout=10_000
    )
    expect(shown).to_have_count(1)


def test_a_page_that_is_cut_off_says_that_it_may_be_behind(hall, live_server, page):
    page.clock.install()
    go(page, live_server, hall, "standings")
    page.route("**/word", lambda route: route.abort())
    page.clock.run_for(3000)
    page.wait_for_timeout(300)
    page.clock.run_for(30_000)
    page.wait_for_timeout(300)
    page.clock.run_for(60_000)
    expect(page.locator("#live-behind")).to_be_visible()
