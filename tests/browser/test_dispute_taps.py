"""Sixteen disputes as players put them, entered on a phone: taps and typed characters counted, and the answer right."""

import re
from dataclasses import dataclass

import pytest
from django.urls import reverse
from django.utils.text import slugify
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
    """A dispute in the players' words: the edition, both figures' powers, what is tapped, and the result card.

    Ann acts and Bo is the target. `came` is what it does to each figure; `section` is the book's that decides, or else
    that of any attack. `ruling` is the deciding ruling of the book's library, "" where its sections alone decide.
    """

    said: str
    edition: str
    mine: str
    theirs: str
    preset: str
    taps: tuple[str, ...]
    answer: str
    came: tuple[str, ...]
    section: str
    ruling: str = ""


TWO_CLICKS = "Bo: click 1 → 3: 2 damage"
CASES = (
    Case(
        "He shot at my Stealth figure in the bushes.", "car-2002", "", "Stealth", "In the open",
        ("Target in hindering terrain", "Ranged attack → Bo"),
        "The line of fire from Ann (E8) to Bo (K8) is blocked: K8, the target's square, is hindering terrain, which"
        " blocks lines to a character with Stealth.",
        (), "Super Powers and Abilities › Speed Super Powers › Stealth",
    ),
    Case(
        "He shot me through the wall.", "car-2002", "", "", "Wall between",
        ("Ranged attack → Bo",),
        "The line of fire from Ann (E8) to Bo (K8) is blocked: a wall stands between G8 and H8.",
        (), "Blocking Terrain",
    ),
    Case(
        "There were bushes between us, so I'm harder to hit.", "car-2002", "", "", "Hindering terrain between",
        ("Ranged attack → Bo", "dice 4 3"), "16 against Bo's defense 17: miss.",
        ("Ann: tokens 0 → 1",), "Hindering Terrain",
    ),
    Case(
        "She charged me out of the bushes.", "car-2002", "Charge", "", "In the open",
        ("Attacker in hindering terrain", "Charge (move)…", "square J8"),
        "The move costs 5 squares, and Ann can move only 2: printed speed 8, halved to 4 (the move begins in hindering"
        " terrain), halved to 2 (Charge moves at half speed).",
        (), "Hindering Terrain", "faq-charge-quarter",
    ),
    Case(
        "He ran and shot from the bushes at my Stealth figure.", "car-2002", "Running Shot", "Stealth",
        "Hindering terrain between",
        ("Running Shot (move)…", "square H8", "Ranged attack → Bo", "dice 4 3"), "16 against Bo's defense 16: hit.",
        ("Ann: E8 → H8 · tokens 0 → 1", TWO_CLICKS), "Combat › The Attack Roll", "correction-hindering-first-square",
    ),
    Case(
        "He rolled two sixes, I rolled for Super Senses.", "car-2002", "", "Super Senses", "Adjacent",
        ("Close attack → Bo", "dice 6 6", "die 5"),
        "21 against Bo's defense 16: hit. Bo rolls 5 for Super Senses and evades the attack.",
        ("Ann: tokens 0 → 1",), "Super Powers and Abilities › Defense Super Powers › Super Senses",
        "steenbock-2002-05-16-super-senses-critical",
    ),
    Case(
        "His pushed figure attacked.", "car-2002", "", "", "Adjacent, attacker has 1 token",
        ("Close attack → Bo", "dice 4 3"), "16 against Bo's defense 16: hit.",
        ("Ann: click 1 → 2: 1 pushing damage · tokens 1 → 2", TWO_CLICKS), "Pushing",
    ),
    Case(
        "He shot down at me from the roof, over the bushes.", "car-2002", "", "", "Roof to street",
        ("Hindering terrain between", "Ranged attack → Bo", "dice 4 3"), "16 against Bo's defense 16: hit.",
        ("Ann: tokens 0 → 1", TWO_CLICKS), "Elevated Terrain", "faq-elevated-attacker-favoured",
    ),
    Case(
        "My Stealth figure stood in the bushes.", "core-2014", "", "Stealth", "In the open",
        ("Target in hindering terrain", "Ranged attack → Bo"),
        "The line of fire from Ann (E8) to Bo (K8) is blocked: K8, the target's square, is hindering terrain, which"
        " blocks lines to a character with Stealth.",
        (), "Powers and Abilities Card",
    ),
    Case(
        "She hit me twice with Flurry.", "core-2014", "Flurry", "", "Adjacent",
        ("Flurry", "dice 5 4", "Bo", "dice 4 3"), "18 against Bo's defense 16: hit. 16 against Bo's defense 16: hit.",
        ("Ann: tokens 0 → 1", "Bo: click 1 → 4: 2 damage + 1 damage"),
        "Combat Attack Rules › Dealing Damage › Damage Depletion Modifier",
    ),
    Case(
        "He ran out and shot.", "core-2014", "Running Shot", "", "In the open",
        ("Running Shot (power action)…", "square I8", "Ranged attack → Bo", "dice 4 3"),
        "16 against Bo's defense 16: hit.",
        ("Ann: E8 → I8 · tokens 0 → 1", TWO_CLICKS), "Combat Attack Rules › The Attack Roll",
    ),
    Case(
        "He shot me although his friend stood beside me.", "core-2014", "", "", "In the open",
        ("Friendly figure adjacent to the target", "Ranged attack → Bo", "dice 4 3"), "16 against Bo's defense 16: hit.",
        ("Ann: tokens 0 → 1", TWO_CLICKS), "Combat Attack Rules › The Attack Roll",
    ),
    Case(
        "Two sixes: may I still roll Super Senses?", "core-modern", "", "Super Senses", "Adjacent",
        ("Close attack → Bo", "dice 6 6", "No knock back"), "21 against Bo's defense 16: hit.",
        ("Ann: tokens 0 → 1", "Bo: click 1 → 4: 3 damage"),
        "Attacking › Attack Sequence › Step 3: Determine Hits › Rolling 2 and 12: Critical Misses and Critical Hits",
        "sidebar-critical-not-evaded",
    ),
    Case(
        "He shot me through the window.", "core-modern", "", "", "In the open",
        ("Window between", "Ranged attack → Bo", "dice 4 3"), "16 against Bo's defense 16: hit.",
        ("Ann: tokens 0 → 1", TWO_CLICKS), "Terrain › Windows",
    ),
    Case(
        "My Stealth figure was behind bushes.", "core-modern", "", "Stealth", "Hindering terrain between",
        ("Ranged attack → Bo",),
        "The line of fire from Ann (E8) to Bo (K8) is blocked: hindering terrain in H8 blocks lines to a character with"
        " Stealth.",
        (), "Powers and Abilities Card", "sidebar-line-most-restrictive",
    ),
    Case(
        "He used Energy Explosion on me and his own friend.", "core-modern", "Energy Explosion", "", "In the open",
        ("Friendly figure adjacent to the target", "Energy Explosion", "dice 4 3"),
        "16 against Bo's defense 16: hit. Beside Bo: 16 against Friend's defense 16: hit.",
        ("Ann: tokens 0 → 1", "Friend: click 1 → 2: 1 damage", "Bo: click 1 → 2: 1 damage"),
        "Powers and Abilities Card",
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
        self.on(f"{name}'s sheet")
        self.taps += 1
        self.page.locator("#power-filter").tap()
        self.typed += 4
        self.page.keyboard.type(power[:4].lower())
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
    """The answer is right and in sight without scrolling; the deciding section and the deciding ruling stand first."""

    def named(text):
        return text.replace("Ann", mine).replace("Bo", theirs)

    answer = page.locator("#next .step-text").first
    expect(answer).to_have_text(named(case.answer))
    expect(answer).to_be_in_viewport()
    expect(page.locator("#next .outcome li")).to_have_text([named(one) for one in case.came])
    expect(page.locator("#board")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(page.locator("#next .cites a").first).to_have_text(case.section)
    deciding = page.locator("#next .rulings > ol a")
    if case.ruling:
        expect(deciding.first).to_have_attribute("href", re.compile(f"/{case.ruling}/"))
    else:
        expect(deciding).to_have_count(0)


EDITIONS = ("car-2002", "core-2014", "core-modern")


@pytest.mark.parametrize("edition", EDITIONS)
def test_from_an_empty_board_at_most_twenty_taps_and_ten_characters(phone, edition):
    page = phone.new_page()
    for case in (one for one in CASES if one.edition == edition):
        thumb = Thumb(page)
        page.goto(reverse("rules:dispute-new"))
        thumb.taps += 3  # two for the edition, one to begin
        page.locator("#edition").select_option(case.edition)
        page.get_by_role("button", name="Create dispute").tap()
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


def force(entry, name, edition, power, *others):
    """Submit a force of a figure with a power, and of others, which come first."""
    characters, origins = [], {}
    for one in (*others, name):
        powers = {SLOT.get(power, "defense"): power} if power and one == name else {}
        dial = [{"speed": 8, "attack": 9, "defense": 16, "damage": 2, "powers": powers}] * 6
        facts = {"name": one, "points": 60, "range": 8, "bolts": 1, "dial": dial}
        ref = slugify(one)
        characters.append({"ref": ref, "name": one, "points": 60})
        origins[ref] = {"code": None, "section": "characters", "facts": facts}
    document = {"edition": edition, "event": {"build_total": 200}, "force": {"characters": characters}}
    given = {
        "document": document,
        "origins": origins,
        "state": "submitted",
        "standing": "legal",
        "total": 60 * len(characters),
    }
    Force.objects.create(entry=entry, **given)


@pytest.mark.parametrize("edition", EDITIONS)
def test_from_a_tables_page_at_most_twelve_taps_and_no_typing(phone, staff, sign_in, edition):
    play(staff.event, 2, 1)
    Event.objects.update(edition=edition)
    match = Match.objects.get()
    sign_in(phone, staff.judge)
    page = phone.new_page()
    for case in (one for one in CASES if one.edition == edition):
        Force.objects.all().delete()
        force(match.a, "Ann", edition, case.mine, "Kim", "Lou")
        force(match.b, "Bob", edition, case.theirs, "Max", "Nia")
        page.goto(reverse("events:table", args=[staff.event.public_id, 1, 1]))
        thumb = Thumb(page)
        thumb.taps += 1
        page.get_by_role("button", name="Set up position").tap()
        page.locator("#dispute").wait_for()
        places = NEAR if case.preset in ("Adjacent", "Adjacent, attacker has 1 token") else FAR
        for name, square in zip(("Ann", "Bob"), places, strict=True):
            thumb.taps += 1
            page.wait_for_load_state()  # until then the page still scrolls to its anchor, away under the thumb
            pick = page.locator("#taps .pick").filter(has_text=re.compile(name))
            pick.tap()
            expect(pick.locator("input")).to_be_checked()
            thumb.does(f"square {square}")
        if case.preset == "Adjacent, attacker has 1 token":
            for name in ("Ann's sheet", re.compile("^1$"), "Done"):
                thumb.on(name)
        for step in (*filter(None, [CHIP_OF.get(case.preset)]), *case.taps):
            thumb.does(step.replace("Bo", "Bob"))
        check(page, case, "Ann", "Bob")
        assert thumb.taps <= MAX_FROM_TABLE, f"{case.said}: {thumb.taps} taps"
        assert thumb.typed == 0
