"""Results: their sentences, when two reports match, and who may report, decide and correct."""

import json
from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from events.door import NeedsConfirmation, Refused, Stale
from events.models import AuditEntry, Claim, Entry, Event, Force, Match, Round
from events.results.reading import KEYS, TIE_BREAK, ResultTerms, normalise
from events.results.result import SEATS, BadResult, Result, as_json, bye, from_json, missed, recorded
from events.results.words import compare, merge, sentence
from events.roles import SITE, Actor
from events.services.results import (
    abandon_match,
    claim_result,
    correct_result,
    decide_result,
    enter_result,
    record_system_result,
    withdraw_claim,
)
from tests.events.swapped import swapped, typed_swapped
from tests.factories import EntryFactory, MatchFactory, PersonFactory, RoundFactory
from tests.tables import every_row

CAR = ResultTerms("car-2002", 200, name_a="Anna", name_b="Bert")
MODERN = ResultTerms("core-modern", 300, name_a="Anna", name_b="Bert")


def faults(given_, terms=CAR):
    with pytest.raises(ValidationError) as told:
        normalise(given_, terms)
    return told.value.message_dict


@pytest.mark.django_db
def test_players_cannot_agree_that_one_of_them_abandons(staff):
    match = MatchFactory(round=RoundFactory(event=staff.event, number=1))
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
    for entry in (match.a, match.b):
        with pytest.raises(Refused, match="No concessions"):
            claim_result(by=Actor(entry=entry), match=match, result={"score_a": 0, "score_b": 0, "abandoned_by": "a"})
    match.refresh_from_db()
    assert match.state == Match.State.OPEN


def test_a_name_read_from_right_to_left_leaves_the_points_in_their_place():
    terms = replace(CAR, name_a="\u05d0\u05d1")
    said = sentence(normalise({"score_a": 120, "score_b": 64}, terms), terms)
    assert said.startswith("\u2068\u05d0\u05d1\u2069 120 : 64 Bert")


# the scores decide the winner


def test_more_points_win():
    result = normalise({"score_a": 120, "score_b": 80}, CAR)
    assert (result.winner, result.decided_by) == ("a", "victory-points")
    assert result.went_first is None


def test_the_winner_is_found_from_the_uncapped_score():
    result = normalise({"score_a": 260, "score_b": 240}, CAR)
    assert result.winner == "a"
    assert recorded(260, 200, True) == recorded(240, 200, True) == 200
    assert recorded(260, 200, False) == 260


def test_a_winner_with_fewer_points_needs_a_way():
    assert "winner" in faults({"score_a": 120, "score_b": 80, "winner": "b"})
    result = normalise({"score_a": 120, "score_b": 80, "winner": "b", "decided_by": "scenario"}, CAR)
    assert (result.winner, result.decided_by) == ("b", "scenario")


def test_the_last_standing_win_in_later_editions_only():
    given_ = {"score_a": 120, "score_b": 80, "winner": "b", "decided_by": "last-standing"}
    assert normalise(given_, MODERN).winner == "b"
    assert "decided_by" in faults(given_)


def test_the_smaller_force_may_win_against_the_points_in_dc_2005():
    given_ = {"score_a": 200, "score_b": 198, "winner": "b", "decided_by": "lowest-force"}
    assert normalise(given_, ResultTerms("dc-2005", 200)).winner == "b"
    assert "winner" in faults(given_, ResultTerms("dc-2005", 200, force_a=190, force_b=198))


@every_row(
    "score, words",
    [("", "whole number"), ("12O", "a whole number"), ("-5", "a whole number"), ("٣", "a whole number"),
     (True, "whole"), (None, "whole number"), (1.5, "a whole number"), ("120200", "Check the number"),
     (10_000_000, "1,000,000")],
)  # fmt: skip
def test_a_score_that_is_no_number_gets_its_message(score, words):
    assert words in faults({"score_a": score, "score_b": 10})["score_a"][0]


def test_unknown_keys_are_a_fault():
    with pytest.raises(ValidationError, match="scoreA"):
        normalise({"scoreA": 3}, CAR)


# ties


