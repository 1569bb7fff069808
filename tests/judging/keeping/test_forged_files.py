"""Forged event files: no one gets a role, an account or an event through one.

Each test plays an attack over HTTP: a stranger, a head judge or a manager uploads files that they wrote.
"""

import gzip
import io
import json
import re

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from events.models import AuditEntry, Entry, Event, Official, Person, PolicyOverride, Role, Venue, VenueManager
from events.roles import SITE, Actor
from events.services import rounds
from events.services.people import entry_link
from judging.keeping import erasure, machines, moving, signatures, snapshots, storage
from judging.keeping.personal import records_of
from judging.keeping.whole_file import canonical, packed, read_file, whole_file
from judging.models import Call, Move, PairedMachine, Snapshot, TableDispute
from judging.services import calls
from rules.models import SavedDispute
from tests.conftest import client_of
from tests.events.simulation import play, players
from tests.factories import PersonFactory, VenueFactory

pytestmark = pytest.mark.django_db
IMPORT = "/events/import/"
VENUE_FACTS = (
    "name",
    "kind",
    "public_location",
    "city",
    "country",
    "shipping_address",
    "telephone",
    "time_zone",
    "tables",
)


@pytest.fixture
def running(staff):
    """An event in its first round, with two players who have an account or an address and two without."""
    VenueManager.objects.update(confirmed=timezone.now())
    event = staff.event
    players(event, 4)
    Entry.objects.filter(event=event, number=1).update(person=PersonFactory(name="Petra", email="petra@example.org"))
    Entry.objects.filter(event=event, number=2).update(email="Two@example.org")
    made = rounds.draft_round(by=staff.actor("head_judge"), event=event)
    rounds.publish_round(by=staff.actor("head_judge"), round=made)
    event.refresh_from_db()
    return event


def bytes_of(event: Event) -> bytes:
    return whole_file(Event.objects.select_related("venue", "hall").get(pk=event.pk)).content()


def written_elsewhere(event: Event) -> bytes:
    """Return the event's file as written by a machine whose key is unknown here."""
    with override_settings(SECRET_KEY="another's key"):
        return moving.export_event(by=SITE, event=event)


def forged(event: Event, change=None, *, public_id: str = "forged-event") -> bytes:
    """Return a file altered by someone without a key, with a correct digest."""
    document = json.loads(bytes_of(event))
    rows = document["whole"]["rows"]
    if public_id:
        document["event"]["public_id"] = rows["events.Event"][0]["public_id"] = public_id
    if change is not None:
        change(document)
    return resealed(document)


def resealed(document: dict) -> bytes:
    whole = {name: value for name, value in document["whole"].items() if name != "digest"}
    record = [[row["id"], row["changes"]] for row in document["record"]]
    document["whole"]["digest"] = storage.digest(canonical({**whole, "record": record}))
    return canonical(document)


def upload(client: Client, content: bytes, **more: str):
    file = io.BytesIO(content)
    file.name = "event.json"
    return client.post(IMPORT, {"file": file, **more})


def token_in(page) -> str:
    return page.content.decode().split('name="token" value="')[1].split('"', maxsplit=1)[0]


def import_copy(client: Client, content: bytes, **more: str) -> Event:
    """Import a file as a copy, as the form does, and return the event."""
    shown = upload(client, content)
    assert "Not signed" in shown.content.decode()
    done = client.post(IMPORT, {"token": token_in(shown), "as": "copy", **more})
    assert done.status_code == 302, done.content.decode()[-2000:]
    return Event.objects.get(public_id=done.url.split("/")[2])


def everything() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Person, Venue, Event, Official, Entry, AuditEntry, VenueManager))


# taking over accounts


def names_the_administrator(staff):
    def change(document: dict) -> None:
        rows, people = document["whole"]["rows"], document["whole"]["people"]
        head = next(row for row in rows["events.Official"] if row["role"] == "head-judge")
        people[head["person_id"] - 1]["email"] = staff.office.email

    return change


