"""The background thread: only a process that serves the site receives changes."""

from types import SimpleNamespace

from events import live
from judging import background
from rules.apart import Stopped
from rules.standby import Standby


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
    assert "A separate process couldn't make the paper, so the server makes it itself: killed" in caplog.text
