"""The report on a player's own page, and its receipt: what each state offers, and who can report for whom."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import strip_tags

from events.models import Claim, Entry, Event, Match, Official, Round
from events.roles import LINKED_ENTRIES, Actor
from events.services import results
from tests.conftest import client_of
from tests.events.match_pages import play
from tests.factories import EventFactory, OfficialFactory, PersonFactory

pytestmark = pytest.mark.django_db
ONCE = {"X-Form": "5eed" * 8, "Accept": "application/json"}


@pytest.fixture
def event():
    """Seven players in their second round: number 7 has a bye."""
    made = EventFactory()
    play(made, 7, 2)
    return made


@pytest.fixture
def match(event):
    return Match.objects.select_related("a", "b").get(round__event=event, round__number=2, table=1)


def linked(entry):
    client = Client()
    session = client.session
    session[LINKED_ENTRIES] = {str(entry.event_id): [entry.pk, entry.link_issue]}
    session.save()
    return client


def own(entry):
    return reverse("events:entry", args=[entry.event.public_id, entry.number])


def at(match, name, number=2):
    return reverse(f"events:{name}", args=[match.a.event.public_id, number, match.table])


def words(text):
    return re.sub(r"\s+", " ", strip_tags(text.partition("<main")[2].partition("</main>")[0] or text))


def report(entry, match, a, b):
    match.refresh_from_db()
    results.claim_result(by=Actor(entry=entry), match=match, result={"score_a": a, "score_b": b})


# each state


def test_a_player_reports_on_their_own_page_and_gets_a_receipt(match):
    client = linked(match.a)
    page = client.get(own(match.a)).text
    assert f'action="{at(match, "claim")}"' in page
    assert page.index('name="score_a"') < page.index('name="score_b"')
    answer = client.post(at(match, "claim"), {"score_a": "120", "score_b": "90", "to_time": "on"})
    assert answer["Location"] == at(match, "receipt")
    said = words(client.get(answer["Location"]).text)
    assert f"You reported 120 : 90. It's confirmed when {match.b} reports the same result." in said
    assert "Correct my report" in said
    assert "Report result" not in said
    assert Claim.objects.get().result.to_time


def test_the_second_seat_enters_their_own_points_first(match):
    page = linked(match.b).get(own(match.b)).text
    assert re.search(r"You</label>\s*<input[^>]* name=\"score_b\"", page)
    assert page.index('name="score_b"') < page.index('name="score_a"')


def test_the_opponents_report_asks_for_mine_and_stays_hidden(match):
    report(match.b, match, 133, 87)
    page = linked(match.a).get(own(match.a)).text
    assert f"{match.b} has reported. Enter your result." in words(page)
    assert 'name="score_a"' in page
    assert not re.search(r"\b(133|87)\b", words(page))


def test_two_equal_reports_are_confirmed_and_the_receipt_says_so(match):
    report(match.b, match, 120, 90)
    answer = linked(match.a).post(at(match, "claim"), {"score_a": "120", "score_b": "90"}, follow=True)
    said = words(answer.text)
    assert "You Won 120 Player 004 Lost 90" in said
    assert "You're done for this round." in said
    assert 'name="score_a"' not in answer.text


def test_two_different_reports_say_so_and_offer_a_judge(match):
    report(match.b, match, 120, 80)
    answer = linked(match.a).post(at(match, "claim"), {"score_a": "120", "score_b": "90"}, follow=True)
    said = words(answer.text)
    assert "You reported 120 : 90." in said
    assert "The two reports don't match." in said
    assert "Compare the reports" in said
    assert "Call a judge" in said
    assert "80" not in said.replace("1:80", "")


def test_a_judges_result_ends_the_report(match):
    judge = OfficialFactory(event=match.a.event, role=Official.Role.HEAD_JUDGE).person
    given = {"score_a": 60, "score_b": 90}
    results.decide_result(by=Actor(person=judge), match=match, result=given, reason="both agreed")
    page = linked(match.a).get(own(match.a)).text
    assert "Player 004 Won 90 You Lost 60" in words(page)
    assert 'name="score_a"' not in page


def test_a_bye_is_not_reported(event):
    bye = Match.objects.select_related("a").get(round__event=event, round__number=2, table=None)
    page = linked(bye.a).get(own(bye.a)).text
    assert "Bye" in words(page)
    assert 'name="score_a"' not in page


@pytest.mark.parametrize("state", ["not paired", "complete", "dropped", "finished", "cancelled"])
def test_without_a_match_to_play_there_is_no_form(event, match, state):
    if state == "not paired":
        Match.objects.filter(round__number=2).delete()
        Round.objects.filter(number=2).update(state=Round.State.DRAFT)
    if state == "complete":
        Round.objects.filter(number=2).update(state=Round.State.COMPLETE)
    if state == "dropped":
        Match.objects.filter(round__number=2).delete()
        Entry.objects.filter(pk=match.a_id).update(state=Entry.State.DROPPED, dropped_after=1)
    if state in ("finished", "cancelled"):
        Round.objects.filter(number=2).update(state=Round.State.COMPLETE)
        Event.objects.filter(pk=event.pk).update(state=state)
    client = linked(match.a)
    assert 'name="score_a"' not in client.get(own(match.a)).text
    answer = client.post(at(match, "claim"), {"score_a": "120", "score_b": "90"})
    assert answer.status_code in (403, 404)
    assert not Claim.objects.exists()


# what is typed


@pytest.mark.parametrize("typed", [("120", ""), ("12o", "90"), ("100", "100"), ("999999", "0")])
def test_what_cannot_be_read_opens_the_tables_form_with_everything_typed(match, typed):
    given = dict(zip(("score_a", "score_b"), typed, strict=True)) | {"swap": "report"}
    for headers, more in (
        ({}, {}),
        ({}, {"to_time": "on"}),
        (ONCE, {"to_time": "on"}),
        (ONCE | {"X-Form": "a" * 32}, {}),
    ):
        answer = linked(match.a).post(at(match, "claim"), given | more, headers=headers)
        assert answer.status_code == 400
        assert f'name="score_a" value="{typed[0]}"' in answer.text
        assert 'id="more-result"' in answer.text
    assert not Claim.objects.exists()


def test_a_script_gets_the_receipt_alone_and_a_form_sent_twice_counts_once(match):
    client = linked(match.a)
    given = {"score_a": "120", "score_b": "90", "swap": "report"}
    answer = client.post(at(match, "claim"), given, headers=ONCE)
    assert answer.status_code == 200
    assert 'id="report"' in answer.text
    assert "<main" not in answer.text
    assert "You reported 120 : 90." in words(answer.text)
    assert client.post(at(match, "claim"), given, headers=ONCE).status_code == 204
    assert client.post(at(match, "claim"), given).status_code == 302
    assert Claim.objects.count() == 1


# whose report it is


def test_no_one_reports_for_another(event, match):
    elsewhere = EventFactory()
    play(elsewhere, 4, 1)
    strangers = [
        linked(Entry.objects.get(event=event, number=7)),
        linked(Entry.objects.filter(event=elsewhere).first()),
        client_of(PersonFactory()),
        Client(),
    ]
    given = {"score_a": "200", "score_b": "0", "swap": "report", "entry": match.a.number, "by_entry": match.a_id}
    for client in strangers:
        assert 'name="score_a"' not in client.get(own(match.a)).text
        assert client.post(at(match, "claim"), given).status_code == 403
        assert client.get(at(match, "receipt"))["Location"] == at(match, "table")
    assert not Claim.objects.exists()


def test_the_opponents_report_is_always_the_opponents(match):
    report(match.a, match, 120, 90)
    client = linked(match.b)
    assert 'name="score_a"' not in client.get(own(match.a)).text
    client.post(at(match, "claim"), {"score_a": "0", "score_b": "200", "entry": match.a.number})
    assert Claim.objects.get(by_entry=match.a).result.scores == (120, 90)
    assert Claim.objects.get(by_entry=match.b).result.scores == (0, 200)
    match.refresh_from_db()
    assert match.state == Match.State.DISPUTED
    assert "120" not in words(client.get(at(match, "receipt")).text)


def test_a_form_of_the_round_before_does_not_count_for_this_one(event, match):
    before = Match.objects.get(round__event=event, round__number=1, table=match.table)
    Match.objects.filter(pk=before.pk).update(state=Match.State.OPEN, result=None)
    client = linked(before.a)
    answer = client.post(at(match, "claim", 1), {"score_a": "120", "score_b": "90", "swap": "report"}, headers=ONCE)
    assert answer.status_code == 403
    assert not Claim.objects.exists()


# how much it asks of the database


def queries_of(ask):
    with CaptureQueriesContext(
        connection,
    ) as asked:
        answer = ask()
    assert answer.status_code in (200, 302)
    return len(asked)


@pytest.mark.parametrize("players", [7, 61])
def test_the_pages_of_a_hall_ask_little_however_large_it_is(players):
    event = EventFactory()
    play(event, players, 4)
    match = Match.objects.select_related("a").get(round__event=event, round__number=4, table=1)
    client, page = linked(match.a), own(match.a)
    claim, receipt = at(match, "claim", 4), at(match, "receipt", 4)
    assert queries_of(lambda: client.get(page)) == 10
    assert queries_of(lambda: client.post(claim, {"score_a": "120", "score_b": "90"})) == 13
    assert queries_of(lambda: client.get(receipt)) == 7
