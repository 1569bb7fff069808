"""A cut to 12 with byes for the best four and a match for third place: console, projector and phones."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from events.models import Match
from events.queries import standings_of
from events.services import rounds
from events.services.people import entry_link
from tests.events.simulation import play, play_round, players

from .accessible import no_violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 844}


def test_a_cut_to_twelve_with_a_match_for_third_place(staff, live_server, sign_in, new_context):
    event, by = staff.event, staff.actor("head_judge")
    event.number_of_rounds, event.cut_to, event.third_place, event.final_minutes = 1, 12, True, 75
    event.save()
    players(event, 14)
    play_round(by, event)
    seeds = [place.number for place in standings_of(event)][:4]

    desk = new_context(viewport=PHONE)
    sign_in(desk, staff.head_judge)
    judge = desk.new_page()
    projector = new_context(viewport={"width": 1920, "height": 1080}).new_page()
    projector.goto(live_server.url + reverse("events:display", args=[event.public_id]) + "?show=bracket&show=clock")

    def next_thing(words: str) -> None:
        judge.goto(live_server.url + reverse("events:console", args=[event.public_id]))
        button = judge.locator(".next .button")
        expect(button).to_have_text(words)
        button.click()

    next_thing("Cut to top 12")
    expect(judge.locator("h1")).to_contain_text("draft")
    judge.locator(".next .button").click()
    first = rounds_of(event)[-1]
    assert (first.bracket_size, first.matches.filter(kind=Match.Kind.GAME).count()) == (16, 4)
    byes = first.matches.filter(kind=Match.Kind.BYE).values_list("a__number", flat=True)
    assert sorted(byes) == sorted(seeds)
    expect(projector.locator("#slides")).to_contain_text("Player")
    while rounds_of(event)[-1].bracket_size > 4:
        play(by, rounds_of(event)[-1])
        rounds.complete_round(by=by, round=rounds_of(event)[-1])
        rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))
    play(by, rounds_of(event)[-1])
    rounds.complete_round(by=by, round=rounds_of(event)[-1])
    event.refresh_from_db()
    next_thing("Pair final")
    expect(judge.get_by_text("Round length: 75 minutes")).to_be_visible()
    no_violations(judge)
    judge.locator(".next .button").click()
    final = rounds_of(event)[-1]
    third = next(m for m in Match.objects.with_round().filter(round=final) if m.is_third_place)
    projector.reload()
    expect(projector.locator("#slides")).to_contain_text("Third place")
    expect(projector.locator(".display-band")).to_contain_text("1:15:00")
    player = new_context(viewport=PHONE).new_page()
    player.goto(live_server.url + entry_link(third.a))
    expect(player.locator("main")).to_contain_text("Third place")
    expect(player.locator("main")).to_contain_text(third.b.public_name)
    player.locator("[name^=score_]").first.fill("100")
    player.locator("[name^=score_]").nth(1).fill("20")
    player.get_by_role("button", name="Report result").click()
    expect(player.locator("main")).to_contain_text("You reported")
    play(by, final)
    rounds.complete_round(by=by, round=final)
    judge.goto(live_server.url + reverse("events:standings", args=[event.public_id]))
    winner = Match.objects.with_round().get(pk=third.pk).a
    assert [place.number for place in standings_of(event)][2] == winner.number
    expect(judge.locator("#main tbody tr").nth(2)).to_contain_text(winner.public_name)


def rounds_of(event):
    return list(event.rounds.order_by("number"))
