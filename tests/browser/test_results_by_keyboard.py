"""The results of a round entered by keyboard alone, with and without scripts; other pages follow."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from events.models import Claim, Match
from events.roles import SITE
from events.services.results import enter_result
from tests.events.match_pages import play

from .accessible import no_violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def hall(staff):
    """Four tables of a running round."""
    play(staff.event, 8, 1)
    return staff


def address(live_server, hall, name="results", *parts):
    return live_server.url + reverse(f"events:{name}", args=[hall.event.public_id, *(parts or [1])])


def result(table):
    return Match.objects.get(table=table).result


def focused(page):
    return page.evaluate("document.activeElement.name || document.activeElement.id")


def test_a_round_is_typed_without_a_mouse(hall, live_server, page, context, sign_in):
    sign_in(context, hall.scorekeeper)
    page.goto(address(live_server, hall))
    press, write = page.keyboard.press, page.keyboard.type
    assert focused(page) == "table"
    write("3")
    press("Enter")
    assert focused(page) == "score_a"
    expect(page.locator("[data-name=score_a]")).to_have_text(Match.objects.get(table=3).a.name)
    write("120")
    press("Enter")
    write("80t")
    press("f")
    press("f")
    press("Enter")
    expect(page.locator("#said")).to_contain_text("Table 3:")
    assert focused(page) == "table"
    assert (result(3).score("a"), result(3).score("b"), result(3).to_time, result(3).went_first) == (
        120,
        80,
        True,
        "b",
    )
    press("Enter")
    expect(page.locator("[name=table]")).to_have_value("1")
    assert focused(page) == "score_a"
    write("x")
    press("Enter")
    expect(page.locator("[data-error=score_a]")).to_contain_text("digits")
    assert focused(page) == "score_a"
    press("Control+a")
    write("50")
    press("Enter")
    write("50")
    press("Enter")
    expect(page.locator("#said")).to_contain_text("fewer points")
    press("2")
    expect(page.locator("#said")).to_contain_text("Table 1:")
    assert (result(1).winner, result(1).decided_by) == ("b", "lowest-force")
    assert Claim.objects.count() == 2


def test_no_name_stands_beside_the_number_of_another_table(hall, live_server, page, context, sign_in):
    sign_in(context, hall.scorekeeper)
    page.goto(address(live_server, hall))
    press, write = page.keyboard.press, page.keyboard.type
    name, label = Match.objects.get(table=3).a.name, page.locator("[data-name=score_a]")
    options = page.locator("[name=winner]")
    for leave in ("Escape", "another number", "saved"):
        write("3")
        press("Enter")
        expect(label).to_have_text(name)
        expect(options).to_contain_text(name)
        if leave == "Escape":
            press("Escape")
        elif leave == "another number":
            press("Shift+Tab")
            press("Control+a")
            write("4")
        else:
            for points in ("20", "10"):
                write(points)
                press("Enter")
            expect(page.locator("#said")).to_contain_text("Table 3:")
        expect(label).to_have_text("Points, first player")
        expect(options).not_to_contain_text(name)
        press("Escape")


def test_faults_stay_at_their_field_and_lose_nothing(hall, live_server, page, context, sign_in):
    sign_in(context, hall.scorekeeper)
    page.goto(address(live_server, hall))
    press, write = page.keyboard.press, page.keyboard.type
    write("77")
    press("Enter")
    expect(page.locator("[data-error=table]")).to_contain_text("no table 77")
    assert focused(page) == "table"
    press("Control+a")
    write("2")
    press("Enter")
    write("99999")
    press("Enter")
    write("1")
    press("Enter")
    expect(page.locator("[data-error=score_a]")).to_contain_text("Check the number")
    expect(page.locator("[name=score_b]")).to_have_value("1")
    assert focused(page) == "score_a"
    press("Escape")
    assert focused(page) == "table"
    expect(page.locator("[name=score_b]")).to_have_value("")
    assert not Claim.objects.exists()


def test_the_keys_are_listed_and_focus_comes_back(hall, live_server, page, context, sign_in):
    sign_in(context, hall.scorekeeper)
    page.goto(address(live_server, hall))
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    no_violations(page)
    page.keyboard.press("Enter")
    expect(page.locator("#keys")).to_be_hidden()
    assert focused(page) == "table"


def test_another_desk_s_result_appears_and_what_is_being_typed_stays(hall, live_server, page, context, sign_in):
    sign_in(context, hall.scorekeeper)
    page.goto(address(live_server, hall))
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    page.keyboard.type("12")
    enter_result(by=SITE, match=Match.objects.get(table=2), result={"score_a": 7, "score_b": 3})
    expect(page.locator("tr[data-table='2']")).to_contain_text("confirmed")
    assert focused(page) == "score_a"
    expect(page.locator("[name=score_a]")).to_have_value("12")


def test_without_scripts_each_enter_is_a_step(hall, live_server, browser, sign_in):
    context = browser.new_context(java_script_enabled=False)
    sign_in(context, hall.scorekeeper)
    page = context.new_page()
    page.goto(address(live_server, hall))
    for name, typed in (("table", "2"), ("score_a", "33"), ("score_b", "44")):
        field = page.locator(f"[name={name}]")
        expect(field).to_be_focused()
        field.fill(typed)
        field.press("Enter")
    expect(page.locator(".messages")).to_contain_text("Table 2:")
    assert result(2).winner == "b"
    context.close()


def test_a_result_typed_after_the_session_ended_stays_and_is_sent_after_signing_in_elsewhere(
    hall, live_server, page, context, sign_in
):
    sign_in(context, hall.scorekeeper)
    page.goto(address(live_server, hall))
    context.clear_cookies(name="sessionid")
    for typed in ("3", "120", "80"):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("You've been signed out")
    expect(page.locator("[name=score_a]")).to_have_value("120")
    sign_in(context, hall.scorekeeper)
    context.add_cookies([{"name": "csrftoken", "value": "n" * 32, "url": live_server.url}])
    page.locator("[name=score_b]").press("Enter")
    expect(page.locator("#said")).to_contain_text("Table 3:")
    assert result(3).score("a") == 120