def test_a_stranger_with_a_venue_that_waits_imports_nothing(running, staff):
    """The attack: sign up, register a venue, import a file that names someone, sign in as them."""
    content = forged(running, names_the_administrator(staff))
    stranger = PersonFactory(name="Mallory")
    client = client_of(stranger)
    told = {name: getattr(running.venue, name) for name in VENUE_FACTS} | {"name": "Mallory's shop"}
    assert client.post("/venues/register/", told).status_code == 302
    VenueManager.objects.update(confirmed=timezone.now())
    assert stranger.managing.get().venue.state == "pending"
    before = everything()
    assert client.get(IMPORT).status_code == 403
    refused = upload(client, content)
    assert refused.status_code == 403
    assert "manager of an approved venue" in refused.content.decode()
    assert everything() == before
    code = client.post("/events/forged-event/sign-in-code/", {"email": staff.office.email})
    assert code.status_code == 404


@pytest.mark.parametrize("who", ["head_judge", "judge", "scorekeeper"])
def test_officials_import_nothing(running, staff, who):
    before = everything()
    assert staff.client(who).get(IMPORT).status_code == 403
    assert upload(staff.client(who), forged(running)).status_code == 403
    assert upload(staff.client(who), moving.export_event(by=SITE, event=running)).status_code == 403
    assert everything() == before


@pytest.mark.parametrize("state", ["pending", "refused", "suspended"])
def test_the_manager_of_a_venue_that_isnt_approved_imports_nothing(running, staff, state):
    signed = moving.export_event(by=SITE, event=running)
    Venue.objects.update(state=state)
    before = everything()
    for content in (forged(running), signed):
        assert upload(staff.client("manager"), content).status_code == 403
    assert everything() == before


def test_a_forged_file_gives_a_role_to_no_one_and_an_account_nothing(running, staff):
    victim = PersonFactory(name="Victoria", email="victoria@example.org")
    people = Person.objects.count()

    def change(document: dict) -> None:
        rows, named = document["whole"]["rows"], document["whole"]["people"]
        names_the_administrator(staff)(document)
        stranger = next(row for row in rows["events.Official"] if row["role"] == "judge")
        named[stranger["person_id"] - 1] |= {"email": "nobody-here@example.org", "name": "Nobody Here"}
        taken = next(row for row in rows["events.Entry"] if row["number"] == 1)
        named[taken["person_id"] - 1]["email"] = victim.email
        rows["events.Entry"][2]["email"] = staff.manager.email
        for row in rows["events.Official"]:
            row["accepted"] = row["confirmed"] = "2020-01-01T00:00:00+00:00"
        for entry in document["record"]:
            entry["changes"] = [
                {"model": "events.Person", "id": 1, "before": {"is_office": True}, "after": {"is_office": False}},
                {"model": "events.VenueManager", "id": 1, "before": {"venue_id": 1, "person_id": 1}, "after": None},
            ]
        named[rows["events.RecordEntry"][0]["by_person_id"] - 1]["name"] = "Otto Office"
        head = next(row for row in rows["events.Official"] if row["role"] == "head-judge")["person_id"]
        rows["events.PolicyOverride"] = [
            {"n": 1, "event_id": 1, "rule": "suspended", "reason": "", "given_by_id": head, "person_id": None}
        ]
        rows["events.Event"][0]["state"] = "verified"

    copy = import_copy(staff.client("manager"), forged(running, change))
    officials = copy.officials.select_related("person")
    assert {row.person.email for row in officials if row.person.is_active} >= {staff.office.email}
    assert all(row.accepted is None and row.confirmed is None for row in officials)
    for person in (staff.office, staff.judge, staff.head_judge, victim):
        roles = Actor(person=person).roles(event=copy)
        assert roles <= {Role.SPECTATOR, Role.OFFICE if person == staff.office else Role.SPECTATOR}, person
    assert client_of(victim).get(f"/events/{copy.public_id}/console/").status_code == 403
    assert not copy.entries.exclude(person=None).exists()
    assert copy.entries.get(number=1).email == victim.email
    assert not victim.entries.exists()
    assert not Person.objects.filter(email="nobody-here@example.org").exists(), "the address stays free for its owner"
    made = Person.objects.order_by("-pk")[: Person.objects.count() - people]
    assert made
    assert not any(person.is_active or person.has_usable_password() or person.is_office for person in made)
    assert all(person.name.endswith("(from a file)") or person.name == "Imported file" for person in made)
    assert not PolicyOverride.objects.exists()
    assert copy.state == "finished", "nobody here has verified it"
    assert VenueManager.objects.count() == 1


