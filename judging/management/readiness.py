"""Checks that this installation has an up-to-date database, for the commands that need one."""

from __future__ import annotations

from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from events.models import Event
from judging import unreleased

SHOWN = 10


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
        return "No database yet. Create it with `python manage.py migrate`, or `restore` a backup."
    if unreleased.is_unreleased():
        return unreleased.DATABASE
    if is_behind():
        return "The database is from an older version. Run `python manage.py backup`, then `python manage.py migrate`."
    return ""


def make_database() -> None:
    """Create the tables if there are none: a machine that takes over an event may never have run."""
    if not has_database():
        call_command("migrate", verbosity=0, interactive=False)
    needs_database()


def needs_database(*, may_be_behind: bool = False) -> None:
    """Raise CommandError if there is no database, or one that must be upgraded first."""
    missing = what_is_missing()
    if missing and not (may_be_behind and has_database()):
        raise CommandError(missing)


def event_named(public_id: str) -> Event:
    """Return the event with this id; if there is none, raise CommandError with the ids of current and coming events."""
    events = Event.objects.select_related("venue", "hall")
    found = events.filter(public_id=public_id).first()
    if found is not None:
        return found
    near = events.filter(state__in=[Event.State.RUNNING, Event.State.OPEN, Event.State.FINISHED]).order_by("-starts")
    listed = "".join(f"\n  {event.public_id}  {event.name}" for event in near[:SHOWN])
    raise CommandError(f"There is no event {public_id}: give its id, as in its address.{listed}")
