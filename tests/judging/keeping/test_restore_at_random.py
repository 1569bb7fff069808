"""The random evening of tests/events/test_state_machine.py with snapshots, any of which may be restored."""

from __future__ import annotations

import pytest
from django.db import transaction
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule, run_state_machine_as_test

from judging.keeping import snapshots
from tests.events.test_state_machine import QUIETLY, Evening


class EveningWithSnapshots(Evening):
    """The invariants also hold after restoring, and the standings are byte for byte what they were."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[tuple] = []

    def teardown(self) -> None:
        try:
            if self.kept:
                self.go_back(0)
                assert self.standings() == self.marks[0][1], "the first snapshot returns the standings"
        finally:
            transaction.set_rollback(True)
            self.block.__exit__(None, None, None)

    @initialize()
    def keep_the_beginning(self) -> None:
        self.keep()

    @rule()
    def keep(self) -> None:
        made = snapshots.take(self.event, snapshots.Why.BY_HAND)
        self.kept.append((made, self.standings()))

    @precondition(lambda self: len(self.kept) > 1)
    @rule(which=st.integers(0, 20))
    def go_back(self, which: int) -> None:
        snapshot, standings = self.kept[which % len(self.kept)]
        self.event.refresh_from_db()
        with transaction.atomic():
            snapshots.restore(by=self.by, event=self.event, snapshot=snapshot, confirmed=True, reason="Back")
        self.event.refresh_from_db()
        assert self.standings() == standings


@pytest.fixture(autouse=True)
def _all_are_kept(monkeypatch):
    monkeypatch.setattr(snapshots, "tidy", lambda _event: None)


@pytest.mark.django_db
def test_an_evening_with_snapshots_at_random():
    chosen = settings(max_examples=4, stateful_step_count=20, derandomize=True, **QUIETLY)
    run_state_machine_as_test(EveningWithSnapshots, settings=chosen)


@pytest.mark.soak
@pytest.mark.django_db
def test_many_evenings_with_snapshots_at_random():
    chosen = settings(max_examples=100, stateful_step_count=50, **QUIETLY)
    run_state_machine_as_test(EveningWithSnapshots, settings=chosen)
