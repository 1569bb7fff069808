"""The main job on the real site, by its four kinds of users, from registration to report.

A venue registers; a judge runs a Swiss event of 24 over five rounds, following the console's big button; a player
enters and reports results; the sanctioning office approves; the venue downloads the verified result sheet.
"""

import csv
import io
import json
import random

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from events.models import Entry, Event, Match, Official, Round, Venue, Volunteer
from events.roles import Actor
from events.services.entries import check_in
from events.services.people import entry_link
from tests.events import simulation
from tests.factories import PASSWORD, PersonFactory

from .accessible import no_violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PLAYERS, ROUNDS = 24, 5


class Site:
    """The site's addresses, and people who sign up or sign in on its pages."""

    def __init__(self, new_context, live_server) -> None:
        self.new_context, self.root = new_context, live_server.url

    def somebody(self) -> Page:
        """Return a page in a new browser context."""
        return self.new_context(base_url=self.root, locale="en-GB", accept_downloads=True).new_page()

    def sign_up(self, name: str, email: str) -> Page:
        page = self.somebody()
        page.goto(reverse("account_signup"))
        page.get_by_label("Your name").fill(name)
        page.locator("[name=email]").fill(email)
        page.locator("[name=password1]").fill("a-long-quiet-password")
        page.locator("[name=password2]").fill("a-long-quiet-password")
        page.get_by_role("button", name="Create account").click()
        expect(page.get_by_role("link", name="My account").first).to_be_visible()
        return page

    def sign_in(self, email: str) -> Page:
        page = self.somebody()
        page.goto(reverse("account_login"))
        page.locator("[name=login]").fill(email)
        page.locator("[name=password]").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("link", name="My account").first).to_be_visible()
        return page


def next_thing(page: Page, event: Event) -> str:
    """Open the console, press the biggest button, and return its label."""
    page.goto(reverse("events:console", args=[event.public_id]))
    button = page.locator(".next .button").first
    called = button.inner_text().strip()
    button.click()
    page.wait_for_load_state()
    return called


def hanna(event: Event) -> Actor:
    """Return the head judge, for the parts of the evening that repeat what she did in the browser."""
    return Actor(person=Official.objects.get(event=event, role=Official.Role.HEAD_JUDGE).person)


def test_from_registration_to_report(new_context, live_server):
    site = Site(new_context, live_server)
    PersonFactory(name="Otto Office", email="office@example.org", is_office=True)
    office = site.sign_in("office@example.org")
    venue, judge, player = register_everybody(site)
    approve_everybody(office)
    office.context.close()
    event = create_event(venue, judge)
    enter_players(judge, player, event)
    for number in range(1, ROUNDS + 1):
        play_round(site, judge, player, event, number)
    finish(judge, venue, event)


def register_everybody(site: Site) -> tuple[Page, Page, Page]:
    """A shop, a judge and a player create accounts; a PO box is refused and everything typed is kept."""
    venue = site.sign_up("Vera Vandamme", "vera@example.org")
    venue.goto(reverse("events:venue-register"))
    facts = {
        "name": "The Dice Cellar",
        "public_location": "12 Potter's Lane, Ghent",
        "city": "Ghent",
        "country": "Belgium",
        "shipping_address": "PO Box 12, Ghent",
        "telephone": "+32 9 000 11 22",
        "tax_number": "BE 0000.111.222",
    }
    if venue.locator("select[name=kind]").count():
        venue.select_option("[name=kind]", "store")
    else:
        venue.locator("[name=kind][value=store]").check()
    for name, value in facts.items():
        venue.locator(f"[name={name}]").fill(value)
    venue.select_option("[name=time_zone]", "Europe/Brussels")
    venue.get_by_role("button", name="Register a venue").click()
    expect(venue.locator(".field.bad")).to_contain_text("box")
    expect(venue.locator("[name=name]")).to_have_value("The Dice Cellar")
    no_violations(venue)
    venue.locator("[name=shipping_address]").fill("12 Potter's Lane, Ghent")
    venue.get_by_role("button", name="Register a venue").click()
    expect(venue.locator("main")).to_contain_text("waiting for approval")

    judge = site.sign_up("Hanna Heylen", "hanna@example.org")
    judge.goto(reverse("events:volunteer-register"))
    judge.locator("[name=city]").fill("Ghent")
    judge.get_by_role("button", name="Register as a volunteer").click()
    expect(judge.locator("main")).to_contain_text("waiting for approval")
    player = site.sign_up("Paula Player", "paula@example.org")
    return venue, judge, player


