"""Fixtures shared by all tests: people with their roles at an event, and clients signed in as them."""

import contextlib
import gc
import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.core.cache import cache
from django.db import connection
from django.test import Client, SimpleTestCase
from django.test.utils import override_settings, setup_databases, teardown_databases
from django.utils import timezone
from pytest_django.plugin import blocking_manager_key
from whitenoise.middleware import WhiteNoiseMiddleware

from config.health import HEALTH
from config.sessions import SessionStore
from events.models import Event, Official, Person, Volunteer
from events.roles import Actor
from events.shared_parts import PARTS
from judging.findings import LOOKOUT

from . import databases, examples, factories, run, sharing
from .postgresql import server

examples.load_profile()


def pytest_configure(config):
    """Begin a run that all workers share; the process that begins it also ends it.

    Workers, and processes that tests start, must name an encoding for every file.
    """
    global BEGAN
    os.environ |= {"PYTHONWARNDEFAULTENCODING": "1", "PYTHONWARNINGS": "error::EncodingWarning"}
    BEGAN = run.begin()
    if BEGAN and any(Path(__file__).parent.rglob("test_*-pytest-*.pyc")):
        run.note("compiled")
    databases.UNBLOCKED.append(config.stash[blocking_manager_key].unblock)


PURE = ("tests/events/", "tests/rules/")


def needs_database(item: pytest.Item) -> bool:
    """Return whether the test uses the database."""
    in_class = getattr(item, "cls", None)
    of_django = in_class is not None and issubclass(in_class, SimpleTestCase)
    asked = {"db", "transactional_db"} & set(item.fixturenames)
    return bool(asked or of_django or item.get_closest_marker("django_db"))


def pytest_collection_modifyitems(config, items):
    """Leave long tests out unless `-m` names them; mark what `make quick` runs; put first what begins first."""
    if "soak" not in config.option.markexpr:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("soak")])
        items[:] = [item for item in items if not item.get_closest_marker("soak")]
    for item in items:
        if item.nodeid.startswith(PURE) and not needs_database(item):
            item.add_marker(pytest.mark.pure)
    items.sort(key=lambda item: sharing.rank(item.nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return sharing.Sharing(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Look for no garbage while tests are collected: little is made then, and it costs a quarter of the time.

    The first of several workers compiles the tests for all of them, if they aren't compiled.
    """
    gc.disable()
    with run.first_alone("compiled") if "PYTEST_XDIST_WORKER" in os.environ else contextlib.nullcontext():
        return (yield)


def pytest_collection_finish():
    """Exclude objects that live as long as the tests from garbage collection, and look seldom: little is ever found."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


def pytest_unconfigure():
    if BEGAN:
        server.stop_of_this_run()
        run.end()


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment, django_db_blocker, tmp_path_factory):
    """Give each worker a copy of one migrated database, in a file.

    With a database in memory, the threads of one process share a cache whose locks ignore the timeout: a page that
    reads while the test writes would fail, as it never does on a real site. If DATABASE_URL names a server, Django
    makes the tables.
    """
    with django_db_blocker.unblock(), contextlib.ExitStack() as stack:
        if connection.vendor == "sqlite":
            file = databases.copied_sqlite(tmp_path_factory.mktemp("database") / "test.sqlite3")
            stack.enter_context(databases.switched(databases.quick_sqlite(file)))
        else:
            made = setup_databases(verbosity=0, interactive=False)
            stack.callback(teardown_databases, made, verbosity=0)
        with pytest.MonkeyPatch.context() as patch:  # no test needs Django's rows about our models after a flush
            patch.setattr("django.core.management.commands.flush.emit_post_migrate_signal", lambda *_a, **_k: None)
            yield


@pytest.fixture(scope="session", autouse=True)
def _static_files_are_found_once():
    """Search for static files once for all clients: otherwise each client does before its first page."""
    find, found = WhiteNoiseMiddleware.add_files_from_finders, {}

    def add(middleware: WhiteNoiseMiddleware) -> None:
        if not found:
            find(middleware)
            found.update(middleware.files)
        middleware.files.update(found)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add)
        yield


@pytest.fixture(scope="session", autouse=True)
def _quick_settings(django_test_environment, tmp_path_factory):
    """Hash passwords quickly; keep files out of the checkout, and take snapshots only if a test asks for them."""
    told = {
        "DATA_DIR": tmp_path_factory.getbasetemp() / "kept",
        "SNAPSHOTS_KEPT": 0,
        "ERROR_MAILS": 0,
        "WEBHOOKS": True,
    }
    with override_settings(**told, PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(autouse=True)
def _nothing_remembered():
    """Forget what earlier tests left in memory: requests that count towards limits, pages, findings, numbers, settings."""
    LOOKOUT.forget()
    HEALTH.forget()
    cache.clear()
    PARTS.forget()
    for one in factories.ALL:  # the same names and numbers whichever tests ran before
        one.reset_sequence(0, force=True)
    timezone.get_default_timezone.cache_clear()
    with override_settings():  # the set-up of an installation changes the settings of its process
        yield


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
        return client_of(getattr(self, who))

    def actor(self, who: str) -> Actor:
        """Return the same person as the services' actor."""
        return Actor(person=getattr(self, who))


@pytest.fixture
def staff(db) -> Staff:
    """Return an open event at an approved venue, with its staff."""
    event = factories.EventFactory()
    manager = factories.PersonFactory(name="Vera Venue")
    factories.VenueManagerFactory(venue=event.venue, person=manager)
    people = Person.objects.bulk_create(factories.PersonFactory.build_batch(len(Official.Role)))
    Volunteer.objects.bulk_create(factories.VolunteerFactory.build(person=one) for one in people)
    having = dict(zip(Official.Role, people, strict=True))
    Official.objects.bulk_create(
        factories.OfficialFactory.build(event=event, role=role, person=one) for role, one in having.items()
    )
    office = factories.PersonFactory(name="Otto Office", is_office=True)
    return Staff(event, office, manager, **{role.value.replace("-", "_"): one for role, one in having.items()})


@pytest.fixture
def administrator(db) -> Person:
    """Return the administrator: no one can sign up before there is one."""
    return factories.PersonFactory(name="Otto Office", email="administrator@example.org", is_office=True)


def client_of(person: Person) -> Client:
    """Return a client signed in as this person."""
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = session_of(person)
    return client


def session_of(person: Person) -> str:
    """Return the key of a session in which this person is signed in; `force_login` would write to the database thrice."""
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    return session.session_key


def confirmed(person: Person) -> Person:
    """Return the person, with a confirmed e-mail address."""
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    return person


def password_given(client: Client) -> Client:
    """Return the client after its person has entered the password again, as account pages require."""
    assert client.post("/accounts/reauthenticate/", {"password": factories.PASSWORD}).status_code == 302
    return client
