"""The clock: laws of its reading, its verbs through the door, and restarts that lose nothing."""

import datetime
from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from events.clock import PREPARATION, ROUND, Clock, Phase, Run, announcements, digits, due, in_words, read, spoken
from events.door import NeedsConfirmation, Refused
from events.models import AuditEntry, ClockRun, Event, Extension, Match, Round
from events.services.clock import (
    add_time,
    call_time,
    clock_of,
    extend_table,
    extra_seconds,
    pause,
    reading_of,
    resume,
    start_preparation,
    start_round,
    withdraw_extension,
)
from tests.factories import MatchFactory, RoundFactory
from tests.tables import every_row

NOON = datetime.datetime(2002, 12, 7, 12, 0, tzinfo=datetime.UTC)


def at(seconds):
    return NOON + timedelta(seconds=seconds)


def test_nothing_started_shows_the_whole_round():
    reading = read(Clock(600, 3000), NOON)
    assert (reading.phase, reading.running, reading.digits, reading.ends) == (Phase.WAITING, False, "50:00", None)


def test_preparation_then_ready_then_the_round():
    preparing = Clock(600, 3000, runs=(Run(PREPARATION, NOON),))
    assert read(preparing, at(60)).digits == "9:00"
    assert read(preparing, at(60)).ends == at(600)
    assert read(preparing, at(600)).phase is Phase.READY
    playing = Clock(600, 3000, runs=(Run(PREPARATION, NOON, at(600)), Run(ROUND, at(600))))
    assert (read(playing, at(660)).digits, read(playing, at(660)).phase) == ("49:00", Phase.ROUND)
    assert read(playing, at(3600)).phase is Phase.OVER
    assert read(playing, at(3600), extra=300).digits == "5:00"
    assert read(playing, at(3600), extra=300).ends == at(3900)


def test_a_pause_moves_the_end():
    paused = Clock(0, 3000, runs=(Run(ROUND, NOON, at(1000)),))
    assert (read(paused, at(5000)).digits, read(paused, at(5000)).is_paused, read(paused, at(5000)).ends) == (
        "33:20", True, None,
    )  # fmt: skip
    again = Clock(0, 3000, runs=(*paused.runs, Run(ROUND, at(5000))))
    assert read(again, at(5000)).ends == at(7000)


def test_seconds_round_up_so_that_zero_means_over():
    clock = Clock(0, 60, runs=(Run(ROUND, NOON),))
    assert read(clock, NOON + timedelta(seconds=59, milliseconds=500)).seconds == 1
    assert read(clock, at(60)).seconds == 0
    assert read(clock, NOON + timedelta(seconds=61, milliseconds=500)).seconds == -1


@every_row("seconds, shown", [(0, "0:00"), (5, "0:05"), (754, "12:34"), (3723, "1:02:03"), (-65, "−1:05")])
def test_digits(seconds, shown):
    assert digits(seconds) == shown


@every_row(
    ("seconds", "words"),
    [
        (1, "1 second"), (59.9, "59 seconds"), (60, "1 minute"), (1800, "30 minutes"), (3600, "1 hour"),
        (3660, "1 hour 1 minute"), (7500, "2 hours 5 minutes"), (93600, "26 hours"),
    ],
)  # fmt: skip
def test_lengths_of_time_in_sentences(seconds, words):
    assert in_words(seconds) == words


def test_spoken():
    assert (spoken(3000), spoken(60), spoken(59), spoken(1)) == (
        "50 minutes left", "1 minute left", "59 seconds left", "1 second left",
    )  # fmt: skip


@st.composite
def clocks(draw):
    """Draw a clock with consecutive intervals, the last of which may be open."""
    lengths = draw(st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 900)), max_size=5))
    runs, now = [], 0
    for index, (ran, stood) in enumerate(lengths):
        is_open = index == len(lengths) - 1 and draw(st.booleans())
        runs.append(Run(ROUND, at(now), None if is_open else at(now + ran)))
        now += ran + stood
    clock = Clock(draw(st.integers(0, 900)), draw(st.integers(60, 6000)), draw(st.integers(-1200, 1200)), tuple(runs))
    return clock, at(now + draw(st.integers(0, 3000)))


@given(clocks(), st.integers(0, 3000), st.integers(0, 1800))
def test_time_never_flows_back_and_runs_only_while_it_runs(given_, later, extra):
    clock, now = given_
    one, two = read(clock, now, extra), read(clock, now + timedelta(seconds=later), extra)
    if clock.is_running:
        assert one.remaining - two.remaining == later
        assert one.ends == two.ends
        assert one.ends == now + timedelta(seconds=one.remaining)
    else:
        assert one.remaining == two.remaining
        assert one.ends is None


@given(clocks(), st.integers(0, 1800), st.integers(0, 600))
def test_extra_time_and_time_for_all_add_up_exactly(given_, extra, added):
    clock, now = given_
    longer = Clock(clock.preparation_seconds, clock.round_seconds + added, clock.added_seconds, clock.runs)
    if clock.part is None or clock.round_seconds + clock.added_seconds < 0:
        return
    assert read(longer, now, extra).remaining == read(clock, now).remaining + extra + added


@given(clocks(), st.integers(1, 900))
def test_a_pause_keeps_what_is_left(given_, pause_seconds):
    clock, now = given_
    if not clock.is_running:
        return
    last = clock.runs[-1]
    paused = Clock(clock.preparation_seconds, clock.round_seconds, clock.added_seconds,
                   (*clock.runs[:-1], Run(ROUND, last.began, now)))  # fmt: skip
    later = now + timedelta(seconds=pause_seconds)
    resumed = Clock(paused.preparation_seconds, paused.round_seconds, paused.added_seconds,
                    (*paused.runs, Run(ROUND, later)))  # fmt: skip
    assert read(clock, now).remaining == read(paused, later).remaining == read(resumed, later).remaining


