"""An event as one file, moved from the venue's laptop to the office's server and back, without loss or duplicates."""

import dataclasses
import gzip
import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.formats import date_format

from events.door import NeedsConfirmation, Refused
from events.models import AuditEntry, Claim, Entry, Event, Match, Person, Round, Venue
from events.roles import SITE, Actor
from events.services import entries, rounds
from events.services.people import entry_link
from events.services.results import enter_result
from judging import demo
from judging.keeping import comparing, moving, placing
from judging.keeping.event_file import event_file
from judging.keeping.storage import digest
from judging.keeping.whole_file import BadFile, canonical, packed, read_file, whole_file
from judging.models import Move
from rules import uploads
from tests.conftest import client_of
from tests.events.simulation import play, play_round, players, result
from tests.factories import PersonFactory, VenueFactory

from .kept import counts, empty

pytestmark = pytest.mark.django_db


def bytes_of(event: Event) -> bytes:
    return whole_file(Event.objects.select_related("venue", "hall").get(pk=event.pk)).content()


def unsigned(content: bytes) -> bytes:
    """Return a file without its signatures: this part is the same on every machine."""
    document = json.loads(content)
    document.pop("signatures")
    return canonical(document)


@pytest.fixture
def running(staff):
    """An event in its second round: one player dropped, a draft was discarded, one entry has only an address."""
    by = staff.actor("head_judge")
    event = staff.event
    event.number_of_rounds = 4
    event.save()
    players(event, 7)
    Entry.objects.filter(number=2).update(email="two@example.org")
    Entry.objects.filter(number=3).update(person=PersonFactory(name="Petra Player", email="petra@example.org"))
    discarded = rounds.draft_round(by=by, event=event)
    rounds.discard_draft(by=by, round=discarded)
    play_round(by, event)
    entries.drop_entry(by=by, entry=Entry.objects.get(number=5), confirmed=True)
    second = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=second)
    match = Match.objects.filter(round=second, kind="game").first()
    enter_result(by=by, match=match, result=result("b"))
    event.refresh_from_db()
    return event


def test_a_file_is_the_same_however_often_it_is_written(running):
    assert bytes_of(running) == bytes_of(running)


def test_an_event_moved_to_another_machine_is_the_same_byte_for_byte(running):
    before, held = bytes_of(running), counts(running)
    empty()
    moving.import_event(by=SITE, document=read_file(before), vouched=True)
    there = Event.objects.get(public_id=running.public_id)
    assert bytes_of(there) == before
    assert counts(there) == held
    assert Entry.objects.get(event=there, number=3).person.email == "petra@example.org"


def test_every_event_of_the_demo_moves_without_loss():
    demo.load(lambda _text: None)
    files = {event.public_id: bytes_of(event) for event in Event.objects.all()}
    assert Claim.objects.count() > 50
    empty()
    for content in files.values():
        moving.import_event(by=SITE, document=read_file(packed(content)), vouched=True)
    for public_id, content in files.items():
        assert bytes_of(Event.objects.get(public_id=public_id)) == content


def test_the_audit_log_names_rows_by_their_keys_there(running):
    content = bytes_of(running)
    empty()
    moving.import_event(by=SITE, document=read_file(content), vouched=True)
    there = Event.objects.get(public_id=running.public_id)
    second = Round.objects.get(event=there, number=2)
    published = AuditEntry.objects.filter(event=there, verb="publish-round").order_by("pk").last()
    assert published.subject_id == second.pk
    assert {c["id"] for c in published.changes if c["model"] == "events.Round"} == {second.pk}
    made = AuditEntry.objects.filter(event=there, verb="draft-round").order_by("pk").last()
    seats = {(c["after"]["a_id"], c["after"]["b_id"]) for c in made.changes if c["model"] == "events.Match"}
    assert set(Match.objects.filter(round=second).values_list("a_id", "b_id")) == seats


def test_a_printed_link_leads_to_the_same_player_on_the_other_machine(running, settings):
    link = entry_link(Entry.objects.get(event=running, number=1))
    content = bytes_of(running)
    empty()
    settings.SECRET_KEY = "another machine's key"
    moving.import_event(by=SITE, document=read_file(content), vouched=True)
    answer = Client().get(link)
    assert (answer.status_code, answer.url) == (302, f"/events/{running.public_id}/entries/1/")


