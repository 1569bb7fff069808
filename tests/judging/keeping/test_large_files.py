"""Large event files are read and imported in a separate process, with the same pages and refusals as small ones."""

import pytest

from events import live
from events.models import AuditEntry, Event
from events.roles import SITE
from judging.keeping import moving, uploaded
from judging.models import Move, Snapshot
from rules import apart as module
from tests.events.simulation import play
from tests.judging.keeping.test_forged_files import IMPORT, running, token_in, upload

__all__ = ["running"]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def large(monkeypatch, settings):
    """Treat every file as large, and give the processes that read it this process's signing key."""
    monkeypatch.setattr(uploaded, "is_small", lambda _content: False)
    monkeypatch.setenv("SECRET_KEY", settings.SECRET_KEY)


def test_an_older_file_asks_for_a_reason_goes_back_and_can_be_undone(running, staff, large, monkeypatch, settings):
    settings.SNAPSHOTS_KEPT = 5
    heard = []
    monkeypatch.setattr(live, "LISTENERS", [lambda *word: heard.append(word)])
    old = moving.export_event(by=SITE, event=running)
    play(staff.actor("head_judge"), running.rounds.get())
    heard.clear()
    client = staff.client("office")
    shown = upload(client, old)
    assert "older than the event on this machine" in shown.content.decode()
    assert "Signed by this machine" in shown.content.decode()
    token = token_in(shown)
    asked = client.post(IMPORT, {"token": token, "confirmed": "yes"})
    assert asked.status_code == 409
    assert 'name="reason"' in asked.content.decode()
    assert not heard
    done = client.post(IMPORT, {"token": token, "confirmed": "yes", "reason": "The wrong round"})
    assert done.status_code == 302
    assert not running.rounds.get().matches.filter(kind="game", state="confirmed").exists()
    entry = AuditEntry.objects.get(event=running, verb="restore-event")
    assert (entry.by_person, entry.reason) == (staff.office, "The wrong round")
    assert Move.objects.filter(event=running, kind=Move.Kind.WENT_BACK).exists()
    assert Snapshot.objects.filter(event=running, verb="import-event", problem="").exists()
    assert [(event, number) for event, number, _topics in heard] == [(running.pk, live.newest(running))]
    assert client.get(done.url).status_code == 200
    assert client.post(IMPORT, {"token": token, "confirmed": "yes"}).status_code == 403


def test_while_another_file_is_read_one_is_asked_to_come_again(running, staff, large, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    content, events = moving.export_event(by=SITE, event=running), Event.objects.count()
    with module._LINES[module.FILES]:
        refused = upload(staff.client("office"), content)
    assert refused.status_code == 503
    assert refused["Retry-After"]
    assert "reading another file" in refused.content.decode()
    assert Event.objects.count() == events
