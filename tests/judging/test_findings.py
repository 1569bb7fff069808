"""Server problems are reported: in one list, on the console, on the administrator's page and at `/health/details/`."""

import datetime
import re
import time

import pytest
from django.utils import timezone

from events import clock as clocks
from events.models import AuditEntry, Event, Round
from events.services.clock import clock_of, pause, reading_of, resume, start_round
from judging import background, clock_jumps, findings
from judging.clock_jumps import JUMPS, Jump
from judging.findings import Disk, EventKept, ServerFacts, judge
from judging.keeping import backups, bundles, snapshots
from judging.models import Bundle, Snapshot
from tests.events.simulation import players
from tests.factories import RoundFactory

HOUR = datetime.timedelta(hours=1)
AT = datetime.datetime(2026, 3, 7, 13, 5, tzinfo=datetime.UTC)


@pytest.fixture
def system(monkeypatch):
    """The system's clocks: `set_by` sets the wall clock, nothing sets the monotonic one."""

    class System:
        ahead = 0.0

        def set_by(self, seconds):
            self.ahead += seconds

    now, wall, system = timezone.now, time.time, System()
    monkeypatch.setattr(timezone, "now", lambda: now() + datetime.timedelta(seconds=system.ahead))
    monkeypatch.setattr(clock_jumps.time, "time", lambda: wall() + system.ahead)
    JUMPS.forget()
    yield system
    monkeypatch.undo()
    JUMPS.forget()


@pytest.mark.parametrize(
    ("facts", "names"),
    [
        (ServerFacts(), []),
        (ServerFacts(events=(EventKept("x", "Saturday", 30.0),)), []),
        (ServerFacts(events=(EventKept("x", "Saturday", 900.0),)), ["snapshot-old"]),
        (ServerFacts(events=(EventKept("x", "Saturday", 900.0, "No space left on device"),)), ["snapshot-failed"]),
        (ServerFacts(papers=(("x", "Saturday", 5, 2),)), ["paper-failed"]),
        (ServerFacts(silent_for=60.0), []),
        (ServerFacts(silent_for=4000.0), ["worker-dead"]),
        (ServerFacts(jumps=(Jump(AT, -3600.0, 0.0),)), ["clock-jumped"]),
        (ServerFacts(newest_ahead=3600.0), ["clock-behind"]),
        (ServerFacts(disks=(Disk("data", 10**12), Disk("copies", None))), ["missing-copies"]),
        (ServerFacts(disks=(Disk("data", 10**7), Disk("database", 4 * 10**8))), ["disk-data", "disk-database"]),
        (ServerFacts(waiting={"readers": 150, "writers": 60}), ["queue-long"]),
        (ServerFacts(has_history=True), ["backup-none"]),
        (ServerFacts(has_history=True, backup_age=3600.0), []),
        (ServerFacts(has_history=True, backup_age=400_000.0), ["backup-old"]),
        (ServerFacts(has_history=True, backup_age=60.0, backup_problem="the disk is full"), ["backup-failed"]),
    ],
)
def test_each_fact_has_its_finding(settings, facts, names):
    settings.SNAPSHOTS_KEPT = 40
    found = judge(facts)
    assert [one.name for one in found] == names
    assert all(one.sentence.endswith(".") and "%(" not in one.sentence for one in found)


def test_urgent_findings_come_first_and_times_are_in_the_venues_zone(settings):
    settings.SNAPSHOTS_KEPT = 40
    found = judge(ServerFacts(jumps=(Jump(AT, 3600.0, 0.0),), disks=(Disk("data", 0),)), datetime.timezone(HOUR))
    assert [one.name for one in found] == ["disk-data", "clock-jumped"]
    assert "14:05" in found[1].sentence
    assert "set forward by 1 hour at" in found[1].sentence


@pytest.fixture
def running(staff, settings, tmp_path):
    settings.DATA_DIR, settings.SNAPSHOTS_KEPT = tmp_path, 40
    players(staff.event, 4)
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
    staff.event.refresh_from_db()
    return staff.event


@pytest.fixture
def round_(running):
    return RoundFactory(event=running, number=1, state=Round.State.PUBLISHED, preparation_seconds=0, round_seconds=3000)


def _told(answer):
    return re.findall(
        r'<section class="card" aria-labelledby="server-findings">.*?</section>', answer.content.decode(), re.S
    )


def _full(*_given, **_named):
    raise OSError(28, "No space left on device")


@pytest.mark.django_db
def test_a_failed_snapshot_is_shown_to_its_judges_and_administrators_only(staff, running, monkeypatch):
    with monkeypatch.context() as now:
        now.setattr("judging.keeping.storage.write", _full)
        snapshots.take(running, Snapshot.Why.MOMENT)
    address = f"/events/{running.public_id}/console/"
    for who in ("head_judge", "judge"):
        assert "the disk is full" in _told(staff.client(who).get(address))[0]
    assert _told(staff.client("scorekeeper").get(address)) == []
    assert "the disk is full" in _told(staff.client("office").get("/office/"))[0]
    names = [one["name"] for one in staff.client("office").get("/health/details/").json()["findings"]]
    assert names[0] == "snapshot-failed"


@pytest.mark.django_db
def test_a_change_without_a_snapshot_for_long_is_reported(staff, running, round_, system):
    start_round(by=staff.actor("head_judge"), round=round_)
    assert [one.name for one in judge(findings.look()) if one.event] == []
    system.set_by(900)
    (found,) = (one for one in judge(findings.look()) if one.event)
    assert (found.name, found.event) == ("snapshot-old", running.public_id)
    snapshots.take(running, Snapshot.Why.MOMENT)
    assert [one.name for one in judge(findings.look()) if one.event] == []


