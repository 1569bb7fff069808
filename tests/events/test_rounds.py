"""Rounds through their services: drafts, manual changes, publishing, reseating, completing, reopening, the end."""

import random
from collections import Counter

import pytest

from events.door import NeedsConfirmation, Refused, Stale
from events.models import AuditEntry, Claim, Entry, Event, Match, Round
from events.services import entries, rounds
from events.services.rounds.asked import pairs_of
from events.services.rounds_field import read_field
from tests.events.simulation import play, play_round, players, result

pytestmark = pytest.mark.django_db


def seated(round):
    return Counter(e.pk for m in round.matches.select_related("a", "b") for e in (m.a, m.b) if e is not None)


@pytest.fixture
def by(staff):
    return staff.actor("head_judge")


@pytest.fixture
def event(staff):
    staff.event.number_of_rounds = 4
    staff.event.save()
    return staff.event


def test_the_first_pairing_seats_everyone_once_and_the_event_runs(event, by):
    people = players(event, 9)
    round = rounds.draft_round(by=by, event=event)
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING
    assert round.seed == event.seed + 1
    assert seated(round) == Counter(p.pk for p in people)
    assert sorted(m.table for m in round.matches.filter(kind="game")) == [1, 2, 3, 4]
    assert round.matches.get(kind="bye").table is None
    assert round.pairing_report["certificate"]["cost"] is True


def test_the_same_seed_draws_the_same_round(event, by):
    players(event, 12)
    first = rounds.draft_round(by=by, event=event)
    pairs = pairs_of(first)
    rounds.discard_draft(by=by, round=first)
    event.refresh_from_db()
    assert event.state == Event.State.OPEN
    again = rounds.draft_round(by=by, event=event)
    assert pairs_of(again) == pairs


def test_fixed_tables_come_first_and_stay_over_rounds(event, by):
    event.first_table = 21
    event.save()
    people = players(event, 8)
    Entry.objects.filter(pk=people[3].pk).update(fixed_table=22)
    for _number in range(2):
        round = play_round(by, event)
        mine = next(m for m in round.matches.all() if people[3].pk in (m.a_id, m.b_id))
        assert mine.table == 22
        assert sorted(round.matches.values_list("table", flat=True)) == [21, 22, 23, 24]


def test_club_mates_are_kept_apart_in_round_one_only_if_asked(event, by):
    event.keep_clubs_apart = True
    event.save()
    players(event, 4, club="North")
    players(event, 4, club="  north ")
    players(event, 8, club="South")
    round = rounds.draft_round(by=by, event=event)
    assert rounds.figures(round)["same_club"] == 0
    assert round.tournament["options"]["avoid_same_club"] is True
    rounds.publish_round(by=by, round=round)
    play(by, round)
    rounds.complete_round(by=by, round=round)
    second = rounds.draft_round(by=by, event=event)
    assert second.tournament["options"]["avoid_same_club"] is False


def test_no_second_round_while_tables_are_open_and_they_are_named(event, by):
    players(event, 4)
    round = rounds.draft_round(by=by, event=event)
    with pytest.raises(Refused, match="already paired"):
        rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=round)
    with pytest.raises(Refused, match="Tables 1 and 2 are still open"):
        rounds.draft_round(by=by, event=event)
    with pytest.raises(Refused, match="Tables 1 and 2 are still open"):
        rounds.complete_round(by=by, round=round)


def test_publishing_gives_the_bye_its_points(event, by):
    players(event, 3)
    round = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=round)
    bye = round.matches.get(kind="bye")
    assert (bye.state, bye.result.winner, bye.result.score("a")) == ("confirmed", "a", 100)
    assert bye.claims.get().how == Claim.How.SYSTEM


def test_the_second_judge_who_presses_publish_is_told(event, by, staff):
    players(event, 4)
    round = rounds.draft_round(by=by, event=event)
    other = Round.objects.get(pk=round.pk)
    rounds.publish_round(by=by, round=round, version=round.version)
    with pytest.raises(Refused, match="published"):
        rounds.publish_round(by=staff.actor("judge"), round=other, version=other.version)


