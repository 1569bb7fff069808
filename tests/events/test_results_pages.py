"""A table's page, entry by keyboard with and without scripts, and open tables, through requests."""

import datetime
import html
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from events.models import Claim, ClockRun, Entry, Event, Extension, Match, Round
from events.results.result import Result
from events.roles import LINKED_ENTRIES
from tests.conftest import client_of
from tests.events.match_pages import play
from tests.factories import EventFactory, OfficialFactory, PersonFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall(staff):
    """The staff's event with five players in its second round: tables 1 and 2 are open, one player has a bye."""
    play(staff.event, 5, 2)
    return staff


def at(event, name, *parts):
    return reverse(f"events:{name}", args=[event.public_id, *parts])


def table_one(staff):
    return Match.objects.get(round__event=staff.event, round__number=2, table=1)


def linked(entry):
    """A client that opened an entry's signed link."""
    client = Client()
    session = client.session
    session[LINKED_ENTRIES] = {str(entry.event_id): [entry.pk, entry.link_issue]}
    session.save()
    return client


# the two players


def test_two_players_report_by_link_and_by_account(hall):
    match = table_one(hall)
    person = PersonFactory(name="With Account")
    Entry.objects.filter(pk=match.a_id).update(person=person)
    by_account, by_link = client_of(person), linked(match.b)
    page = by_account.get(at(hall.event, "table", 2, 1))
    assert "Report result" in page.text
    answer = by_account.post(
        at(hall.event, "claim", 2, 1), {"score_a": "120", "score_b": "80", "went_first": "a"}, follow=True
    )
    assert "It's confirmed when" in answer.text
    theirs = by_link.get(at(hall.event, "table", 2, 1)).text
    assert "has reported the result" in theirs
    assert not re.search(r"\b120\b", theirs), "the other report stays hidden"
    answer = by_link.post(at(hall.event, "claim", 2, 1), {"score_a": "120", "score_b": "80"}, follow=True)
    assert "confirmed" in answer.text
    assert Match.objects.get(pk=match.pk).result.went_first == "a"


def test_differences_are_shown_to_both_and_only_those(hall):
    match = table_one(hall)
    a, b = linked(match.a), linked(match.b)
    a.post(at(hall.event, "claim", 2, 1), {"score_a": "120", "score_b": "80", "map_by": "a"})
    answer = b.post(at(hall.event, "claim", 2, 1), {"score_a": "120", "score_b": "90"}, follow=True)
    assert "Call a judge" in answer.text
    shown = a.get(at(hall.event, "table", 2, 1)).text
    assert "Differences" in shown
    assert "90" in shown
    assert Match.objects.get(pk=match.pk).state == Match.State.DISPUTED


def test_a_stale_result_shows_whose_points_differ(hall):
    match = table_one(hall)
    desk = hall.client("scorekeeper")
    typed = {"score_a": "120", "score_b": "80", "version": match.version}
    desk.post(at(hall.event, "enter-result", 2, 1), typed)
    answer = desk.post(at(hall.event, "enter-result", 2, 1), typed | {"score_a": "77"})
    assert answer.status_code == 409
    shown = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html.unescape(answer.text)))
    assert f"{match.a}'s victory points 120 77" in shown
    assert f"{match.b}'s victory points" not in shown
    assert "version 1" not in shown.lower(), "the number that the form holds is no field to compare"


def test_a_wrong_report_comes_back_with_everything_typed(hall):
    match = table_one(hall)
    answer = linked(match.a).post(at(hall.event, "claim", 2, 1), {"score_a": "a lot", "score_b": "80", "to_time": "on"})
    assert answer.status_code == 400
    assert "a whole number" in answer.text
    assert 'value="a lot"' in answer.text
    assert 'value="80"' in answer.text
    assert "checked" in answer.text
    assert not Claim.objects.exists()


def test_no_one_reports_for_another_table(hall):
    other = Match.objects.get(round__number=2, table=2)
    answer = linked(other.a).post(at(hall.event, "claim", 2, 1), {"score_a": "120", "score_b": "80"})
    assert answer.status_code == 403
    assert "own matches" in answer.text