def test_the_audit_log_of_a_copy_is_marked_as_the_files_and_cannot_be_undone(running, staff):
    client = staff.client("manager")
    copy = import_copy(client, forged(running))
    mine, *theirs = copy.record.order_by("-pk")
    assert (mine.verb, mine.by_person) == ("import-event", staff.manager)
    assert {row.by_person.name for row in theirs} == {"Imported file"}
    assert not any(row.changes or row.as_role or row.by_entry_id for row in theirs)
    assert theirs[0].words.startswith(staff.head_judge.name)
    for person in (staff.head_judge, Person.objects.get(email="petra@example.org")):
        told = json.dumps(records_of(person), default=str)
        assert copy.public_id not in told
        assert not AuditEntry.objects.filter(event=copy, by_person=person).exists()
    record = f"/events/{copy.public_id}/audit-log/"
    assert "Imported file" in client.get(record).content.decode()
    for row in (mine, theirs[0]):
        undone = client.post(f"{record}{row.pk}/", {"confirmed": "yes", "reason": "Why not"})
        assert undone.status_code in (403, 409)
    for page in (
        "",
        "entries/",
        "rounds/",
        "rounds/1/",
        "standings/",
        "snapshots/",
        "console/",
        "officials/",
        "finish/",
    ):
        assert client.get(f"/events/{copy.public_id}/{page}").status_code == 200, page
    again = read_file(canonical(json.loads(bytes_of(copy))))
    assert again["event"]["public_id"] == copy.public_id


def test_a_file_from_before_calls_had_a_reason_is_read(running, staff):
    calls.raise_call(by=staff.actor("judge"), match=running.rounds.get().matches.get(table=1), reason="urgent")

    def older(document: dict) -> None:
        for call in [*document["calls"], *document["whole"]["rows"]["judging.Call"]]:
            del call["reason"]

    copy = import_copy(staff.client("manager"), forged(running, older))
    assert [call.reason for call in Call.objects.filter(match__round__event=copy)] == [""]


