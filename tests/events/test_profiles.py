"""Public profiles: off until turned on, only finished events, gone at once, never for people under 18, out of archives."""

import io
import re
import zipfile

import pytest
from django.test import Client
from django.urls import reverse

from events.models import AuditEntry, Entry, Event, Force, Person, PublicProfile
from judging.archive import archive_of
from judging.keeping.erasure import scrub
from tests.conftest import client_of
from tests.factories import EventFactory, PersonFactory
from tests.judging.test_archive import FORCE
from tests.judging.test_finish import played

pytestmark = pytest.mark.django_db
MINE, LINK = "/me/profile/", 'href="/players/'
ON = {"is_on": "on", "shows_events": "on", "in_archives": "on"}
NAME = "José Ñandú"


@pytest.fixture
def player(staff):
    """Return a person with an entry at an event that was played to its end."""
    event = played(staff)
    person = PersonFactory(name=NAME)
    Entry.objects.filter(event=event, name=NAME).update(person=person)
    return person


def turn_on(person, **more):
    assert client_of(person).post(MINE, ON | more).status_code == 302
    return reverse("events:profile", args=[PublicProfile.objects.get(person=person).key])


def standings(event):
    return Client().get(reverse("events:standings", args=[event.public_id])).content.decode()


def test_nothing_is_public_before_it_is_turned_on(staff, player):
    assert LINK not in standings(staff.event)
    page = client_of(player).get(MINE).content.decode()
    assert "Your public profile is off." in page
    assert not PublicProfile.objects.exists()


def test_it_shows_finished_events_with_places_and_standings_link_to_it(staff, player):
    address = turn_on(player)
    page = Client().get(address)
    words = page.content.decode()
    assert NAME in words
    assert staff.event.name in words
    assert staff.event.venue.name in words
    assert re.search(r"Place <strong>\d</strong> of 6", words)
    assert page["X-Robots-Tag"] == "noindex"
    assert "no-store" in page["Cache-Control"] or "no-cache" in page["Cache-Control"]
    assert player.email not in words
    assert standings(staff.event).count(LINK) == 1
    assert address in standings(staff.event)


@pytest.mark.parametrize("state", ["draft", "open", "running", "cancelled"])
def test_an_event_that_is_not_over_is_not_shown(staff, player, state):
    address = turn_on(player)
    Event.objects.filter(pk=staff.event.pk).update(state=state)
    assert staff.event.name not in Client().get(address).content.decode()


def test_forces_are_shown_only_if_chosen_and_public_and_over(staff, player):
    entry = Entry.objects.get(person=player)
    Force.objects.create(entry=entry, state="submitted", document=FORCE, total=40)
    address = turn_on(player)
    captain = "Captain &lt;b&gt;"
    assert captain not in Client().get(address).content.decode()
    client_of(player).post(MINE, ON | {"shows_forces": "on"})
    assert captain in Client().get(address).content.decode()
    Event.objects.filter(pk=staff.event.pk).update(forces_public=False)
    assert captain not in Client().get(address).content.decode()
    Event.objects.filter(pk=staff.event.pk).update(forces_public=True, state="running")
    assert captain not in Client().get(address).content.decode()


def test_without_places_only_forces_are_shown(player):
    address = turn_on(player, shows_events="", shows_forces="on")
    assert "Place <strong>" not in Client().get(address).content.decode()
    nothing = client_of(player).post(MINE, {"is_on": "on"})
    assert nothing.status_code == 400
    assert "Choose what the profile shows." in nothing.content.decode()


def test_turned_off_it_is_gone_at_once_and_its_address_never_comes_back(staff, player):
    address = turn_on(player)
    assert client_of(player).post(MINE, {"in_archives": "on"}).status_code == 302
    assert Client().get(address).status_code == 404
    assert LINK not in standings(staff.event)
    again = turn_on(player)
    assert again != address
    assert Client().get(address).status_code == 404
    said = [entry.words for entry in AuditEntry.objects.filter(verb="change-profile").order_by("pk")]
    assert said == [f"{NAME} turned {how} their public profile" for how in ("on", "off", "on")]
    assert not AuditEntry.objects.filter(changes__icontains=address.split("/")[2]).exists()


