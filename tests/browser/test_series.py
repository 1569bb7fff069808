"""A series of four months, three Battle Royale and one Swiss, from its creation to the end of its prize draft."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from events.models import Entry, Event, Match, SeriesDraft
from events.roles import SITE
from events.services import results, rounds
from events.services.people import entry_link
from tests import factories
from tests.events.simulation import players

from .accessible import no_violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def month(venue, number: int) -> Event:
    """Return a month's event, played: the players with low numbers win."""
    four = number < 4
    event = factories.EventFactory(
        venue=venue, name=f"Month {number}", table_size=4 if four else 2, number_of_rounds=1 if four else 3
    )
    factories.OfficialFactory(event=event)
    players(event, 8)
    for _round in range(event.number_of_rounds):
        row = rounds.draft_round(by=SITE, event=event)
        rounds.publish_round(by=SITE, round=row)
        for match in Match.objects.with_round().filter(round=row, kind=Match.Kind.GAME):
            scores = {f"score_{seat}": 190 - 10 * one.number for seat, one in zip("abcd", match.entries, strict=False)}
            results.enter_result(by=SITE, match=match, result=scores)
        rounds.complete_round(by=SITE, round=row)
    rounds.finish_event(by=SITE, event=event, confirmed=True)
    return event


def test_four_months_end_with_their_table_and_its_prize_draft(page: Page, staff, sign_in, live_server, new_context):
    months = [month(staff.event.venue, number) for number in (1, 2, 3, 4)]
    sign_in(page.context, staff.manager)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(live_server.url + reverse("events:venue", args=[staff.event.venue_id]))
    page.get_by_role("link", name="Create series").click()
    page.get_by_label("Name").fill("Storyline")
    page.get_by_label("Events needed to be eligible").fill("2")
    page.get_by_role("button", name="Create series").click()
    for event in months:
        page.get_by_label("Event at one of your venues").select_option(event.public_id)
        page.get_by_role("button", name="Add event").click()
        expect(page.get_by_role("link", name=event.name)).to_be_visible()
    page.get_by_role("link", name="Standings", exact=True).click()
    first = page.get_by_role("row").nth(1)
    expect(first).to_contain_text("Player 001")
    expect(first).to_contain_text("16")
    no_violations(page)
    page.get_by_role("button", name="End series").click()
    expect(page.get_by_role("heading", name="Prize draft order")).to_be_visible()
    page.get_by_role("link", name="Prize draft").last.click()
    page.get_by_label("Prizes, one per line").fill("Colossal\nBooster")
    page.get_by_role("button", name="Save prizes").click()
    page.get_by_role("button", name="Start prize draft").click()
    expect(page.get_by_role("heading", name="Player 001 picks")).to_be_visible()
    page.get_by_role("button", name="Pick Colossal").click()
    expect(page.get_by_role("heading", name="picks")).not_to_contain_text("Player 001")
    no_violations(page)
    pick_on_phone(new_context, live_server, months)


def pick_on_phone(new_context, live_server, months) -> None:
    """Pick as the player whose turn it is, who has an account and opened the player link of one month; a projector follows."""
    draft = SeriesDraft.objects.get()
    second = Entry.objects.get(pk=draft.snake.whose)
    Entry.objects.filter(event__in=months, name=second.name).update(person=factories.PersonFactory(name=second.name))
    projector = new_context(viewport={"width": 1920, "height": 1080}).new_page()
    projector.goto(live_server.url + reverse("events:series-display", args=[draft.series.public_id]))
    expect(projector.locator("#slides")).to_contain_text(f"Prize draft: {second.name} picks")
    expect(projector.locator("#slides")).to_contain_text("Prizes left")
    expect(projector.locator("#slides")).to_contain_text("Final standings of the series")
    phone = new_context(viewport={"width": 390, "height": 844}).new_page()
    phone.goto(live_server.url + entry_link(months[0].entries.get(name=second.name)))
    phone.get_by_role("link", name="Go to prize draft").click()
    expect(phone.get_by_role("heading", name="Your turn: pick a prize")).to_be_visible()
    no_violations(phone)
    phone.get_by_role("button", name="Pick Booster").click()
    expect(phone.locator("#turn-of")).to_have_text("The prize draft is over")
    expect(phone.locator("main")).to_contain_text("You picked: Booster")
    expect(projector.locator("#slides")).to_contain_text("Booster", timeout=15_000)
