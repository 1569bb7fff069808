"""A Battle Royale evening of 11 players on phones: entry, boosters drafted, the result, and the draft of prizes."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from events.models import Event, Force, Match, Pod, Round
from events.roles import Actor
from events.services import pods, prizes, results, rounds
from events.services.people import entry_link
from tests.events.simulation import players

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def phone(browser, live_server):
    """Return `phone(entry)`: a page of a phone that opened the entry's player link, or of a person who signs in."""
    contexts = []

    def made(entry=None):
        contexts.append(browser.new_context(base_url=live_server.url, **PHONE))
        page = contexts[-1].new_page()
        if entry is not None:
            page.goto(entry_link(entry), wait_until="domcontentloaded")
        return page

    yield made
    for context in contexts:
        context.close()


def at_table(event, entry) -> Match:
    return next(match for match in Match.objects.with_round() if entry.pk in match.entry_ids)


def test_an_evening_from_entry_to_the_prize_draft(staff, phone, sign_in):
    event, by = staff.event, staff.actor("head_judge")
    Event.objects.filter(pk=event.pk).update(format="battle-royale", table_size=4, number_of_rounds=1)
    event.refresh_from_db()
    entries = players(event, 10)
    judge = phone()
    sign_in(judge.context, staff.head_judge)

    judge.goto(reverse("events:entry-add", args=[event.public_id]))
    judge.locator("[name=name]").fill("Kit O'Neill")
    for box in judge.locator("form [type=checkbox]").all():
        box.check()
    judge.get_by_role("button", name="Add player").first.click()
    expect(judge.locator("#main")).to_contain_text("Kit O'Neill")
    event.entries.filter(name="Kit O'Neill").update(state="checked-in")
    round_ = rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))
    assert sorted(len(match.entry_ids) for match in round_.matches.all()) == [3, 4, 4]

    judge.goto(reverse("events:boosters", args=[event.public_id, 1]))
    judge.locator("[name=booster_figures]").fill("1")
    judge.get_by_role("button", name="Start booster draft").tap()
    expect(judge.locator("[data-live=pods]")).to_contain_text("Pick 1 of 1")
    first = entries[0]
    match = at_table(event, first)
    own = phone(first)
    own.get_by_role("link", name="Booster draft").tap()
    expect(own.locator("#pick-now")).to_have_text("Booster 1 of 1, pick 1 of 1")
    own.locator("#by-hand summary").tap()
    own.locator("#by-hand [name=name]").fill("Batman")
    own.locator("#by-hand [name=points]").fill("60")
    own.locator("#by-hand button").tap()
    expect(own.locator("[data-live=pod-picks]")).to_contain_text("Batman")
    for pod in Pod.objects.select_related("match__round__event"):
        for number in pod.waiting_for:
            pods.record(by=by, pod=pod, number=number, step=0, by_hand={"name": f"Figure {number}", "points": 50})
    expect(own.locator("[data-live=pod]")).to_contain_text("The draft is over")
    assert Force.objects.filter(entry__event=event, state=Force.State.SUBMITTED).count() == 11

    own.goto(reverse("events:entry", args=[event.public_id, first.number]))
    seat = match.seat_of(first)
    points = {f"score_{one}": 300 if one == seat else 50 * at for at, one in enumerate("abcd"[: len(match.entry_ids)])}
    for name, value in points.items():
        own.locator(f"[name={name}]").fill(str(value))
    own.locator("form:has([name=score_a]) button").first.tap()
    expect(own.locator("#main")).to_contain_text("report")
    other = next(entry for entry in match.entries if entry.pk != first.pk)
    results.claim_result(by=Actor(entry=other), match=at_table(event, first), result=points)
    for one in Match.objects.with_round().exclude(state=Match.State.CONFIRMED):
        scores = {f"score_{seat}": 100 - 10 * at for at, seat in enumerate("abcd"[: len(one.entry_ids)])}
        results.enter_result(by=by, match=one, result=scores)
    rounds.complete_round(by=by, round=Round.objects.get(pk=round_.pk))

    judge.goto(reverse("events:prizes", args=[event.public_id]))
    judge.get_by_role("button", name="Add figures from forces").tap()
    judge.get_by_role("button", name="Start prize draft").tap()
    expect(judge.locator("#turn-of")).to_contain_text("picks")
    order = prizes.draft_of(event).order
    assert order[0] == first.number
    own.goto(reverse("events:prizes", args=[event.public_id]))
    second = phone(event.entries.get(number=order[1]))
    second.goto(reverse("events:prizes", args=[event.public_id]))
    own.get_by_role("button", name="Pick Batman").tap()
    expect(own.locator("#turn-of")).not_to_contain_text("Your turn")
    expect(second.locator("#turn-of")).to_have_text("Your turn: pick a prize")
    assert prizes.draft_of(event).snake.of(first.number) == ["Batman"]
