"""Penalties: who may give which, their effects, withdrawing them, and slow play. Through requests."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events.door import NeedsConfirmation, Refused
from events.models import AuditEntry, Entry, Event, Extension, Force, Match, Round
from judging.keeping.event_file import event_file
from judging.models import Call, ForceCheck, Penalty
from judging.services import calls
from judging.services import penalties as services
from tests.events.match_pages import play
from tests.factories import EntryFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall(staff):
    """Four tables of a running round."""
    play(staff.event, 8, 1)
    return staff


def at_table(table=1):
    return Match.objects.select_related("a", "b", "round__event").get(table=table)


def address(hall, tail=""):
    return f"/events/{hall.event.public_id}/penalties/{tail}"


def text(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


def given(hall, who="head_judge", kind="warning", category="slow-play", entry=None, **more):
    return services.give_penalty(
        by=hall.actor(who),
        entry=entry or at_table().a,
        kind=kind,
        category=category,
        text="Eight minutes for a move",
        **more,
    )


@pytest.mark.parametrize(
    ("who", "kind", "allowed"),
    [
        ("judge", "caution", True),
        ("judge", "warning", True),
        ("judge", "game-loss", False),
        ("judge", "disqualification", False),
        ("head_judge", "caution", True),
        ("head_judge", "warning", True),
        ("head_judge", "game-loss", True),
        ("head_judge", "disqualification", True),
        ("scorekeeper", "caution", False),
        ("manager", "caution", False),
        ("office", "caution", False),
    ],
)
def test_who_gives_which(hall, who, kind, allowed):
    posted = {"entry": at_table().a_id, "kind": kind, "category": "conduct", "text": "Shouted", "confirmed": "yes"}
    answer = hall.client(who).post(address(hall), posted)
    refused = 400 if who == "judge" else 403
    assert answer.status_code == (302 if allowed else refused)
    assert Penalty.objects.count() == allowed


def test_a_penalty_beyond_the_judges_power_is_refused_at_its_field_and_nothing_is_lost(hall):
    posted = {"entry": at_table().a_id, "kind": "game-loss", "category": "conduct", "text": "Shouted at <Bo>"}
    page = hall.client("judge").post(address(hall), posted)
    assert "Ask the head judge" in str(page.context["form"].errors["kind"])
    assert "Shouted at &lt;Bo&gt;" in page.content.decode()
    with pytest.raises(Refused):
        given(hall, who="judge", kind="game-loss")


def test_the_category_of_a_penalty_is_never_preselected(hall):
    page = hall.client("judge").get(address(hall), {"entry": at_table().a_id})
    assert "selected" not in str(page.context["form"]["category"]).partition('value="force"')[2]
    posted = {"entry": at_table().a_id, "kind": "caution", "category": "", "text": "Shouted"}
    page = hall.client("judge").post(address(hall), posted)
    assert (page.status_code, list(page.context["form"].errors)) == (400, ["category"])


def test_a_game_loss_is_shown_first_then_gives_the_opponent_the_game(hall):
    match = at_table()
    posted = {
        "entry": match.a_id,
        "kind": "game-loss",
        "category": "slow-play",
        "text": "Again",
        "opponents_points": 120,
    }
    asked = hall.client("head_judge").post(address(hall), posted)
    assert asked.status_code == 409
    assert f"{match.b.name} wins" in text(asked)
    assert at_table().state == "open"
    assert hall.client("head_judge").post(address(hall), posted | {"confirmed": "yes"}).status_code == 302
    match = at_table()
    assert (match.state, match.result.winner, match.result.score("a"), match.result.score("b")) == (
        "confirmed", "b", 0, 120,
    )  # fmt: skip
    penalty = Penalty.objects.get()
    assert (penalty.match, penalty.round) == (match, match.round)
    assert penalty.effect["result"] is None
    verbs = set(AuditEntry.objects.values_list("verb", flat=True))
    assert {"give-penalty", "decide-result"} <= verbs


def test_the_opponent_gets_a_byes_points_by_default(hall):
    given(hall, kind="game-loss", confirmed=True)
    assert at_table().result.score("b") == hall.event.bye_points


def test_withdrawing_a_game_loss_reopens_the_table(hall):
    given(hall, kind="game-loss", confirmed=True)
    take_back = address(hall, f"{Penalty.objects.get().pk}/withdraw/")
    for who, may in (("judge", False), ("head_judge", True)):
        shown = text(hall.client(who).get(address(hall)))
        assert ('<span class="state">in force</span>' in shown, take_back in shown) == (True, may)
    asked = hall.client("head_judge").post(take_back)
    assert asked.status_code == 409
    assert "Round 1, table 1 is open again and needs a result." in text(asked)
    assert hall.client("judge").post(take_back, {"reason": "x", "confirmed": "yes"}).status_code == 403
    done = hall.client("head_judge").post(take_back, {"reason": "It was the other player", "confirmed": "yes"})
    assert done.status_code == 302
    match = at_table()
    assert (match.state, match.result, match.confirmed_at) == ("open", None, None)
    assert not match.claims.filter(counts=True).exists()
    assert Penalty.objects.get().withdrawn
    shown = text(hall.client("head_judge").get(address(hall)))
    assert '<span class="state">in force</span>' not in shown
    assert '<span class="state">withdrawn</span> It was the other player' in shown


def test_a_result_that_stood_before_comes_back(hall):
    from events.services import results

    result = {"winner": "a", "score_a": 80, "score_b": 30}
    results.enter_result(by=hall.actor("scorekeeper"), match=at_table(), result=result)
    before = at_table().result
    with pytest.raises(NeedsConfirmation) as shown:
        given(hall, kind="game-loss")
    assert any("80" in str(line) for line in shown.value.consequences)
    penalty = given(hall, kind="game-loss", confirmed=True)
    assert at_table().result.winner == "b"
    services.withdraw_penalty(by=hall.actor("head_judge"), penalty=penalty, reason="Mistaken")
    assert (at_table().result, at_table().state) == (before, "confirmed")


def test_a_result_corrected_in_the_meantime_stays(hall):
    from events.services import results

    penalty = given(hall, kind="game-loss", confirmed=True)
    other = {"winner": "a", "score_a": 90, "score_b": 10}
    results.correct_result(by=hall.actor("judge"), match=at_table(), result=other, reason="Played on", confirmed=True)
    penalty = Penalty.objects.select_related("match__round__event", "match__a", "match__b", "entry").get(pk=penalty.pk)
    services.withdraw_penalty(by=hall.actor("head_judge"), penalty=penalty, reason="Mistaken")
    assert at_table().result.winner == "a"


def test_a_caution_after_the_event_is_confirmed_without_red(hall):
    Event.objects.update(state="finished")
    with pytest.raises(NeedsConfirmation) as shown:
        given(hall, kind="caution")
    assert not shown.value.takes_away


def test_a_game_loss_needs_a_game(hall):
    Round.objects.update(state="complete")
    with pytest.raises(Refused, match="isn't playing now and can't be given a game loss"):
        given(hall, kind="game-loss", confirmed=True)
    assert not Penalty.objects.exists()


def test_a_disqualification_takes_the_player_out_and_is_reversed(hall):
    with pytest.raises(NeedsConfirmation) as shown:
        given(hall, kind="disqualification", category="cheating")
    assert any("table 1 is still open" in str(line) for line in shown.value.consequences)
    assert shown.value.takes_away
    penalty = given(hall, kind="disqualification", category="cheating", confirmed=True)
    entry = Entry.objects.get(pk=penalty.entry_id)
    assert (entry.state, entry.dropped_after) == ("disqualified", 1)
    with pytest.raises(NeedsConfirmation) as shown:
        services.withdraw_penalty(by=hall.actor("head_judge"), penalty=penalty)
    assert f"{entry.name} is checked in again." in shown.value.consequences
    services.withdraw_penalty(by=hall.actor("head_judge"), penalty=penalty, reason="Not proven")
    entry.refresh_from_db()
    assert (entry.state, entry.dropped_after) == ("checked-in", None)


# history and the next penalty to consider


def test_the_history_is_shown_with_what_to_consider_next(hall):
    entry = at_table().a
    given(hall, "judge", entry=entry)
    page = hall.client("judge").get(address(hall), {"entry": entry.pk, "category": "slow-play"})
    shown = text(page)
    assert f"{entry.name} at this event" in shown
    assert "For a repeat of the same infraction (slow play), consider a <strong>game loss</strong>." in shown
    assert page.context["form"].initial["kind"] == "game-loss"
    assert f"{entry.name} (1 penalty)" in shown
    other = text(hall.client("judge").get(address(hall), {"entry": at_table().b_id}))
    assert "No penalties so far." in other


@pytest.mark.parametrize(
    ("before", "category", "next_one"),
    [
        ([], "conduct", "caution"),
        ([], "slow-play", "warning"),
        ([], "force", "warning"),
        ([], "cheating", "disqualification"),
        (["caution"], "conduct", "warning"),
        (["warning", "caution"], "conduct", "game-loss"),
        (["game-loss"], "conduct", "disqualification"),
        (["disqualification"], "conduct", "disqualification"),
    ],
)
def test_the_ladder(before, category, next_one):
    earlier = [Penalty(kind=kind, category=category) for kind in before]
    assert services.suggested(earlier, category) == next_one


def test_withdrawn_penalties_and_those_for_other_faults_do_not_count():
    earlier = [Penalty(kind="warning", category="conduct", withdrawn=True), Penalty(kind="game-loss", category="late")]
    assert services.suggested(earlier, "conduct") == "caution"


# slow play


def test_a_warning_for_slow_play_names_the_act_and_asks_first(hall):
    table = f"/events/{hall.event.public_id}/rounds/1/tables/1/"
    judge = hall.client("judge")
    page = judge.get(table).content.decode()
    assert page.count(f'action="{table}slow-play/"') == 2
    name = at_table().b.name
    assert f"Warn {name}" in page
    assert not re.search(rf"<(button|a)[^>]*>\s*{name}\s*</", page)
    asked = judge.post(f"{table}slow-play/", {"side": "b"})
    assert (asked.status_code, Penalty.objects.count()) == (409, 0)
    assert f"Warn {name} for slow play?" in text(asked)
    done = judge.post(f"{table}slow-play/", {"side": "b", "confirmed": "yes"})
    assert done["Location"].startswith(f"{table}extend/?minutes=2&reason=Slow+play")
    proposed = judge.get(done["Location"])
    assert proposed.context["form"]["minutes"].value() == "2"
    penalty = Penalty.objects.get()
    assert (penalty.kind, penalty.category, penalty.entry, penalty.match) == (
        "warning", "slow-play", at_table().b, at_table(),
    )  # fmt: skip
    assert "Warning for slow play given" in text(proposed)
    again = judge.post(f"{table}slow-play/", {"side": "b"})
    assert "has already been warned for slow play. Consider a game loss" in text(again)
    given_time = judge.post(done["Location"], {"minutes": "2", "reason": "Slow play"})
    assert given_time.status_code == 302
    assert Extension.objects.get().seconds == 120


def test_slow_play_within_a_call_leads_to_its_closing(hall):
    call, _new = calls.raise_call(by=hall.actor("judge"), match=at_table(), reason="time")
    calls.arrive_at_table(by=hall.actor("judge"), call=call)
    sure = {"side": "a", "confirmed": "yes"}
    done = hall.client("judge").post(f"/events/{hall.event.public_id}/rounds/1/tables/1/slow-play/", sure)
    assert done["Location"] == f"/events/{hall.event.public_id}/calls/{Call.objects.get().pk}/"


@pytest.mark.parametrize(
    ("who", "status"), [("scorekeeper", 403), ("manager", 403), ("judge", 302), ("head_judge", 302)]
)
def test_only_judges_warn_for_slow_play(hall, who, status):
    where = f"/events/{hall.event.public_id}/rounds/1/tables/1/slow-play/"
    assert hall.client(who).post(where, {"side": "a", "confirmed": "yes"}).status_code == status
    assert hall.client("judge").post(where, {"side": "c"}).status_code == 403


def test_an_illegal_force_in_two_taps(hall):
    match = at_table()
    document = {"edition": "car-2002", "event": {"build_total": 200}, "force": {"characters": []}}
    Force.objects.create(entry=match.a, document=document, state="submitted", standing="not-legal")
    table = f"/events/{hall.event.public_id}/rounds/1/tables/1/"
    page = text(hall.client("judge").get(table))
    assert page.count("Replace the figure now") == 1
    assert "Disqualify from this round" not in page
    assert "Enter the missing force" in page
    assert "Disqualify from this round" in text(hall.client("head_judge").get(table))
    where = f"/events/{hall.event.public_id}/forces/{match.a.number}/check/"
    posted = {"act": "fail", "remedy": "replaced", "note": "Illegal force found at table 1", "round": 1}
    assert hall.client("judge").post(where, posted).status_code == 302
    check = ForceCheck.objects.get()
    assert (check.outcome, check.remedy) == ("failed", "replaced")
    lost = {"act": "fail", "remedy": "round", "note": "Not replaced in time", "round": 1, "opponents_points": 100}
    assert hall.client("judge").post(where, lost).status_code == 403
    assert hall.client("head_judge").post(where, lost).status_code == 302
    assert at_table().result.winner == "b"
    assert Penalty.objects.get().effect["result"] is None


# reports


def test_penalties_stand_in_the_event_file_with_their_table_and_effect(hall):
    given(hall, kind="game-loss", confirmed=True)
    row = event_file(hall.event)["penalties"][0]
    assert (row["table"], row["round"], row["kind"], row["effect"]["match_state"]) == (1, 1, "game-loss", "open")


def test_three_penalties_and_sixty_cost_the_same(hall):
    def cost():
        with CaptureQueriesContext(connection) as captured:
            assert hall.client("judge").get(address(hall), {"entry": at_table().a_id}).status_code == 200
        return len(captured)

    for _ in range(3):
        given(hall)
    few = cost()
    for _ in range(57):
        given(hall, entry=EntryFactory(event=hall.event))
    assert cost() == few


@pytest.mark.parametrize("kind", ["game-loss", "disqualification"])
def test_a_penalty_with_effects_is_withdrawn_and_not_half_undone(hall, kind):
    client = hall.client("head_judge")
    posted = {"entry": at_table().a_id, "kind": kind, "category": "conduct", "text": "Threw dice", "confirmed": "yes"}
    shown = client.post(address(hall), posted, follow=True)
    assert Penalty.objects.count() == 1
    assert 'class="undo ' not in text(shown), "the undoing of the penalty alone would leave what it did"
    row = AuditEntry.objects.get(verb="give-penalty")
    where = f"/events/{hall.event.public_id}/audit-log/{row.pk}/"
    page = text(client.get(where))
    assert "withdraw the penalty on the Penalties page" in page
    assert f'href="{address(hall)}"' in page
    assert client.post(where, {"confirmed": "yes", "reason": "Wrong player"}).status_code == 403
    assert Penalty.objects.count() == 1


def test_a_warning_is_undone_where_it_was_given(hall):
    client = hall.client("head_judge")
    posted = {"entry": at_table().a_id, "kind": "warning", "category": "conduct", "text": "Shouted"}
    assert 'class="undo ' in text(client.post(address(hall), posted, follow=True))
    row = AuditEntry.objects.get(verb="give-penalty")
    assert client.post(f"/events/{hall.event.public_id}/audit-log/{row.pk}/", {"confirmed": "yes"}).status_code == 302
    assert not Penalty.objects.exists()
