"""After an erasure nothing here names the person: no table, no snapshot, no paper. Pages mention that backups do."""

import datetime
import gzip
import json
import os

import pytest
from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.urls import reverse
from django.utils import timezone

from events.door import NeedsConfirmation, Refused
from events.models import AuditEntry, ClubMember, Entry, Event, Official, Round, VenueManager, Volunteer
from events.roles import Actor
from events.services import entries, people, policy, rounds, setup, venues
from judging.keeping import bundles, erasure, snapshots, storage
from judging.keeping.whole_file import read_file
from judging.models import Bundle, Snapshot, TableDispute
from judging.services.finish import unverify_event, verify_event
from rules.models import SavedDispute
from tests.conftest import client_of, password_given
from tests.events.simulation import play_round, players
from tests.factories import EventFactory, PersonFactory, VenueFactory, VenueManagerFactory

pytestmark = pytest.mark.django_db
WORDS = ("Grace", "Hopper", "555 1", "555 9", "Navy", "COBOL", "Arlington")


def tables_that_name(*words: str) -> dict[str, list[str]]:
    """Return the rows that contain one of the words, by table."""
    found: dict[str, list[str]] = {}
    for model in apps.get_models(include_auto_created=True):
        for row in model._base_manager.all():
            values = {column.attname: column.value_from_object(row) for column in model._meta.concrete_fields}
            text = json.dumps(values, cls=DjangoJSONEncoder, ensure_ascii=False, default=str).casefold()
            if any(word.casefold() in text for word in words):
                found.setdefault(model._meta.label, []).append(text)
    return found


@pytest.fixture
def grace(staff):
    """A person who was volunteer, manager, club member, judge, had a policy exception, and played."""
    office, manager = staff.actor("office"), staff.actor("manager")
    grace = PersonFactory(name="Grace Hopper", email="grace@example.org", phone="+1 555 123")
    by = Actor(person=grace)
    volunteer = people.register_volunteer(by=by, city="Arlington", experience="COBOL")
    people.decide_volunteer(by=office, volunteer=volunteer, decision="approved", reason="Grace Hopper is known")
    people.suspend_person(by=office, person=grace, until=timezone.localdate(), reason="Grace Hopper threw dice")
    people.lift_suspension(by=office, person=grace, reason="Grace Hopper said sorry")
    grace.refresh_from_db()
    people.change_account(by=by, name="Grace M. Hopper", phone="+1 555 999", is_minor=False, publisher_family=False)
    grace.refresh_from_db()
    venues.add_manager(by=manager, venue=staff.event.venue, person=grace)
    venues.remove_manager(by=manager, venue=staff.event.venue, manager=VenueManager.objects.get(person=grace))
    club = VenueFactory(kind="club", name="Club")
    VenueManagerFactory(venue=club, person=staff.manager)
    venues.add_members(by=manager, venue=club, members=[("Grace Hopper", "grace@example.org")])
    worked_at = EventFactory(venue=staff.event.venue, state=Event.State.DRAFT)
    setup.set_official(by=manager, event=worked_at, person=grace, role="judge")
    official = Official.objects.get(person=grace)
    setup.remove_official(by=manager, event=worked_at, official=official, confirmed=True)
    policy.override_policy(by=office, event=worked_at, rule="suspended", person=grace, reason="Grace Hopper may play")
    return grace


def test_no_table_names_an_erased_person(staff, grace):
    other = EventFactory(venue=staff.event.venue)
    by = staff.actor("manager")
    entry = entries.add_entry(
        by=by, event=other, name="Grace Hopper", club="Navy", email="grace@example.org", declares=True
    )
    Event.objects.filter(pk=other.pk).update(state=Event.State.CANCELLED)
    namesake = AuditEntry.objects.create(event=staff.event, verb="announce", summary="Grace Hopper built a compiler")
    assert len(tables_that_name(*WORDS)) > 5
    erasure.erase_person(by=staff.actor("office"), person=grace, confirmed=True, reason="Asked by letter")
    left = tables_that_name(*WORDS)
    assert list(left) == ["events.AuditEntry"]
    assert len(left["events.AuditEntry"]) == 1, "only what is not about this person"
    namesake.refresh_from_db()
    assert namesake.words.startswith("Grace Hopper")
    assert not ClubMember.objects.exists()
    entry.refresh_from_db()
    assert entry.name == erasure.new_name(grace)
    assert Volunteer.objects.get(person=grace).city == ""


@pytest.fixture
def played(staff, grace, settings, tmp_path):
    """An event that Grace Hopper played to its verified end, with snapshots, paper and a dispute."""
    settings.SNAPSHOTS_KEPT, settings.DATA_DIR = 40, tmp_path / "here"
    settings.COPY_DIR = str(tmp_path / "stick")
    by, event = staff.actor("head_judge"), staff.event
    event.number_of_rounds = 2
    event.save()
    players(event, 4)
    entry = Entry.objects.get(event=event, number=2)
    entries.change_entry(by=by, entry=entry, name="Grace Hopper", club="Navy", is_minor=False, fixed_table=None)
    Entry.objects.filter(pk=entry.pk).update(person=grace)
    play_round(by, event)
    play_round(by, event)
    bundles.make(bundles.ask(Round.objects.get(event=event, number=1)))
    rounds.finish_event(by=by, event=event, confirmed=True)
    verify_event(by=by, event=event)
    dispute = SavedDispute.objects.create(
        edition="car-2002", title="Can Grace Hopper see?", document={"by": "Grace Hopper"}
    )
    match = event.rounds.get(number=1).matches.get(table=1)
    TableDispute.objects.create(
        match=match, key=dispute.public_id, title="Grace Hopper", opened=timezone.now(), opened_by=staff.judge
    )
    return event