def test_a_report_is_withdrawn(hall):
    match = table_one(hall)
    client = linked(match.a)
    client.post(at(hall.event, "claim", 2, 1), {"score_a": "120", "score_b": "80"})
    client.post(at(hall.event, "claim-withdraw", 2, 1))
    assert Match.objects.get(pk=match.pk).state == Match.State.OPEN


def test_a_table_that_is_not_there_says_so(hall):
    answer = Client().get(at(hall.event, "table", 2, 99))
    assert answer.status_code == 404
    assert "no table 99" in answer.text


def test_the_public_sees_shortened_names_and_no_reports(hall):
    match = table_one(hall)
    Entry.objects.filter(pk=match.a_id).update(is_minor=True, name="Milo Vandenberg")
    linked(match.b).post(at(hall.event, "claim", 2, 1), {"score_a": "133", "score_b": "80"})
    page = Client().get(at(hall.event, "table", 2, 1)).text
    assert "Milo V." in page
    assert "Vandenberg" not in page
    assert "133" not in page


# officials at one table


def test_the_desk_enters_and_a_judge_corrects_after_seeing_what_changes(hall):
    desk, judge = hall.client("scorekeeper"), hall.client("judge")
    address = at(hall.event, "enter-result", 2, 1)
    answer = desk.post(address, {"score_a": "20", "score_b": "80", "act": "enter"}, follow=True)
    assert "Result entered:" in answer.text
    assert "Correct result" not in desk.get(at(hall.event, "table", 2, 1)).text
    assert "Correct result" in judge.get(at(hall.event, "table", 2, 1)).text
    asked = judge.post(address, {"score_a": "120", "score_b": "80", "act": "correct", "reason": "misread"})
    assert asked.status_code == 409
    assert "message warning" in asked.text
    assert "→" in asked.text
    answer = judge.post(
        address,
        {"score_a": "120", "score_b": "80", "act": "correct", "reason": "misread", "confirmed": "yes"},
        follow=True,
    )
    assert "Result corrected" in answer.text
    assert table_one(hall).result.winner == "a"


def differ(hall):
    """Let both players of table 1 report, with different points; return the two reports."""
    match = table_one(hall)
    linked(match.a).post(at(hall.event, "claim", 2, 1), {"score_a": "120", "score_b": "80"})
    linked(match.b).post(at(hall.event, "claim", 2, 1), {"score_a": "120", "score_b": "90", "to_time": "on"})
    return list(Claim.objects.filter(match=match).order_by("pk"))


def test_a_judge_accepts_one_of_two_reports_with_one_press(hall):
    reports = differ(hall)
    judge, address = hall.client("judge"), at(hall.event, "enter-result", 2, 1)
    page = judge.get(at(hall.event, "table", 2, 1)).text
    assert all(f"Accept {report.by_entry}'s report" in html.unescape(page) for report in reports)
    assert "Accept " not in hall.client("scorekeeper").get(at(hall.event, "table", 2, 1)).text
    posted = {"act": "accept", "report": reports[1].pk, "version": table_one(hall).version}
    assert hall.client("scorekeeper").post(address, posted).status_code == 403
    assert judge.post(address, posted | {"version": 1}).status_code == 409
    assert judge.post(address, posted).status_code == 302
    match = table_one(hall)
    assert (match.state, match.result.scores, match.result.to_time) == ("confirmed", (120, 90), True)
    made = Claim.objects.get(how=Claim.How.JUDGE)
    assert made.reason == f"{match.b}'s report accepted."


def test_a_player_accepts_the_opponents_report_while_it_stands(hall):
    reports = differ(hall)
    match, address = table_one(hall), at(hall.event, "claim", 2, 1)
    player = linked(match.a)
    assert "Accept my opponent's report" in player.get(at(hall.event, "table", 2, 1)).text
    assert player.post(address, {"accept": reports[0].pk}).status_code == 403
    linked(match.b).post(address, {"score_a": "120", "score_b": "91"})
    assert player.post(address, {"accept": reports[1].pk}).status_code == 403
    player.post(address, {"accept": Claim.objects.latest("pk").pk})
    match = table_one(hall)
    assert (match.state, match.result.scores) == ("confirmed", (120, 91))


