"""Snapshots before each step that is hard to reverse, restoring them, and paper after publishing."""

import datetime
import gc
import html
import io
import json
import re
import weakref

import pytest
from django.test import Client
from django.utils import timezone, translation
from pypdf import PdfReader

from events.models import AuditEntry, Entry, Event, Force, Match, Round
from events.services import entries, rounds
from events.services.clock import start_preparation
from judging import background
from judging.keeping import bundles, snapshots, storage
from judging.keeping.event_file import event_file
from judging.models import Bundle, Erasure, Snapshot
from tests.events.simulation import play, players
from tests.factories import EntryFactory, PersonFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _kept(settings, tmp_path):
    settings.DATA_DIR, settings.SNAPSHOTS_KEPT = tmp_path, 40


@pytest.fixture
def by(staff):
    return staff.actor("head_judge")


@pytest.fixture
def event(staff):
    staff.event.number_of_rounds = 5
    staff.event.save()
    players(staff.event, 6)
    return staff.event


def published(event, by) -> Round:
    made = rounds.draft_round(by=by, event=event)
    return rounds.publish_round(by=by, round=made)


def state_of(event) -> dict:
    """Return what the event file says about the event, without its history and date."""
    told = json.loads(json.dumps(event_file(Event.objects.get(pk=event.pk)), default=str))
    return {name: value for name, value in told.items() if name not in ("record", "event")} | {
        "state": told["event"]["state"]
    }


def test_one_is_taken_before_each_publishing_completing_and_verifying(event, by, staff):
    made = published(event, by)
    assert [one.verb for one in Snapshot.objects.all()] == ["publish-round"]
    play(by, made)
    rounds.complete_round(by=by, round=made)
    rounds.finish_event(by=by, event=event, confirmed=True)
    from judging.services.finish import verify_event

    verify_event(by=by, event=event)
    verbs = list(Snapshot.objects.order_by("pk").values_list("verb", flat=True))
    assert verbs == ["publish-round", "complete-round", "finish-event", "verify-event"]
    for one in Snapshot.objects.all():
        assert storage.digest(storage.place(one.file).read_bytes()) == one.sha256


def test_a_refused_action_takes_no_snapshot_and_nothing_new_takes_no_second(event, by, staff):
    made = rounds.draft_round(by=by, event=event)
    staff.client("manager").post(f"/events/{event.public_id}/rounds/1/publish/")
    assert not Snapshot.objects.exists()
    for _n in range(3):
        snapshots.take(event, Snapshot.Why.BY_HAND)
    assert Snapshot.objects.count() == 1
    rounds.publish_round(by=by, round=made)
    assert Snapshot.objects.count() == 1


@pytest.mark.parametrize("why", ["moment", "before"])
def test_two_servers_that_look_at_once_keep_one_snapshot_and_one_file(event, by, settings, monkeypatch, why):
    published(event, by)
    Snapshot.objects.all().delete()
    real = snapshots.whole_file

    def meanwhile(row):
        monkeypatch.setattr(snapshots, "whole_file", real)
        snapshots.take(row, Snapshot.Why.MOMENT)  # the other process was faster
        return real(row)

    before = set(storage.place(storage.SNAPSHOTS).rglob("*.gz"))
    monkeypatch.setattr(snapshots, "whole_file", meanwhile)
    made = snapshots.take(event, why, "verify-event" if why == "before" else "")
    assert list(Snapshot.objects.all()) == [made]
    assert made.verb == ("verify-event" if why == "before" else ""), "kept for good where it has to be"
    (file,) = set(storage.place(storage.SNAPSHOTS).rglob("*.gz")) - before
    assert file == storage.place(made.file)


def test_one_that_was_being_written_during_an_erasure_is_not_kept(event, by):
    published(event, by)
    Snapshot.objects.all().delete()
    steps = snapshots.taking(event.pk, "before", "verify-event")
    next(steps)
    Erasure.objects.create(person=PersonFactory(), mark="")
    list(steps)
    made = Snapshot.objects.get()
    assert (made.file, made.problem) == ("", "someone's data was erased while the snapshot was being taken")
    newest = f"entry-{AuditEntry.objects.latest('pk').pk:010d}"
    assert not [one for one in storage.place(storage.SNAPSHOTS).rglob("*.gz") if one.name.startswith(newest)]