def test_a_stale_form_of_a_draft_is_reported(event, by):
    people = players(event, 6)
    round = rounds.draft_round(by=by, event=event)
    seen = round.version
    one, other = round.matches.order_by("table")[:2]
    rounds.swap_players(by=by, round=round, one=one.a, other=other.b, version=seen, reason="brothers")
    with pytest.raises(Stale):
        rounds.publish_round(by=by, round=Round.objects.get(pk=round.pk), version=seen)
    assert len(people) == 6


def test_a_draft_is_stale_once_a_player_has_dropped(event, by):
    people = players(event, 6)
    round = rounds.draft_round(by=by, event=event)
    entries.drop_entry(by=by, entry=people[2], confirmed=True)
    assert "Player 003 has left the event but is still paired." in rounds.stale_because(round)
    with pytest.raises(Refused, match="Player 003 has left"):
        rounds.publish_round(by=by, round=round)
    rounds.pair_again(by=by, round=round)
    assert people[2].pk not in seated(round)
    rounds.publish_round(by=by, round=round)


def test_a_draft_is_stale_once_an_earlier_result_is_corrected(event, by):
    players(event, 4)
    first = play_round(by, event)
    draft = rounds.draft_round(by=by, event=event)
    rounds.reopen_round(by=by, round=first, confirmed=True, reason="typed wrongly")
    match = first.matches.order_by("table").first()
    from events.services import results

    results.correct_result(by=by, match=match, result=result("b"), confirmed=True, reason="slip shows the other")
    rounds.complete_round(by=by, round=first)
    assert any("match points have changed" in line for line in rounds.stale_because(draft))


def test_a_swap_by_hand_is_compared_with_the_best_and_kept(event, by):
    players(event, 8)
    play_round(by, event)
    round = rounds.draft_round(by=by, event=event)
    assert rounds.figures(round)["cost"] == 0
    top, bottom = round.matches.order_by("table").first(), round.matches.order_by("-table").first()
    before = {frozenset((m.a_id, m.b_id)) for m in round.matches.all()}
    rounds.swap_players(by=by, round=round, one=top.a, other=bottom.a, reason="they shared a car")
    after = {frozenset((m.a_id, m.b_id)) for m in round.matches.all()}
    assert after - before == {frozenset((bottom.a_id, top.b_id)), frozenset((top.a_id, bottom.b_id))}
    (change,) = round.changes_by_hand
    assert change["before"]["cost"] == 0
    assert change["after"]["cost"] == 18
    assert change["reason"] == "they shared a car"
    assert AuditEntry.objects.filter(verb="change-draft", is_non_standard=True).exists()


def test_a_swap_in_a_draft_needs_no_reason(event, by):
    """No player has seen the draft; after publication, fixing the seating asks for one."""
    players(event, 4)
    round = rounds.draft_round(by=by, event=event)
    one, other = round.matches.all()
    rounds.swap_players(by=by, round=round, one=one.a, other=other.a)
    assert round.changes_by_hand[0]["reason"] == ""


def test_discarding_a_draft_asks_before_manual_changes_are_lost(event, by):
    players(event, 4)
    round = rounds.draft_round(by=by, event=event)
    one, other = round.matches.all()
    rounds.swap_players(by=by, round=round, one=one.a, other=other.a)
    with pytest.raises(NeedsConfirmation) as asked:
        rounds.discard_draft(by=by, round=round)
    assert [str(line) for line in asked.value.consequences] == ["1 manual change will be lost."]
    rounds.discard_draft(by=by, round=round, confirmed=True)
    assert not event.rounds.exists()


def test_the_bye_moves_by_hand(event, by):
    players(event, 5)
    round = rounds.draft_round(by=by, event=event)
    bye = round.matches.get(kind="bye")
    game = round.matches.filter(kind="game").first()
    rounds.swap_players(by=by, round=round, one=bye.a, other=game.b, reason="has to leave early")
    assert round.matches.get(kind="bye").a == game.b
    assert set(seated(round).values()) == {1}


