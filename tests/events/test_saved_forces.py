"""My forces: saved from the builder and the free check, used at events, and seen by no one else."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from events.models import AuditEntry, Event, Force, SavedForce
from events.roles import SITE, Actor
from events.services import saved_forces as services
from events.services.people import entry_link
from events.views.forces_free import FREE_FORCE
from judging.keeping.erasure import scrub
from judging.keeping.personal import records_of
from tests.conftest import client_of, password_given
from tests.factories import PASSWORD, EntryFactory, EventFactory, PersonFactory, RoundFactory

from .force_catalogue import small_catalogue

FREE = "/forces/check/"
MINE = "/me/forces/"


@pytest.fixture
def catalogue(db):
    small_catalogue()


@pytest.fixture
def player(staff):
    person = PersonFactory(name="Paula Player")
    return EntryFactory(event=staff.event, person=person, name="Paula Player")


@pytest.fixture
def client(player) -> Client:
    return client_of(player.person)


def address(entry, what="") -> str:
    return f"/events/{entry.event.public_id}/entries/{entry.number}/force/{what}"


def check(client, *lines) -> None:
    """Put elements on the client's free check."""
    assert client.post(FREE, {"act": "list-add", "text": "\n".join(lines)}).status_code == 302


def saved(client, *lines, name="The Guild") -> SavedForce:
    """Save a force from the free check."""
    check(client, *lines)
    assert client.post(f"{FREE}save/", {"name": name}).status_code == 302
    return SavedForce.objects.latest("pk")


def codes(entry) -> list:
    force = Force.objects.filter(entry=entry).first()
    return [one["code"] for one in force.work["picks"]] if force else []


def test_a_force_is_saved_from_the_builder_and_used_at_another_event(catalogue, player, client):
    client.post(address(player, "change/"), {"act": "list-add", "text": "Ada Fenwick 100\nTom Fenwick"})
    assert client.post(address(player, "save/"), {"name": "  The   Guild "}).status_code == 302
    kept = SavedForce.objects.get(person=player.person)
    assert (kept.name, kept.total, kept.terms["edition"]) == ("The Guild", 175, player.event.edition)
    next_time = EntryFactory(event=EventFactory(state=Event.State.OPEN), person=player.person, name="Paula Player")
    assert "The Guild" in client.get(address(next_time)).content.decode()
    assert client.post(address(next_time, "copy/"), {"saved": kept.pk}).status_code == 302
    force = Force.objects.get(entry=next_time)
    assert ([one["code"] for one in force.work["picks"]], force.state) == (["tower/010", "tower/011"], "draft")


def test_a_force_checked_without_an_account_is_still_there_after_signing_in(catalogue, player):
    client = Client()
    check(client, "Ada Fenwick", "2x Bramble")
    page = client.get(FREE).content.decode()
    assert f"/accounts/login/?next={FREE}" in page
    client.post("/accounts/login/", {"login": player.person.email, "password": PASSWORD})
    page = client.get(FREE).content.decode()
    assert f"Use at {player.event.name}" in page
    assert client.post(address(player, "copy/"), {"checked": "yes"}).status_code == 302
    assert codes(player) == ["tower/010", "harbour/003", "harbour/003"]


def test_a_player_without_an_account_takes_the_checked_force_along_by_the_signed_link(catalogue, staff):
    entry = EntryFactory(event=staff.event, name="Guest", person=None)
    client = Client()
    check(client, "Bramble")
    client.get(entry_link(entry))
    assert "Force from “Check a force”" in client.get(address(entry)).content.decode()
    assert client.post(address(entry, "copy/"), {"checked": "yes"}).status_code == 302
    assert codes(entry) == ["harbour/003"]
    assert client.post(address(entry, "save/"), {"name": "Mine"}).status_code == 403
    assert client.post(address(entry, "copy/"), {"saved": 1}).status_code == 404


def test_a_checked_force_never_gets_into_a_foreign_or_locked_entry(catalogue, staff, player, client):
    stranger = client_of(PersonFactory())
    check(stranger, "Bramble")
    assert stranger.post(address(player, "copy/"), {"checked": "yes"}).status_code == 403
    check(client, "Bramble")
    RoundFactory(event=staff.event, number=1, state="published")
    Event.objects.filter(pk=staff.event.pk).update(state="running")
    assert client.post(address(player, "copy/"), {"checked": "yes"}).status_code == 403
    assert codes(player) == []