def test_people_and_venues_that_are_known_are_not_doubled(running):
    content = bytes_of(running)
    venue = running.venue
    empty()
    PersonFactory(email="Petra@Example.org".lower(), name="Petra P.")
    known = VenueFactory(name=venue.name.upper(), city=venue.city, country=venue.country)
    moving.import_event(by=SITE, document=read_file(content), vouched=True)
    assert Person.objects.filter(email__iexact="petra@example.org").count() == 1
    assert Venue.objects.filter(name__iexact=venue.name).count() == 1
    assert Event.objects.get(public_id=running.public_id).venue == known


def to_the_office(event: Event) -> bytes:
    return moving.hand_over(by=SITE, event=event, other="the laptop", confirmed=True)


def test_there_and_back_what_was_done_there_comes_back_and_nothing_is_doubled(running, staff):
    office = bytes_of(running)
    handed = to_the_office(running)
    keys = dict(Match.objects.filter(round__event=running).values_list("pk", "table"))
    with pytest.raises(Refused, match="the laptop"):
        entries.drop_entry(by=SITE, entry=Entry.objects.get(event=running, number=1), confirmed=True)
    saved = list(AuditEntry.objects.filter(event=running).order_by("pk").values_list("pk", "sentence", "facts"))
    # the laptop imports, plays on and hands back; played here with the same rows
    Event.objects.filter(pk=running.pk).update(away="")
    running.refresh_from_db()
    second = Round.objects.get(event=running, number=2)
    play(SITE, second)
    back = moving.hand_over(by=SITE, event=running, other="the office", confirmed=True)
    played = Match.objects.filter(round=second, state="confirmed").count()
    # the office's state when it handed over
    moves_before = json.loads(handed)
    set_to(running, moves_before)
    assert Match.objects.filter(round__event=running, state="confirmed").count() < played + 4
    found = moving.import_event(by=SITE, document=read_file(back))
    assert found.relation == "newer"
    running.refresh_from_db()
    assert running.away == ""
    assert bytes_of(running) == unsigned(back)
    assert Match.objects.filter(round__number=2, round__event=running, state="confirmed").count() == played
    assert dict(Match.objects.filter(round__event=running).values_list("pk", "table")) == keys
    assert (
        saved
        == list(AuditEntry.objects.filter(event=running).order_by("pk").values_list("pk", "sentence", "facts"))[
            : len(saved)
        ]
    )
    assert moving.import_event(by=SITE, document=read_file(back)).relation == "same"
    assert office != back


def set_to(event: Event, document: dict) -> None:
    """Set the rows to those of an older file, audit log included, as on another machine that held the event."""
    from judging.keeping import rows as graph

    document = read_file(canonical(document))
    found = comparing.plan(document)
    keys = placing.keys_for(found)
    wanted = placing.wanted_of(document, keys)
    placing.replace(graph.rows_of(event), wanted, keys)
    Event.objects.filter(pk=event.pk).update(away="the laptop")
    event.refresh_from_db()


def test_an_older_copy_asks_shows_the_difference_and_keeps_the_audit_log(running):
    old = bytes_of(running)
    play(SITE, Round.objects.get(event=running, number=2))
    rounds.complete_round(by=SITE, round=Round.objects.get(event=running, number=2))
    now = AuditEntry.objects.filter(event=running).count()
    with pytest.raises(NeedsConfirmation) as asked:
        moving.import_event(by=SITE, document=read_file(old), vouched=True)
    assert any("Round 2: complete → " in str(line) for line in asked.value.consequences)
    assert AuditEntry.objects.filter(event=running).count() == now
    moving.import_event(
        by=SITE, document=read_file(old), vouched=True, confirmed=True, reason="Wrong table typed everywhere"
    )
    assert Round.objects.get(event=running, number=2).state == Round.State.PUBLISHED
    assert AuditEntry.objects.filter(event=running).count() == now + 1
    told = event_file(Event.objects.get(pk=running.pk))
    assert [row["matches"] for row in told["rounds"]] == [row["matches"] for row in json.loads(old)["rounds"]]


