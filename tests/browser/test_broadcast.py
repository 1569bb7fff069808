"""The view for streams at 1920 by 1080: the clock runs, the featured table follows its result, the bracket is shown."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from events.models import Force
from events.services import clock, results, rounds
from tests.events.simulation import play, play_round, players, result

from .accessible import no_violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = ("Captain Brass", "The Unlikely Amphibian", "Doctor Lantern", "Harbour Ghost", "Nightjar", "Old Ironsides")
FORCE = {
    "force": {
        "characters": [
            {"ref": f"c{n}", "name": name, "set": "XX", "number": f"{n:03}", "points": 40}
            for n, name in enumerate(NAMES)
        ]
    }
}


def test_a_stream_shows_the_clock_a_table_and_the_bracket_after_a_cut(staff, live_server, new_context):
    event, by = staff.event, staff.actor("head_judge")
    event.number_of_rounds, event.cut_to = 1, 16
    event.save()
    for entry in players(event, 18):
        Force.objects.create(entry=entry, state="submitted", document=FORCE, total=240)
    play_round(by, event)
    page = new_context(viewport={"width": 1920, "height": 1080}).new_page()
    page.goto(f"{live_server.url}{reverse('events:broadcast', args=[event.public_id])}?table=1")
    bracket, digits = page.locator(".broadcast-bracket"), page.locator("[data-digits]")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Round 1")
    expect(digits).to_have_count(0)
    expect(bracket).to_have_count(0)

    cut = rounds.draft_cut(by=by, event=event)
    rounds.publish_round(by=by, round=cut)
    page.reload()
    expect(digits).to_have_text("50:00")
    names = [name for match in cut.matches.with_entries() for name in (match.a.name, match.b.name)]
    assert len(names) == 16
    for name in names:
        expect(bracket).to_contain_text(name)
    everything_fits(page)

    clock.start_round(by=by, round=cut)
    expect(page.get_by_text("running", exact=True)).to_be_visible()
    expect(digits).to_have_text(re.compile("^4[89]:"))
    before = digits.inner_text()
    expect(digits).not_to_have_text(before)

    match = cut.matches.with_entries().get(table=1)
    results.enter_result(by=by, match=match, result=result())
    seat = page.get_by_role("article").filter(has=page.get_by_role("heading", name=match.a.name))
    expect(seat).to_contain_text("won")
    expect(seat).to_contain_text("120")
    expect(seat.get_by_role("listitem")).to_have_count(len(NAMES))
    expect(bracket).to_contain_text(f"✓ {match.a.name}")

    play(by, cut)
    rounds.complete_round(by=by, round=cut)
    rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))
    page.reload()
    expect(page.get_by_text("Quarterfinals")).to_have_count(2)
    expect(bracket).not_to_contain_text("120")
    everything_fits(page)
    no_violations(page)


def everything_fits(page):
    """Fail if something is outside the picture: no one scrolls a stream."""
    outside = page.locator("main *").evaluate_all(
        """all => all.filter(one => {
          const box = one.getBoundingClientRect();
          return box.width && (box.right > innerWidth || box.bottom > innerHeight || box.left < 0 || box.top < 0);
        }).map(one => one.outerHTML.slice(0, 80))"""
    )
    assert outside == []
