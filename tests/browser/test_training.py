"""Training and the most disputed situations in a browser: by keyboard, on a phone, without scripts, with axe."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from .accessible import no_violations_in_either_scheme

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 844}


def without_fault(page):
    no_violations_in_either_scheme(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_judge_trains_with_the_keyboard(live_server, page):
    page.set_viewport_size(PHONE)
    page.goto(live_server.url + reverse("rules:quiz"))
    without_fault(page)
    page.get_by_role("link", name="Start training").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Outwit against Stealth")
    without_fault(page)
    first = page.get_by_role("radio").first
    first.focus()
    first.press("Space")
    page.get_by_role("button", name="Submit answer").press("Enter")
    expect(page.get_by_role("heading", name="The answers")).to_be_visible()
    expect(page.locator(".verdicts .state", has_text="your answer")).to_have_count(1)
    without_fault(page)
    page.get_by_role("link", name="Next question").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Impervious")


def test_training_works_without_a_script(live_server, browser):
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(live_server.url + reverse("rules:quiz-question", args=["ready-knocked-off-a-roof-onto-a-figure"]))
    page.locator("label.answer-choice", has_text="takes 3 clicks").click()
    page.get_by_role("button", name="Submit answer").click()
    expect(page.locator(".next .state.good")).to_have_text("correct")
    context.close()


def test_an_argued_situation_leads_to_the_stepper(live_server, page):
    page.set_viewport_size(PHONE)
    page.goto(live_server.url + reverse("rules:ready-disputes"))
    without_fault(page)
    page.get_by_role("link", name="A Charge out of hindering terrain").click()
    expect(page.locator("#step-2 .tally")).to_contain_text("the move begins in hindering terrain")
    without_fault(page)
    page.get_by_role("link", name="Step through").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A Charge out of hindering terrain")


@pytest.mark.parametrize("width", [360, 1440])
def test_a_topic_in_all_editions(live_server, page, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(live_server.url + reverse("rules:topic-across", args=["knockback"]))
    without_fault(page)
    page.get_by_role("link", name="2014 Core Rulebook").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Knockback")
    without_fault(page)