def kept_files(*roots):
    """Return the name and the uncompressed content of every stored file."""
    found = {}
    for root in roots:
        for path in root.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                found[path] = gzip.decompress(content).decode() if path.name.endswith(".gz") else content
    return found


def test_snapshots_and_paper_name_the_erased_person_no_more_and_can_still_be_gone_back_to(
    staff, grace, played, tmp_path
):
    before = Snapshot.objects.filter(event=played).count()
    roots = (tmp_path / "here" / "snapshots", tmp_path / "stick" / "snapshots")
    assert any("Grace Hopper" in text for text in kept_files(*roots).values())
    assert any(path.suffix == ".pdf" for path in kept_files(tmp_path))
    erasure.erase_person(by=staff.actor("office"), person=grace, confirmed=True, reason="Asked by letter")
    texts = kept_files(*roots)
    assert len(texts) == 2 * before
    for path, text in texts.items():
        for word in ("Grace", "Hopper", "Navy", "grace@"):
            assert word not in text, (path, word)
    for snapshot in Snapshot.objects.filter(event=played):
        read_file(snapshots.content_of(snapshot))
    assert not tables_that_name("Grace", "Hopper", "Navy")
    by = staff.actor("head_judge")
    unverify_event(by=by, event=played, confirmed=True, reason="A slip was found")
    first = Snapshot.objects.filter(event=played, verb="publish-round").order_by("pk").first()
    snapshots.restore(by=by, event=played, snapshot=first, confirmed=True, reason="From the beginning")
    entry = Entry.objects.get(event=played, number=2)
    assert (entry.name, entry.club, entry.person) == (erasure.new_name(grace), "", grace)
    assert not tables_that_name("Grace", "Hopper", "Navy")


def test_paper_is_thrown_away_and_made_again_without_the_name(
    staff, grace, played, tmp_path, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        erasure.erase_person(by=staff.actor("office"), person=grace, confirmed=True, reason="Asked by letter")
    assert not Bundle.objects.filter(event=played).exists()
    assert not [path for path in kept_files(tmp_path) if path.suffix == ".pdf"]
    round_ = Round.objects.get(event=played, number=1)
    assert bundles.content_of(round_, site="").startswith(b"%PDF")


class Killed(BaseException):
    """Raised where the process is killed."""


def killed(*_given, **_named):
    raise Killed


def test_a_server_killed_during_an_erasure_leaves_no_file_that_names_the_person(
    staff, grace, played, tmp_path, monkeypatch
):
    def erase():
        erasure.erase_person(by=staff.actor("office"), person=grace, confirmed=True, reason="Asked by letter")

    for _n in range(3):
        with monkeypatch.context() as now, pytest.raises(Killed):
            now.setattr(storage, "_settle", killed)  # the new snapshot is written, the old one is still there
            erase()
    half = storage.place(storage.SNAPSHOTS, played.public_id, ".writing-abc")
    half.write_bytes(b"Grace Hopper")
    for path in kept_files(tmp_path / "here"):
        os.utime(path, (1, 1))
    erase()  # killed again, before the steps after the commit
    for path, text in kept_files(tmp_path / "here", tmp_path / "stick").items():
        assert path.suffix != ".pdf", path
        assert "Grace" not in str(text), path


def test_a_damaged_snapshot_does_not_outlive_the_erasure(staff, grace, played):
    broken = Snapshot.objects.filter(event=played).first()
    path = storage.place(broken.file)
    path.write_bytes(b"Grace Hopper")
    erasure.erase_person(by=staff.actor("office"), person=grace, confirmed=True, reason="Asked by letter")
    assert not path.exists()
    assert not Snapshot.objects.filter(pk=broken.pk).exists()


def test_a_refused_or_unconfirmed_erasure_changes_no_snapshot(staff, grace, played):
    def files():
        return list(Snapshot.objects.filter(event=played).values_list("file", "sha256"))

    was = files()
    for asked in ({}, {"confirmed": True}):
        with pytest.raises(NeedsConfirmation):
            erasure.erase_person(by=staff.actor("office"), person=grace, **asked)
    with pytest.raises(Refused):
        erasure.erase_person(by=staff.actor("judge"), person=grace, confirmed=True, reason="Because")
    assert files() == was


def test_a_suspension_is_not_escaped_by_an_erasure(staff, grace):
    until = timezone.localdate() + datetime.timedelta(days=1)
    people.suspend_person(by=staff.actor("office"), person=grace, until=until, reason="Threw dice")
    grace.refresh_from_db()
    assert "account is suspended until" in client_of(grace).get(reverse("judging:my-data")).content.decode()
    with pytest.raises(Refused, match="account is suspended until"):
        erasure.erase_person(by=Actor(person=grace), person=grace, confirmed=True)
    people.lift_suspension(by=staff.actor("office"), person=grace, reason="Pardoned")
    grace.refresh_from_db()
    erasure.erase_person(by=Actor(person=grace), person=grace, confirmed=True)


def test_the_pages_say_how_long_backups_hold_the_data(staff, grace, settings):
    settings.BACKUPS_KEPT = 9
    own = client_of(grace).get(reverse("judging:my-data")).content.decode()
    office = password_given(staff.client("office"))
    office = office.get(reverse("judging:person-data", args=[grace.pk])).content.decode()
    for page in (own, office):
        assert "the newest 9 are kept" in page