def test_the_older_books_give_a_tie_to_the_smaller_force():
    assert "fewer points" in faults({"score_a": 100, "score_b": 100})["winner"][0]
    named = normalise({"score_a": 100, "score_b": 100, "winner": "b"}, CAR)
    assert (named.winner, named.decided_by) == ("b", "lowest-force")
    known = ResultTerms("car-2002", 200, name_a="Anna", name_b="Bert", force_a=199, force_b=200)
    assert normalise({"score_a": 100, "score_b": 100}, known).winner == "a"
    assert "Anna" in faults({"score_a": 100, "score_b": 100, "winner": "b"}, known)["winner"][0]


def test_the_later_books_roll_off():
    assert "roll-off total" in faults({"score_a": 100, "score_b": 100, "winner": "b"}, MODERN)["roll_off"][0]
    rolled = normalise({"score_a": 100, "score_b": 100, "roll_off": {"a": 7, "b": "9"}}, MODERN)
    assert (rolled.winner, rolled.decided_by, rolled.roll_off) == ("b", "roll-off", (7, 9))
    assert "again" in faults({"score_a": 1, "score_b": 1, "roll_off": {"a": 7, "b": 7}}, MODERN)["roll_off"][0]
    assert "2 to 12" in faults({"score_a": 1, "score_b": 1, "roll_off": {"a": 1, "b": 7}}, MODERN)["roll_off"][0]
    assert "equal" in faults({"score_a": 1, "score_b": 2, "roll_off": {"a": 3, "b": 7}}, MODERN)["roll_off"][0]
    assert "winner" in faults({"score_a": 1, "score_b": 1, "winner": "a", "roll_off": {"a": 3, "b": 7}}, MODERN)


def test_a_match_without_points_is_a_double_loss_if_the_event_says_so():
    terms = ResultTerms("core-modern", 300, tied_game="double-loss")
    result = normalise({"score_a": 0, "score_b": 0}, terms)
    assert (result.winner, result.double_loss, result.decided_by) == (None, True, "double-loss")
    assert "roll_off" in faults({"score_a": 5, "score_b": 5}, terms)
    assert "judge" in faults({"score_a": 5, "score_b": 5, "double_loss": True}, terms)["double_loss"][0]


def test_only_a_judge_gives_a_loss_to_both_unless_both_came_late():
    assert "judge" in faults({"score_a": 5, "score_b": 5, "double_loss": True})["double_loss"][0]
    assert normalise(
        {"score_a": 5, "score_b": 5, "double_loss": True}, ResultTerms("car-2002", 200, by_judge=True)
    ).double_loss
    assert normalise({"score_a": 0, "score_b": 0, "double_loss": True, "late": "both"}, CAR).double_loss


def test_a_late_arrival_loses_if_it_is_entered():
    given_ = {"score_a": 0, "score_b": 0, "winner": "b", "decided_by": "late"}
    assert "Anna" in faults(given_)["late"][0]
    assert normalise(given_ | {"late": "a"}, CAR).winner == "b"


def test_abandoning_a_match_loses_it():
    assert normalise({"score_a": 90, "score_b": 0, "abandoned_by": "a"}, CAR).winner == "b"
    assert "winner" in faults({"score_a": 90, "score_b": 0, "abandoned_by": "a", "winner": "a"})


# laws

results = st.builds(
    lambda a, b, first, map_by, time, late: normalise(
        {"score_a": a, "score_b": b, "winner": None if a != b else "a", "went_first": first, "map_by": map_by,
         "to_time": time, "late": late}, CAR),
    st.integers(0, 400), st.integers(0, 400), st.sampled_from(["a", "b", None]), st.sampled_from(["a", "b", None]),
    st.booleans(), st.sampled_from(["a", "b", "both", None]),
)  # fmt: skip


@given(results)
def test_swapping_twice_changes_nothing_and_keeps_who_won(result):
    other = swapped(result)
    assert swapped(other) == result
    assert other.winner == {"a": "b", "b": "a"}[result.winner]
    assert other.scores == result.scores[::-1]


@given(results)
def test_a_result_normalised_again_is_itself(result):
    assert normalise(as_json(result), CAR) == result


@given(results, results)
def test_comparing_is_symmetric_and_agreement_with_oneself_is_whole(one, other):
    assert [(line.what, line.other, line.one) for line in compare(one, other, CAR)] == [
        tuple(line) for line in compare(other, one, CAR)
    ]
    assert compare(one, one, CAR) == []
    if not compare(one, other, CAR):
        assert merge(one, other) == merge(other, one)
        assert compare(merge(one, other), one, CAR) == []