def test_an_older_copy_is_known_again_where_many_entries_bear_one_moment():
    demo.load(lambda _text: None)
    event = Event.objects.get(state="running")
    old = bytes_of(event)
    assert len({(row.at, row.verb) for row in event.record.all()}) < event.record.count()
    match = Match.objects.filter(round__event=event, kind="game", state="open").first()
    enter_result(by=SITE, match=match, result=result("a"))
    before = list(Entry.objects.filter(event=event).values_list("pk", "state"))
    with pytest.raises(NeedsConfirmation):
        moving.import_event(by=SITE, document=read_file(old), vouched=True)
    moving.import_event(by=SITE, document=read_file(old), vouched=True, confirmed=True, reason="Wrong table")
    assert Match.objects.get(pk=match.pk).state == "open"
    assert list(Entry.objects.filter(event=event).values_list("pk", "state")) == before


def test_copies_that_diverged_are_not_written_over_each_other(running):
    shared = bytes_of(running)
    enter_one(running, "b")
    theirs = bytes_of(running)
    set_to(running, json.loads(shared))
    Event.objects.filter(pk=running.pk).update(away="")
    enter_one(running, "a")
    ours = bytes_of(running)
    with pytest.raises(Refused, match="changed on both machines") as told:
        moving.import_event(by=SITE, document=read_file(theirs), vouched=True, confirmed=True, reason="It must")
    assert "1 audit log entry is only on this machine" in str(told.value)
    at = running.record.first().at.astimezone(running.venue.zone)
    assert f"{date_format(at, 'D j N Y, H:i')} · " in str(told.value), "by the clock of the venue"
    assert bytes_of(running) == ours


def enter_one(event: Event, winner: str) -> None:
    match = Match.objects.filter(round__event=event, round__number=2, kind="game").exclude(state="confirmed").first()
    enter_result(by=SITE, match=match, result=result(winner))


def test_a_mere_copy_is_for_reading_until_it_is_taken_over(running):
    copy = bytes_of(running)
    empty()
    moving.import_event(by=SITE, document=read_file(copy), vouched=True)
    there = Event.objects.get(public_id=running.public_id)
    assert there.away
    with pytest.raises(Refused, match="handed over"):
        enter_one(there, "a")
    moving.take_back(by=SITE, event=there, confirmed=True, reason="The laptop is dead")
    enter_one(there, "a")
    assert Move.objects.filter(event=there).values_list("kind", flat=True).first() == "taken-back"


def other_table(text: bytes) -> bytes:
    document = json.loads(text)
    document["whole"]["rows"]["events.Match"][0]["table"] = 77
    return canonical(document)


@pytest.mark.parametrize(
    "spoil, told",
    [
        (lambda text: text[:-40], "JSON"),
        (lambda text: b"[1, 2]", "isn't a Headjudge event file"),
        (lambda text: canonical(json.loads(text) | {"version": 99}), "newer version"),
        (other_table, "Its content has changed"),
        (lambda text: gzip.compress(text)[:-30], "damaged"),
        (lambda text: b'{"format": "headjudge-event", "version": 1}', "can't be imported"),
    ],
)
def test_a_damaged_file_is_refused_and_changes_nothing(running, spoil, told):
    content = spoil(bytes_of(running))
    empty()
    with pytest.raises(BadFile, match=told):
        moving.import_event(by=SITE, document=read_file(content), vouched=True)
    assert not Event.objects.filter(public_id=running.public_id).exists()


def test_a_file_that_contradicts_itself_is_not_half_read(running):
    document = json.loads(bytes_of(running))
    match = document["whole"]["rows"]["events.Match"][0]
    document["whole"]["rows"]["events.Match"].append({**match, "n": match["n"] + 500})
    whole = {name: value for name, value in document["whole"].items() if name != "digest"}
    record = [[row["id"], row["changes"]] for row in document["record"]]
    document["whole"]["digest"] = digest(canonical({**whole, "record": record}))
    empty()
    with pytest.raises(BadFile, match="contradicts"):
        moving.import_event(by=SITE, document=read_file(canonical(document)), vouched=True)
    assert not Event.objects.filter(public_id=running.public_id).exists()


