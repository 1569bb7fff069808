"""What all tests share: people with their roles at an event, and clients signed in as them."""

from dataclasses import dataclass

import pytest
from django.test import Client

from events.models import Event, Official, Person, VenueManager
from events.roles import Actor

from . import factories


@pytest.fixture(autouse=True)
def _quick_settings(settings):
    """Hash passwords quickly and serve static files without a manifest."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@dataclass
class Staff:
    """An event with one person in each role, and a client for each."""

    event: Event
    office: Person
    manager: Person
    head_judge: Person
    judge: Person
    scorekeeper: Person

    def client(self, who: str) -> Client:
        """Return a client signed in as "office", "manager", "head_judge", "judge" or "scorekeeper"."""
        client = Client()
        client.force_login(getattr(self, who), backend="django.contrib.auth.backends.ModelBackend")
        return client

    def actor(self, who: str) -> Actor:
        """Return the same person as the services know them."""
        return Actor(person=getattr(self, who))


@pytest.fixture
def staff(db) -> Staff:
    """Return an open event at an approved venue, with its staff."""
    event = factories.EventFactory()
    manager = factories.PersonFactory(name="Vera Venue")
    VenueManager.objects.create(venue=event.venue, person=manager)
    people = {}
    for role in Official.Role:
        official = factories.OfficialFactory(event=event, role=role)
        people[role.value.replace("-", "_")] = official.person
    return Staff(
        event=event, office=factories.PersonFactory(name="Otto Office", is_office=True), manager=manager, **people
    )


def client_of(person: Person) -> Client:
    """Return a client signed in as this person."""
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client
