"""The background thread: only a process that serves the site receives changes."""

from types import SimpleNamespace

import pytest
from django.utils import timezone

from events import live
from judging import background
from judging.keeping import bundles
from judging.models import Bundle
from rules.standby import Standby
from tests.factories import EventFactory


def test_a_process_is_told_of_changes_once_it_serves(monkeypatch, settings):
    settings.BACKGROUND_WORK = True
    own = background.Background()
    monkeypatch.setattr(background, "BACKGROUND", own)
    monkeypatch.setattr(background.Background, "run", lambda _self: None)
    monkeypatch.setattr(Standby, "start", lambda _self: None)
    monkeypatch.setattr(live, "LISTENERS", [])
    background.on_change(7, 1, frozenset({"pairings"}))
    assert own.asked.empty()
    own.start()
    own.start()
    [listener] = live.LISTENERS
    listener(7, 1, frozenset({"pairings"}))
    listener(8, 2, frozenset({"clock"}))
    assert [own.asked.get_nowait()[:2] for _ in range(2)] == [(7, True), (8, False)]
    listener(None, 3, frozenset())
    assert own.asked.empty()


class Beside:
    """A process beside the server that notes the jobs it is given, and may refuse them or lose them."""

    def __init__(self, monkeypatch, *, takes: bool = True, loses: bool = False):
        self.given, self.takes, self.loses, self.is_running = [], takes, loses, True
        monkeypatch.setattr(background, "STANDBY", self)

    def begin(self, function, *args, lost):
        if self.takes:
            self.given.append((function, *args))
        if self.loses:
            lost()
        return self.takes


def test_paper_that_the_process_beside_the_server_lost_is_logged(monkeypatch, caplog):
    Beside(monkeypatch, loses=True)
    assert background.begun_beside(SimpleNamespace(pk=1))
    assert "The process beside the server ended before the printouts were made" in caplog.text


@pytest.mark.django_db
def test_a_serving_process_leaves_paper_to_the_one_beside_it(monkeypatch):
    event = EventFactory()
    Bundle.objects.create(event=event, round_number=1, of="a", asked=timezone.now())
    asked = []
    monkeypatch.setattr(background.BACKGROUND, "thread", SimpleNamespace())
    monkeypatch.setattr(background.bundles, "make_waiting", asked.append)
    beside = Beside(monkeypatch)
    background.sweep()
    background.make_paper(event)
    assert beside.given == [(bundles.making, None), (bundles.making, event.pk)]
    assert asked == []
    beside = Beside(monkeypatch, takes=False)
    assert not background.make_paper(event)
    assert asked == [], "while it is busy, the paper waits"
    beside.is_running = False
    assert background.make_paper(event)
    assert asked == [event], "where there is no such process, the server makes it"
    beside = Beside(monkeypatch)
    Bundle.objects.update(state=Bundle.State.MADE)
    background.make_paper()
    assert beside.given == [], "no job is given for nothing"


@pytest.mark.django_db
def test_the_job_makes_the_paper_of_its_event_once_it_goes_on(monkeypatch):
    event, asked = EventFactory(), []
    monkeypatch.setattr(bundles, "make_waiting", asked.append)
    for pk in (event.pk, None):
        steps = bundles.making(pk)
        next(steps)
        assert not asked
        assert list(steps) == []
        assert asked.pop() == (event if pk else None)
