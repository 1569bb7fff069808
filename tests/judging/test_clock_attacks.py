"""The system clock is set twice, noticed late, or only seems to jump: round clocks and rate limits hold."""

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from events.models import Round
from events.services.clock import pause, reading_of, resume, start_round
from judging import background, clock_jumps
from judging.clock_jumps import JUMPS
from tests.events.test_unavailable import sqlite_fault

from .test_findings import _after_ten_minutes, round_, running, system

__all__ = ["round_", "running", "system"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def left(staff, round_):
    """Start the round, and return when its time ends, by the monotonic clock."""
    start_round(by=staff.actor("head_judge"), round=round_)
    _after_ten_minutes(round_)
    return over(round_)


@pytest.fixture
def worker(monkeypatch):
    monkeypatch.setattr(background, "TICK", 0.01)
    return background.Background()


@pytest.fixture
def passed(monkeypatch):
    """Return a function that lets seconds pass on the monotonic clock."""
    real, more = clock_jumps.elapsed, [0.0]
    for place in (clock_jumps, background):
        monkeypatch.setattr(place, "elapsed", lambda: real() + more[0])

    def let_pass(seconds):
        more[0] += seconds

    return let_pass


def over(round_):
    return reading_of(Round.objects.get(pk=round_.pk)).remaining + clock_jumps.elapsed()


@pytest.mark.parametrize("first", [40, -40, 3600])
def test_a_clock_set_wrong_and_back_within_a_minute(left, round_, system, worker, first):
    for seconds in (first, -first):
        system.set_by(seconds)
        worker.turn(0.0)
        assert abs(over(round_) - left) < 1


def test_a_process_that_was_busy_for_minutes_notices_the_same_jump(left, round_, system, passed):
    quick, slow = background.Background(), background.Background()
    system.set_by(3600)
    seen = JUMPS.difference
    quick.turn(0.0)
    assert abs(over(round_) - left) < 1
    passed(100)
    system.set_by(100)  # the time that has passed
    JUMPS.difference = seen  # the other process hasn't looked yet
    slow.turn(0.0)
    assert abs(over(round_) - left) < 1


def test_an_interval_begun_since_is_left_by_a_process_that_notices_late(staff, left, round_, system, passed, worker):
    system.set_by(-3600)
    pause(by=staff.actor("head_judge"), round=round_)
    resume(by=staff.actor("head_judge"), round=round_)
    now = over(round_)
    passed(60)
    system.set_by(60)
    worker.turn(0.0)
    assert abs(over(round_) - now) < 1


def test_a_jump_met_while_the_database_was_locked_is_followed_later(left, round_, system, worker, monkeypatch):
    def locked(**_given):
        raise sqlite_fault("SQLITE_BUSY", "database is locked")

    system.set_by(3600)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(background, "follow_server_clock", locked)
        with pytest.raises(OperationalError):
            worker.turn(0.0)
    worker.turn(0.0)
    assert abs(over(round_) - left) < 1


def test_a_process_stopped_between_two_looks_at_clocks_has_seen_no_jump(monkeypatch, system, passed):
    JUMPS.forget()
    read, stopped = clock_jumps.time.time, [True]

    def stopped_after():
        found = read()
        if stopped.pop() if stopped else False:
            passed(30)
            system.set_by(30)
        return found

    monkeypatch.setattr(clock_jumps.time, "time", stopped_after)
    assert JUMPS.look() == 0.0
    assert not JUMPS.noted


def test_wrong_passwords_counted_in_the_future_lock_no_one_until_then(staff, system, worker):
    staff.judge.set_password("three-action-tokens")
    staff.judge.save()
    sign_in, typed = reverse("account_login"), {"login": staff.judge.email, "password": "wrong"}
    system.set_by(86400)
    worker.turn(0.0)
    for _n in range(6):
        answer = Client().post(sign_in, typed)
    assert "Too many" in answer.content.decode()
    system.set_by(-86400)
    worker.turn(0.0)
    assert Client().post(sign_in, typed | {"password": "three-action-tokens"}).status_code == 302