def test_a_table_changed_by_hand_swaps_with_the_one_there(event, by):
    players(event, 4)
    round = rounds.draft_round(by=by, event=event)
    one = round.matches.get(table=1)
    two = round.matches.get(table=2)
    rounds.change_table(by=by, round=round, match=one, table=2, reason="wheelchair")
    one.refresh_from_db()
    two.refresh_from_db()
    assert (one.table, two.table) == (2, 1)
    rounds.publish_round(by=by, round=round)


def test_a_fixed_table_given_after_pairing_makes_the_draft_stale(event, by):
    people = players(event, 4)
    round = rounds.draft_round(by=by, event=event)
    entries.change_entry(by=by, entry=people[0], fixed_table=9)
    assert rounds.stale_because(round) == ["Table 9 is reserved for Player 001."]


def test_an_impossible_pairing_names_the_players_and_options(event, by):
    event.number_of_rounds = 5
    event.save()
    players(event, 4)
    for _number in range(3):
        play_round(by, event)
    with pytest.raises(Refused) as told:
        rounds.draft_round(by=by, event=event)
    assert "Player 001" in str(told.value)
    assert "allow a rematch" in str(told.value)
    with pytest.raises(NeedsConfirmation):
        rounds.draft_round(by=by, event=event, allow_rematch=True)
    round = rounds.draft_round(by=by, event=event, allow_rematch=True, reason="they want a fourth round")
    assert rounds.figures(round)["rematches"] == 2
    assert not rounds.stale_because(round)
    rounds.publish_round(by=by, round=round)


def test_no_more_rounds_than_planned(event, by):
    event.number_of_rounds = 2
    event.save()
    players(event, 6)
    play_round(by, event)
    play_round(by, event)
    with pytest.raises(Refused, match="All 2 rounds are complete"):
        rounds.draft_round(by=by, event=event)


def test_two_players_are_needed(event, by):
    players(event, 1)
    with pytest.raises(Refused, match="Check in more players first"):
        rounds.draft_round(by=by, event=event)
    event.refresh_from_db()
    assert event.state == Event.State.OPEN


def tables_of_four(round):
    return round.matches.select_related("a", "b").get(table=1), round.matches.select_related("a", "b").get(table=2)


@pytest.mark.parametrize("side", ["a", "b"])
def test_two_tables_are_reseated_before_results(event, by, side):
    players(event, 4)
    round = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=round)
    one, two = tables_of_four(round)
    opponent = getattr(two, side)
    rounds.right_tables(by=by, round=round, first=one, second=two, opponent=opponent, reason="sat down wrongly")
    now_one, now_two = tables_of_four(round)
    assert {now_one.a, now_one.b} == {one.a, opponent}
    assert set(seated(round).values()) == {1}
    assert len(seated(round)) == 4
    assert (now_one.table, now_two.table) == (1, 2)


@pytest.mark.parametrize("keep", [True, False])
def test_two_tables_are_reseated_after_results(event, by, keep):
    players(event, 4)
    round = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=round)
    play(by, round)
    one, two = tables_of_four(round)
    rounds.right_tables(
        by=by, round=round, first=one, second=two, opponent=two.b, keep_results=keep, reason="sat down wrongly"
    )
    now_one, _now_two = tables_of_four(round)
    assert (now_one.a, now_one.b) == (one.a, two.b)
    assert now_one.state == ("confirmed" if keep else "open")
    assert now_one.claims.count() == 1
    assert now_one.claims.get().counts is keep


def test_pairings_are_unpublished_only_while_nothing_is_reported(event, by):
    players(event, 5)
    round = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=round)
    with pytest.raises(NeedsConfirmation):
        rounds.unpublish_round(by=by, round=round, reason="a player was forgotten")
    rounds.unpublish_round(by=by, round=round, confirmed=True, reason="a player was forgotten")
    assert round.state == Round.State.DRAFT
    assert round.matches.get(kind="bye").result is None
    rounds.publish_round(by=by, round=round)
    assert round.matches.get(kind="bye").claims.filter(counts=True).count() == 1
    play(by, round)
    for confirmed in (False, True):  # no confirmation or reason is asked for what will then be refused
        with pytest.raises(Refused, match="Tables 1 and 2 already have reported"):
            rounds.unpublish_round(by=by, round=round, confirmed=confirmed, reason="again")