def test_going_back_restores_everything_as_a_new_entry_after_showing_what_changes(event, by, staff):
    first = published(event, by)
    start_preparation(by=by, round=first)
    play(by, first)
    rounds.complete_round(by=by, round=first)
    second = rounds.draft_round(by=by, event=event)
    was = state_of(event)
    rounds.publish_round(by=by, round=second)
    snapshot = Snapshot.objects.get(verb="publish-round", label="2:draft")
    assert snapshot.state_words == "Round 2, draft"
    with translation.override("fr"):
        assert snapshot.state_words == "Ronde 2, brouillon"
    assert Snapshot(label="5.2:running").state_words == "Final · Round 5, running"
    play(by, second)
    entries.drop_entry(by=by, entry=Entry.objects.get(number=2), confirmed=True)
    entries_before = AuditEntry.objects.filter(event=event).count()
    judge = staff.client("head_judge")
    address = f"/events/{event.public_id}/snapshots/{snapshot.pk}/"
    page = judge.get(address).content.decode()
    assert "Round 2: published → draft" in page
    assert "Round 2 becomes a draft again. Players won't see its 3 pairings (" in html.unescape(page)
    assert "→" in page, "who changes places in the standings is named"
    assert "Round 2: the results change at tables 1, 2, 3" in page
    assert "Removed: 3 result reports." in page
    assert re.search(r"Changed back: [^.]*\b3 tables\b[^.]*\b1 round\b", page)
    assert state_of(event) != was
    version = Event.objects.get(pk=event.pk).version
    without = judge.post(address, {"version": version, "confirmed": "yes"})
    assert without.status_code == 409
    assert judge.post(address, {"version": version - 1, "confirmed": "yes", "reason": "No"}).status_code in (302, 409)
    done = judge.post(address, {"version": version, "confirmed": "yes", "reason": "Wrong round published"})
    assert done.status_code == 302
    assert state_of(event) == was
    newest = AuditEntry.objects.filter(event=event).first()
    assert (newest.verb, newest.by_person, newest.is_non_standard) == ("restore-event", staff.head_judge, True)
    assert newest.changes
    assert AuditEntry.objects.filter(event=event).count() == entries_before + 1
    again = Snapshot.objects.filter(verb="restore-event").first()
    snapshots.restore(by=by, event=event, snapshot=again, confirmed=True, reason="And forward again")
    assert Match.objects.filter(round__number=2, state="confirmed").count() == 3
    assert Entry.objects.get(number=2).state == Entry.State.DROPPED


def test_a_form_from_before_the_way_back_is_stale(event, by):
    made = published(event, by)
    snapshot = snapshots.take(event, Snapshot.Why.BY_HAND)
    match = Match.objects.filter(round=made).first()
    versions = {match.version}
    play(by, made)
    match.refresh_from_db()
    versions.add(match.version)
    snapshots.restore(by=by, event=event, snapshot=snapshot, confirmed=True, reason="Once more")
    match.refresh_from_db()
    assert match.state == Match.State.OPEN
    assert match.version not in versions


def test_later_entries_stay_withdrawn_with_their_force(event, by):
    snapshot = snapshots.take(event, Snapshot.Why.BY_HAND)
    late = EntryFactory(event=event, number=99, fixed_table=3, person=PersonFactory())
    Force.objects.create(entry=late, total=200)
    entries.withdraw_entry(by=by, entry=Entry.objects.get(number=1))
    snapshots.restore(by=by, event=event, snapshot=snapshot, confirmed=True, reason="Once more")
    late.refresh_from_db()
    assert (late.state, late.fixed_table) == (Entry.State.WITHDRAWN, None)
    assert Force.objects.filter(entry=late).exists()
    assert Entry.objects.get(number=1).state == Entry.State.CHECKED_IN


def test_restoring_what_already_holds_says_so_and_the_log_names_the_day_in_words(event, by, staff):
    made = published(event, by)
    one = snapshots.take_by_hand(by=by, event=event)
    page = staff.client("head_judge").get(f"/events/{event.public_id}/snapshots/{one.pk}/").content.decode()
    assert "Nothing will change" in page
    assert "Restore snapshot</button>" not in page
    play(by, made)
    snapshots.restore(by=by, event=event, snapshot=one, confirmed=True, reason="To be sure")
    day = f"{timezone.localtime(one.made, event.venue.zone):%d %B %Y, %H:%M}".lstrip("0")
    assert f" {day} restored (Round 1, published)" in AuditEntry.objects.get(verb="restore-event").words