def test_the_commands_write_read_ask_and_hand_over(running, tmp_path):
    target = tmp_path / "event.json.gz"
    said = io.StringIO()
    call_command("export_event", running.public_id, str(target), hand_over="the office", stdout=said)
    assert "handed over to the office" in said.getvalue()
    with pytest.raises(CommandError, match="--force"):
        call_command("export_event", running.public_id, str(target), stdout=said)
    content = bytes_of(running)
    assert "it can still be edited here" not in said.getvalue()
    call_command("export_event", running.public_id, str(tmp_path / "copy.json"), stdout=said)
    assert "it can be edited only on another machine: the office" in said.getvalue()
    empty()
    call_command("import_event", str(target), stdout=said)
    there = Event.objects.get(public_id=running.public_id)
    assert there.away == ""
    assert bytes_of(there) == content
    assert "changepassword" in said.getvalue()
    old = tmp_path / "old.json"
    call_command("export_event", running.public_id, str(old), stdout=said)
    enter_one(there, "a")
    with pytest.raises(CommandError, match="older") as asked:
        call_command("import_event", str(old), stdout=said)
    assert "--force" in str(asked.value)
    call_command("import_event", str(old), force=True, reason="Typed wrongly", stdout=said)
    assert Match.objects.filter(round__event=there, round__number=2, kind="game", state="open").exists()


def test_only_those_who_run_the_event_get_the_file(running, staff):
    address = f"/events/{running.public_id}/"
    for who in ("head_judge", "manager", "office"):
        assert staff.client(who).get(address + "snapshots/").status_code == 200, who
    assert Client().get(address + "snapshots/").status_code == 403
    assert client_of(Person.objects.get(email="petra@example.org")).get(address + "snapshots/").status_code == 403
    assert staff.client("scorekeeper").post(address + "export/").status_code == 403
    file = staff.client("head_judge").post(address + "export/")
    assert read_file(file.content)["event"]["name"] == running.name


def test_an_event_is_handed_over_imported_and_taken_over_by_page(running, staff):
    judge, address = staff.client("head_judge"), f"/events/{running.public_id}/"
    asked = judge.post(address + "hand-over/", {"other": "the office", "version": running.version})
    assert asked.status_code == 409
    judge.post(address + "hand-over/", {"other": "the office", "version": running.version, "confirmed": "yes"})
    page = judge.get(address + "snapshots/").content.decode()
    assert "Handed over to the office" in page
    file = judge.post(address + "export/")
    assert file["Content-Disposition"].endswith('.json.gz"')
    upload = io.BytesIO(file.content)
    upload.name = "event.json.gz"
    shown = staff.client("office").post("/events/import/", {"file": upload})
    assert "is identical to the file" in shown.content.decode()
    taken = judge.post(
        address + "reclaim/", {"version": Event.objects.get().version, "confirmed": "yes", "reason": "Lost"}
    )
    assert taken.status_code == 302
    assert Event.objects.get(pk=running.pk).away == ""


def test_an_upload_asks_before_it_goes_back(running, staff):
    old = moving.export_event(by=Actor(person=staff.head_judge), event=running)
    enter_one(running, "a")
    office = staff.client("office")
    shown = office.post("/events/import/", {"file": named(old)})
    text = shown.content.decode()
    assert "older" in text
    assert "1 audit log entry is only on this machine" in text
    done = office.post("/events/import/", {"token": token_in(text), "confirmed": "yes", "reason": "Typed wrongly"})
    assert done.status_code == 302
    assert Match.objects.filter(round__event=running, round__number=2, kind="game", state="open").exists()


def test_an_older_file_of_a_verified_event_says_why_it_cannot_be_restored(running, staff):
    old = moving.export_event(by=Actor(person=staff.head_judge), event=running)
    enter_one(running, "a")
    Event.objects.filter(pk=running.pk).update(state="verified")
    page = staff.client("office").post("/events/import/", {"file": named(old)}).content.decode()
    assert "This file can't be restored now." in page
    assert "The results are verified. Withdraw the verification first, on the Finish and report page." in page
    assert "The following will change" not in page
    assert "Restore from file" not in page


def named(content: bytes) -> io.BytesIO:
    upload = io.BytesIO(content)
    upload.name = "event.json"
    return upload


def token_in(page: str) -> str:
    return page.split('name="token" value="')[1].split('"', maxsplit=1)[0]


def test_an_upload_that_is_too_large_or_of_another_kind_is_refused(staff, monkeypatch):
    office = staff.client("office")
    wrong = office.post("/events/import/", {"file": named(b"%PDF-1.7")})
    assert "isn&#x27;t a Headjudge event file" in wrong.content.decode()
    monkeypatch.setitem(uploads.LIMITS, "event-file", dataclasses.replace(uploads.LIMITS["event-file"], received=10))
    large = office.post("/events/import/", {"file": named(b"x" * 11)})
    assert "at most 10\xa0bytes" in large.content.decode()