def test_unpublishing_names_the_pairings_the_bye_and_dropped_players(event, by):
    players(event, 5)
    round = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=round)
    first, second = round.matches.filter(kind="game").order_by("table")
    bye = round.matches.get(kind="bye")
    entries.drop_entry(by=by, entry=first.a, confirmed=True)
    with pytest.raises(NeedsConfirmation) as asked:
        rounds.unpublish_round(by=by, round=round, reason="a player was forgotten")
    told = [str(line) for line in asked.value.consequences]
    assert told[0] == (
        f"2 tables lose their pairings ({first.a} – {first.b}; {second.a} – {second.b}). Players no longer see them, "
        "but the draft is kept."
    )
    assert f"{bye.a} loses the bye and the win that came with it." in told
    assert f"{first.a} will be listed as dropped before round 1." in told


def test_a_disqualification_names_the_draft_that_goes_out_of_date(event, by):
    people = players(event, 4)
    play_round(by, event)
    rounds.draft_round(by=by, event=event)
    with pytest.raises(NeedsConfirmation) as asked:
        entries.disqualify_entry(by=by, entry=people[0], reason="threw dice")
    assert "The draft of the next round must be re-paired." in [str(line) for line in asked.value.consequences]


def test_a_late_player_joins_the_unpublished_round(event, by):
    players(event, 4)
    round = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=round)
    late = entries.add_entry(by=by, event=event, name="Lara Late", declares=True, checked_in=True)
    assert (late.from_round, round.matches.get(kind="missed").a) == (2, late)
    rounds.unpublish_round(by=by, round=round, confirmed=True, reason="Lara came")
    assert rounds.stale_because(round) == ["Lara Late should play but isn't paired."]
    rounds.pair_again(by=by, round=round)
    assert seated(round)[late.pk] == 1
    assert not round.matches.filter(kind="missed").exists()


@pytest.mark.parametrize("late_start", ["loss", "bye"])
def test_a_late_player_is_seated_against_the_bye(event, by, late_start):
    event.late_start = late_start
    event.save()
    players(event, 5)
    round = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=round)
    idle = round.matches.get(kind="bye").a
    late = entries.add_entry(by=by, event=event, name="Lara Late", declares=True, checked_in=True)
    assert rounds.late_entries(round) == [late]
    with pytest.raises(NeedsConfirmation):
        rounds.seat_late(by=by, round=round, entry=late, opponent=idle)
    match = rounds.seat_late(by=by, round=round, entry=late, opponent=idle, reason="came two minutes late")
    assert (match.a, match.b, match.table, match.kind, match.result) == (idle, late, 3, "game", None)
    late.refresh_from_db()
    assert late.from_round == 1
    assert set(seated(round).values()) == {1}
    assert not round.matches.exclude(kind="game").exists()
    play(by, round)
    rounds.complete_round(by=by, round=round)
    assert {p["byes"] for p in rounds.draft_round(by=by, event=event).tournament["players"]} == {0}


def test_two_late_players_play_each_other(event, by):
    players(event, 4)
    round = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=round)
    one, other = (
        entries.add_entry(by=by, event=event, name=name, declares=True, checked_in=True) for name in ("Lara", "Leo")
    )
    rounds.seat_late(by=by, round=round, entry=one, opponent=other, reason="one car")
    assert rounds.late_entries(round) == []
    seat = round.matches.get(table=3)
    assert {seat.a, seat.b} == {one, other}


def test_no_playing_opponent_is_taken_from_a_table_for_a_late_player(event, by):
    people = players(event, 4)
    round = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=round)
    late = entries.add_entry(by=by, event=event, name="Lara", declares=True, checked_in=True)
    with pytest.raises(Refused, match="have a bye"):
        rounds.seat_late(by=by, round=round, entry=late, opponent=people[0], reason="late")
    with pytest.raises(Refused, match="a late arrival"):
        rounds.seat_late(by=by, round=round, entry=people[0], opponent=late, reason="late")


