"""Sixteen disputes as players put them, entered on a phone: taps and typed characters counted, and the answer right."""

import re
from dataclasses import dataclass

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from events.models import Event, Force, Match
from tests.events.match_pages import play

from .test_board import tap as tap_square

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 844}
FAR, NEAR = ("E8", "K8"), ("H8", "I8")
"""Where the presets for two figures apart and side by side place them."""
MAX_FROM_TABLE, MAX_FROM_NOTHING, MAX_TYPED = 12, 20, 10


@dataclass(frozen=True)
class Case:
    """A dispute in the players' words: the edition, both figures' powers, what is tapped, and the answer."""

    said: str
    edition: str
    mine: str
    theirs: str
    preset: str
    taps: tuple[str, ...]
    answer: str
    ruling: str


CASES = (
    Case(
        "He shot at my Stealth figure in the bushes.", "car-2002", "", "Stealth", "In the open",
        ("Target in hindering terrain", "Ranged attack → Bo"), "is blocked: K8, the target's square, is hindering", "",
    ),
    Case(
        "He shot me through the wall.", "car-2002", "", "", "Wall between",
        ("Ranged attack → Bo",), "is blocked: a wall stands between G8 and H8", "",
    ),
    Case(
        "There were bushes between us, so I'm harder to hit.", "car-2002", "", "", "Hindering terrain between",
        ("Ranged attack → Bo", "dice 3 3"), "against Bo's defense 17: miss", "",
    ),
    Case(
        "She charged me out of the bushes.", "car-2002", "Charge", "", "In the open",
        ("Attacker in hindering terrain", "Charge (move)…", "square J8"), "can move only 2", "charge",
    ),
    Case(
        "He ran and shot from the bushes at my Stealth figure by the wall.", "car-2002", "Running Shot", "Stealth", "In the open",
        ("Attacker in hindering terrain", "Running Shot (move)…", "square F8", "Ranged attack → Bo", "dice 5 4"),
        "against Bo's defense 16: hit", "",
    ),
    Case(
        "He rolled two sixes, I rolled for Super Senses.", "car-2002", "", "Super Senses", "Adjacent",
        ("Close attack → Bo", "dice 6 6", "die 5"), "Bo rolls 5 for Super Senses and evades", "super-senses-critical",
    ),
    Case(
        "His pushed figure attacked.", "car-2002", "", "", "Pushed figure attacks",
        ("Close attack → Bo", "dice 5 4"), "against Bo's defense 16: hit", "",
    ),
    Case(
        "He shot down at me from the roof.", "car-2002", "", "", "Roof to street",
        ("Ranged attack → Bo", "dice 5 4"), "against Bo's defense 16: hit", "",
    ),
    Case(
        "My Stealth figure stood in the bushes.", "core-2014", "", "Stealth", "In the open",
        ("Target in hindering terrain", "Ranged attack → Bo"), "is blocked: K8, the target's square, is hindering", "",
    ),
    Case(
        "She hit me twice with Flurry.", "core-2014", "Flurry", "", "Adjacent",
        ("Flurry", "dice 5 4", "Bo", "dice 5 4"), "against Bo's defense 16: hit", "",
    ),
    Case(
        "He ran out and shot.", "core-2014", "Running Shot", "", "In the open",
        ("Running Shot (power action)…", "square G8", "Ranged attack → Bo", "dice 5 4"), "against Bo's defense 16: hit", "",
    ),
    Case(
        "He shot me although his friend stood beside me.", "core-2014", "", "", "In the open",
        ("Friend beside the target", "Ranged attack → Bo", "dice 5 4"), "against Bo's defense 16: hit", "",
    ),
    Case(
        "Two sixes: may I still roll Super Senses?", "core-modern", "", "Super Senses", "Adjacent",
        ("Close attack → Bo", "dice 6 6", "No knock back"), "against Bo's defense 16: hit", "critical-not-evaded",
    ),
    Case(
        "He shot me through the window.", "core-modern", "", "", "In the open",
        ("Window between", "Ranged attack → Bo", "dice 3 3"), "against Bo's defense", "",
    ),
    Case(
        "My Stealth figure was behind bushes.", "core-modern", "", "Stealth", "Hindering terrain between",
        ("Ranged attack → Bo",), "hindering terrain in H8 blocks lines to a character with Stealth", "",
    ),
    Case(
        "He used Energy Explosion on me.", "core-modern", "Energy Explosion", "", "In the open",
        ("Energy Explosion", "dice 5 4"), "against Bo's defense 16: hit", "",
    ),
)  # fmt: skip
CHIP_OF = {
    "Wall between": "Wall between",
    "Hindering terrain between": "Hindering terrain between",
    "Roof to street": "Attacker on a roof",
}
"""The chip that sets at a table what a preset sets on an empty board."""