@pytest.mark.django_db
def test_the_state_of_the_last_backup_is_reported(running, staff, monkeypatch):
    assert "backup-none" not in [one.name for one in judge(findings.look())]
    with monkeypatch.context() as now:
        now.setattr(backups, "verify", _full)
        with pytest.raises(OSError, match="No space"):
            backups.back_up(portable=True)
    assert "backup-failed" in [one.name for one in judge(findings.look())]
    backups.back_up(portable=True)
    assert not [one.name for one in judge(findings.look()) if one.name.startswith("backup")]


@pytest.mark.django_db
def test_the_facts_cost_three_queries_and_are_kept_for_ten_seconds(running, django_assert_num_queries):
    with django_assert_num_queries(3):
        findings.findings()
        findings.findings()


@pytest.mark.django_db
def test_a_dead_thread_is_reported_and_restarted(monkeypatch, settings):
    settings.BACKGROUND_WORK = True
    worker = background.Background()
    monkeypatch.setattr(worker, "run", lambda: None)
    assert worker.silent_for() is None
    worker.start()
    worker.thread.join()
    worker.beat -= 4000
    assert worker.silent_for() > 3999
    worker.start()
    assert worker.silent_for() < 3999


# clock changes


@pytest.mark.django_db
@pytest.mark.parametrize("seconds", [-86400, -3600, 3600, 86400])
def test_snapshots_go_on_and_the_newest_sorts_last_whatever_the_clock_says(staff, running, round_, system, seconds):
    by = staff.actor("head_judge")
    taken = []
    for act in (start_round, pause, resume, pause):
        act(by=by, round=round_)
        system.set_by(61)
        assert snapshots.take_if_due(running, timezone.now())
        taken.append(Snapshot.objects.latest("pk"))
        system.set_by(seconds)
    assert len({one.pk for one in taken}) == 4
    assert sorted(one.file for one in taken) == [one.file for one in taken]
    assert list(Snapshot.objects.all()) == taken[::-1] == sorted(taken, key=lambda one: -one.pk)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seconds", [-86400, -3600, -30, 30, 3600, 86400])
def test_a_running_round_loses_and_wins_no_time_when_the_clock_is_set(staff, running, round_, system, seconds):
    start_round(by=staff.actor("head_judge"), round=round_)
    system.set_by(0)
    left = _after_ten_minutes(round_)
    system.set_by(seconds)
    worker = background.Background()
    worker.asked.put((running.pk, False, ""))
    worker.turn(time.monotonic())
    round_.refresh_from_db()
    assert abs(reading_of(round_).remaining - left) < 5
    for other in (background.Background(), background.Background()):  # another process noticed the same jump
        background.follow_clock(seconds)
        other.asked.put((running.pk, False, ""))
    assert abs(reading_of(round_).remaining - left) < 5
    assert AuditEntry.objects.filter(verb="run-clock", by_person=None).count() == 1
    told = _told(staff.client("head_judge").get(f"/events/{running.public_id}/console/"))[0]
    assert clocks.in_words(abs(seconds)) in told
    assert ("back" if seconds < 0 else "forward") in told
    page = staff.client("head_judge").get(f"/events/{running.public_id}/clock/")
    assert page.status_code == 200


def _after_ten_minutes(round_):
    """Let the round have run for ten minutes, and return the time left."""
    run = round_.clock_runs.get()
    run.began -= datetime.timedelta(minutes=10)
    run.save()
    return reading_of(round_).remaining


@pytest.mark.django_db
@pytest.mark.parametrize("seconds", [-86400, -3600, 3600, 86400])
def test_a_paused_round_shows_what_is_left_whatever_the_clock_says(staff, round_, system, seconds):
    by = staff.actor("head_judge")
    start_round(by=by, round=round_)
    _after_ten_minutes(round_)
    pause(by=by, round=round_)
    left = reading_of(round_).seconds
    system.set_by(seconds)
    assert reading_of(Round.objects.get(pk=round_.pk)).seconds == left
    resume(by=by, round=round_)
    assert reading_of(Round.objects.get(pk=round_.pk)).seconds in (left, left - 1)


@pytest.mark.django_db
def test_a_clock_set_back_while_the_server_was_stopped_is_reported(staff, running, round_, system):
    start_round(by=staff.actor("head_judge"), round=round_)
    system.set_by(-3600)
    JUMPS.forget()
    assert "clock-behind" in [one.name for one in judge(findings.look())]
    assert clock_of(round_).is_running
    assert reading_of(round_).digits == "50:00"


@pytest.mark.django_db
def test_paper_left_by_a_process_that_is_gone_is_made_though_the_clock_was_set_back(running, round_, system):
    bundle = bundles.ask(round_)
    Bundle.objects.filter(pk=bundle.pk).update(began=timezone.now(), attempts=1)
    assert bundles.make_waiting(running) == 0
    system.set_by(-3600)
    assert bundles.make_waiting(running) == 1


@pytest.mark.django_db
def test_the_backup_just_made_is_kept_though_its_name_is_old(settings, tmp_path, system):
    settings.DATA_DIR, settings.BACKUPS_KEPT = tmp_path, 2
    backups.back_up(portable=True)
    backups.back_up(portable=True)
    system.set_by(-86400)
    assert backups.back_up(portable=True).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("seconds", [-86400, 86400])
def test_people_stay_signed_in_and_no_page_breaks(staff, running, system, seconds):
    client = staff.client("head_judge")
    client.post("/theme/", {"theme": "dark"})
    system.set_by(seconds)
    for address in (f"/events/{running.public_id}/console/", f"/events/{running.public_id}/sign-in-code/", "/"):
        assert client.get(address).status_code == 200
    assert client.get("/accounts/sign-in-code/").status_code in (200, 302, 404)
