"""Databases and backups that this version can't use: of an unreleased version, or of a newer one."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

UNRELEASED = frozenset({("rules", "0001_catalogue"), ("events", "0002_installation")})
"""Migrations that only databases of unreleased versions have applied: they were merged before a release."""
CARRY_OVER = (
    "Export each event with that version (`headjudge export_event ID FILE`), create a new database with "
    "this one (`headjudge migrate`, with another DATA_DIR or DATABASE_URL), and import the files "
    "(`headjudge import_event FILE --trust`)."
)


def why_refused(what: str, migrations: Iterable[tuple[str, str]]) -> str:
    """Return why this version can't use `what` ("database" or "backup") with these migrations, "" if it can."""
    given = set(migrations)
    if UNRELEASED & given:
        return f"This {what} was made by an unreleased version of Headjudge; this one can't read it. {CARRY_OVER}"
    if newer := first_unknown(given):
        return (
            f"This {what} was made by a newer version of Headjudge ({newer} is unknown here); this one can't use it. "
            "Install that version or a later one."
        )
    return ""


def why_database_refused() -> str:
    """Return why this version can't use the installation's database, "" if it can; raise DatabaseError if it is away."""
    return why_refused("database", MigrationRecorder(connection).applied_migrations())


def first_unknown(migrations: Iterable[tuple[str, str]]) -> str:
    """Return the first migration that this version doesn't have, of an app that it has, or ""."""
    known = MigrationLoader(None).disk_migrations
    apps_here = {app for app, _name in known}
    unknown = (one for one in sorted(migrations) if one not in known and one[0] in apps_here)
    return ".".join(next(unknown, ()))
