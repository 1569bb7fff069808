"""The background thread: only a process that serves the site receives changes."""

from types import SimpleNamespace

import pytest
from django.utils import timezone

from events import live
from judging import background
from judging.models import Bundle
from rules.apart import Busy, Stopped
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


def test_paper_that_no_separate_process_could_make_is_logged(monkeypatch, caplog):
    def fails(*_given, **_named):
        raise Stopped("killed")

    monkeypatch.setattr(background, "apart", fails)
    assert not background.made_apart(SimpleNamespace(pk=1))
    assert "A separate process couldn't make the printouts, so the server makes them itself: killed" in caplog.text


@pytest.mark.django_db
def test_a_serving_process_leaves_paper_to_another_one_also_while_that_one_is_busy(monkeypatch):
    def busy(*_given, **_named):
        raise Busy("printing")

    event = EventFactory()
    Bundle.objects.create(event=event, round_number=1, of="a", asked=timezone.now())
    asked = []
    monkeypatch.setattr(background.BACKGROUND, "thread", SimpleNamespace())
    monkeypatch.setattr(background.bundles, "make_waiting", asked.append)
    monkeypatch.setattr(background, "apart", busy)
    background.make_paper()
    assert asked == []
    monkeypatch.setattr(background, "apart", lambda _function, of, **_named: asked.append(of))
    background.sweep()
    assert asked == [None]
    background.make_paper(event)
    assert asked == [None, event.pk]
    Bundle.objects.update(state=Bundle.State.MADE)
    background.make_paper()
    assert asked == [None, event.pk], "no process is started for nothing"