terms_of_any_edition = st.builds(
    ResultTerms,
    st.sampled_from(sorted(TIE_BREAK)),
    st.just(200),
    st.sampled_from(["edition", "double-loss"]),
    force_a=st.sampled_from([None, 190, 200]),
    force_b=st.sampled_from([None, 190, 200]),
    by_judge=st.booleans(),
)
rolled = st.one_of(st.none(), st.fixed_dictionaries({"a": st.integers(2, 12), "b": st.integers(2, 12)}))
typed_results = st.fixed_dictionaries(
    {
        "score_a": st.sampled_from([0, 50, 120]),
        "score_b": st.sampled_from([0, 50, 120]),
        "winner": st.sampled_from([None, "a", "b"]),
        "decided_by": st.sampled_from([None, "scenario", "late", "judge", "last-standing", "lowest-force"]),
        "late": st.sampled_from([None, "a", "b", "both"]),
        "abandoned_by": st.sampled_from([None, None, None, "a", "b"]),
        "double_loss": st.booleans(),
        "roll_off": rolled,
    }
)


def accepted(typed, terms):
    try:
        return normalise(typed, terms)
    except ValidationError:
        return None


@given(typed_results, terms_of_any_edition)
def test_no_side_is_favoured_and_reading_again_changes_nothing(typed, terms):
    mirrored = replace(terms, name_a=terms.name_b, name_b=terms.name_a, force_a=terms.force_b, force_b=terms.force_a)
    result, mirror = accepted(typed, terms), accepted(typed_swapped(typed), mirrored)
    assert (result is None) == (mirror is None)
    if result is not None:
        assert swapped(result) == mirror
        assert normalise(as_json(result), terms) == result
        assert (result.winner is None) == result.double_loss
        if result.decided_by == "victory-points":
            assert (result.score("a") > result.score("b")) == (result.winner == "a")


odd = st.one_of(
    st.sampled_from([None, True, False, "a", "b", "both", "", "on", "12", "x", "judge", "late", "scenario", [1], {}]),
    st.integers(-3, 30),
    st.dictionaries(st.sampled_from("abc"), st.integers(), max_size=2),
)


@given(st.dictionaries(st.sampled_from(sorted(KEYS)), odd), st.integers(0, 2), st.booleans())
def test_anything_is_a_result_or_told_what_is_wrong(anything, score, by_judge):
    terms = ResultTerms("car-2002", 200, by_judge=by_judge)
    try:
        result = normalise({"score_a": 1, "score_b": score} | anything, terms)
    except ValidationError:
        return
    assert set(as_json(result)) == KEYS
    assert (result.winner is None) == result.double_loss


def test_differences_are_reported_in_words():
    one = normalise({"score_a": 120, "score_b": 80, "went_first": "a", "to_time": True}, CAR)
    other = normalise({"score_a": 120, "score_b": 130, "went_first": "b"}, CAR)
    assert compare(one, other, CAR) == [
        ("winner", "Anna", "Bert"), ("Bert's victory points", "80", "130"), ("went first", "Anna", "Bert"),
    ]  # fmt: skip
    assert sentence(one, CAR) == "Anna 120 : 80 Bert, Anna wins"
    assert sentence(bye(100), CAR) == "Anna has a bye (100)"
    assert "(loss)" in sentence(missed(), CAR)


def test_swapping_a_battle_renames_its_players():
    battle = {"sides": [{"player": "A", "points": 199}, {"player": "B", "points": 200}], "roll_off": {"A": 7, "B": 9}}
    other = typed_swapped({"winner": "a", "battle": battle})["battle"]
    assert other["sides"] == [{"player": "A", "points": 200}, {"player": "B", "points": 199}]
    assert other["roll_off"] == {"B": 7, "A": 9}


# the value itself, for two to four seats