def archived(event):
    with zipfile.ZipFile(io.BytesIO(archive_of(Event.objects.get(pk=event.pk)))) as folder:
        return "\n".join(folder.read(name).decode() for name in folder.namelist() if name.endswith(".html"))


def test_withdrawn_consent_takes_the_name_out_of_new_archives(staff, player):
    entry = Entry.objects.get(person=player)
    Force.objects.create(entry=entry, state="submitted", document=FORCE, total=40)
    assert archived(staff.event).count(NAME) >= 4
    turn_on(player)
    assert NAME in archived(staff.event)
    client_of(player).post(MINE, {"shows_events": "on"})
    text = archived(staff.event)
    assert NAME not in text
    assert text.count(f"Player {entry.number}") >= 4
    assert NAME in standings(staff.event), "the event's own pages stay as they are"
    client_of(player).post(MINE, {"in_archives": "on"})
    assert NAME in archived(staff.event)


def test_erased_data_takes_the_profile_with_it(staff, player):
    address = turn_on(player)
    scrub(player, by_office=False)
    assert not PublicProfile.objects.exists()
    assert Client().get(address).status_code == 404
    assert NAME not in standings(staff.event)
    assert NAME not in archived(staff.event)


def test_people_under_18_have_none(staff, player):
    address = turn_on(player)
    entry = Entry.objects.get(person=player)
    Entry.objects.filter(pk=entry.pk).update(is_minor=True)
    assert staff.event.name not in Client().get(address).content.decode(), "there the name is shortened"
    assert LINK not in standings(staff.event)
    Entry.objects.filter(pk=entry.pk).update(is_minor=False)
    Person.objects.filter(pk=player.pk).update(is_minor=True)
    assert Client().get(address).status_code == 404
    refused = client_of(player).post(MINE, ON)
    assert "People under 18 can&#x27;t have a public profile." in refused.content.decode()
    Person.objects.filter(pk=player.pk).update(is_minor=False)
    assert Client().get(address).status_code == 200
    account = {"name": NAME, "phone": "", "is_minor": "on"}
    assert client_of(player).post(reverse("events:account"), account).status_code == 302
    Person.objects.filter(pk=player.pk).update(is_minor=False)
    assert Client().get(address).status_code == 404, "it doesn't come back by itself"


def test_a_closed_account_shows_nothing(player):
    address = turn_on(player)
    Person.objects.filter(pk=player.pk).update(is_active=False)
    assert Client().get(address).status_code == 404


def test_no_one_changes_anothers(staff, player):
    turn_on(player)
    assert Client().post(MINE, ON).status_code == 302
    assert client_of(staff.office).post(MINE, {}).status_code == 302
    assert PublicProfile.objects.get(person=player).is_on
    assert Client().get("/players/" + player.email + "/").status_code == 404
    assert Client().get(f"/players/{player.pk}/").status_code == 404


def test_a_stale_form_changes_nothing(player):
    turn_on(player)
    client_of(player).post(MINE, ON | {"shows_forces": "on"})
    assert client_of(player).post(MINE, ON | {"version": 1}).status_code == 409


def test_many_events_are_paged(staff, player):
    for number in range(11):
        event = EventFactory(name=f"Cup {number:02}", state="finished", venue=staff.event.venue)
        Entry.objects.create(event=event, number=1, name=NAME, person=player, state="checked-in")
    address = turn_on(player)
    first, second = (Client().get(f"{address}?page={n}").content.decode() for n in (1, 2))
    assert (first.count("<section"), second.count("<section")) == (10, 2)
    assert "Older events" in first
    assert Client().get(f"{address}?page=x").status_code == 200
