"""Attacks by files from a paired machine, from a formerly paired one, and about erased people.

Each test plays an attack over HTTP: the attacker has a key that this installation trusts, or a file that it wrote.
"""

import gzip
import json
import os

import pytest
from django.test import Client
from django.utils import timezone

from events.models import AuditEntry, Entry, Event, Person, SignInCode
from events.roles import SITE, Actor
from judging import background
from judging.keeping import erasure, machines, moving, signatures, snapshots, storage
from judging.keeping.whole_file import canonical
from judging.models import PairedMachine, Snapshot, TableDispute
from rules import shelf
from rules.models import SavedDispute
from tests.judging.keeping.test_forged_files import (  # noqa: F401 - includes a fixture
    IMPORT,
    bytes_of,
    forged,
    import_copy,
    new_keys,
    running,
    token_in,
    upload,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(running):  # noqa: F811
    return running


def signed_by_a_pair(event: Event, change=None, *, public_id: str = "forged-event") -> bytes:
    """Return a forged file signed by a paired machine: the owner of its laptop has its key."""
    if not PairedMachine.objects.exists():
        machines.pair(by=SITE, name="The laptop")
    key = bytes.fromhex(PairedMachine.objects.get().secret)
    document = json.loads(forged(event, change, public_id=public_id))
    told = storage.digest(canonical(document))
    return canonical(document | {"signatures": [{"key": signatures._known_as(key), "mac": signatures._mac(key, told)}]})


def import_signed(client: Client, content: bytes, **more: str):
    shown = upload(client, content)
    assert "Signed by The laptop" in shown.content.decode(), shown.content.decode()[-2000:]
    return client.post(IMPORT, {"token": token_in(shown), "confirmed": "yes", **more})


def number_of(document: dict, person: Person) -> int:
    emails = [one["email"] for one in document["whole"]["people"]]
    return emails.index(person.email) + 1


def tells(verb: str, *changes: dict):
    """Return a function that gives a file this last audit log entry, with these rows."""

    def change(document: dict) -> None:
        new_keys(document)
        row, told = document["whole"]["rows"]["events.RecordEntry"][-1], document["record"][-1]
        row |= {"verb": verb, "subject_model": "", "subject_id": None}
        told |= {"verb": verb, "changes": [one(document) if callable(one) else one for one in changes]}

    return change


def test_no_act_in_a_file_makes_an_administrator_by_being_undone(event, staff):
    """The attack: a manager forges an entry, imports it with the laptop's key, and undoes it here."""
    powers = {"is_office": True, "is_staff": True, "is_superuser": True}
    change = tells(
        "open-event",
        lambda document: {
            "model": "events.Person",
            "id": number_of(document, staff.head_judge),
            "before": powers,
            "after": dict.fromkeys(powers, False),
        },
    )
    client = staff.client("manager")
    assert import_signed(client, signed_by_a_pair(event, change)).status_code == 403
    assert not Event.objects.filter(public_id="forged-event").exists()


def test_no_act_in_a_file_writes_rows_of_another_kind(event, staff):
    client = staff.client("manager")
    facts = {"event_id": 1, "file": "secret_key", "user_id": 1, "email": "me@example.org", "verified": True}
    for label in ("judging.Snapshot", "account.EmailAddress", "events.venuemanager", "no.Model", "x"):
        change = tells("open-event", {"model": label, "id": 1, "before": facts, "after": None})
        assert import_signed(client, signed_by_a_pair(event, change)).status_code == 403, label
    assert not Event.objects.filter(public_id="forged-event").exists()


def test_no_act_in_a_file_makes_a_sign_in_code_by_being_undone(event, staff):
    change = tells(
        "open-event",
        lambda document: {
            "model": "events.SignInCode",
            "id": 1,
            "before": {"event_id": 1, "person_id": number_of(document, staff.head_judge), "code_hash": "mine"},
            "after": None,
        },
    )
    client = staff.client("manager")
    assert import_signed(client, signed_by_a_pair(event, change)).status_code == 302
    copy = Event.objects.get(public_id="forged-event")
    given = {"confirmed": "yes", "reason": "Why not", "version": copy.version}
    assert client.post("/events/forged-event/reclaim/", given).status_code == 302
    entry = copy.record.get(verb="open-event")
    undone = client.post(f"/events/forged-event/audit-log/{entry.pk}/", {"confirmed": "yes", "reason": "Why not"})
    assert undone.status_code == 403
    assert "This can&#x27;t be undone. Revoke the code" in undone.content.decode()
    assert not SignInCode.objects.exists()


def dispute_facts(**given: object) -> dict:
    moment = "2020-01-01T00:00:00+00:00"
    told = {"public_id": "forgedone", "key": "mine", "edition": "car-2002", "title": "Stolen", "document": {}}
    told |= {"version": 99, "question": "", "answer": "", "ready": "", "waiting": [], "branches": [], "etiquette": []}
    told |= {"return_to": "", "time_zone": "", "past": [], "released_at": None}
    return told | {"began_at": moment, "changed_at": moment} | given


def has_dispute(**given: object):
    def change(document: dict) -> None:
        new_keys(document)
        document["whole"]["disputes"] = [dispute_facts(**given)]

    return change


def test_a_signed_file_changes_no_dispute_of_another_event(event, staff):
    other = SavedDispute.objects.create(edition="car-2002", document={}, title="Of another event")
    key = other.key
    content = signed_by_a_pair(event, has_dispute(public_id=other.public_id))
    assert import_signed(staff.client("manager"), content).status_code == 302
    other.refresh_from_db()
    assert (other.title, other.key, other.version) == ("Of another event", key, 1)


NO_DISPUTES = [
    {"return_to": "javascript:alert(1)"},
    {"return_to": "//evil.example/"},
    {"edition": "nonsense"},
    {"public_id": "a/b"},
    {"released_at": "2020-01-01T00:00:00+00:00"},
    {"released_at": "2020-01-01T00:00:00+00:00", "document": {"edition": "car-2002", "sides": [5]}},
]


def test_a_signed_file_brings_no_dispute_that_pages_cant_show(event, staff):
    client = staff.client("manager")
    for given in NO_DISPUTES:
        assert import_signed(client, signed_by_a_pair(event, has_dispute(**given))).status_code == 403, given
    assert not SavedDispute.objects.exists()
    assert Client().get("/rules/training/").status_code == 200


def test_a_dispute_of_a_copy_takes_the_training_from_no_one(event, staff):
    """The attack: a dispute with an invalid position comes with a copy, and the owner of its key releases it."""
    match = event.rounds.get().matches.filter(kind="game").first()
    here = SavedDispute.objects.create(
        edition="car-2002", document=next(iter(shelf.ready_disputes().values())).position
    )
    TableDispute.objects.create(match=match, key=here.public_id, opened_by=staff.judge, opened=timezone.now())

    def change(document: dict) -> None:
        document["whole"]["disputes"][0]["document"] = {"edition": "car-2002", "sides": [5]}

    copy = import_copy(staff.client("manager"), forged(event, change))
    row = SavedDispute.objects.get(public_id=TableDispute.objects.get(match__round__event=copy).key)
    anyone = Client()
    anyone.post(row.judging_address(), {"do": "release:yes", "version": row.version, "key": row.key})
    row.refresh_from_db()
    assert row.released_at is None
    assert anyone.get("/rules/training/").status_code == 200


def test_a_signed_file_brings_no_event_without_an_address(event, staff):
    client = staff.client("manager")
    for public_id in ("a/b", "../../../tmp/x", "x" * 17, "x\r\ny", "<b>"):
        content = signed_by_a_pair(event, new_keys, public_id=public_id)
        assert import_signed(client, content).status_code == 403, public_id
    assert Event.objects.get() == event
    for page in ("/", "/events/", f"/venues/{event.venue_id}/", f"/venues/{event.venue_id}/calendar.ics"):
        assert Client().get(page).status_code == 200


# the present audit log


def goes_on(document: dict) -> None:
    """Append an entry to a file's audit log, as the machine that continues the event does."""
    rows = document["whole"]["rows"]["events.RecordEntry"]
    row = rows[-1] | {"n": rows[-1]["n"] + 1, "at": "2090-01-01T00:00:00+00:00", "undoes_id": None, "summary": "Later"}
    document["record"].append(document["record"][-1] | {"id": row["n"], "at": row["at"], "summary": "Later"})
    rows.append(row)


def test_a_newer_file_of_a_paired_machine_rewords_no_entry_that_is_here(event, staff):
    def rewords(document: dict) -> None:
        goes_on(document)
        row, told = document["whole"]["rows"]["events.RecordEntry"][0], document["record"][0]
        row |= {"summary": "Nothing happened", "reason": "Honestly", "as_role": "office"}
        told |= {"summary": "Nothing happened", "changes": []}

    before = list(AuditEntry.objects.filter(event=event).order_by("pk").values())
    content = signed_by_a_pair(event, rewords, public_id="")
    shown = upload(staff.client("manager"), content).content.decode()
    assert "1 audit log entry differs in the file. This machine keeps its own version:" in shown
    assert AuditEntry.objects.get(pk=before[0]["id"]).words in shown
    assert import_signed(staff.client("manager"), content).status_code == 302
    after = list(AuditEntry.objects.filter(event=event).order_by("pk").values())
    assert after[: len(before)] == before
    assert [row["summary"] for row in after[len(before) :]] == ["Later"]


def test_no_file_puts_an_entry_between_those_that_are_here(event, staff):
    def slips_in(document: dict) -> None:
        goes_on(document)
        for rows in (document["whole"]["rows"]["events.RecordEntry"], document["record"]):
            rows.insert(1, rows.pop())
            for number, row in enumerate(rows, 1):
                row["n" if "n" in row else "id"] = number

    before = list(AuditEntry.objects.filter(event=event).order_by("pk").values())
    shown = upload(staff.client("manager"), signed_by_a_pair(event, slips_in, public_id="")).content.decode()
    assert "1 audit log entry is only in the file:" in shown
    assert 'name="token"' not in shown, "it isn't offered for import"
    assert list(AuditEntry.objects.filter(event=event).order_by("pk").values()) == before


# erased people


@pytest.fixture
def petra(event) -> Person:
    person = Person.objects.get(email="petra@example.org")
    person.name, person.email = "Petra Perlmutter", "erased.petra@example.org"  # sorts like the replacement
    person.save()
    Entry.objects.filter(person=person).update(name=person.name)
    return person


def test_an_erased_person_does_not_come_back_with_an_old_file(event, staff, petra):
    old = moving.export_event(by=SITE, event=event)
    Event.objects.update(state="cancelled")
    erasure.erase_person(by=staff.actor("office"), person=petra, confirmed=True, reason="Asked by letter")
    assert b"Perlmutter" not in bytes_of(event)
    AuditEntry.objects.create(verb="announce", event=event, summary="Later")
    client = staff.client("manager")
    done = client.post(IMPORT, {"token": token_in(upload(client, old)), "confirmed": "yes", "reason": "Asked"})
    assert done.status_code == 302
    now = bytes_of(event)
    assert b"Perlmutter" not in now
    assert b"petra@" not in now
    assert event.entries.get(person=petra).name == erasure.new_name(petra)


def test_an_erased_person_does_not_come_back_from_a_paired_machine(event, staff, petra):
    def played_on(document: dict) -> None:
        rows = document["whole"]["rows"]["events.RecordEntry"]
        row = rows[-1] | {"n": rows[-1]["n"] + 1, "at": "2090-01-01T00:00:00+00:00", "undoes_id": None}
        document["record"].append(document["record"][-1] | {"id": row["n"], "at": row["at"], "summary": "Later"})
        rows.append(row | {"summary": "Petra Perlmutter won"})

    newer = signed_by_a_pair(event, played_on, public_id="")
    Event.objects.update(state="cancelled")
    erasure.erase_person(by=staff.actor("office"), person=petra, confirmed=True, reason="Asked by letter")
    assert import_signed(staff.client("manager"), newer).status_code == 302
    now = bytes_of(event)
    assert b" won" in now
    assert b"Perlmutter" not in now
    assert b"petra@" not in now


def test_a_snapshot_forgets_an_address_that_was_never_confirmed(event, staff, petra, settings):
    settings.SNAPSHOTS_KEPT = 5
    made = snapshots.take(event, Snapshot.Why.BY_HAND)
    Event.objects.update(state="cancelled")
    erasure.erase_person(by=Actor(person=petra), person=petra, confirmed=True, reason="Mine")
    made.refresh_from_db()
    kept = gzip.decompress(storage.place(made.file).read_bytes())
    assert b"Perlmutter" not in kept
    assert b"petra@" not in kept


def test_a_file_that_was_uploaded_and_never_imported_is_forgotten(event, staff):
    folder = storage.place(storage.WAITING)
    before = set(folder.glob("*"))
    upload(staff.client("manager"), forged(event))
    (kept,) = set(folder.glob("*")) - before
    background.sweep()
    assert kept.exists()
    long_ago = timezone.now().timestamp() - background.WAITING_KEPT - 60
    os.utime(kept, (long_ago, long_ago))
    background.sweep()
    assert not kept.exists()


def test_a_full_stick_keeps_no_halves(tmp_path, settings, monkeypatch):
    settings.DATA_DIR, settings.COPY_DIR = tmp_path / "data", str(tmp_path / "stick")
    path = storage.place("snapshots", "one.json.gz")
    storage.write(path, b"Petra Perlmutter")

    def full(*_given: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(storage.shutil, "copyfileobj", full)
    assert "No space left" in storage.copy_out(path)
    assert not [one for one in (tmp_path / "stick").rglob("*") if one.is_file()]