def test_a_copy_meets_nothing_that_is_here(running, staff):
    match = running.rounds.get().matches.filter(kind="game").first()
    dispute = SavedDispute.objects.create(edition="car-2002", document={}, title="Here")
    TableDispute.objects.create(match=match, key=dispute.public_id, opened_by=staff.judge, opened=timezone.now())
    link, before, key = entry_link(Entry.objects.get(event=running, number=3)), bytes_of(running), dispute.key

    def change(document: dict) -> None:
        document["whole"]["disputes"][0] |= {"version": 99, "title": "Forged", "released_at": "2020-01-01T00:00:00Z"}

    copy = import_copy(staff.client("manager"), forged(running, change, public_id=""))
    dispute.refresh_from_db()
    assert (dispute.title, dispute.key) == ("Here", key)
    assert bytes_of(running) == before
    assert copy.public_id != running.public_id
    assert copy.link_secret != running.link_secret
    theirs = TableDispute.objects.get(match__round__event=copy)
    other = SavedDispute.objects.get(public_id=theirs.key)
    assert other.pk != dispute.pk
    assert (other.key != key, other.released_at) == (True, None)
    assert not set(copy.entries.values_list("link_key")) & set(running.entries.values_list("link_key"))
    assert Client().get(link).url.startswith(f"/events/{running.public_id}/")
    assert Client().get(entry_link(copy.entries.get(number=3))).url.startswith(f"/events/{copy.public_id}/")
    assert copy.away == ""
    assert Move.objects.get(event=copy).kind == "copy"


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows["events.Official"][0].update(role="office"),
        lambda rows: rows["events.Official"][0].update(person_id=99),
        lambda rows: rows["events.Official"][0].update(person_id=-1),
        lambda rows: rows["events.Official"].append(dict(rows["events.Official"][0])),
        lambda rows: rows["events.Official"][0].update(n=10**12) or rows["events.Match"][0].update(round_id=7),
        lambda rows: rows["events.Entry"][0].update(name="x" * 5000),
        lambda rows: rows["events.Event"][0].update(starts="yesterday"),
        lambda rows: rows["events.Event"][0].update(starts="9999-12-31T23:59:59+00:00"),
        lambda rows: rows["events.Event"][0].update(round_minutes=10**12),
        lambda rows: rows["events.Entry"][0].update(state=["checked-in"]),
        lambda rows: rows.pop("events.Event"),
    ],
    ids=["role", "person", "minus", "twice", "dangling", "long", "date", "never", "minutes", "list", "no event"],
)
def test_a_copy_of_what_no_installation_wrote_is_refused_and_leaves_nothing(running, staff, change):
    client, before = staff.client("manager"), everything()
    shown = upload(client, forged(running, lambda document: change(document["whole"]["rows"])))
    if shown.status_code == 200:
        assert client.post(IMPORT, {"token": token_in(shown), "as": "copy"}).status_code == 403
    assert shown.status_code in (200, 400)
    assert everything() == before


@pytest.mark.parametrize("wrong", ["12", 3, {"1": 2}, [0], [1.5], [True], ["1"], [[1]], [100]])
def test_awarded_byes_that_are_no_rounds_are_named(running, staff, wrong):
    client, before = staff.client("manager"), everything()

    def change(document: dict) -> None:
        document["whole"]["rows"]["events.Entry"][0]["awarded_byes"] = wrong

    shown = upload(client, forged(running, change))
    answer = client.post(IMPORT, {"token": token_in(shown), "as": "copy"}) if shown.status_code == 200 else shown
    assert answer.status_code in (400, 403)
    assert "Awarded byes must be a list of round numbers from 1 to 99, not" in answer.content.decode()
    assert everything() == before


# existing events


def played_on(document: dict) -> None:
    """Append an entry to the audit log, so that the file is newer than the event here."""
    row = dict(document["whole"]["rows"]["events.RecordEntry"][-1])
    told = dict(document["record"][-1])
    row |= {"n": row["n"] + 1, "at": "2090-01-01T00:00:00+00:00", "undoes_id": None}
    document["whole"]["rows"]["events.RecordEntry"].append(row)
    document["record"].append(told | {"id": row["n"], "at": row["at"]})
    document["whole"]["rows"]["events.Match"][0]["table"] = 77


def test_a_forged_newer_file_changes_nothing_here(running, staff):
    content, before, client = forged(running, played_on, public_id=""), bytes_of(running), staff.client("manager")
    shown = upload(client, content)
    page = shown.content.decode()
    assert "already on this machine" in page
    assert "Vouch" not in page
    for more in ({}, {"vouched": "yes"}, {"confirmed": "yes", "vouched": "yes", "reason": "Trust me"}):
        refused = client.post(IMPORT, {"token": token_in(shown), **more})
        assert refused.status_code == 403
    assert bytes_of(running) == before
    assert Event.objects.count() == 1