class Thumb:
    """A thumb on a phone, which counts its taps and the characters it types; choosing from a list takes two taps."""

    def __init__(self, page):
        self.page, self.taps, self.typed = page, 0, 0

    def on(self, name):
        self.taps += 1
        found = (
            self.page.locator("#main")
            .get_by_role("button", name=name)
            .or_(self.page.locator("#main").get_by_role("link", name=name))
        )
        self.settled(lambda: found.first.tap())

    def settled(self, act):
        """Do something that changes the page and wait until it has."""
        self.page.locator("#next").evaluate("part => part.dataset.before = 'yes'")
        act()
        expect(self.page.locator("#next[data-before]")).to_have_count(0)
        expect(self.page.locator("#main:not([aria-busy]) #next")).to_have_count(1)

    def does(self, step):
        kind, _space, rest = step.partition(" ")
        if kind == "square":
            self.taps += 1
            self.settled(lambda: tap_square(self.page, rest))
        elif kind == "die":
            self.on(re.compile(f"^{rest}$"))
        elif kind == "dice":
            for number, die in enumerate(rest.split()):
                self.taps += 1
                face = self.page.locator("fieldset.die-row").nth(number).get_by_text(die, exact=True)
                self.settled(face.tap) if number else face.tap()
        else:
            self.on(step)

    def gives(self, name, power):
        """Give a figure a power on its sheet by the first letters of its name."""
        self.on(f"Sheet of {name}")
        self.typed += 4
        self.page.locator("#power-filter").press_sequentially(power[:4].lower())
        self.taps += 1
        self.settled(self.page.get_by_role("button", name=power, exact=True).tap)
        self.on("Done")


@pytest.fixture
def phone(browser, live_server):
    """Return one context for all disputes of a test."""
    context = browser.new_context(viewport=PHONE, has_touch=True, base_url=live_server.url, reduced_motion="reduce")
    yield context
    context.close()


def check(page, case, mine, theirs):
    """The answer is right and in sight without scrolling; the deciding ruling, or else a section of the book, stands first."""
    answer = page.locator("#next .step-text").first
    expect(answer).to_contain_text(case.answer.replace("Bo", theirs))
    expect(answer).to_be_in_viewport()
    expect(page.locator("#board")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    found = page.locator("#next .rulings > ol a").first if case.ruling else page.locator("#next .cites a").first
    expect(found).to_have_attribute("href", re.compile(case.ruling or "section="))


EDITIONS = ("car-2002", "core-2014", "core-modern")


@pytest.mark.parametrize("edition", EDITIONS)
def test_from_an_empty_board_at_most_twenty_taps_and_ten_characters(phone, edition):
    page = phone.new_page()
    for case in (one for one in CASES if one.edition == edition):
        thumb = Thumb(page)
        page.goto(reverse("rules:dispute-new"))
        thumb.taps += 3  # two for the edition, one to begin
        page.locator("#edition").select_option(case.edition)
        page.get_by_role("button", name="Begin").tap()
        page.locator("#next").wait_for()
        thumb.on(case.preset)
        for name, power in (("Figure A", case.mine), ("Figure B", case.theirs)):
            if power:
                thumb.gives(name, power)
        for step in case.taps:
            thumb.does(step.replace("Bo", "Figure B"))
        check(page, case, "Figure A", "Figure B")
        assert thumb.taps <= MAX_FROM_NOTHING, f"{case.said}: {thumb.taps} taps"
        assert thumb.typed <= MAX_TYPED, f"{case.said}: {thumb.typed} characters"


SLOT = {"Charge": "speed", "Running Shot": "speed", "Flurry": "speed", "Stealth": "speed", "Energy Explosion": "attack"}


def force(entry, name, edition, power):
    """Submit a force of one figure with a power."""
    powers = {SLOT.get(power, "defense"): power} if power else {}
    dial = [{"speed": 8, "attack": 9, "defense": 16, "damage": 2, "powers": powers}] * 6
    ref = name.lower()
    characters = [{"ref": ref, "name": name, "points": 60}]
    document = {"edition": edition, "event": {"build_total": 200}, "force": {"characters": characters}}
    facts = {"name": name, "points": 60, "range": 8, "bolts": 1, "dial": dial}
    origins = {ref: {"code": None, "section": "characters", "facts": facts}}
    Force.objects.create(entry=entry, document=document, origins=origins, state="submitted", standing="legal", total=60)


@pytest.mark.parametrize("edition", EDITIONS)
def test_from_a_tables_page_at_most_twelve_taps_and_no_typing(phone, staff, sign_in, edition):
    play(staff.event, 2, 1)
    Event.objects.update(edition=edition)
    match = Match.objects.get()
    sign_in(phone, staff.judge)
    page = phone.new_page()
    for case in (one for one in CASES if one.edition == edition):
        Force.objects.all().delete()
        force(match.a, "Ann", edition, case.mine)
        force(match.b, "Bob", edition, case.theirs)
        page.goto(reverse("events:table", args=[staff.event.public_id, 1, 1]))
        thumb = Thumb(page)
        thumb.taps += 1
        page.get_by_role("button", name="Set up position").tap()
        page.locator("#dispute").wait_for()
        for square in NEAR if case.preset in ("Adjacent", "Pushed figure attacks") else FAR:
            thumb.does(f"square {square}")
        if case.preset == "Pushed figure attacks":
            for name in ("Sheet of Ann", re.compile("^1$"), "Done"):
                thumb.on(name)
        for step in (*filter(None, [CHIP_OF.get(case.preset)]), *case.taps):
            thumb.does(step.replace("Bo", "Bob"))
        check(page, case, "Ann", "Bob")
        assert thumb.taps <= MAX_FROM_TABLE, f"{case.said}: {thumb.taps} taps"
        assert thumb.typed == 0
