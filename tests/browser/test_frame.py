"""The frame of every page on a phone: a low header, one menu that opens without scripts, messages that go away."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from events.models import Announcement
from tests.events.match_pages import play
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db(transaction=True)
MAX_HEADER = 96


def test_the_header_with_its_tabs_is_low_on_a_phone_on_every_page(staff, live_server, browser, sign_in):
    play(staff.event, 4, 1)
    office = PersonFactory(is_office=True)
    event = [f"/events/{staff.event.public_id}/{path}" for path in ("", "console/", "rounds/1/tables/1/")]
    own = ["/me/", "/accounts/email/", "/office/"]
    anyone = ["/", "/rules/board/", "/there-is-no-such-page/"]
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    tall = {}
    for person, paths in ((staff.head_judge, event), (office, own), (None, anyone)):
        context.clear_cookies()
        if person:
            sign_in(context, person)
        for path in paths:
            page.goto(live_server.url + path, wait_until="domcontentloaded")
            box = page.locator("header.top").bounding_box()
            if box["height"] > MAX_HEADER or page.locator("main").bounding_box()["width"] > 390:
                tall[path] = box["height"]
    assert not tall


def test_the_menu_opens_without_scripts_and_an_announcement_stays_dismissed(staff, live_server, browser):
    Announcement.objects.create(event=staff.event, text="Lunch at one")
    address = live_server.url + reverse("events:event", args=[staff.event.public_id])
    bare = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844}).new_page()
    bare.goto(address)
    bare.get_by_text("Menu", exact=True).click()
    bare.get_by_role("button", name="Dark").click()
    expect(bare.locator("html")).to_have_attribute("data-theme", "dark")
    page = browser.new_page()
    page.goto(address)
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_text("Lunch at one")).to_be_hidden()
    page.reload()
    expect(page.locator("[data-dismissible]")).to_be_hidden()
