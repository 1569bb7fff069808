"""What all tests share: people with their roles at an event, and clients signed in as them."""

import os
from dataclasses import dataclass

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from config.health import HEALTH
from events.models import Event, Official, Person
from events.roles import Actor
from judging.findings import LOOKOUT

from . import factories

# A change is judged by the same examples as the one before it; `make soak` searches among new ones.
hypothesis.settings.register_profile("steady", derandomize=True, deadline=None)
hypothesis.settings.register_profile("searching", deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """Keep SQLite's test database in a file of this process.

    In memory, the threads of one process share a cache whose locks no timeout waits for: a page that reads while the
    test writes would fail as it never does on a real site.
    """
    default = settings.DATABASES["default"]
    if default["ENGINE"].endswith("sqlite3"):
        folder = tmp_path_factory.mktemp("database")
        default.setdefault("TEST", {})["NAME"] = str(folder / "test.sqlite3")


@pytest.fixture(autouse=True)
def _quick_settings(settings, tmp_path_factory):
    """Hash passwords quickly; keep files out of the checkout, and snapshots only where a test asks for them."""
    settings.DATA_DIR = tmp_path_factory.getbasetemp() / "kept"
    settings.SNAPSHOTS_KEPT = 0
    settings.ERROR_MAILS = 0
    LOOKOUT.forget()
    HEALTH.forget()
    cache.clear()  # what an earlier test asked does not count
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
    factories.VenueManagerFactory(venue=event.venue, person=manager)
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


def password_given(client: Client) -> Client:
    """Return the client after its person has typed the password again, as pages about an account ask."""
    assert client.post("/accounts/reauthenticate/", {"password": factories.PASSWORD}).status_code == 302
    return client
