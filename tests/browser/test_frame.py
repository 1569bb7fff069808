"""The frame of every page on a phone: a low header, one menu that opens without scripts, messages that go away."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from events.models import Announcement, Event, Person, Role, Round
from events.services.people import pairing_mails_off_path
from tests.events.action_acts import build
from tests.events.match_pages import play
from tests.events.test_who_sees_what import NOBODY, PAGES, addresses, filled, furnish

pytestmark = pytest.mark.django_db(transaction=True)
MAX_HEADER = 96
NOT_PAGES = re.compile(r"\.\w+$|^(api|health|metrics)|rulebook/search")


def headers(world) -> dict[str, list[str]]:
    """Return each different header with the addresses that have it: every page, as those who see most of it see it."""
    parts, found = furnish(world), {}
    people = [(role.value, world.clients[role]) for role in (Role.HEAD_JUDGE, Role.OFFICE, Role.PLAYER)]
    for name, route in addresses():
        address, seen = filled(route, parts[name]), PAGES.get(name, ())
        visitor = next((client for role, client in [*people, (NOBODY, Client())] if role in seen), None)
        if visitor is None or address is None or NOT_PAGES.search(route):
            continue
        answer = visitor.get(address)
        if answer["Content-Type"].startswith("text/html"):
            for header in re.findall(r'<header class="top.*?</header>', answer.text, re.DOTALL):
                found.setdefault(header, []).append(address)
    return found


def test_the_header_is_low_on_a_phone_on_every_page_with_the_current_tab_in_sight(browser):
    found = headers(build(Event.State.RUNNING, Round.State.RUNNING))
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    style = (settings.BASE_DIR / "config/static/headjudge.css").read_text(encoding="utf-8")
    page.set_content(f"<!doctype html><style>{style}</style>" + "".join(found))
    boxes = page.locator("header.top").evaluate_all("all => all.map(one => [one.offsetWidth, one.offsetHeight])")
    measured = dict(zip(map(tuple, found.values()), boxes, strict=True))
    assert sum(map(len, measured)) > 100
    assert {width for width, _height in boxes} == {390}
    assert not {pages: height for pages, (_width, height) in measured.items() if height > MAX_HEADER}
    current = page.locator(".tabs [aria-current]")
    boxes = current.evaluate_all("all => all.map(one => one.getBoundingClientRect())")
    tabs = zip(current.all_inner_texts(), boxes, strict=True)
    assert not [name for name, box in tabs if box["left"] < 0 or box["right"] > 391], "current tabs out of sight"


def test_no_page_of_an_event_is_wider_than_a_phone(staff, live_server, browser, sign_in):
    play(staff.event, 4, 1)
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    sign_in(context, staff.head_judge)
    page = context.new_page()
    for path in ("", "console/", "rounds/1/tables/1/"):
        page.goto(f"{live_server.url}/events/{staff.event.public_id}/{path}", wait_until="domcontentloaded")
        assert page.locator("main").bounding_box()["width"] <= 390, path


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


def test_one_tap_on_the_link_of_an_e_mail_turns_these_e_mails_off(staff, live_server, page):
    person = staff.judge
    Person.objects.filter(pk=person.pk).update(wants_pairings=True)
    page.goto(f"{live_server.url}{pairing_mails_off_path(person)}")
    expect(page.get_by_role("status")).to_have_text("You won't get e-mails about pairings any more.")
    person.refresh_from_db()
    assert not person.wants_pairings