def test_an_administrator_may_vouch_after_seeing_the_powers_that_the_file_gives(running, staff):
    office = staff.client("office")
    shown = upload(office, forged(running, played_on, public_id=""))
    page = shown.content.decode()
    assert f"{staff.head_judge.name} &lt;{staff.head_judge.email}&gt;: head judge" in page
    refused = office.post(IMPORT, {"token": token_in(shown), "confirmed": "yes"})
    assert refused.status_code == 403
    assert "Pair the two machines" in refused.content.decode()
    done = office.post(IMPORT, {"token": token_in(shown), "confirmed": "yes", "vouched": "yes"})
    assert done.status_code == 302
    assert running.rounds.get().matches.filter(table=77).exists()


def test_a_vouched_file_makes_no_one_an_administrator_or_a_manager(running, staff):
    def change(document: dict) -> None:
        powers = {"is_office": True, "is_superuser": True, "is_staff": True, "password": "x", "pk": staff.manager.pk}
        document["whole"]["people"] = [
            person | powers | {"email": f"new-{n}@example.org"} for n, person in enumerate(document["whole"]["people"])
        ]
        document["whole"]["venue"] |= {"name": "New shop", "id": running.venue_id, "tax_number": "1"}

    def more_rows(document: dict) -> None:
        document["whole"]["rows"] |= {
            "events.VenueManager": [{"n": 1, "venue_id": 1, "person_id": 1}],
            "events.Person": [{"n": 1, "email": staff.office.email, "password": "x"}],
        }

    office = staff.client("office")
    shown = upload(office, forged(running, lambda document: (more_rows(document), new_keys(document))))
    refused = office.post(IMPORT, {"token": token_in(shown), "confirmed": "yes", "vouched": "yes"})
    assert refused.status_code == 403
    shown = upload(office, forged(running, lambda document: (change(document), new_keys(document))))
    done = office.post(IMPORT, {"token": token_in(shown), "confirmed": "yes", "vouched": "yes"})
    assert done.status_code == 302, done.content.decode()[-1500:]
    made = Person.objects.filter(email__startswith="new-")
    assert made.count() > 3
    assert not any(p.is_office or p.is_superuser or p.is_staff or p.has_usable_password() for p in made)
    assert Person.objects.filter(is_office=True).count() == 1
    assert VenueManager.objects.count() == 1
    assert Venue.objects.get(name="New shop").tax_number == ""


def test_no_file_gives_a_role_that_events_dont_have(running, staff):
    def change(document: dict) -> None:
        new_keys(document)
        document["whole"]["rows"]["events.Official"][0]["role"] = "office"

    office, before = staff.client("office"), everything()
    shown = upload(office, forged(running, change))
    refused = office.post(IMPORT, {"token": token_in(shown), "confirmed": "yes", "vouched": "yes"})
    assert refused.status_code == 403
    assert everything() == before


def test_a_signed_event_of_an_unknown_venue_comes_to_the_managers_own(running, staff):
    document = json.loads(forged(running, lambda document: document["whole"]["venue"].update(name="The old name")))
    new_keys(document)
    content = json.loads(resealed(document))
    client = staff.client("manager")
    told = storage.digest(canonical(content))
    shown = upload(client, canonical(content | {"signatures": signatures.sign(told)}))
    done = client.post(IMPORT, {"token": token_in(shown), "confirmed": "yes"})
    assert done.status_code == 302
    there = Event.objects.get(public_id="forged-event")
    assert there.venue == running.venue
    assert Role.HEAD_JUDGE in Actor(person=staff.head_judge).roles(event=there)
    assert not Venue.objects.filter(name="The old name").exists()


