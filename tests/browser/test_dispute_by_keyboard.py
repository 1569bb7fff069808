"""A dispute from a table's page to its ruling by keyboard alone: focus is never lost, and each step is announced."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from events.models import Event, Match
from judging.models import Decision
from rules.models import SavedDispute
from tests.events.match_pages import play

from .test_dispute_taps import force

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MAX_TABS = 60


class Keyboard:
    """Hands that only press keys: Tab until something is focused, then Enter."""

    def __init__(self, page):
        self.page = page

    def to(self, name, role="button", key="Tab"):
        wanted = self.page.locator("#main").get_by_role(role, name=name).first
        expect(wanted).to_be_visible()
        for _press in range(MAX_TABS):
            if wanted.evaluate("one => one === document.activeElement"):
                return
            self.page.keyboard.press(key)
        pytest.fail(f"{name} isn't reached by {MAX_TABS} Tabs")

    def to_board(self):
        """Go back to the board, which stands before the words; on a new page, forward."""
        was_on_page = self.page.evaluate("document.getElementById('main').contains(document.activeElement)")
        self.to(re.compile("^Board"), "application", "Shift+Tab" if was_on_page else "Tab")

    def enters(self, name, role="button", *, says):
        """Press a button or link; the next step is announced, and something of the page has focus."""
        self.to(name, role)
        self.page.keyboard.press("Enter")
        self.hears(says)

    def square(self, *keys, says):
        """Go over the board by arrow keys, from where its cursor is, and choose the square."""
        self.to_board()
        for key in keys:
            self.page.keyboard.press(key)
        self.page.keyboard.press("Enter")
        self.hears(says)

    def hears(self, says):
        expect(self.page.locator("#spoken")).to_contain_text(says)
        expect(self.page.locator("#main:not([aria-busy])")).to_have_count(1)
        focused = self.page.evaluate(
            "() => [document.activeElement.id, document.activeElement.localName, document.activeElement.getClientRects().length]"
        )
        assert focused[0] != "main", says
        assert focused[1] != "body", says
        assert focused[2], says


def test_from_the_table_to_the_ruling(live_server, staff, sign_in, page, context):
    play(staff.event, 2, 1)
    Event.objects.update(edition="core-2014")
    match = Match.objects.get()
    force(match.a, "Ann", "core-2014", "")
    force(match.b, "Bob", "core-2014", "")
    sign_in(context, staff.judge)
    page.goto(live_server.url + reverse("events:table", args=[staff.event.public_id, 1, 1]))
    hands = Keyboard(page)
    hands.to("Set up position")
    page.keyboard.press("Enter")
    expect(page.locator("#dispute")).to_be_visible()
    hands.square(*["ArrowRight"] * 4, says="Tap the figure's square")
    hands.square(*["ArrowRight"] * 6, says="Ann → Bob")
    expect(page.locator("#board-cursor")).to_contain_text("Bob (K1)")

    hands.enters("Bob's sheet", "link", says="Bob")
    hands.enters(re.compile("^1$"), says="Bob")
    assert page.evaluate("document.activeElement.textContent.trim()") == "1", "the token that was pressed"
    hands.enters("Done", "link", says="Ann → Bob")
    hands.enters("Wall between", says="Ann → Bob")
    expect(page.get_by_role("button", name="Wall between", exact=True)).to_have_attribute("aria-pressed", "true")
    hands.enters("Wall between", says="Ann → Bob")

    hands.enters("Draw terrain…", "link", says="Tap or drag on the board to draw")
    hands.square("ArrowLeft", "ArrowLeft", "ArrowLeft", says="Tap or drag on the board to draw")
    expect(page.locator(".board-drawing .rim-hindering")).to_have_count(1)
    hands.enters("On edges", "link", says="Tap or drag on the board to draw")
    hands.to_board()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#board-cursor")).to_contain_text("Press Shift and an arrow key")
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator(".board-drawing .walls")).to_have_count(1)
    hands.enters("Done", "link", says="Ann → Bob")
    drawn = SavedDispute.objects.get().document["map"]
    assert (drawn["terrain"], drawn["walls"]) == ([{"type": "hindering", "squares": ["H1"]}], ["G2|H2"])

    hands.enters("Ranged attack → Bob", says="Attack roll")
    page.keyboard.press("6")
    page.keyboard.press("5")
    hands.hears("20 against Bob's defense 17: hit")
    hands.to("Record ruling", "link")
    page.keyboard.press("Enter")
    expect(page.locator("#id_question, [name=question]").first).to_be_visible()
    hands.to(re.compile("Record ruling"), "button")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("recorded")
    assert Decision.objects.count() == 1