def test_reopening_is_refused_once_a_later_round_is_published(event, by):
    players(event, 4)
    first = play_round(by, event)
    second = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=second)
    for confirmed in (False, True):
        with pytest.raises(Refused, match="Round 2 was paired from"):
            rounds.reopen_round(by=by, round=first, confirmed=confirmed, reason="typed wrongly")
    rounds.unpublish_round(by=by, round=second, confirmed=True, reason="first round wrong")
    rounds.reopen_round(by=by, round=first, confirmed=True, reason="typed wrongly")
    assert (first.state, first.times_reopened) == (Round.State.RUNNING, 1)


def test_a_draft_waits_until_a_reopened_round_is_complete(event, by):
    players(event, 4)
    first = play_round(by, event)
    draft = rounds.draft_round(by=by, event=event)
    rounds.reopen_round(by=by, round=first, confirmed=True, reason="typed wrongly")
    assert rounds.stale_because(draft) == ["Round 1 has been reopened. Complete it first."]
    with pytest.raises(Refused, match="reopened"):
        rounds.publish_round(by=by, round=draft)
    with pytest.raises(Refused, match="Complete round 1 first"):
        rounds.pair_again(by=by, round=draft)
    rounds.complete_round(by=by, round=first)
    rounds.publish_round(by=by, round=draft)


def test_reopening_shows_its_consequences(event, by):
    players(event, 4)
    first = play_round(by, event)
    rounds.draft_round(by=by, event=event)
    with pytest.raises(NeedsConfirmation) as asked:
        rounds.reopen_round(by=by, round=first, reason="typed wrongly")
    assert any("Round 2: the draft will be out of date" in str(line) for line in asked.value.consequences)


def test_the_event_ends_after_its_rounds(event, by):
    event.number_of_rounds = 1
    event.save()
    players(event, 4)
    play_round(by, event)
    rounds.finish_event(by=by, event=event)
    assert (event.state, event.ended is not None) == (Event.State.FINISHED, True)
    rounds.resume_event(by=by, event=event, confirmed=True, reason="one more")
    assert event.ended is None


def test_ending_early_is_asked_for_and_recorded_as_not_standard(event, by):
    players(event, 4)
    play_round(by, event)
    with pytest.raises(NeedsConfirmation) as asked:
        rounds.finish_event(by=by, event=event)
    assert asked.value.consequences == ["Only 1 of 4 rounds has been played."]
    rounds.finish_event(by=by, event=event, confirmed=True)
    assert AuditEntry.objects.get(verb="finish-event").is_non_standard


def test_a_cut_is_seeded_by_standing_and_winners_go_on(event, by):
    event.number_of_rounds, event.cut_to = 2, 4
    event.save()
    players(event, 8)
    for _number in range(2):
        play_round(by, event)
    field = read_field(event)
    best = sorted(field.ranks, key=field.ranks.get)[:4]
    semi = rounds.draft_cut(by=by, event=event)
    assert semi.stage == Round.Stage.CUT
    assert (str(semi), semi.short_name) == ("Semifinals · Round 3", "semifinals")
    pairs = {m.bracket_slot: {m.a.number, m.b.number} for m in semi.matches.select_related("a", "b")}
    assert pairs == {0: {best[0], best[3]}, 1: {best[1], best[2]}}
    rounds.publish_round(by=by, round=semi)
    play(by, semi)
    rounds.complete_round(by=by, round=semi)
    final = rounds.draft_round(by=by, event=event)
    assert str(final) == "Final · Round 4"
    (match,) = final.matches.select_related("a", "b")
    assert {match.a, match.b} == {m.a for m in semi.matches.select_related("a")}
    rounds.publish_round(by=by, round=final)
    play(by, final)
    rounds.complete_round(by=by, round=final)
    with pytest.raises(Refused, match="has a winner"):
        rounds.draft_round(by=by, event=event)
    rounds.finish_event(by=by, event=event)


def test_leaving_the_cut_gives_a_walkover(event, by):
    event.number_of_rounds, event.cut_to = 2, 4
    event.save()
    players(event, 8)
    for _number in range(2):
        play_round(by, event)
    semi = rounds.draft_cut(by=by, event=event)
    rounds.publish_round(by=by, round=semi)
    play(by, semi)
    rounds.complete_round(by=by, round=semi)
    gone, stays = (m.a for m in semi.matches.select_related("a").order_by("bracket_slot"))
    entries.drop_entry(by=by, entry=gone, confirmed=True)
    final = rounds.draft_round(by=by, event=event)
    walkover = final.matches.get()
    assert (walkover.kind, walkover.a) == (Match.Kind.BYE, stays)
    rounds.publish_round(by=by, round=final)
    rounds.complete_round(by=by, round=final)
    rounds.finish_event(by=by, event=event)