def test_an_erased_person_is_gone_from_a_copy_too(running, staff, settings):
    settings.SNAPSHOTS_KEPT = 5
    staff.judge.name = "Grace Hopper"
    staff.judge.save()
    client = staff.client("manager")

    def change(document: dict) -> None:
        ruled = next(row for row in document["whole"]["rows"]["events.Official"] if row["role"] == "judge")
        row = {
            "n": 1,
            "entry_id": 1,
            "round_id": 1,
            "match_id": None,
            "kind": "warning",
            "category": "other",
            "text": "x",
        }
        row |= {"given_by_id": ruled["person_id"], "at": "2020-01-01T00:00:00+00:00", "effect": {}, "version": 1}
        document["whole"]["rows"]["judging.Penalty"] = [row | {"withdrawn": False, "withdrawn_reason": ""}]

    copy = import_copy(client, forged(running, change))
    assert copy.entries.first().penalties.get().given_by.name == "Grace Hopper (from a file)"
    made = snapshots.take(copy, Snapshot.Why.BY_HAND)
    Event.objects.update(state="cancelled")
    erasure.erase_person(by=staff.actor("office"), person=staff.judge, confirmed=True, reason="Asked by letter")
    assert not Person.objects.filter(name__contains="Hopper").exists()
    made.refresh_from_db()
    assert b"Hopper" not in gzip.decompress(storage.place(made.file).read_bytes())


def new_keys(document: dict) -> None:
    """Give a forged event keys that don't exist here, as an event from elsewhere has."""
    for row in document["whole"]["rows"]["events.Entry"]:
        row["link_key"] = f"new{row['n']}"


def test_the_venue_in_a_file_leads_to_no_other_venue(running, staff):
    other = VenueFactory(name="The other shop")
    second = VenueFactory(name="My second shop")
    VenueManager.objects.create(venue=second, person=staff.manager, confirmed=timezone.now())

    def change(document: dict) -> None:
        document["whole"]["venue"] |= {"name": other.name, "city": other.city, "country": other.country}

    client = staff.client("manager")
    shown = upload(client, forged(running, change))
    page = shown.content.decode()
    assert "My second shop" in page
    assert "The other shop" not in page.split('<select id="venue"')[1].split("</select>")[0]
    for venue in ("", str(other.pk)):
        refused = client.post(IMPORT, {"token": token_in(shown), "as": "copy", "venue": venue})
        assert refused.status_code == 403
    assert not other.events.exists()
    done = client.post(IMPORT, {"token": token_in(shown), "as": "copy", "venue": str(second.pk)})
    assert done.status_code == 302
    assert second.events.count() == 1


def test_a_signed_file_of_another_venue_is_not_for_this_manager(running, staff):
    signed = moving.export_event(by=SITE, event=running)
    stranger = PersonFactory()
    VenueManager.objects.create(venue=VenueFactory(), person=stranger, confirmed=timezone.now())
    client = client_of(stranger)
    refused = upload(client, signed)
    assert refused.status_code == 400
    assert "Only these roles can do this" in refused.content.decode()
    assert IMPORT not in client.get(f"/events/{running.public_id}/").content.decode()
    document = json.loads(signed)
    document["event"]["public_id"] = document["whole"]["rows"]["events.Event"][0]["public_id"] = "not-here-yet"
    new_keys(document)
    document.pop("signatures")
    content = json.loads(resealed(document))
    told = storage.digest(canonical(content))
    shown = upload(client, canonical(content | {"signatures": signatures.sign(told)}))
    assert "Signed by this machine" in shown.content.decode()
    done = client.post(IMPORT, {"token": token_in(shown), "confirmed": "yes"})
    assert done.status_code == 403
    assert "The event belongs to" in done.content.decode()


def test_a_waiting_file_is_only_for_its_uploader(running, staff):
    shown = upload(staff.client("manager"), forged(running))
    refused = staff.client("office").post(IMPORT, {"token": token_in(shown), "as": "copy"})
    assert refused.status_code == 403
    assert "Choose the file again" in refused.content.decode()
    assert Event.objects.count() == 1