@st.composite
def values(draw):
    seats = SEATS[: draw(st.integers(2, 4))]
    seat, some = st.sampled_from([None, *seats]), st.sets(st.sampled_from(seats))
    rolls = st.tuples(*[st.one_of(st.none(), st.integers(2, 12)) for _ in seats]).filter(any)
    return Result(
        scores=draw(st.tuples(*[st.integers(0, 1000) for _ in seats])),
        winner=draw(seat),
        double_loss=draw(st.booleans()),
        went_first=draw(seat),
        map_by=draw(seat),
        to_time=draw(st.booleans()),
        roll_off=draw(st.one_of(st.just(()), rolls)),
        late=tuple(sorted(draw(some))),
        abandoned=tuple(sorted(draw(some))),
        decided_by=draw(st.sampled_from([None, "victory-points", "judge"])),
        battle=draw(st.sampled_from([None, {"id": "b1"}])),
        places=tuple((one,) for one in draw(st.permutations(seats))) if len(seats) > 2 else (),
        knocked_out_by=draw(st.sampled_from([(), (None, "a", *[None] * (len(seats) - 2))])),
    )


@given(values())
def test_a_result_is_read_again_from_its_json(result):
    assert from_json(json.loads(json.dumps(as_json(result)))) == result
    assert [result.outcome(seat) for seat in result.seats].count("win") == (result.winner is not None)


def test_a_result_from_before_reads_as_it_was_meant():
    assert from_json({}) == Result()
    assert from_json({"winner": "b", "score_b": 5, "late": "both", "abandoned_by": "a", "gone": 1}) == Result(
        (0, 5), winner="b", late=("a", "b"), abandoned=("a",)
    )
    assert list(as_json(bye(100))) == [
        "winner", "score_a", "score_b", "double_loss", "went_first", "map_by", "to_time", "roll_off", "late",
        "abandoned_by", "decided_by", "battle",
    ]  # fmt: skip


@every_row(
    "written",
    [{"score_a": "5"}, {"score_a": -1}, {"score_a": True}, {"score_b": None}, {"winner": "c"}, {"winner": ["a"]},
     {"late": "c"}, {"late": {"a": 1}}, {"roll_off": [3, 4]}, {"roll_off": {"a": "x"}}, {"battle": "b"}, {"decided_by": 3},
     {"score_c": 1, "places": [["a"], ["b"]]}, {"places": [["a", "a"], ["b"]]}, {"places": "ab"}, {"places": 3}],
)  # fmt: skip
def test_what_is_no_result_is_refused(written):
    with pytest.raises(BadResult):
        from_json(written)


# who may enter what


@pytest.fixture
def table(staff):
    """Table 1 of a running round of the staff's event; both players have accounts."""
    staff.event.state = Event.State.RUNNING
    staff.event.save()
    anna = EntryFactory(event=staff.event, name="Anna", person=PersonFactory(name="Anna"))
    bert = EntryFactory(event=staff.event, name="Bert")
    return MatchFactory(round=RoundFactory(event=staff.event), table=1, a=anna, b=bert)


def anna(match):
    return Actor(person=match.a.person)


def bert(match):
    return Actor(entry=match.b)


def test_two_equal_reports_confirm(table):
    claim_result(by=anna(table), match=table, result={"score_a": 120, "score_b": 80, "went_first": "b"})
    assert Match.objects.get().state == Match.State.CLAIMED
    claim_result(by=bert(table), match=table, result={"score_a": "120", "score_b": "80", "to_time": True})
    match = Match.objects.get()
    assert match.state == Match.State.CONFIRMED
    assert match.confirmed_at
    assert (match.result.winner, match.result.went_first, match.result.to_time) == ("a", "b", True)
    assert match.claims.count() == 2
    assert "both report" in AuditEntry.objects.first().words


def test_different_reports_are_disputed_until_one_gives_way(table):
    claim_result(by=anna(table), match=table, result={"score_a": 120, "score_b": 80})
    claim_result(by=bert(table), match=table, result={"score_a": 120, "score_b": 130})
    assert Match.objects.get().state == Match.State.DISPUTED
    claim_result(by=bert(table), match=table, result={"score_a": 120, "score_b": 80})
    match = Match.objects.get()
    assert match.state == Match.State.CONFIRMED
    assert list(match.claims.values_list("counts", flat=True)) == [True, False, True]


