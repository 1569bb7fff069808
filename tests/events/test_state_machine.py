"""A random evening: register, pair, publish, report, correct, drop, undo, reopen; invariants hold after every step.

Hypothesis chooses the actions. At the end everything is undone, action by action, and after each undo the standings are
byte for byte what they were.
"""

from __future__ import annotations

import json

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from events.clock import read
from events.door import NeedsConfirmation, Refused
from events.models import AuditEntry, ClockRun, Entry, Event, Match, Round
from events.roles import Actor
from events.services import clock, entries, results, rounds
from events.services import undo as undoing
from events.services.rounds_styles import NoLegalRound
from events.standings_columns import standings_lines
from tests import factories
from tests.events.simulation import result

ES, RS = Event.State, Round.State
NUMBERS = st.integers(min_value=0, max_value=30)


class Evening(RuleBasedStateMachine):
    """One event and its head judge; every rule is a verb of the services, refused if the action table says so."""

    def __init__(self) -> None:
        super().__init__()
        self.block = transaction.atomic()
        self.block.__enter__()
        official = factories.OfficialFactory()
        self.event = official.event
        self.event.number_of_rounds = 4
        self.event.seats = 14
        self.event.save()
        self.by = Actor(person=official.person)
        for number in range(1, 6):
            factories.EntryFactory(event=self.event, number=number, name=f"Player {number}")
        self.marks: list[tuple[int, str]] = [(0, self.standings())]
        self.length = 0

    def teardown(self) -> None:
        try:
            self.undo_everything()
        finally:
            transaction.set_rollback(True)
            self.block.__exit__(None, None, None)

    # what is compared

    def standings(self) -> str:
        return json.dumps(standings_lines(Event.objects.select_related("venue").get(pk=self.event.pk)))

    def record(self):
        return AuditEntry.objects.filter(event=self.event)

    def newest(self) -> Round | None:
        return self.event.rounds.order_by("-number").first()

    def games(self) -> list[Match]:
        last = self.newest()
        found = last.matches.filter(kind=Match.Kind.GAME).select_related("round__event", "a", "b") if last else []
        return sorted(found, key=lambda match: match.table or 0)

    def chosen(self, number: int) -> Entry:
        found = list(self.event.entries.order_by("number"))
        return found[number % len(found)]

    def attempt(self, act, **given) -> None:
        """Try an action; a refusal is fine, and must change nothing."""
        before = self.record().count()
        self.event.refresh_from_db()
        try:
            with transaction.atomic():
                act(by=self.by, **given)
        except (Refused, NeedsConfirmation, NoLegalRound):
            assert self.record().count() == before
        newest = self.record().order_by("-pk").first()
        if newest is not None and newest.pk != self.marks[-1][0]:
            self.marks.append((newest.pk, self.standings()))

    # actions

    @rule()
    def register(self) -> None:
        self.attempt(entries.add_entry, event=self.event, name="Late Player", declares=True, checked_in=True)

    @rule(number=NUMBERS)
    def check_in(self, number: int) -> None:
        self.attempt(entries.check_in, entry=self.chosen(number))

    @rule(number=NUMBERS)
    def drop(self, number: int) -> None:
        self.attempt(entries.drop_entry, entry=self.chosen(number), confirmed=True)

    @rule(number=NUMBERS)
    def come_back(self, number: int) -> None:
        self.attempt(entries.return_entry, entry=self.chosen(number), confirmed=True)

    @rule(again=st.booleans())
    def pair(self, again: bool) -> None:
        told = {"allow_rematch": True, "confirmed": True, "reason": "All have met"} if again else {}
        self.attempt(rounds.draft_round, event=self.event, **told)

    @precondition(lambda self: self.newest() is not None)
    @rule(again=st.booleans())
    def discard_or_pair_again(self, again: bool) -> None:
        self.attempt(rounds.pair_again if again else rounds.discard_draft, round=self.newest(), confirmed=True)

    @precondition(lambda self: self.newest() is not None)
    @rule()
    def publish(self) -> None:
        self.attempt(rounds.publish_round, round=self.newest())

    @precondition(lambda self: self.newest() is not None)
    @rule()
    def unpublish(self) -> None:
        self.attempt(rounds.unpublish_round, round=self.newest(), confirmed=True, reason="Wrong list")

    @precondition(lambda self: self.newest() is not None)
    @rule(act=st.sampled_from([clock.start_preparation, clock.start_round, clock.pause, clock.resume]))
    def run_clock(self, act) -> None:
        self.attempt(act, round=self.newest())

    @precondition(lambda self: bool(self.games()))
    @rule(number=NUMBERS, winner=st.sampled_from("ab"))
    def report(self, number: int, winner: str) -> None:
        games = self.games()
        self.attempt(results.enter_result, match=games[number % len(games)], result=result(winner))

    @precondition(lambda self: bool(self.games()))
    @rule(winner=st.sampled_from("ab"))
    def report_all(self, winner: str) -> None:
        for match in self.games():
            self.attempt(results.enter_result, match=match, result=result(winner))

    @precondition(lambda self: bool(self.games()))
    @rule(number=NUMBERS, a=st.integers(0, 200), b=st.integers(0, 200))
    def correct(self, number: int, a: int, b: int) -> None:
        found = Match.objects.filter(round__event=self.event, kind=Match.Kind.GAME).select_related(
            "round__event", "a", "b"
        )
        games = list(found.order_by("pk"))
        a, b = (a, b) if a != b else (max(a, 1), max(a, 1) - 1)
        meant = result("a" if a > b else "b", a, b)
        self.attempt(
            results.correct_result, match=games[number % len(games)], result=meant, confirmed=True, reason="Slip found"
        )

    @precondition(lambda self: bool(self.games()))
    @rule(number=NUMBERS)
    def abandon(self, number: int) -> None:
        games = self.games()
        self.attempt(results.abandon_match, match=games[number % len(games)], side="b", confirmed=True)

    @precondition(lambda self: self.newest() is not None)
    @rule()
    def complete(self) -> None:
        self.attempt(rounds.complete_round, round=self.newest())

    @precondition(lambda self: self.newest() is not None)
    @rule()
    def reopen(self) -> None:
        self.attempt(rounds.reopen_round, round=self.newest(), confirmed=True, reason="A slip")

    @rule(end=st.booleans())
    def end_or_play_on(self, end: bool) -> None:
        act = rounds.finish_event if end else rounds.resume_event
        self.attempt(act, event=self.event, confirmed=True, reason="It is late")

    @precondition(lambda self: self.record().exists())
    @rule(back=st.integers(min_value=0, max_value=6))
    def undo(self, back: int) -> None:
        found = list(self.record().order_by("-pk")[: back + 1])
        self.attempt(undoing.undo, entry=found[-1], confirmed=True, reason="Undone")

    # invariants

    @invariant()
    def nobody_sits_twice(self) -> None:
        for row in self.event.rounds.all():
            seats = [pk for match in row.matches.all() for pk in (match.a_id, match.b_id) if pk]
            assert len(seats) == len(set(seats))
            tables = [match.table for match in row.matches.all() if match.table is not None]
            assert len(tables) == len(set(tables))

    @invariant()
    def rounds_follow_each_other(self) -> None:
        states = list(self.event.rounds.order_by("number").values_list("number", "state"))
        assert [number for number, _state in states] == list(range(1, len(states) + 1))
        for number, state in states[:-1]:
            following = dict(states)[number + 1]
            assert state == RS.COMPLETE or following == RS.DRAFT
        event = Event.objects.get(pk=self.event.pk)
        if any(state != RS.DRAFT for _number, state in states):
            assert event.state in (ES.RUNNING, ES.FINISHED)
        if event.state == ES.FINISHED:
            assert states[-1][1] == RS.COMPLETE

    @invariant()
    def whoever_plays_is_in_every_published_round(self) -> None:
        for row in self.event.rounds.exclude(state=RS.DRAFT):
            seated = {pk for match in row.matches.all() for pk in (match.a_id, match.b_id) if pk}
            for entry in self.event.entries.filter(state=Entry.State.CHECKED_IN):
                assert entry.pk in seated, f"{entry} is in no table of {row}"

    @invariant()
    def results_fit_their_rounds(self) -> None:
        for match in Match.objects.filter(round__event=self.event).select_related("round"):
            confirmed = match.state == Match.State.CONFIRMED
            assert confirmed == (match.result is not None) == (match.confirmed_at is not None)
            if match.round.state == RS.COMPLETE:
                assert confirmed
            if match.round.state == RS.DRAFT:
                assert not confirmed
                assert not match.claims.filter(counts=True).exists()
            if confirmed:
                assert match.claims.filter(counts=True).exists()

    @invariant()
    def the_standings_add_up(self) -> None:
        wins = 0
        for match in Match.objects.filter(round__event=self.event, state=Match.State.CONFIRMED):
            wins += match.kind == Match.Kind.BYE or bool(match.result and match.result.winner)
        shown = standings_lines(Event.objects.get(pk=self.event.pk))
        assert sum(line["columns"]["wins"]["exact"] for line in shown) == wins

    @invariant()
    def the_record_only_grows(self) -> None:
        length = self.record().count()
        assert length >= self.length
        self.length = length

    @invariant()
    def the_clock_is_right(self) -> None:
        for row in self.event.rounds.prefetch_related("clock_runs"):
            runs = list(row.clock_runs.all())
            assert sum(run.ended is None for run in runs) <= 1
            assert not any(run.ended is not None and run.ended < run.began for run in runs)
            begun = any(run.phase == ClockRun.Phase.ROUND or run.phase == ClockRun.Phase.PREPARATION for run in runs)
            if row.state == RS.DRAFT:
                assert not runs
            if begun and row.state == RS.PUBLISHED:
                pytest.fail("a clock ran in a round that has not begun")
            if row.state == RS.COMPLETE:
                assert all(run.ended is not None for run in runs)
            stored = clock.clock_of(row)
            assert (
                read(stored, row.published_at or self.event.starts).remaining
                <= row.round_seconds + row.preparation_seconds
            )

    # at the end

    def undo_everything(self) -> None:
        """Undo action by action; after each undo the standings are as they were before that action."""
        marks = dict(self.marks)
        straight = not self.record().filter(undoes__isnull=False).exists()
        for _turn in range(500):
            gone = undoing.undone_by(self.event)
            acts = self.record().filter(undoes=None).exclude(pk__in=gone).order_by("-pk")
            row = acts.first()
            if row is None:
                break
            if straight and row.pk in marks:
                assert self.standings() == marks[row.pk], f"as it was after: {row}"
            first = next(iter(undoing.in_the_way(row)), row)
            with transaction.atomic():
                undoing.undo(by=self.by, entry=first, confirmed=True, reason="End")
        else:
            pytest.fail("undoing everything never ends")
        assert self.standings() == self.marks[0][1], "undoing everything returns the standings"
        assert not self.event.rounds.exists()
        assert set(self.event.entries.values_list("state", flat=True)) <= {
            Entry.State.CHECKED_IN,
            Entry.State.WITHDRAWN,
        }


PHASES = (Phase.explicit, Phase.generate)
QUIETLY = {"deadline": None, "suppress_health_check": list(HealthCheck), "print_blob": True, "phases": PHASES}


@pytest.mark.django_db
def test_an_evening_at_random():
    evenings = 4 if connection.vendor == "sqlite" else 2
    chosen = settings(max_examples=evenings, stateful_step_count=18, derandomize=True, **QUIETLY)
    run_state_machine_as_test(Evening, settings=chosen)


@pytest.mark.soak
@pytest.mark.django_db
def test_many_evenings_at_random():
    chosen = settings(max_examples=150, stateful_step_count=60, **QUIETLY)
    run_state_machine_as_test(Evening, settings=chosen)