def test_a_managers_waiting_files_are_few_and_all_together_bounded(running, staff, monkeypatch):
    """The attack: a manager uploads a file again and again, and confirms none of them."""
    folder = storage.place(storage.WAITING)
    before = set(folder.glob("*"))
    client = staff.client("manager")
    first, *_others, last = [token_in(upload(client, forged(running))) for _ in range(5)]
    assert len(set(folder.glob("*")) - before) == 2
    refused = client.post(IMPORT, {"token": first, "as": "copy"})
    assert refused.status_code == 403
    assert "Choose the file again" in refused.content.decode()
    assert client.post(IMPORT, {"token": last, "as": "copy"}).status_code == 302
    monkeypatch.setattr("judging.views.keeping.WAITING_BYTES", 1000)
    told = upload(staff.client("office"), forged(running))
    assert (told.status_code, told["Retry-After"]) == (503, "60")
    assert "are waiting to be imported" in told.content.decode()


# signatures


def test_a_file_signed_by_a_machine_that_isnt_paired_is_a_copy(running, staff):
    shown = upload(staff.client("manager"), written_elsewhere(running))
    assert "Not signed by this machine or a paired one" in shown.content.decode()
    assert (
        "Signed by this machine"
        in upload(staff.client("manager"), moving.export_event(by=SITE, event=running)).content.decode()
    )


def test_a_signature_moved_to_another_file_is_refused(running, staff):
    moved = json.loads(moving.export_event(by=SITE, event=running))["signatures"]
    document = json.loads(forged(running)) | {"signatures": moved}
    for content in (canonical(document), packed(canonical(document))):
        refused = upload(staff.client("office"), content)
        assert refused.status_code == 400
        assert "signature doesn&#x27;t match" in refused.content.decode()


@pytest.mark.parametrize("given", ["all", [1], {"key": "x"}, [{"key": None, "mac": 7}], [{}], []])
def test_signatures_that_are_none_make_no_file_trusted(running, staff, given):
    document = json.loads(forged(running)) | {"signatures": given, "signed": "0" * 64}
    shown = upload(staff.client("manager"), canonical(document))
    assert shown.status_code in (200, 400)
    assert "Signed by" not in shown.content.decode()


def test_of_two_wholes_the_signature_holds_for_the_one_that_is_read(running, staff):
    genuine = moving.export_event(by=SITE, event=running)
    other = json.loads(forged(running, played_on, public_id=""))
    false, true = (b'"whole":' + canonical(one["whole"]) for one in (other, json.loads(genuine)))
    assert genuine.count(true) == 1
    before = bytes_of(running)
    for both in (true + b"," + false, false + b"," + true):
        shown = upload(staff.client("office"), genuine.replace(true, both))
        page = shown.content.decode()
        assert shown.status_code == 400 or "identical to the file" in page
    assert bytes_of(running) == before


def test_importing_an_old_signed_file_again_restores_nothing_by_itself(running, staff):
    old = moving.export_event(by=SITE, event=running)
    staff.client("manager").post(
        f"/events/{running.public_id}/officials/{running.officials.get(role='judge').pk}/remove/", {"confirmed": "yes"}
    )
    assert not running.officials.filter(role="judge").exists()
    play(staff.actor("head_judge"), running.rounds.get())
    client, before = staff.client("manager"), bytes_of(running)
    shown = upload(client, old)
    assert "older than the event on this machine" in shown.content.decode()
    for more in ({}, {"confirmed": "yes"}):
        assert client.post(IMPORT, {"token": token_in(shown), **more}).status_code == 409
    assert upload(client_of(staff.judge), old).status_code == 403
    assert bytes_of(running) == before


def test_a_snapshot_changed_on_disk_is_not_gone_back_to(running, staff, settings):
    settings.SNAPSHOTS_KEPT = 5
    made = snapshots.take(running, Snapshot.Why.BY_HAND)
    path = storage.place(made.file)
    document = json.loads(gzip.decompress(path.read_bytes()))
    document["whole"]["rows"]["events.Official"][0]["role"] = "scorekeeper"
    path.write_bytes(packed(resealed(document)))
    answer = staff.client("head_judge").get(f"/events/{running.public_id}/snapshots/{made.pk}/")
    assert answer.status_code == 403
    assert "the file is damaged" in answer.content.decode()