def test_the_scorekeeper_is_offered_nothing_that_would_be_refused(hall):
    differ(hall)
    desk = hall.client("scorekeeper")
    starts = [at(hall.event, "table", 2, 1), at(hall.event, "table", 2, 2), at(hall.event, "open-tables", 2)]
    starts += [
        at(hall.event, "results", 2),
        at(hall.event, "round", 2),
        at(hall.event, "clock"),
        at(hall.event, "console"),
    ]
    for start in starts:
        page = desk.get(start).text.split("<main")[1].split("</main>")[0]
        for address in sorted(set(re.findall(r'href="(/events/[^"?#]*)', page))):
            assert desk.get(address).status_code == 200, f"{start} links to {address}"
    assert "Decide" not in desk.get(at(hall.event, "open-tables", 2)).text
    assert "Decide" in hall.client("judge").get(at(hall.event, "open-tables", 2)).text
    assert "Give extension" in hall.client("judge").get(at(hall.event, "open-tables", 2)).text


def test_officials_have_one_button_to_save_a_result(hall):
    for who in ("scorekeeper", "judge"):
        page = hall.client(who).get(at(hall.event, "table", 2, 1)).text
        form = page.split(f'action="{at(hall.event, "enter-result", 2, 1)}"')[1].split("</form>")[0]
        assert [words.strip() for words in re.findall(r'name="act"[^>]*>([^<]*)<', form)] == ["Save result"]
    differ(hall)
    desk, address = hall.client("scorekeeper"), at(hall.event, "enter-result", 2, 1)
    typed = {"score_a": "120", "score_b": "90", "act": "enter"}
    assert desk.post(address, typed).status_code == 403
    assert desk.post(address, typed | {"signed": "on"}).status_code == 302
    assert Claim.objects.get(match=table_one(hall), counts=True, how=Claim.How.SLIP)


def test_a_judge_decides_a_dispute_starting_from_one_report(hall):
    match = table_one(hall)
    linked(match.a).post(at(hall.event, "claim", 2, 1), {"score_a": "120", "score_b": "80"})
    linked(match.b).post(at(hall.event, "claim", 2, 1), {"score_a": "120", "score_b": "90"})
    judge = hall.client("judge")
    claim = Claim.objects.last()
    page = judge.get(at(hall.event, "table", 2, 1), {"take": claim.pk}).text
    assert 'value="90"' in page
    address = at(hall.event, "enter-result", 2, 1)
    asked = judge.post(address, {"score_a": "120", "score_b": "90", "act": "decide"})
    assert asked.status_code == 409
    assert f"{match.a} 120 : 90 {match.b}, {match.a} wins" in html.unescape(asked.text), (
        "the page repeats what was typed"
    )
    judge.post(address, {"score_a": "120", "score_b": "90", "act": "decide", "reason": "Looked at the dials"})
    assert table_one(hall).state == Match.State.CONFIRMED


def test_a_stale_form_shows_what_changed_and_loses_nothing(hall):
    desk = hall.client("scorekeeper")
    linked(table_one(hall).a).post(at(hall.event, "claim", 2, 1), {"score_a": "120", "score_b": "80"})
    answer = desk.post(
        at(hall.event, "enter-result", 2, 1), {"score_a": "77", "score_b": "1", "act": "enter", "version": "1"}
    )
    assert answer.status_code == 409
    assert 'value="77"' in answer.text


def test_abandoning_a_match_asks_for_confirmation(hall):
    judge = hall.client("judge")
    asked = judge.post(at(hall.event, "abandon-match", 2, 1), {"side": "a"})
    assert asked.status_code == 409
    judge.post(at(hall.event, "abandon-match", 2, 1), {"side": "a", "confirmed": "yes"})
    assert Entry.objects.get(pk=table_one(hall).a_id).state == Entry.State.DROPPED