def approve_everybody(office: Page) -> None:
    """The sanctioning office approves the judge and the shop on its page."""
    pages = [
        reverse("events:office-volunteer", args=[Volunteer.objects.get().pk]),
        reverse("events:office-venue", args=[Venue.objects.get().pk]),
    ]
    for address in pages:
        office.goto(address)
        no_violations(office)
        office.get_by_role("button", name="Approve").click()
        expect(office.locator("main")).to_contain_text("approved")


def create_event(venue: Page, hanna: Page) -> Event:
    """The shop creates the event and Hanna accepts to be head judge; a build total of 250 is refused at its field."""
    venue.goto(reverse("events:create"))
    if venue.locator("select[name=venue]").count():
        venue.select_option("[name=venue]", str(Venue.objects.get().pk))
    venue.locator("[name=name]").fill("Autumn Clash")
    venue.locator("[name=build_total]").fill("250")
    venue.locator("[name=seats]").fill("32")
    judge = venue.locator("[name=head_judge]")
    if judge.evaluate("e => e.tagName") == "SELECT":
        judge.select_option(label="Hanna Heylen")
    else:
        judge.fill("hanna@example.org")
    venue.get_by_role("button", name="Create").click()
    expect(venue.locator(".field.bad")).to_contain_text("100")
    expect(venue.locator("[name=name]")).to_have_value("Autumn Clash")
    venue.locator("[name=build_total]").fill("200")
    venue.get_by_role("button", name="Create").click()
    event = Event.objects.get()
    hanna.goto(reverse("home"))
    no_violations(hanna)
    hanna.get_by_role("button", name="Accept: Autumn Clash").click()
    expect(hanna.locator("main")).to_contain_text("Offer accepted.")
    venue.goto(reverse("events:officials", args=[event.public_id]))  # no mail: the address can't be confirmed
    no_violations(venue)
    venue.get_by_role("button", name="Confirm Hanna Heylen").click()
    venue.goto(reverse("events:event", args=[event.public_id]))
    venue.get_by_role("button", name="Open registration").click()
    event.refresh_from_db()
    assert event.state == Event.State.OPEN
    Event.objects.update(number_of_rounds=ROUNDS)
    return event


def enter_players(judge: Page, player: Page, event: Event) -> None:
    """One player enters with an account, the others from a list with an awkward name; all are checked in."""
    player.goto(reverse("events:event", args=[event.public_id]))
    player.locator(".next").get_by_role("link").first.click()
    player.locator("[name=declares]").check()
    player.get_by_role("button", name="Register", exact=True).click()
    expect(player.locator("main")).to_contain_text("Paula Player")

    lines = [
        "name,club",
        '"=SUM(A1)",North',
        *(f"Player {number:02d},{'North' if number % 2 else 'South'}" for number in range(2, PLAYERS)),
    ]
    judge.goto(reverse("events:entries-import", args=[event.public_id]))
    judge.set_input_files(
        "[type=file]", {"name": "players.csv", "mimeType": "text/csv", "buffer": "\n".join(lines).encode()}
    )
    tick = judge.locator("[name=declared]")
    if tick.count():
        tick.first.check()
    judge.get_by_role("button", name="Check the list").click()
    judge.get_by_role("button", name=f"Import {PLAYERS - 1} players").click()
    expect(judge.locator("main")).to_contain_text("=SUM(A1)")
    assert event.entries.count() == PLAYERS

    judge.goto(reverse("events:check-in", args=[event.public_id]))
    no_violations(judge)
    for left in range(PLAYERS - 1, PLAYERS - 4, -1):
        judge.locator("button[name=in]").first.click()
        expect(judge.locator("button[name=in]")).to_have_count(left)
    for entry in event.entries.filter(state=Entry.State.ENTERED):  # the others in the same way
        check_in(by=hanna(event), entry=entry)