def test_a_damaged_snapshot_is_reported_and_not_used(event, by, staff):
    published(event, by)
    one = Snapshot.objects.get()
    storage.place(one.file).write_bytes(b"\x1f\x8b nothing")
    page = staff.client("head_judge").get(f"/events/{event.public_id}/snapshots/{one.pk}/")
    assert page.status_code == 403
    assert "the file is damaged" in page.content.decode()


def test_a_full_disk_stops_no_publishing_and_is_reported(event, by, staff, monkeypatch):
    def full(*_given, **_named):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(storage, "write", full)
    made = published(event, by)
    assert made.state == Round.State.PUBLISHED
    page = staff.client("head_judge").get(f"/events/{event.public_id}/snapshots/").content.decode()
    assert "the disk is full" in page


def test_only_so_many_are_kept_and_each_is_copied_to_the_second_place(event, by, settings, tmp_path):
    settings.SNAPSHOTS_KEPT, settings.COPY_DIR = 3, str(tmp_path / "stick")
    for number in range(1, 7):
        Entry.objects.filter(number=number).update(club=f"Club {number}")
        AuditEntry.objects.create(event=event, verb="change-entry", summary=f"{number}")
        snapshots.take(event, Snapshot.Why.BY_HAND)
    kept = list(Snapshot.objects.all())
    assert len(kept) == 3
    for root in (tmp_path, tmp_path / "stick"):
        files = sorted(root.joinpath(storage.SNAPSHOTS, event.public_id).glob("*.json.gz"))
        assert [one.name for one in files] == sorted(one.file.rsplit("/", 1)[1] for one in kept)


def test_while_the_event_runs_one_is_taken_at_most_every_minute(event, by):
    published(event, by)
    now = timezone.now()
    assert not snapshots.take_if_due(event, now)
    later = now + datetime.timedelta(seconds=61)
    assert snapshots.take_if_due(event, later)
    assert Snapshot.objects.latest("pk").why == Snapshot.Why.MOMENT


def test_others_see_no_snapshots_and_scorekeepers_restore_none(event, by, staff):
    published(event, by)
    one = Snapshot.objects.get()
    address = f"/events/{event.public_id}/snapshots/"
    assert Client().get(address).status_code == 403
    desk = staff.client("scorekeeper")
    assert desk.get(address).status_code == 200
    assert desk.get(f"{address}{one.pk}/").status_code == 403
    assert desk.get(f"{address}{one.pk}/file/").status_code == 403
    assert staff.client("head_judge").get(f"{address}{one.pk}/file/").status_code == 200


# paper


def words(content: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages).split())


def test_the_paper_of_a_published_round_is_made_and_kept(event, by, staff):
    made = published(event, by)
    bundles.ask_for_missing(event, site="https://headjudge.example")
    assert Bundle.objects.get().state == Bundle.State.WAITING
    assert bundles.make_waiting() == 1
    bundle = Bundle.objects.get()
    assert bundle.state == Bundle.State.MADE
    text = words(storage.read(storage.place(bundle.file), bundle.sha256))
    for wanted in (
        "Pairings: Round 1",
        "By name",
        "By table",
        "signature",
        "Standings",
        "Round 1: open tables",
        "Player 006",
    ):
        assert wanted in text, wanted
    assert bundles.make_waiting() == 0
    answer = staff.client("scorekeeper").get(f"/events/{event.public_id}/rounds/{made.number}/bundle.pdf")
    assert answer.content == storage.read(storage.place(bundle.file))


def test_missing_or_damaged_paper_is_made_on_demand(event, by, staff):
    published(event, by)
    address = f"/events/{event.public_id}/rounds/1/bundle.pdf"
    first = staff.client("judge").get(address)
    assert first.content.startswith(b"%PDF")
    bundle = Bundle.objects.get()
    storage.place(bundle.file).unlink()
    assert staff.client("judge").get(address).content.startswith(b"%PDF")
    storage.place(bundle.file).write_bytes(b"half")
    assert staff.client("judge").get(address).content.startswith(b"%PDF")
    assert Client().get(address).status_code == 403


def test_reseated_tables_have_new_paper(event, by):
    made = published(event, by)
    bundles.ask_for_missing(event)
    bundles.make_waiting()
    one, two = list(made.matches.order_by("table"))[:2]
    rounds.right_tables(by=by, round=made, first=one, second=two, opponent=two.a, reason="Sat down wrongly")
    bundles.ask_for_missing(event)
    assert Bundle.objects.filter(state="waiting").count() == 1
    bundles.make_waiting()
    assert Bundle.objects.filter(state="made").count() == 2