# the keyboard


def test_without_scripts_each_enter_leads_to_the_next_field(hall):
    desk = hall.client("scorekeeper")
    address = at(hall.event, "results", 2)
    first = desk.get(address).text
    assert 'name="table"' in first
    step = desk.post(address, {"table": "2", "score_a": "", "score_b": ""})
    assert step.status_code == 200
    assert "'s victory points" in html.unescape(step.text)
    assert 'value="2"' in step.text
    step = desk.post(address, {"table": "2", "score_a": "120", "score_b": ""})
    assert 'value="120"' in step.text
    done = desk.post(address, {"table": "2", "score_a": "120", "score_b": "80", "to_time": "on"}, follow=True)
    assert "Table 2:" in done.text
    assert Match.objects.get(round__number=2, table=2).result.to_time is True


def test_an_empty_line_takes_the_next_open_table(hall):
    desk = hall.client("scorekeeper")
    step = desk.post(at(hall.event, "results", 2), {"table": "", "score_a": "", "score_b": ""})
    assert 'value="1"' in step.text


@pytest.mark.parametrize(
    "typed, field, words",
    [
        ({"table": "99", "score_a": "1", "score_b": "2"}, "table", "Round 2 has no table 99"),
        ({"table": "x", "score_a": "1", "score_b": "2"}, "table", "a table number"),
        ({"table": "1", "score_a": "1O", "score_b": "2"}, "score_a", "a whole number"),
        ({"table": "1", "score_a": "1", "score_b": "-2"}, "score_b", "a whole number"),
        ({"table": "1", "score_a": "5", "score_b": "5"}, "winner", "fewer points"),
        ({"table": "1", "score_a": "5", "score_b": "6", "roll_a": "3", "roll_b": "4"}, "roll_a", "equal"),
    ],
)
def test_invalid_values_are_reported_at_their_field(hall, typed, field, words):
    desk = hall.client("scorekeeper")
    address = at(hall.event, "results", 2)
    page = desk.post(address, typed)
    assert page.status_code == 400
    assert words in page.text
    for value in typed.values():
        assert f'value="{value}"' in page.text
    answer = desk.post(address, typed, headers={"Accept": "application/json"})
    assert answer.status_code == 400
    assert words in " ".join(answer.json()["errors"][field])
    assert not Claim.objects.exists()


def test_scripts_get_json_and_the_next_table(hall):
    desk = hall.client("scorekeeper")
    answer = desk.post(
        at(hall.event, "results", 2), {"table": "1", "score_a": "120", "score_b": "80", "signed": "on"},
        headers={"Accept": "application/json"},
    )  # fmt: skip
    assert answer.json()["next"] == 2
    assert answer.json()["left"] == 1
    assert Claim.objects.get().how == Claim.How.SLIP


def test_a_finished_round_takes_no_results_and_says_so(hall):
    Round.objects.update(state=Round.State.COMPLETE)
    desk = hall.client("scorekeeper")
    address = at(hall.event, "results", 2)
    assert "round is “complete”" in desk.get(address).text
    answer = desk.post(address, {"table": "1", "score_a": "120", "score_b": "80"})
    assert answer.status_code == 400
    assert "round is “complete”" in answer.text
    assert 'value="120"' in answer.text


def test_a_table_with_a_result_is_corrected_not_entered(hall):
    desk = hall.client("scorekeeper")
    address = at(hall.event, "results", 2)
    desk.post(address, {"table": "1", "score_a": "120", "score_b": "80"})
    answer = desk.post(address, {"table": "1", "score_a": "1", "score_b": "80"})
    assert "already has a result" in answer.text


def test_only_the_desk_sees_the_keyboard(hall):
    assert Client().get(at(hall.event, "results", 2)).status_code == 403
    assert linked(table_one(hall).a).get(at(hall.event, "results", 2)).status_code == 403


# open tables


