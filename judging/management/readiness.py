"""Whether this installation has its database yet, for the commands that need one; moving the data is the commands'."""

from __future__ import annotations

from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from events.models import Event
from judging import unreleased

SHOWN = 10


def has_database() -> bool:
    """True where Headjudge's tables were made."""
    return Event._meta.db_table in connection.introspection.table_names()


def is_behind() -> bool:
    """True where the database is of an older version of Headjudge than the program."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def what_is_missing() -> str:
    """Return what has to be done before the database can be read by this version, or nothing."""
    if not has_database():
        return "No database yet. Create it with `python manage.py migrate`, or `restore` a backup."
    if unreleased.is_unreleased():
        return unreleased.DATABASE
    if is_behind():
        return "The database is from an older version. Run `python manage.py backup`, then `python manage.py migrate`."
    return ""


def make_database() -> None:
    """Make the tables where there are none: a machine that takes over has never run before."""
    if not has_database():
        call_command("migrate", verbosity=0, interactive=False)
    needs_database()


def needs_database(*, may_be_behind: bool = False) -> None:
    """Raise CommandError where there is no database to read, or one that has to be brought up to date first."""
    missing = what_is_missing()
    if missing and not (may_be_behind and has_database()):
        raise CommandError(missing)


def event_named(public_id: str) -> Event:
    """Return the event with this id; raise CommandError with the ids of those that run or come, where there is none."""
    events = Event.objects.select_related("venue", "hall")
    found = events.filter(public_id=public_id).first()
    if found is not None:
        return found
    near = events.filter(state__in=[Event.State.RUNNING, Event.State.OPEN, Event.State.FINISHED]).order_by("-starts")
    listed = "".join(f"\n  {event.public_id}  {event.name}" for event in near[:SHOWN])
    raise CommandError(f"There is no event {public_id}: give its id, as in its address.{listed}")
