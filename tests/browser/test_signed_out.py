"""A shared phone: after signing out, the Back button shows none of the person's pages."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.conftest import ARGUMENTS
from tests.requirements import chromium

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def keeping(browser_type):
    """Return a browser that keeps whole pages for its Back button, as people's browsers do and Playwright's doesn't."""
    browser = browser_type.launch(
        executable_path=chromium(), args=ARGUMENTS, ignore_default_args=["--disable-back-forward-cache"]
    )
    yield browser
    browser.close()


def test_back_shows_no_page_after_signing_out(staff, live_server, keeping, sign_in):
    context = keeping.new_context(locale="en")
    sign_in(context, staff.head_judge)
    page = context.new_page()
    console = live_server.url + reverse("events:console", args=[staff.event.public_id])
    own_page = page.get_by_role("link", name="My account")
    page.goto(console)
    page.evaluate("window.isKept = true")
    page.goto(live_server.url + reverse("events:list"))
    page.evaluate("history.back()")
    expect(page).to_have_url(console)
    expect(own_page).to_be_visible()
    assert page.evaluate("window.isKept"), "nobody has signed out: the page comes back as it was left"
    page.goto(live_server.url + "/accounts/logout/")
    page.locator("#main").get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    page.evaluate("history.go(-2)")
    expect(page).to_have_url(console)
    expect(own_page).to_have_count(0)
    assert not page.evaluate("window.isKept")
