"""Whether this installation has its database yet, for the commands that need one; moving the data is the commands'."""

from __future__ import annotations

from django.core.management import CommandError, call_command
from django.db import connection

from events.models import Event


def has_database() -> bool:
    """True where Headjudge's tables were made."""
    return Event._meta.db_table in connection.introspection.table_names()


def make_database() -> None:
    """Make the tables where there are none: a machine that takes over has never run before."""
    if not has_database():
        call_command("migrate", verbosity=0, interactive=False)


def needs_database() -> None:
    """Raise CommandError where there is no database to read."""
    if not has_database():
        raise CommandError("Here is no database yet: `python manage.py migrate` makes it, or `restore` a backup.")