def test_failed_paper_is_reported_and_tried_again(event, by, staff, monkeypatch):
    published(event, by)
    bundles.ask_for_missing(event)

    def broken(*_given, **_named):
        raise ValueError("no such letter")

    with monkeypatch.context() as patched:
        patched.setattr(bundles, "bundle_pdf", broken)
        bundles.make_waiting()
    page = staff.client("judge").get(f"/events/{event.public_id}/snapshots/").content.decode()
    assert "no such letter" in page
    assert bundles.make_waiting() == 0
    Bundle.objects.update(began=timezone.now() - datetime.timedelta(minutes=1))
    assert bundles.make_waiting() == 1
    assert Bundle.objects.get().state == Bundle.State.MADE


def test_paper_begun_by_a_process_that_is_gone_is_taken_up(event, by):
    published(event, by)
    bundles.ask_for_missing(event)
    Bundle.objects.update(began=timezone.now(), attempts=1)
    assert bundles.make_waiting() == 0
    Bundle.objects.update(began=timezone.now() - bundles.LEASE)
    assert bundles.make_waiting() == 1


def test_the_thread_makes_paper_and_a_snapshot_after_a_notification(event, by):
    published(event, by)
    thread = background.Background()
    thread.asked.put((event.pk, True, "https://headjudge.example"))
    thread.turn(swept=0.0)
    assert Bundle.objects.get().state == Bundle.State.MADE
    assert Snapshot.objects.filter(why=Snapshot.Why.AFTER, label__contains="published").count() == 1


def test_a_sweep_finds_rounds_whose_paper_no_one_asked_for(event, by):
    published(event, by)
    background.sweep()
    assert Bundle.objects.get().state == Bundle.State.MADE


def test_the_next_process_takes_the_snapshot_that_a_dead_one_missed(event, by, monkeypatch):
    round_ = published(event, by)
    Snapshot.objects.update(made=timezone.now() - datetime.timedelta(hours=1))
    kept = Snapshot.objects.count()
    monkeypatch.setattr(background, "TICK", 0.01)
    background.Background().turn(swept=-background.SWEEP)
    assert Snapshot.objects.latest("pk").record_entry == AuditEntry.objects.filter(event=event).latest("pk").pk
    assert Snapshot.objects.count() == kept + 1
    assert snapshots.events_behind() == set()
    start_preparation(by=by, round=round_)
    assert snapshots.events_behind() == {event.pk}


def test_a_kept_file_is_whole_or_not_there(tmp_path, monkeypatch):
    path = tmp_path / "one"
    storage.write(path, b"first")

    def broken(*_given):
        raise OSError("power")

    monkeypatch.setattr(storage.os, "replace", broken)
    with pytest.raises(OSError, match="power"):
        storage.write(path, b"second")
    assert path.read_bytes() == b"first"
    assert [one.name for one in tmp_path.iterdir()] == ["one"]
    with pytest.raises(storage.Damaged):
        storage.place("..", "..", "etc")


def test_the_page_says_of_each_snapshot_what_had_happened_and_what_came_next(event, by, staff):
    made = published(event, by)
    play(by, made)
    rounds.complete_round(by=by, round=made)
    page = html.unescape(staff.client("head_judge").get(f"/events/{event.public_id}/snapshots/").content.decode())
    before = re.findall(r"before: ([^<]+?)\s*<small>\s*(.+?) · last action: (.+?)\s*</small>", page)
    assert [(row[0], row[1]) for row in before] == [
        ("Complete round", "Round 1, published"),
        ("Publish round", "Round 1, draft"),
    ]
    assert "table 3: result entered as Player" in before[0][2], "the last result was entered"
    assert before[1][2].startswith("Round 1 paired"), before


def test_the_page_asks_no_more_for_more_snapshots(event, by, staff, django_assert_max_num_queries):
    published(event, by)
    client = staff.client("head_judge")
    client.get(f"/events/{event.public_id}/snapshots/")
    for n in range(30):
        Snapshot.objects.create(event=event, made=timezone.now(), why="moment", label=str(n))
    with django_assert_max_num_queries(22):
        client.get(f"/events/{event.public_id}/snapshots/")


def test_once_a_minute_what_holds_only_itself_is_let_go(event, monkeypatch):
    class Ring:
        def __init__(self):
            self.itself = self

    ring = weakref.ref(Ring())
    monkeypatch.setattr(background, "sweep", lambda: None)
    monkeypatch.setattr(background, "TICK", 0.01)
    gc.disable()
    try:
        background.Background().turn(swept=-background.SWEEP)
    finally:
        gc.enable()
    assert ring() is None