# pairing


def code_on(page) -> str:
    return re.search(r"<samp>([A-Z0-9-]+)</samp>", page.content.decode())[1]


def test_the_first_hand_over_pairs_two_machines_and_later_files_need_no_code(running, staff):
    office, here = staff.client("office"), f"/events/{running.public_id}/"
    handed = office.post(
        here + "hand-over/", {"machine": "new", "other": "The laptop", "version": running.version, "confirmed": "yes"}
    )
    code = code_on(handed)
    assert "no-store" in handed["Cache-Control"]
    assert re.fullmatch(r"([A-Z2-9]{5}-){4}[A-Z2-9]{5}", code)
    running.refresh_from_db()
    assert running.away == "The laptop"
    machine = PairedMachine.objects.get()
    content = written_elsewhere(running)  # signed for the pair, and with a key that isn't known here
    secrets = (code, code.replace("-", ""), machine.secret)
    told = [
        content.decode(),
        json.dumps(records_of(staff.office), default=str),
        office.get(here + "snapshots/").content.decode(),
    ]
    told += [office.get("/office/machines/").content.decode(), office.get("/office/audit-log/").content.decode()]
    told += [json.dumps(row.changes) + row.words for row in AuditEntry.objects.all()]
    assert not [text for text in told if any(secret in text for secret in secrets)]
    # the other machine, which has no key yet
    machine.delete()
    assert "Not signed" in upload(office, content).content.decode()
    for typed in ("AAAAA-AAAAA-AAAAA-AAAAA-AAAAA", "nonsense"):
        wrong = upload(office, content, pairing_code=typed)
        assert wrong.status_code == 400
        assert "belong to this file" in wrong.content.decode()
    assert not PairedMachine.objects.exists()
    right = upload(office, content, pairing_code=code.lower().replace("-", " "))
    assert "Signed by The machine that sent" in right.content.decode()
    assert PairedMachine.objects.get().secret == machine.secret
    assert "Signed by The machine that sent" in upload(staff.client("manager"), content).content.decode()
    office.post(f"/office/machines/{PairedMachine.objects.get().pk}/unpair/")
    assert "Not signed" in upload(staff.client("manager"), content).content.decode()


def test_only_an_administrator_pairs_lists_and_unpairs(running, staff):
    machine, code = machines.pair(by=SITE, name="The laptop")
    for who in ("manager", "head_judge"):
        client = staff.client(who)
        assert client.get("/office/machines/").status_code == 403
        assert client.post("/office/machines/", {"name": "Mine"}).status_code == 403
        assert client.post(f"/office/machines/{machine.pk}/unpair/").status_code == 403
        hand_over = {"machine": "new", "other": "Mine", "version": running.version, "confirmed": "yes"}
        assert client.post(f"/events/{running.public_id}/hand-over/", hand_over).status_code == 403
    running.refresh_from_db()
    assert running.away == ""
    assert PairedMachine.objects.count() == 1
    content = written_elsewhere(running)
    machine.delete()
    shown = upload(staff.client("manager"), content, pairing_code=code)
    assert "Not signed" in shown.content.decode(), "a manager's code counts for nothing"
    assert not PairedMachine.objects.exists()


def test_a_head_judge_hands_over_to_a_paired_machine(running, staff):
    machine, _code = machines.pair(by=SITE, name="The laptop")
    client, here = staff.client("head_judge"), f"/events/{running.public_id}/"
    assert "The laptop" in client.get(here + "snapshots/").content.decode()
    given = {"machine": str(machine.pk), "other": "", "version": running.version, "confirmed": "yes"}
    assert client.post(here + "hand-over/", given).status_code == 302
    running.refresh_from_db()
    assert running.away == "The laptop"
    page = client.get(here + "snapshots/").content.decode()
    assert IMPORT not in page
