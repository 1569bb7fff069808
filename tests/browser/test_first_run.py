"""From an empty data folder to round 1 published, by a shop's owner with a phone: only `serve` is typed.

Every tap is counted: a button, a link, a tick, a field that is typed into. Choosing what is chosen already is none.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.requirements import chromium

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
MAX_TAPS, MAX_WITHOUT_FORCES, MAX_FORMS = 70, 40, 3
PLAYERS = ["Anna Able", "Ben Bold", "Cara Cool", "Dan Dear", "Eva Ever", "Fritz Fair"]
FIGURE = "Catwoman"


@pytest.fixture
def served(tmp_path):
    """Type `serve` in an empty folder; yield the set-up link that it prints."""
    chromium()
    environment = os.environ | {"DATA_DIR": str(tmp_path / "kept"), "PYTHONUNBUFFERED": "1"}
    for name in ("DATABASE_URL", "SITE_URL", "TIME_ZONE"):
        environment.pop(name, None)
    command = [sys.executable, "manage.py", "serve", "--port", "8760"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as one:
        try:
            found = None
            while found is None:
                line = one.stdout.readline()
                assert line or one.poll() is None, "it ended"
                found = re.search(r"http://\S+/set-up/\S+/", line)
            yield found[0]
        finally:
            one.terminate()
            one.wait(30)


class Phone:
    """A phone on which taps are counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps, self.forms = page, 0, 0

    def tap(self, what) -> None:
        self.taps += 1
        what.tap()

    def type(self, name: str, text: str) -> None:
        field = self.page.locator(f"[name={name}]").first
        self.tap(field)
        field.fill(text)

    def press(self, name: str) -> None:
        self.tap(self.page.get_by_role("button", name=name).first)

    def follow(self, name: str) -> None:
        self.tap(self.page.get_by_role("link", name=name).first)

    def send(self, name: str) -> None:
        self.forms += 1
        self.press(name)


def opened(page: Page, link: str) -> None:
    """Follow the link as soon as the server listens."""
    for _try in range(100):
        try:
            page.goto(link)
            return
        except Exception:
            time.sleep(0.2)
    raise AssertionError("the server doesn't answer")


def test_from_nothing_to_round_one(browser, served):
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, locale="nl-BE", timezone_id="Europe/Brussels"
    )
    phone = Phone(context.new_page())
    asked = []
    phone.page.on("request", lambda request: asked.append(f"{request.url} {request.all_headers().get('referer', '')}"))
    opened(phone.page, served)
    set_up(phone)
    before = phone.forms
    create_event(phone)
    enter_players(phone)
    without_forces = phone.taps
    hand_in_forces(phone)
    of_forces = phone.taps - without_forces
    publish(phone)
    token = served.split("/")[-2]
    assert len(asked) > 20
    assert [one for one in asked if token in one] == [f"{served} "], "neither an address nor a Referer names the link"
    assert before <= MAX_FORMS
    assert phone.taps < MAX_TAPS, phone.taps
    assert phone.taps - of_forces < MAX_WITHOUT_FORCES, phone.taps - of_forces
    context.close()


def set_up(phone: Phone) -> None:
    page = phone.page
    expect(page.locator("[name=time_zone]")).to_have_value("Europe/Brussels")
    expect(page.locator("[name=country]")).to_have_value("Belgium")
    assert page.evaluate("location.pathname") == "/set-up/", "the link isn't in the address bar"
    phone.type("name", "Vera Vandamme")
    phone.type("email", "vera@example.org")
    phone.type("password", "a-long-quiet-password")
    phone.type("venue_name", "The Dice Cellar")
    phone.type("public_location", "12 Potter's Lane")
    phone.type("city", "Ghent")
    phone.type("telephone", "+32 9 000 11 22")
    phone.send("Set up Headjudge")


def create_event(phone: Phone) -> None:
    page = phone.page
    expect(page.get_by_role("heading", name="Create your first event")).to_be_visible()
    expect(page.locator("[name=build_total]")).to_have_value("300")
    phone.press("Create event")
    phone.press("Open registration")
    phone.follow("Open console")


def enter_players(phone: Phone) -> None:
    phone.follow("Import players")
    phone.type("text", "\n".join(PLAYERS))
    phone.tap(phone.page.locator("[name=declared]"))
    phone.tap(phone.page.locator("[name=checked_in]"))
    phone.press("Check the list")
    phone.press("Import 6 players")


def hand_in_forces(phone: Phone) -> None:
    """Submit one figure for each player; the verdict says that the rules allow it."""
    page = phone.page
    phone.follow("Forces")
    phone.follow(f"Enter {PLAYERS[0]}'s force")
    phone.follow("Enter player's force")
    for number, name in enumerate(PLAYERS):
        expect(page.get_by_role("heading", name=f"{name}'s force")).to_be_visible()
        phone.type("q", FIGURE)
        phone.tap(page.get_by_role("button", name=f"Add {FIGURE}").first)
        expect(page.locator("#bench .bench-top")).to_contain_text("Legal")
        phone.press("Submit force")
        if number + 1 < len(PLAYERS):
            phone.follow(f"Next: {PLAYERS[number + 1]}'s force")
    expect(page.locator("main")).not_to_contain_text("Next:")


def publish(phone: Phone) -> None:
    page = phone.page
    phone.follow("Console")
    expect(page.locator(".next").first).to_contain_text("6 players checked in")
    phone.press("Pair round 1")
    phone.press("Publish round 1")
    expect(page.locator("main")).to_contain_text("Anna Able")
    page.goto(re.sub(r"/rounds/.*", "/rounds/", page.url))
    expect(page.locator("main")).to_contain_text("Round 1")