def play_round(site: Site, judge: Page, player: Page, event: Event, number: int) -> None:
    """Pair, publish, time and complete a round, always with the console's big button."""
    assert "Pair round" in next_thing(judge, event)
    expect(judge.get_by_role("button", name="Publish").first).to_be_visible()
    if number == 1:
        no_violations(judge)
    judge.get_by_role("button", name="Publish").first.click()
    next_thing(judge, event)
    judge.locator("button[name=act][value=start]").first.click()
    chance = random.Random(number)
    if number == 1:
        reported_by_both(site, player, event)
        typed_by_keyboard(judge, event, chance)
    else:
        expect(judge.locator("main")).to_contain_text("running")
        simulation.play(hanna(event), Round.objects.get(number=number), chance)
    assert not Match.objects.filter(round__number=number).exclude(state=Match.State.CONFIRMED).exists()
    assert "Complete round" in next_thing(judge, event)


def typed_by_keyboard(judge: Page, event: Event, chance: random.Random) -> None:
    """Enter the results of the open tables of round 1 without touching the mouse."""
    judge.goto(reverse("events:results", args=[event.public_id, 1]))
    open_tables = Match.objects.filter(round__number=1).exclude(state=Match.State.CONFIRMED)
    for table in open_tables.order_by("table").values_list("table", flat=True):
        expect(judge.locator("[name=table]")).to_be_focused()
        judge.keyboard.type(str(table))
        judge.keyboard.press("Enter")
        judge.keyboard.type(str(chance.randrange(101, 200)))
        judge.keyboard.press("Enter")
        judge.keyboard.type(str(chance.randrange(0, 100)))
        judge.keyboard.press("Enter")
        expect(judge.locator("#said")).to_contain_text(f"Table {table}:")


def reported_by_both(site: Site, player: Page, event: Event) -> None:
    """The player finds her table and reports; the opponent, without an account, reports through a signed link."""
    entry = event.entries.get(name="Paula Player")
    match = (entry.matches_as_a.all() | entry.matches_as_b.all()).get()
    opponent = match.b if match.a == entry else match.a
    player.goto(reverse("events:entry", args=[event.public_id, entry.number]))
    expect(player.locator("main")).to_contain_text(opponent.name)
    no_violations(player)
    other = site.somebody()
    other.goto(entry_link(opponent))
    for page, answer in ((player, "It's confirmed when"), (other, "You're done for this round.")):
        page.locator("[name=score_a]").fill("120")
        page.locator("[name=score_b]").fill("64")
        page.get_by_role("button", name="Report result").click()
        expect(page.locator("#report")).to_contain_text(answer)
        assert "/entries/" in page.url, "the answer replaces the form; no other page opens"
    other.context.close()
    match.refresh_from_db()
    assert (match.state, match.result.score("a")) == (Match.State.CONFIRMED, 120)


def finish(judge: Page, venue: Page, event: Event) -> None:
    """The judge finishes, verifies and reports the event; the venue downloads its sheet in three formats."""
    assert "Finish" in next_thing(judge, event)
    if judge.get_by_role("button", name="Finish").count():
        judge.get_by_role("button", name="Finish").first.click()
    judge.goto(reverse("judging:finish", args=[event.public_id]))
    no_violations(judge)
    judge.get_by_role("button", name="Verify results").click()
    judge.get_by_role("button", name="Report results").click()
    expect(judge.locator("main")).to_contain_text("on time")

    venue.goto(reverse("judging:finish", args=[event.public_id]))
    venue.get_by_role("button", name="Confirm receipt of results").click()
    expect(venue.locator("main")).to_contain_text("received")
    address = venue.url.split("/events/")[0]
    whole = json.loads(venue.request.get(address + reverse("judging:sheet-json", args=[event.public_id])).text())
    assert (len(whole["players"]), len(whole["rounds"])) == (PLAYERS, ROUNDS)
    assert sum(len(row["matches"]) for row in whole["rounds"]) == ROUNDS * PLAYERS // 2
    text = venue.request.get(address + reverse("judging:sheet-csv", args=[event.public_id])).body().decode("utf-8-sig")
    assert sum(row[0] == "matches" and row[1] == "" for row in csv.reader(io.StringIO(text))) == ROUNDS * PLAYERS // 2
    sheet = venue.request.get(address + reverse("judging:sheet-pdf", args=[event.public_id])).body()
    words = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(sheet)).pages)
    assert "=SUM(A1)" in words
    assert "Paula Player" in words
    assert "not verified" not in words
