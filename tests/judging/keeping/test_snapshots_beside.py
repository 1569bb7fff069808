"""Snapshots written by a process beside the server: each shows the moment before its step, whatever happens then."""

import pytest
from django.db import transaction

from events.models import AuditEntry, Round
from events.services import rounds
from events.services.undo import undo
from judging.keeping import snapshots
from judging.models import Snapshot
from rules.standby import Standby
from tests.events.simulation import play, players
from tests.rules.test_standby import PATIENCE, two_steps, until

from .test_snapshots import state_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def process():
    made = Standby()
    made.start()
    until(lambda: made.answers)
    yield made
    made.end()


@pytest.fixture
def beside(settings, tmp_path, monkeypatch, process):
    settings.DATA_DIR, settings.SNAPSHOTS_KEPT = tmp_path, 40
    monkeypatch.setattr(snapshots, "STANDBY", process)
    yield process
    assert process.wait(PATIENCE)


@pytest.fixture
def by(staff):
    return staff.actor("head_judge")


@pytest.fixture
def event(staff):
    players(staff.event, 6)
    return staff.event


def hold_up(beside, folder) -> None:
    """Let later jobs begin, but not finish until a file `go` is in the folder."""
    assert beside.begin(two_steps, str(folder), "first", lost=print)


def test_one_written_after_the_next_results_shows_the_moment_before(beside, event, by, staff, tmp_path):
    drafted = rounds.draft_round(by=by, event=event)
    was = state_of(event)
    hold_up(beside, tmp_path)
    rounds.publish_round(by=by, round=drafted)
    play(by, drafted)
    assert not Snapshot.objects.exists()
    (tmp_path / "go").touch()
    page = staff.client("head_judge").get(f"/events/{event.public_id}/snapshots/").content.decode()
    assert "before: Publish round" in page, "the page waits until it is written"
    made = Snapshot.objects.get()
    assert (made.verb, made.label) == ("publish-round", "1:draft")
    snapshots.restore(by=by, event=event, snapshot=made, confirmed=True, reason="Wrong round")
    assert state_of(event) == was
    assert beside.wait(PATIENCE)
    assert Snapshot.objects.filter(verb="restore-event").exists()
    drafted.refresh_from_db()
    with transaction.atomic():  # what this transaction has written can't be seen from beside it
        AuditEntry.objects.create(event=event, verb="change-entry", summary="")
        rounds.publish_round(by=by, round=drafted)
        assert Snapshot.objects.latest("pk").record_entry == AuditEntry.objects.order_by("-pk")[1].pk


def test_a_database_whose_readers_hold_up_writers_is_never_read_beside_the_server(event, monkeypatch):
    assert snapshots.readers_let_write()
    monkeypatch.setattr(snapshots, "readers_let_write", lambda: False)
    assert list(snapshots.taking_beside(event.pk, Snapshot.Why.BEFORE, "publish-round")) == []
    assert not Snapshot.objects.exists()


def test_if_its_process_is_killed_the_page_says_so_and_the_step_can_be_undone(beside, event, by, staff, tmp_path):
    drafted = rounds.draft_round(by=by, event=event)
    was = state_of(event)
    hold_up(beside, tmp_path)
    rounds.publish_round(by=by, round=drafted)
    beside.process.kill()  # the last test that needs it
    assert beside.wait(PATIENCE)
    page = staff.client("head_judge").get(f"/events/{event.public_id}/snapshots/").content.decode()
    assert "the process that was writing it failed" in page
    assert not list((tmp_path / "snapshots").rglob("*.gz"))
    undo(by=by, entry=AuditEntry.objects.get(verb="publish-round"), confirmed=True, reason="Wrong round")
    assert state_of(event) == was
    taken = Snapshot.objects.get(verb="undo")
    assert snapshots.document_of(taken)["rounds"][0]["state"] == Round.State.PUBLISHED, "taken by the request itself"