def test_a_judge_decides_a_dispute_with_a_reason(table, staff):
    claim_result(by=anna(table), match=table, result={"score_a": 120, "score_b": 80})
    claim_result(by=bert(table), match=table, result={"score_a": 120, "score_b": 130})
    with pytest.raises(Refused, match="judge must decide"):
        enter_result(by=staff.actor("scorekeeper"), match=table, result={"score_a": 1, "score_b": 2})
    with pytest.raises(NeedsConfirmation):
        decide_result(by=staff.actor("judge"), match=table, result={"score_a": 120, "score_b": 130})
    with pytest.raises(Refused):
        decide_result(by=staff.actor("scorekeeper"), match=table, result={"score_a": 1, "score_b": 2}, reason="so")
    decide_result(by=staff.actor("judge"), match=table, result={"score_a": 120, "score_b": 130}, reason="Counted again")
    match = Match.objects.get()
    assert (match.state, match.result.winner) == (Match.State.CONFIRMED, "b")
    assert match.claims.last().reason == "Counted again"


def test_a_signed_slip_settles_a_dispute(table, staff):
    claim_result(by=anna(table), match=table, result={"score_a": 120, "score_b": 80})
    claim_result(by=bert(table), match=table, result={"score_a": 120, "score_b": 130})
    enter_result(
        by=staff.actor("scorekeeper"), match=table, result={"score_a": 120, "score_b": 130}, how=Claim.How.SLIP
    )
    assert Match.objects.get().result.winner == "b"


def test_the_desk_enters_at_once_and_never_twice(table, staff):
    desk = staff.actor("scorekeeper")
    enter_result(by=desk, match=table, result={"score_a": 120, "score_b": 80})
    enter_result(by=desk, match=table, result={"score_a": 120, "score_b": 80})
    assert Claim.objects.count() == 1
    with pytest.raises(Refused, match="Anna 120 : 80 Bert"):
        enter_result(by=desk, match=table, result={"score_a": 120, "score_b": 90})
    with pytest.raises(Refused, match="call a judge"):
        claim_result(by=anna(table), match=table, result={"score_a": 1, "score_b": 2})


def test_a_stale_form_of_the_desk_is_told(table, staff):
    claim_result(by=anna(table), match=table, result={"score_a": 120, "score_b": 80})
    with pytest.raises(Stale):
        enter_result(by=staff.actor("scorekeeper"), match=table, result={"score_a": 1, "score_b": 2}, version=1)


def test_players_report_their_own_matches_only(table, staff):
    other = EntryFactory(event=staff.event, person=PersonFactory())
    with pytest.raises(Refused, match="own matches"):
        claim_result(by=Actor(person=other.person), match=table, result={"score_a": 1, "score_b": 2})
    with pytest.raises(Refused):
        claim_result(by=Actor(person=PersonFactory()), match=table, result={"score_a": 1, "score_b": 2})


def test_no_result_for_a_finished_round_or_a_bye(table, staff):
    Round.objects.update(state=Round.State.COMPLETE)
    with pytest.raises(Refused, match="complete"):
        enter_result(by=staff.actor("scorekeeper"), match=table, result={"score_a": 1, "score_b": 2})
    Round.objects.update(state=Round.State.RUNNING)
    lone = MatchFactory(round=table.round, table=None, b=None, kind=Match.Kind.BYE, a=EntryFactory(event=staff.event))
    with pytest.raises(Refused, match="Byes"):
        enter_result(by=staff.actor("scorekeeper"), match=lone, result={"score_a": 1, "score_b": 2})


def test_a_report_may_be_taken_back(table):
    claim_result(by=anna(table), match=table, result={"score_a": 120, "score_b": 80})
    withdraw_claim(by=anna(table), match=table)
    assert Match.objects.get().state == Match.State.OPEN
    with pytest.raises(Refused):
        withdraw_claim(by=bert(table), match=table)


def test_the_same_report_twice_is_one(table):
    for _ in range(2):
        claim_result(by=anna(table), match=table, result={"score_a": 120, "score_b": 80})
    assert Claim.objects.count() == 1


def test_known_forces_break_the_tie(table, staff):
    Force.objects.create(entry=table.a, total=200, state=Force.State.SUBMITTED)
    Force.objects.create(entry=table.b, total=197, state=Force.State.SUBMITTED)
    enter_result(by=staff.actor("scorekeeper"), match=table, result={"score_a": 80, "score_b": 80})
    assert Match.objects.get().result.winner == "b"


