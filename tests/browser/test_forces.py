"""Forces in a browser: a player builds, fixes and submits one; a judge finds a wrong number; two players score."""

import re

import pytest
from playwright.sync_api import expect

from events.models import Event, Force, Match
from tests.events.force_catalogue import small_catalogue
from tests.factories import EntryFactory, MatchFactory, PersonFactory, RoundFactory
from tests.judging.test_verification import build, submit_force

from .accessible import no_violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def entry_of(staff, name):
    return EntryFactory(event=staff.event, name=name, person=PersonFactory(name=name))


def element(page, name):
    """Return an element's card by its heading."""
    return page.locator("li.element").filter(has=page.get_by_role("heading", name=name))


def add(page, text, name):
    page.get_by_label("Search by name, number, keyword…").fill(text)
    expect(page.locator("#found")).to_contain_text("Figures 1")
    page.get_by_role("button", name=f"Add {name}").click()
    expect(page.locator("#bench").get_by_role("heading", name=name)).to_be_visible()


def test_a_player_builds_an_illegal_force_sees_why_fixes_and_submits_it(staff, live_server, page, context, sign_in):
    small_catalogue()
    entry = entry_of(staff, "Paula Player")
    sign_in(context, entry.person)
    page.goto(f"{live_server.url}/events/{staff.event.public_id}/entries/{entry.number}/force/")
    add(page, "heron", "Night Heron")
    expect(page.locator(".verdict")).to_contain_text("Legal")
    add(page, "jack", "Laughing Jack")
    expect(page.locator(".verdict")).to_contain_text("Illegal")
    jack = element(page, "Laughing Jack")
    expect(jack.locator(".remark.violation")).to_contain_text("rchenem")
    expect(jack.locator(".remark a").first).to_have_attribute("href", re.compile("/rules/rulebook/citation/"))
    no_violations(page, runOnly=["wcag2a", "wcag2aa"])
    page.get_by_role("button", name="Remove Laughing Jack").click()
    expect(page.locator(".verdict")).to_contain_text("Legal")
    add(page, "bramble", "Bramble")
    heron = element(page, "Night Heron")
    heron.locator("summary", has_text="Combat dial").click()
    expect(heron.locator("table.dial")).to_be_visible()
    page.get_by_role("button", name="Remove Bramble").click()
    expect(page.locator("li.element")).to_have_count(1)
    expect(heron.locator("table.dial")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("li.element")).to_have_count(2)
    page.get_by_role("button", name="Submit force").click()
    expect(page.get_by_role("status").first).to_contain_text("Force submitted.")
    force = Force.objects.get(entry=entry)
    assert (force.state, force.standing, force.total) == ("submitted", "legal", 77)


def test_on_a_phone_the_page_stays_where_it_is_while_a_force_is_changed(staff, live_server, page, context, sign_in):
    small_catalogue()
    entry = entry_of(staff, "Paula Player")
    names = ["Night Heron", "Laughing Jack", "Bramble", "Wrecker", "Ada Fenwick", "Tom Fenwick", "Lamplighter"]
    build(entry, *names)
    sign_in(context, entry.person)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server.url}/events/{staff.event.public_id}/entries/{entry.number}/force/")
    plus = page.get_by_role("button", name="Add Bramble")
    plus.scroll_into_view_if_needed()
    where = plus.bounding_box()["y"]
    plus.click()
    expect(page.locator("li.element")).to_have_count(len(names) + 1)
    assert abs(plus.bounding_box()["y"] - where) < 2, "the list stays below the finger"
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("li.element")).to_have_count(len(names))
    for name, button in (
        ("Wrecker", "proxy"), ("Bramble", "remove"), ("Lamplighter", "proxy"), ("Lamplighter", "remove"),
        ("Ada Fenwick", "remove"), ("Night Heron", "remove"), ("Tom Fenwick", "remove"),
        ("Wrecker", "remove"), ("Laughing Jack", "remove"),
    ):  # fmt: skip
        pressed = element(page, name).locator(f"[id^={button}-]")
        pressed.scroll_into_view_if_needed()
        before = page.evaluate("scrollY")
        count = page.locator("li.element").count()
        pressed.click()
        expect(page.locator("li.element")).to_have_count(count - (button == "remove"))
        if button == "proxy":
            expect(pressed).to_have_text("Not a proxy")
        assert abs(page.evaluate("scrollY") - before) < 2, f"{button} {name}"
        assert page.evaluate("document.activeElement.closest('li.element, .bench-tools')"), "focus stays nearby"