@given(st.integers(60, 7200), st.sampled_from(["action", "turn", "round"]))
def test_four_announcements_in_order_within_their_windows(length, called):
    words = announcements(length, called)
    assert [word.key for word in words] == ["start", "halfway", "near", "end"]
    assert [word.at for word in words] == sorted((word.at for word in words), reverse=True)
    assert words[-1].at == 0
    if length > 1800:
        assert 1200 <= words[1].at <= 1800
        assert 300 <= words[2].at <= 600


def test_the_announcement_that_is_due():
    words = announcements(3000, "turn")
    clock = Clock(0, 3000, runs=(Run(ROUND, NOON),))
    seen = [due(read(clock, at(second)), words).key for second in (0, 1499, 1500, 2399, 2400, 2999, 3000, 9000)]
    assert seen == ["start", "start", "halfway", "halfway", "near", "near", "end", "end"]
    assert "turn" in str(words[-1].text)
    assert due(read(Clock(60, 60, runs=(Run(PREPARATION, NOON),)), at(5)), words) is None


# verbs


@pytest.fixture
def published(staff):
    staff.event.state = Event.State.RUNNING
    staff.event.save()
    return RoundFactory(event=staff.event, state=Round.State.PUBLISHED)


def test_starting_the_preparation_moves_the_round_to_running(published, staff):
    start_preparation(by=staff.actor("scorekeeper"), round=published)
    start_preparation(by=staff.actor("scorekeeper"), round=published)
    row = Round.objects.get()
    assert row.state == Round.State.RUNNING
    assert row.started_at == ClockRun.objects.get().began
    assert reading_of(row).phase is Phase.PREPARATION


def test_starting_the_round_skips_what_is_left_of_the_preparation(published, staff):
    desk = staff.actor("scorekeeper")
    start_preparation(by=desk, round=published)
    start_round(by=desk, round=published)
    start_round(by=desk, round=published)
    runs = list(ClockRun.objects.all())
    assert [run.phase for run in runs] == ["preparation", "round"]
    assert runs[0].ended == runs[1].began
    assert runs[1].ended is None
    assert "skipped" in AuditEntry.objects.first().words
    with pytest.raises(Refused, match="already started"):
        start_preparation(by=desk, round=published)


def test_pause_and_resume_keep_what_is_left_across_a_restart(published, staff):
    desk = staff.actor("scorekeeper")
    start_round(by=desk, round=published)
    ClockRun.objects.update(began=timezone.now() - timedelta(seconds=1000))
    pause(by=desk, round=published)
    pause(by=desk, round=published)
    ClockRun.objects.update(began=NOON, ended=at(1000))
    stored = Round.objects.get()
    assert read(clock_of(stored), timezone.now()).seconds == 2000
    resume(by=desk, round=stored)
    resume(by=desk, round=stored)
    assert ClockRun.objects.count() == 2
    assert reading_of(Round.objects.get()).seconds in (1999, 2000)


def test_nothing_to_pause_or_resume_before_the_start(published, staff):
    for verb in (pause, resume):
        with pytest.raises(Refused):
            verb(by=staff.actor("scorekeeper"), round=published)


def test_time_for_all_needs_a_judge_and_a_reason(published, staff):
    with pytest.raises(Refused):
        add_time(by=staff.actor("scorekeeper"), round=published, minutes=5, reason="fire alarm")
    with pytest.raises(NeedsConfirmation):
        add_time(by=staff.actor("judge"), round=published, minutes=5)
    add_time(by=staff.actor("judge"), round=published, minutes=5, reason="fire alarm")
    add_time(by=staff.actor("judge"), round=published, minutes=-2, reason="too much")
    assert Round.objects.get().added_seconds == 180
    assert AuditEntry.objects.first().is_non_standard
    with pytest.raises(Refused, match="180"):
        add_time(by=staff.actor("judge"), round=published, minutes=0, reason="so")


def test_during_the_preparation_time_is_added_to_it(published, staff):
    start_preparation(by=staff.actor("judge"), round=published)
    add_time(by=staff.actor("judge"), round=published, minutes=5, reason="late boosters")
    assert (Round.objects.get().preparation_seconds, Round.objects.get().added_seconds) == (900, 0)


def test_calling_time_takes_what_is_left(published, staff):
    start_round(by=staff.actor("judge"), round=published)
    call_time(by=staff.actor("judge"), round=published, reason="the hall closes")
    assert reading_of(Round.objects.get()).phase is Phase.OVER


def test_a_table_has_its_own_end(published, staff):
    match = MatchFactory(round=published, table=4)
    start_round(by=staff.actor("judge"), round=published)
    match.refresh_from_db()
    with pytest.raises(NeedsConfirmation):
        extend_table(by=staff.actor("judge"), match=match, minutes=5)
    one = extend_table(by=staff.actor("judge"), match=match, minutes=5, reason="judge call")
    extend_table(by=staff.actor("judge"), match=match, minutes=3, reason="another")
    assert extra_seconds(match) == 480
    withdraw_extension(by=staff.actor("judge"), extension=one, reason="mistaken table")
    assert extra_seconds(Match.objects.get()) == 180
    assert Extension.objects.filter(withdrawn=True).count() == 1
    Match.objects.update(state=Match.State.CONFIRMED)
    with pytest.raises(Refused, match="finished"):
        extend_table(by=staff.actor("judge"), match=Match.objects.get(), minutes=5, reason="so")