def test_single_elimination_plays_down_to_one(event, by):
    event.pairing_style, event.number_of_rounds = Event.Style.ELIMINATION, None
    event.save()
    players(event, 6)
    sizes = []
    for _number in range(3):
        round = play_round(by, event)
        sizes.append(round.matches.count())
    assert sizes == [4, 2, 1]
    rounds.finish_event(by=by, event=event)


@pytest.mark.parametrize("count", [5, 6])
def test_round_robin_meets_everyone_once(event, by, count):
    event.pairing_style, event.number_of_rounds = Event.Style.ROUND_ROBIN, None
    event.save()
    players(event, count)
    met = Counter()
    for _number in range(5):
        round = play_round(by, event)
        met.update(frozenset((m.a_id, m.b_id)) for m in round.matches.filter(kind="game"))
    assert len(met) == count * (count - 1) // 2
    assert set(met.values()) == {1}
    with pytest.raises(Refused, match="All 5 rounds"):
        rounds.draft_round(by=by, event=event)


def test_leaving_a_round_robin_leaves_byes(event, by):
    event.pairing_style, event.number_of_rounds = Event.Style.ROUND_ROBIN, None
    event.save()
    people = players(event, 4)
    play_round(by, event)
    entries.drop_entry(by=by, entry=people[0], confirmed=True)
    round = rounds.draft_round(by=by, event=event)
    assert sorted(round.matches.values_list("kind", flat=True)) == ["bye", "game"]
    rounds.publish_round(by=by, round=round)


@pytest.mark.parametrize("seed", range(8))
def test_random_events_keep_their_promises(event, by, seed):
    """Drops, late entries, re-entries and reopened rounds: each pairing seats every active player exactly once."""
    chance = random.Random(seed)
    event.number_of_rounds = 5
    event.late_start = chance.choice(["loss", "bye"])
    event.save()
    people = players(event, chance.randrange(8, 26))
    for number in range(1, 6):
        round = rounds.draft_round(by=by, event=event)
        if chance.random() < 0.4:
            leaver = chance.choice([p for p in Entry.objects.filter(event=event) if p.is_playing])
            entries.drop_entry(by=by, entry=leaver, confirmed=True)
            with pytest.raises(Refused, match="out of date"):
                rounds.publish_round(by=by, round=round)
            rounds.pair_again(by=by, round=round)
        rounds.publish_round(by=by, round=round)
        active = {e.pk for e in Entry.objects.filter(event=event, state=Entry.State.CHECKED_IN)}
        games = Counter(e for m in round.matches.exclude(kind="missed") for e in (m.a_id, m.b_id) if e is not None)
        assert games == Counter(active)
        assert rounds.figures(round)["rematches"] == 0
        if chance.random() < 0.4:
            late = entries.add_entry(by=by, event=event, name=f"Late {number}", declares=True, checked_in=True)
            assert late.from_round == number + 1
        play(by, round, chance)
        rounds.complete_round(by=by, round=round)
        if chance.random() < 0.3:
            rounds.reopen_round(by=by, round=round, confirmed=True, reason="once more")
            rounds.complete_round(by=by, round=round)
        gone = list(Entry.objects.filter(event=event, state=Entry.State.DROPPED))
        if gone and chance.random() < 0.3:
            entries.return_entry(by=by, entry=chance.choice(gone), confirmed=True)
    byes = Counter(Match.objects.filter(round__event=event, kind="bye").values_list("a", flat=True))
    starters = {p.pk for p in people}
    assert all(times == 1 for entry, times in byes.items() if entry in starters)
    for entry in Entry.objects.filter(event=event, state=Entry.State.CHECKED_IN):
        sat = Match.objects.filter(round__event=event, a=entry).count() + entry.matches_as_b.count()
        assert sat == 5
