"""Policy conflicts are shown while an event is being filled in, and nothing typed is lost; the calendar on a phone."""

import datetime as dt
import re
import zoneinfo

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from events.models import Event
from tests.factories import EventFactory, OfficialFactory, VenueFactory

from .accessible import no_violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SATURDAY = dt.datetime(2030, 6, 1, 14, 0, tzinfo=zoneinfo.ZoneInfo("Europe/Brussels"))


@pytest.fixture
def pages(browser, live_server, sign_in):
    """Return a function that opens a page of some width as a person."""
    made = []

    def page_of(person, width=390):
        context = browser.new_context(
            viewport={"width": width, "height": 800}, base_url=live_server.url, reduced_motion="reduce"
        )
        made.append(context)
        sign_in(context, person)
        return context.new_page()

    yield page_of
    for context in made:
        context.close()


def test_a_conflict_is_shown_while_the_form_is_filled_in(staff, pages):
    other = EventFactory(name="Elsewhere", starts=SATURDAY, venue=VenueFactory(name="Second Shop"))
    OfficialFactory(event=other, person=staff.head_judge)
    page = pages(staff.manager)
    page.goto(reverse("events:create") + f"?venue={staff.event.venue_id}")
    said = page.locator("[data-conflicts-answer]")
    expect(said).to_be_empty()
    page.get_by_label("Name", exact=True).fill("New Cup")
    page.get_by_label("Starts", exact=True).fill("2030-06-01T17:59")
    page.get_by_label(re.compile("^Head judge")).fill(staff.head_judge.email)
    page.get_by_label("Seats").focus()
    expect(said).to_contain_text("Elsewhere (Second Shop)")
    expect(said).to_contain_text("1. Event Sanctioning")
    expect(page.get_by_label("Seats")).to_be_focused()
    no_violations(page)
    page.get_by_label("Starts", exact=True).fill("2030-06-02T14:00")
    page.get_by_label("Name", exact=True).focus()
    expect(said).to_contain_text("no policy violations")
    page.get_by_role("button", name="Create event").click()
    expect(page.get_by_role("heading", name="New Cup")).to_be_visible()
    assert Event.objects.filter(name="New Cup").count() == 1


@pytest.mark.parametrize("width", [360, 1280])
def test_the_calendar_is_read_on_a_phone_and_on_a_desk(staff, pages, width):
    Event.objects.filter(pk=staff.event.pk).update(starts=SATURDAY, name="June Cup")
    OfficialFactory(event=EventFactory(name="Elsewhere", starts=SATURDAY), person=staff.head_judge)
    page = pages(staff.head_judge, width)
    page.goto(reverse("events:calendar") + "?month=2030-06")
    expect(page.locator(".month-item", has_text="June Cup")).to_contain_text("policy violation")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.locator(".month-day:visible").count() == (1 if width < 600 else 35)
    no_violations(page)
    page.get_by_role("link", name="July").click()
    expect(page.get_by_role("heading", name="July 2030")).to_be_visible()
    expect(page.locator(".month-item")).to_have_count(0)