def test_no_one_sees_uses_renames_or_deletes_another_persons_force(catalogue, staff, player, client):
    kept = saved(client, "Bramble")
    for other in (staff.client("head_judge"), client_of(PersonFactory(is_office=True)), Client()):
        assert other.get(MINE).status_code in (200, 302)
        assert "The Guild" not in other.get(MINE).content.decode()
        assert "The Guild" not in other.get(address(player)).content.decode()
        for act in ("open", "rename", "delete"):
            sent = {"act": act, "name": "Taken", "confirmed": "yes"}
            assert other.post(f"{MINE}{kept.pk}/", sent).status_code in (302, 404)
        assert other.post(address(player, "copy/"), {"saved": kept.pk}).status_code == 404
        assert FREE_FORCE not in other.session
    kept.refresh_from_db()
    assert kept.name == "The Guild"
    judge = staff.client("head_judge")
    own = saved(judge, "Night Heron", name="Judge's own")
    assert judge.post(address(player, "copy/"), {"saved": own.pk}).status_code == 403, "not into a player's entry"
    assert judge.post(address(player, "save/"), {"name": "Copied"}).status_code == 403
    assert codes(player) == []


def test_a_saved_force_is_renamed_opened_and_deleted_after_confirming(catalogue, player, client):
    kept = saved(client, "Bramble", "Ada Fenwick")
    at = f"{MINE}{kept.pk}/"
    client.post(at, {"act": "rename", "name": "Renamed", "version": kept.version})
    assert "Renamed" in client.get(MINE).content.decode()
    assert client.post(at, {"act": "rename", "name": "Late", "version": kept.version}).status_code == 409
    assert client.post(at, {"act": "rename", "name": " "}).status_code == 403
    client.post(FREE, {"act": "clear"})
    client.post(at, {"act": "open"})
    assert [one["code"] for one in client.session[FREE_FORCE]["bench"]["picks"]] == ["harbour/003", "tower/010"]
    asked = client.post(at, {"act": "delete"})
    assert "Renamed" in asked.content.decode()
    assert SavedForce.objects.count() == 1
    client.post(at, {"act": "delete", "confirmed": "yes"})
    assert not SavedForce.objects.exists()


def test_the_audit_log_never_tells_what_a_private_force_is(catalogue, player, client):
    kept = saved(client, "Bramble", name="Secret Plan")
    client.post(f"{MINE}{kept.pk}/", {"act": "rename", "name": "Other Plan"})
    client.post(f"{MINE}{kept.pk}/", {"act": "delete", "confirmed": "yes"})
    entries = AuditEntry.objects.filter(by_person=player.person)
    assert [one.verb for one in entries.order_by("pk")] == ["save-force", "rename-saved-force", "delete-saved-force"]
    for one in entries:
        assert "Plan" not in json.dumps([one.changes, one.facts]) + str(one.words)
        assert "Bramble" not in json.dumps(one.changes)


def test_saved_forces_are_exported_to_their_owner_and_erased_with_the_account(catalogue, player, client):
    saved(client, "Bramble")
    assert "Bramble" in json.dumps(records_of(player.person), default=str)
    assert "Bramble" in password_given(client).get("/me/records.json").content.decode()
    assert "Bramble" not in json.dumps(records_of(PersonFactory()), default=str)
    scrub(player.person, by_office=False)
    assert not SavedForce.objects.exists()


def test_only_so_many_forces_are_kept_and_none_is_empty_or_nameless(catalogue, player, client, monkeypatch):
    monkeypatch.setattr(services, "MAX_SAVED", 1)
    assert client.post(f"{FREE}save/", {"name": "Nothing"}).status_code == 403
    saved(client, "Bramble")
    assert client.post(f"{FREE}save/", {"name": "Second"}).status_code == 403
    assert client.post(f"{FREE}save/", {"name": "  "}).status_code == 403
    assert Client().post(f"{FREE}save/", {"name": "X"}).status_code == 403
    assert SavedForce.objects.count() == 1
    assert services.saved_forces(SITE) == services.entries_to_build_for(Actor()) == []


def test_the_checks_settings_are_folded_in_one_line_and_open_where_they_are_wrong(db, client):
    address = reverse("events:forces-check")
    assert '<details class="card terms">' in (page := client.get(address).text)
    assert "Core Rulebook, 2014 · 300 points · constructed" in page
    told = {"act": "terms", "edition": "ic-2002", "build_total": 200, "format": "constructed"}
    assert "Infinity Challenge, 2002 · 200 points" in client.post(address, told, follow=True).text
    wrong = client.post(address, told | {"build_total": "many"})
    assert '<details class="card terms" open>' in wrong.text
