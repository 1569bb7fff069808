"""Checks that this installation has an up-to-date database, for the commands that need one."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor

from events.models import Event
from judging import refused
from rules.system import lock_at_once, lock_until_closed

SHOWN = 10
NOT_FOR_THIS_VERSION = 4
"""The exit status: gunicorn then ends, too, and doesn't start another worker (its `Arbiter.APP_LOAD_ERROR`)."""
NO_DATABASE = "No database yet. Create it with `headjudge migrate`, or `restore` a backup."


def has_database() -> bool:
    """Return whether Headjudge's tables exist."""
    return Event._meta.db_table in connection.introspection.table_names()


def is_behind() -> bool:
    """Return whether the database is from an older version of Headjudge than the program."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def what_is_missing() -> str:
    """Return what must be done before this version can read the database, or ""."""
    if not has_database():
        return NO_DATABASE
    if why := refused.why_database_refused():
        return why
    if is_behind():
        return "The database is from an older version. `headjudge migrate` upgrades it, after a backup."
    return ""


def make_database() -> None:
    """Create the tables if there are none: a machine that takes over an event may never have run."""
    if not has_database():
        call_command("migrate", verbosity=0, interactive=False)
    needs_database()


MIGRATES = 0x68656164
"""The number of the lock of PostgreSQL's that one migration of a database holds."""
WAITS = "Another process is upgrading this database. Waiting until it has finished …"


@contextlib.contextmanager
def alone(say: Callable[[str], object]) -> Iterator[None]:
    """Let no other process upgrade this database within the block; wait for one that does, and say so."""
    with _locked_postgresql(say) if connection.vendor == "postgresql" else _locked_folder(say):
        yield


@contextlib.contextmanager
def _locked_folder(say: Callable[[str], object]) -> Iterator[None]:
    folder = Path(settings.DATA_DIR)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "migrate.lock").open("ab") as lock:
        if not lock_at_once(lock.fileno()):
            say(WAITS)
            lock_until_closed(lock.fileno())
        yield


@contextlib.contextmanager
def _locked_postgresql(say: Callable[[str], object]) -> Iterator[None]:
    """Hold the lock in a transaction of another connection: it ends with it, however this process ends."""
    other = connections.create_connection(DEFAULT_DB_ALIAS)
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            for limit in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
                cursor.execute(f"SET LOCAL {limit} = 0")
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [MIGRATES])
            if not cursor.fetchone()[0]:
                say(WAITS)
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [MIGRATES])
        yield
    finally:
        if other.connection is not None:
            other.rollback()
        other.close()


def needs_database() -> None:
    """Raise CommandError if there is no database, or one that must be upgraded first."""
    if missing := what_is_missing():
        raise CommandError(missing)


def stop_if_refused() -> None:
    """End a server's process with a sentence if the database isn't for this version; one that is away comes later."""
    with contextlib.suppress(DatabaseError):
        if why := refused.why_database_refused():
            sys.stderr.write(f"{why}\n")
            sys.exit(NOT_FOR_THIS_VERSION)
    connection.close()


def event_named(public_id: str) -> Event:
    """Return the event with this id; if there is none, raise CommandError with the ids of current and coming events."""
    events = Event.objects.select_related("venue", "hall")
    found = events.filter(public_id=public_id).first()
    if found is not None:
        return found
    near = events.filter(state__in=[Event.State.RUNNING, Event.State.OPEN, Event.State.FINISHED]).order_by("-starts")
    listed = "".join(f"\n  {event.public_id}  {event.name}" for event in near[:SHOWN])
    raise CommandError(f"There is no event {public_id}: give its id, as in its address.{listed}")
