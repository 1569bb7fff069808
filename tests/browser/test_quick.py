"""Quick answers on a phone: few taps, without scripts, with axe."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from .accessible import no_violations_in_either_scheme

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def phone(live_server, browser):
    """A phone on the rules' home; `taps` counts its taps."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.taps = 0

    def tap(found):
        found.first.tap()
        page.taps += 1

    page.tapped = tap
    page.goto(live_server.url + reverse("rules:home"))
    yield page
    context.close()


def fits(page):
    no_violations_in_either_scheme(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_x_against_y_takes_three_taps_or_two_names(phone):
    phone.tapped(phone.locator("#main").get_by_role("link", name="Quick answers"))
    fits(phone)
    phone.tapped(phone.get_by_role("link", name="Running Shot", exact=True))
    expect(phone.get_by_role("heading", name="What is Running Shot used against?")).to_be_visible()
    phone.tapped(phone.get_by_role("link", name="Stealth", exact=True))
    answer = phone.locator(".answer").first
    expect(answer).to_contain_text("Stealth can stop Running Shot.")
    assert answer.bounding_box()["y"] < PHONE["height"] / 2
    assert phone.taps == 3
    fits(phone)

    phone.get_by_role("link", name="Ask another").tap()
    phone.get_by_label("X", exact=True).fill("bcf")
    expect(phone.get_by_role("heading", name="What is Blades/Claws/Fangs used against?")).to_be_visible()
    phone.get_by_label("against Y").fill("imperv")
    expect(phone.locator(".answer").first).to_contain_text("on 1–4")
    expect(phone).to_have_url(re.compile("x=bcf&y=imperv"))


def test_an_attack_is_tapped_and_opens_as_a_dispute(phone):
    phone.tapped(phone.locator("#main").get_by_role("link", name="Quick answers"))
    phone.tapped(phone.get_by_role("link", name="Attack", exact=True))
    head = phone.locator(".quick-head")
    lead = head.get_by_role("heading").inner_text()
    phone.tapped(phone.get_by_role("link", name="Attack value: add 1"))
    expect(head.get_by_role("heading")).not_to_have_text(lead)
    phone.tapped(phone.get_by_role("link", name="Super Senses"))
    expect(phone.locator(".quick-facts")).to_contain_text("Hit and not avoided")
    assert phone.taps == 4
    assert "attack=10" in phone.url
    fits(phone)
    phone.get_by_role("button", name="Open as a dispute").tap()
    expect(phone).to_have_url(re.compile("/rules/disputes/"))


def test_the_cards_work_without_a_script(live_server, browser):
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(f"{live_server.url}{reverse('rules:quick')}?edition=ic-2002")
    page.get_by_label("X", exact=True).fill("charge")
    page.get_by_label("against Y").fill("soaring")
    page.get_by_role("button", name="Show answer").click()
    expect(page.locator(".answer").first).to_contain_text("only one of them is soaring")
    page.get_by_role("link", name="Push", exact=True).click()
    page.get_by_role("link", name="Willpower", exact=True).click()
    expect(page.locator(".quick-head")).to_contain_text("Yes. The figure takes no pushing damage.")
    context.close()
