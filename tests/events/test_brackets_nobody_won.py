"""A bracket match lost by both players: neither is called the winner, and the head judge decides by another result."""

import pytest
from django.urls import reverse

from events.actions import ACTIONS
from events.door import NeedsConfirmation, Refused
from events.models import AuditEntry, Match, Round
from events.pairing.check import check_event
from events.queries import standings_of
from events.services import results, rounds
from judging.keeping.event_file import event_file
from tests.events.simulation import play, play_round, players, result

pytestmark = pytest.mark.django_db

BOTH_LOSE = {"score_a": 0, "score_b": 0, "double_loss": True, "decided_by": "double-loss"}


@pytest.fixture
def by(staff):
    return staff.actor("head_judge")


@pytest.fixture
def semi(staff, by):
    """The semifinals of a cut to four, published."""
    event = staff.event
    event.number_of_rounds, event.cut_to = 2, 4
    event.save()
    players(event, 8)
    for _number in range(2):
        play_round(by, event)
    round = rounds.draft_cut(by=by, event=event)
    rounds.publish_round(by=by, round=round)
    return round


def both_lose(by, match):
    results.decide_result(by=by, match=match, result=BOTH_LOSE, reason="Neither came")


def final_both_lose(by, event, semi):
    play(by, semi)
    rounds.complete_round(by=by, round=semi)
    final = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=final)
    both_lose(by, final.matches.get())
    return rounds.complete_round(by=by, round=final)


def page(staff, name, who="head_judge", *parts):
    return staff.client(who).get(reverse(f"events:{name}", args=[staff.event.public_id, *parts])).content.decode()


def test_a_final_that_both_lose_has_no_winner_and_the_console_says_so(staff, by, semi):
    event = staff.event
    final = final_both_lose(by, event, semi)
    assert not rounds.bracket_has_winner(event, final)
    console = page(staff, "console")
    assert "The final has no winner" in console
    assert "The bracket has a winner" not in console
    assert "Replay match" in console
    with pytest.raises(Refused, match="No players are left in the bracket"):
        rounds.draft_round(by=by, event=event)
    with pytest.raises(NeedsConfirmation) as asked:
        rounds.finish_event(by=by, event=event)
    assert asked.value.consequences == ["Both players lost the final. The bracket ends without a winner."]
    rounds.finish_event(by=by, event=event, confirmed=True)
    assert AuditEntry.objects.get(verb="finish-event").is_non_standard


def test_the_final_is_played_again(staff, by, semi):
    event = staff.event
    final = final_both_lose(by, event, semi)
    where = reverse("events:replay", args=[event.public_id])
    assert staff.client("judge").post(where, {"reason": "x"}).status_code == 403
    asked = staff.client("head_judge").post(where)
    lost = final.matches.get()
    assert (asked.status_code, f"Table {lost.table}: {lost.a} – {lost.b}" in asked.text) == (409, True)
    told = staff.client("judge").get(f"/events/{event.public_id}/rounds/{final.number}/tables/{lost.table}/").text
    assert ("A double loss</dt>" in told, "double loss" in told) == (False, True)
    done = staff.client("head_judge").post(where, {"reason": "Both agree", "confirmed": "yes"})
    again = Round.objects.get(event=event, state="draft")
    assert done["Location"] == reverse("events:draft", args=[event.public_id, again.number])
    first, second = final.matches.get(), again.matches.get()
    assert {second.a_id, second.b_id} == {first.a_id, first.b_id}
    assert (again.stage, second.bracket_slot) == ("cut", 0)
    entry = AuditEntry.objects.get(verb="replay-bracket")
    assert (entry.is_non_standard, entry.reason) == (True, "Both agree")
    rounds.publish_round(by=by, round=again)
    play(by, again)
    again = rounds.complete_round(by=by, round=again)
    assert rounds.bracket_has_winner(event, again)
    second.refresh_from_db()
    places = standings_of(event)
    assert [place.entry.pk for place in places[:2]] == [second.a_id, second.b_id]
    assert "The bracket has a winner" in page(staff, "console")
    bracket = page(staff, "bracket", "judge")
    assert bracket.count("Semifinals") >= 2
    assert "Quarterfinals" not in bracket
    rounds.finish_event(by=by, event=event)
    assert all(check.is_fine for check in check_event(event_file(event)))


def test_the_head_judge_may_correct_the_final_instead(staff, by, semi):
    final = final_both_lose(by, staff.event, semi)
    match = final.matches.get()
    meant = {"winner": "b", "score_a": 0, "score_b": 10, "decided_by": "judge"}
    results.correct_result(by=by, match=match, result=meant, reason="It was found", confirmed=True)
    assert rounds.bracket_has_winner(staff.event, final)


def test_a_semifinal_that_both_lose_is_played_again_while_the_other_winner_waits(staff, by, semi):
    event = staff.event
    lost, won = semi.matches.order_by("bracket_slot")
    both_lose(by, lost)
    play(by, semi)
    rounds.complete_round(by=by, round=semi)
    won.refresh_from_db()
    beaten = won.entry_at("b" if won.result.winner == "a" else "a")
    console = page(staff, "console")
    assert f"No winner at table {lost.table}" in console
    assert "Pair final" in console
    for entry in (lost.a, lost.b, won.a, won.b):
        told = "Out of the bracket" in page(staff, "entry", "judge", entry.number)
        assert told == (entry == beaten), "the match that both lost may be replayed"
    again = rounds.replay_bracket(by=by, event=event, reason="Both agree")
    game, waiting = again.matches.order_by("bracket_slot")
    won.refresh_from_db()
    assert (game.kind, {game.a_id, game.b_id}) == ("game", {lost.a_id, lost.b_id})
    assert (waiting.kind, waiting.a_id) == ("bye", won.a_id)
    rounds.publish_round(by=by, round=again)
    results.enter_result(by=by, match=game, result=result("b"))
    rounds.complete_round(by=by, round=again)
    final = rounds.draft_round(by=by, event=event)
    match = final.matches.get()
    assert {match.a_id, match.b_id} == {game.b_id, won.a_id}
    rounds.publish_round(by=by, round=final)
    play(by, final)
    rounds.complete_round(by=by, round=final)
    match.refresh_from_db()
    places = [place.entry.pk for place in standings_of(event)]
    assert places[:2] == [match.a_id, match.b_id]
    assert set(places[2:4]) == {game.a_id, won.b_id}


def test_without_a_replay_the_next_opponent_goes_on_alone(staff, by, semi):
    lost, won = semi.matches.order_by("bracket_slot")
    both_lose(by, lost)
    play(by, semi)
    rounds.complete_round(by=by, round=semi)
    final = rounds.draft_round(by=by, event=staff.event)
    match = final.matches.get()
    assert (match.kind, match.a_id) == (Match.Kind.BYE, won.a_id)
    rounds.publish_round(by=by, round=final)
    assert rounds.bracket_has_winner(staff.event, rounds.complete_round(by=by, round=final))


def test_a_bracket_with_winners_has_no_match_to_replay(staff, by, semi):
    play(by, semi)
    rounds.complete_round(by=by, round=semi)
    with pytest.raises(Refused, match="no match needs a replay"):
        rounds.replay_bracket(by=by, event=staff.event, reason="x")
    assert {role.value for role in ACTIONS["replay-bracket"].roles} == {"head-judge"}