def test_open_tables_come_disputes_first_then_by_their_own_time_left(hall):
    play(other := EventFactory(), 8, 1)
    person = OfficialFactory(event=other).person
    round_ = other.rounds.get()
    ClockRun.objects.create(round=round_, phase="round", began=round_.event.starts - datetime.timedelta(hours=1))
    games = {match.table: match for match in round_.matches.all()}
    Extension.objects.create(match=games[1], seconds=600, reason="call")
    Match.objects.filter(pk=games[4].pk).update(state=Match.State.DISPUTED)
    Match.objects.filter(pk=games[3].pk).update(state=Match.State.CONFIRMED, result=Result((1, 0), winner="a"))
    page = client_of(person).get(at(other, "open-tables", 1))
    assert [record.table for record in page.context["table"].data] == [4, 2, 1]
    assert "1 with reports that don" in page.text
    assert "10 minutes · call" in page.text
    assert [column.name for column in page.context["table"].columns][3:5] == ["state", "extra"]
    Extension.objects.all().delete()
    Match.objects.filter(state=Match.State.DISPUTED).update(state=Match.State.OPEN)
    page = client_of(person).get(at(other, "open-tables", 1))
    assert {"state", "extra"}.isdisjoint(column.name for column in page.context["table"].columns)


@pytest.mark.parametrize("name", ["results", "open-tables"])
def test_pages_of_a_round_cost_the_same_for_20_and_200_players(staff, name):
    counts = []
    for players in (20, 200):
        event = EventFactory(venue=staff.event.venue)
        OfficialFactory(event=event, person=staff.head_judge)
        play(event, players, 1)
        for match in event.rounds.get().matches.all()[: players // 4]:
            Extension.objects.create(match=match, seconds=60, reason="call")
        client = staff.client("head_judge")
        with CaptureQueriesContext(
            connection,
        ) as seen:
            assert client.get(at(event, name, 1)).status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1]
    assert counts[0] < 25


def test_a_table_costs_few_queries(hall, django_assert_max_num_queries):
    client = hall.client("judge")
    with django_assert_max_num_queries(20):
        client.get(at(hall.event, "table", 2, 1))


def test_a_draft_is_nobodys_business_but_the_desks(hall):
    Round.objects.filter(number=2).update(state=Round.State.DRAFT)
    assert Client().get(at(hall.event, "table", 2, 1)).status_code == 404
    assert Event.objects.get(pk=hall.event.pk).state == Event.State.RUNNING


def test_a_loss_for_both_is_a_judge_s_decision_with_a_reason(hall):
    judge, address = hall.client("judge"), at(hall.event, "enter-result", 2, 1)
    typed = {"score_a": "5", "score_b": "5", "double_loss": "on"}
    assert "Only a judge" in hall.client("scorekeeper").post(address, typed).text
    asked = judge.post(address, typed)
    assert (asked.status_code, table_one(hall).result) == (409, None)
    assert 'name="reason"' in asked.text
    judge.post(address, typed | {"reason": "Both played slowly on purpose"})
    assert table_one(hall).result.double_loss is True


def test_a_battle_file_travels_with_the_result_and_nothing_else_does(hall):
    desk, address = hall.client("scorekeeper"), at(hall.event, "enter-result", 2, 1)
    typed = {"score_a": "5", "score_b": "6", "act": "enter"}
    for wrong in ("[1]", "nonsense", '"x"', '{"a": "' + "x" * 100_001 + '"}'):
        assert desk.post(address, typed | {"battle": wrong}).status_code == 400
    desk.post(address, typed | {"battle": '{"id": "b1", "sides": []}'})
    assert table_one(hall).result.battle == {"id": "b1", "sides": []}


def test_the_desk_is_told_when_a_player_had_reported_something_else(hall):
    linked(table_one(hall).a).post(at(hall.event, "claim", 2, 1), {"score_a": "120", "score_b": "80"})
    desk = hall.client("scorekeeper")
    typed = {"table": "1", "score_a": "20", "score_b": "80"}
    answer = desk.post(at(hall.event, "results", 2), typed, headers={"Accept": "application/json"})
    assert f"{table_one(hall).a} reported a different result" in answer.json()["said"]
    assert table_one(hall).result.winner == "b"