def test_abandoning_a_match_leaves_the_event(table, staff):
    with pytest.raises(NeedsConfirmation) as asked:
        abandon_match(by=staff.actor("judge"), match=table, side="b", score_a=50)
    assert any("will be dropped from the event" in str(line) for line in asked.value.consequences)
    abandon_match(by=staff.actor("judge"), match=table, side="b", score_a=50, confirmed=True)
    match = Match.objects.get()
    assert (match.result.winner, match.result.abandoned, match.state) == ("a", ("b",), Match.State.CONFIRMED)
    left = Entry.objects.get(pk=table.b_id)
    assert (left.state, left.dropped_after) == (Entry.State.DROPPED, 1)
    assert AuditEntry.objects.first().is_non_standard


def test_the_rules_give_a_bye_its_result(table, staff):
    from events.door import door

    lone = MatchFactory(round=table.round, table=None, b=None, kind=Match.Kind.BYE, a=EntryFactory(event=staff.event))
    with door("publish-round", by=SITE, event=staff.event) as writing:
        record_system_result(writing, lone, bye(staff.event.bye_points))
    lone.refresh_from_db()
    assert (lone.state, lone.result.score("a"), lone.claims.get().how) == (Match.State.CONFIRMED, 100, Claim.How.SYSTEM)


# corrections show what they change


def test_a_correction_in_a_full_hall_names_twelve_who_change_places_and_counts_the_rest(table, staff):
    desk, judge, event = staff.actor("scorekeeper"), staff.actor("judge"), staff.event
    enter_result(by=desk, match=table, result={"score_a": 190, "score_b": 80})
    for n in range(1, 20):
        match = MatchFactory(
            round=table.round, table=table.table + n, a=EntryFactory(event=event), b=EntryFactory(event=event)
        )
        enter_result(by=desk, match=match, result={"score_a": 100 + n, "score_b": n})
    with pytest.raises(NeedsConfirmation) as asked:
        correct_result(by=judge, match=table, result={"score_a": 20, "score_b": 80}, reason="slip misread")
    shown = [str(line) for line in asked.value.consequences]
    assert sum("place " in line for line in shown) == 12
    assert any("more players move in the standings." in line for line in shown)


def test_a_correction_shows_what_changes_and_keeps_both(table, staff):
    desk, judge = staff.actor("scorekeeper"), staff.actor("judge")
    enter_result(by=desk, match=table, result={"score_a": 120, "score_b": 80})
    later = RoundFactory(event=staff.event, number=2)
    with pytest.raises(NeedsConfirmation) as asked:
        correct_result(by=judge, match=table, result={"score_a": 120, "score_b": 180}, reason="slip misread")
    shown = [str(line) for line in asked.value.consequences]
    assert "Winner: Anna → Bert" in shown
    assert "Anna: place 1 → 2" in shown
    assert "Bert: place 2 → 1" in shown
    assert any(str(later) in line for line in shown)
    assert Match.objects.get().result.winner == "a"
    correct_result(
        by=judge, match=table, result={"score_a": 120, "score_b": 180}, reason="slip misread", confirmed=True
    )
    match = Match.objects.get()
    assert match.result.winner == "b"
    assert [claim.result.winner for claim in match.claims.all()] == ["a", "b"]
    row = AuditEntry.objects.first()
    assert (row.is_non_standard, row.reason) == (True, "slip misread")
    assert "80 → 180" in row.words


def test_only_judges_correct_and_only_what_has_a_result(table, staff):
    with pytest.raises(Refused, match="no result yet"):
        correct_result(
            by=staff.actor("judge"), match=table, result={"score_a": 1, "score_b": 2}, reason="x", confirmed=True
        )
    enter_result(by=staff.actor("scorekeeper"), match=table, result={"score_a": 120, "score_b": 80})
    with pytest.raises(Refused, match="judge"):
        correct_result(by=staff.actor("scorekeeper"), match=table, result={"score_a": 1, "score_b": 2}, reason="x")


def test_a_result_of_a_finished_round_is_corrected_by_a_judge(table, staff):
    enter_result(by=staff.actor("scorekeeper"), match=table, result={"score_a": 120, "score_b": 80})
    Round.objects.update(state=Round.State.COMPLETE)
    table.refresh_from_db()
    correct_result(
        by=staff.actor("judge"), match=table, result={"score_a": 10, "score_b": 80}, reason="x", confirmed=True
    )
    assert Match.objects.get().result.winner == "b"
