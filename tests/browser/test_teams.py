"""A team battle royale of eight: partners choose each other on phones, two tables of four, standings on the projector."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from events.models import Event, Match, Round
from events.queries import team_standings_of
from events.services import results, rounds
from events.services.people import entry_link
from events.services.teams import make_team
from tests.events.simulation import players

from .accessible import no_violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 844}


def test_a_team_battle_royale_of_eight(staff, live_server, sign_in, new_context):
    event, by = staff.event, staff.actor("head_judge")
    Event.objects.filter(pk=event.pk).update(
        teams_of_two=True, table_size=4, number_of_rounds=2, format=Event.Format.BATTLE_ROYALE
    )
    event.refresh_from_db()
    ada, ben, *others = players(event, 8)
    for one, other in zip(others[:4:2], others[1:4:2], strict=True):
        make_team(by=by, event=event, one=one, other=other)

    def phone_of(entry):
        page = new_context(viewport=PHONE).new_page()
        page.goto(live_server.url + entry_link(entry))
        page.goto(live_server.url + reverse("events:entry", args=[event.public_id, entry.number]))
        return page

    of_ada = phone_of(ada)
    of_ada.get_by_label("Partner").select_option(label=ben.name)
    of_ada.get_by_role("button", name="Choose partner").click()
    expect(of_ada.locator("#team")).to_contain_text(f"You chose {ben.name}")
    of_ben = phone_of(ben)
    no_violations(of_ben)
    of_ben.get_by_role("button", name=f"Play with {ada.name}").click()
    expect(of_ben.locator("#team")).to_contain_text(f"Partner: {ada.name}")

    desk = new_context(viewport=PHONE)
    sign_in(desk, staff.head_judge)
    judge = desk.new_page()
    judge.goto(live_server.url + reverse("events:teams", args=[event.public_id]))
    expect(judge.locator(".message.warning")).to_contain_text("2 players have no team")
    judge.get_by_label("First player").select_option(label=others[4].name)
    judge.get_by_label("Second player").select_option(label=others[5].name)
    judge.get_by_label("Team name").first.fill("Two Towers")
    judge.get_by_role("button", name="Form team").click()
    expect(judge.get_by_role("heading", name="Two Towers")).to_be_visible()
    no_violations(judge)
    judge.goto(live_server.url + reverse("events:console", args=[event.public_id]))
    judge.locator(".next .button").click()
    expect(judge.locator("h1")).to_contain_text("draft")
    judge.locator(".next .button").click()

    of_ada.reload()
    expect(of_ada.locator(".place-opponent")).to_contain_text(f"(partner: {ben.name})")
    for _round in range(2):
        row = Round.objects.filter(event=event).order_by("-number")[0]
        for match in Match.objects.with_round().filter(round=row):
            scores = {f"score_{seat}": 290 - entry.number for seat, entry in zip("abcd", match.entries, strict=True)}
            results.enter_result(by=by, match=match, result=scores)
        rounds.complete_round(by=by, round=row)
        if row.number == 1:
            rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))
    best = team_standings_of(event)[0]
    assert (best.match_points, best.number) == (18, best.entry.number)
    judge.goto(live_server.url + reverse("events:standings", args=[event.public_id]))
    table = judge.locator("table").first
    expect(table).to_contain_text("Two Towers")
    expect(table.locator("tbody tr").first).to_contain_text(best.name)
    no_violations(judge)
    projector = new_context(viewport={"width": 1920, "height": 1080}).new_page()
    projector.goto(live_server.url + reverse("events:display", args=[event.public_id]) + "?show=standings")
    expect(projector.locator("#slides")).to_contain_text("Two Towers")
