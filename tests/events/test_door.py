"""The door: action table, version, audit log, change notification, all or nothing."""

import pytest
from django.urls import reverse

from events import live
from events.door import NeedsConfirmation, Refused, Stale, door
from events.models import AuditEntry, Entry, Event
from events.roles import SITE, Actor
from tests.conftest import client_of
from tests.factories import EntryFactory, PersonFactory

pytestmark = pytest.mark.django_db


def test_a_write_is_recorded_before_and_after(staff, django_capture_on_commit_callbacks):
    heard = []
    live.LISTENERS.append(lambda *word: heard.append(word))
    entry = EntryFactory(event=staff.event, club="North")
    with (
        django_capture_on_commit_callbacks(execute=True),
        door("change-entry", by=staff.actor("scorekeeper"), event=staff.event, on=entry) as writing,
    ):
        writing.save(entry, club="South")
        writing.says("entry-changed", name=entry.name)
    live.LISTENERS.clear()
    row = AuditEntry.objects.get()
    assert (row.verb, row.by_person, row.as_role, row.words) == (
        "change-entry", staff.scorekeeper, "scorekeeper", f"{entry.name}'s entry edited",
    )  # fmt: skip
    assert row.changes == [
        {"model": "events.Entry", "id": entry.pk, "before": {"club": "North"}, "after": {"club": "South"}}
    ]
    assert Entry.objects.get().version == 2
    assert heard == [(staff.event.pk, row.pk, frozenset({"change-entry"}))]
    assert live.newest(staff.event) == row.pk


def test_nothing_changed_nothing_recorded(staff):
    entry = EntryFactory(event=staff.event, club="North")
    with door("change-entry", by=staff.actor("scorekeeper"), event=staff.event, on=entry) as writing:
        writing.save(entry, club="North")
    assert not AuditEntry.objects.exists()
    assert Entry.objects.get().version == 1


def test_a_stranger_is_refused_with_the_roles_that_may(staff):
    stranger = Actor(person=PersonFactory())
    with pytest.raises(Refused, match="head judge"), door("draft-round", by=stranger, event=staff.event):
        pytest.fail("the door opened")


def test_an_official_whom_the_venue_has_not_accepted_is_refused(staff):
    staff.event.officials.update(accepted=None)
    with pytest.raises(Refused), door("draft-round", by=staff.actor("head_judge"), event=staff.event):
        pytest.fail("the door opened")


def test_a_stale_form_is_reported(staff):
    entry = EntryFactory(event=staff.event)
    Entry.objects.update(version=5, club="West")
    with pytest.raises(Stale) as told, door("change-entry", by=SITE, event=staff.event, on=entry, version=1):
        pytest.fail("the door opened")
    assert told.value.current.club == "West"


def test_an_action_that_needs_a_reason_asks_for_it(staff):
    staff.event.state = Event.State.RUNNING
    staff.event.save()
    entry = EntryFactory(event=staff.event)
    with (
        pytest.raises(NeedsConfirmation) as asked,
        door("disqualify-entry", by=staff.actor("head_judge"), event=staff.event, on=entry, reason=" "),
    ):
        pytest.fail("the door opened")
    assert asked.value.needs_reason


def test_a_fault_inside_leaves_nothing_behind(staff):
    entry = EntryFactory(event=staff.event, club="North")
    with (
        pytest.raises(ZeroDivisionError),
        door("change-entry", by=staff.actor("head_judge"), event=staff.event, on=entry) as writing,
    ):
        writing.save(entry, club="South")
        raise ZeroDivisionError
    assert Entry.objects.get().club == "North"
    assert not AuditEntry.objects.exists()


def test_a_removed_row_is_reported(staff):
    entry = EntryFactory(event=staff.event)
    Entry.objects.all().delete()
    with pytest.raises(Refused, match="deleted"), door("change-entry", by=SITE, event=staff.event, on=entry):
        pytest.fail("the door opened")


def test_secrets_never_enter_the_audit_log(staff):
    with door("change-account", by=SITE) as writing:
        person = writing.create(type(staff.office), email="new@example.org", name="New", password="hash")
    assert "password" not in AuditEntry.objects.get().changes[0]["after"]
    assert person.pk


def test_a_refusal_leads_to_the_roles_only_where_another_role_would_help(staff):
    Event.objects.update(state=Event.State.FINISHED)
    page = reverse("events:entry-add", args=[staff.event.public_id])
    stranger, judge = client_of(PersonFactory()).get(page), staff.client("head_judge").get(page)
    assert (stranger.status_code, judge.status_code) == (403, 403)
    assert "Only these roles can do this" in stranger.text
    assert "Roles and permissions" in stranger.text
    assert "event is “finished" in judge.text
    assert "Roles and permissions" not in judge.text