@pytest.fixture
def table(staff):
    small_catalogue()
    a, b = entry_of(staff, "Ann Archer"), entry_of(staff, "Ben Bard")
    submit_force(a, "Night Heron", "Bramble")
    submit_force(b, "Laughing Jack", "Wrecker")
    match = MatchFactory(round=RoundFactory(event=staff.event, number=1), a=a, b=b)
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
    return match


def test_a_judge_finds_a_wrong_collector_number_on_a_phone(table, staff, live_server, page, context, sign_in):
    sign_in(context, staff.judge)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server.url}/events/{staff.event.public_id}/forces/")
    page.get_by_role("link", name="Ann Archer", exact=True).click()
    expect(page.locator("#bench")).to_contain_text("0 of 2 checked")
    heron = element(page, "Night Heron")
    as_it_should_be = heron.get_by_role("button", name="Confirm number")
    as_it_should_be.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    as_it_should_be.click()
    expect(page.locator("#bench")).to_contain_text("1 of 2 checked")
    assert abs(page.evaluate("scrollY") - before) < 2
    bramble = element(page, "Bramble")
    bramble.get_by_text("Record a finding").click()
    bramble.get_by_label("Number on the dial").fill("017")
    bramble.get_by_role("button", name="Save finding").click()
    expect(page.locator(".verdict")).to_contain_text("Illegal")
    expect(bramble.locator(".remark.violation")).to_contain_text("017")
    no_violations(page, runOnly=["wcag2a", "wcag2aa"])
    page.get_by_label("Replace the figure now").check()
    page.get_by_label("Problem found").fill("A dial of another figure")
    page.get_by_role("button", name="Fail force").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Ann Archer's force")
    force = Force.objects.get(entry=table.a)
    assert force.document["force"]["characters"][1]["dial_number"] == "017"
    assert force.checks.get().remedy == "replaced"


def report(page, live_server, staff, table):
    page.goto(f"{live_server.url}/events/{staff.event.public_id}/rounds/1/tables/{table.table}/")
    page.get_by_role("checkbox", name="Laughing Jack").check()
    page.get_by_label("figure that knocked out Laughing Jack").select_option(
        label="Night Heron – archenemy, scores double points"
    )
    expect(page.locator(".score")).to_contain_text("twice 54")
    expect(page.locator(".score")).to_contain_text("Ann Archer wins")
    expect(page.get_by_label("Ann Archer's victory points")).to_have_value("185")
    expect(page.get_by_label("Ben Bard's victory points")).to_have_value("120")
    ended, to_time = page.get_by_label("How the match ended"), page.get_by_label("Went to time")
    expect(ended).to_have_value("")
    expect(to_time).not_to_be_checked()
    page.get_by_role("checkbox", name="Wrecker").check()
    expect(ended).to_have_value("elimination")
    page.get_by_role("checkbox", name="Wrecker").uncheck()
    expect(ended).to_have_value("")
    ended.select_option("time")
    expect(to_time).to_be_checked()
    expect(page.get_by_label("Ben Bard's victory points")).to_have_value("120")
    no_violations(page, runOnly=["wcag2a", "wcag2aa"])
    page.get_by_role("button", name="Report result").click()
    page.get_by_role("link", name="Back to my entry").click()


def test_two_players_score_the_battle_with_an_archenemy_doubled(table, staff, live_server, page, context, sign_in):
    for entry in (table.a, table.b):
        sign_in(context, entry.person)
        report(page, live_server, staff, table)
    page.goto(f"{live_server.url}/events/{staff.event.public_id}/rounds/1/tables/{table.table}/")
    expect(page.locator(".result-card .wins")).to_contain_text("Ann Archer")
    page.get_by_text("How the points were scored").click()
    expect(page.locator("#scored")).to_contain_text("twice 54")
    result = Match.objects.get(pk=table.pk).result
    assert (*result.scores, result.battle["ended"]) == (185, 120, "time")
