"""Databases from before the first release, which can't be upgraded because the migrations were rewritten."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

MARK = ("rules", "0001_catalogue")
"""A migration that only databases from before the first release have applied."""
CARRY_OVER = (
    "Export each event with that version (`python manage.py export_event ID FILE`), create a new database with "
    "this one (`python manage.py migrate`, with another DATA_DIR or DATABASE_URL), and import the files "
    "(`python manage.py import_event FILE --trust`)."
)
DATABASE = f"This database was made by a version from before the first release; this one can't read it. {CARRY_OVER}"
BACKUP = f"This backup was made by a version from before the first release; this one can't read it. {CARRY_OVER}"


def is_unreleased() -> bool:
    """Return whether a version from before the first release made the database."""
    return MARK in MigrationRecorder(connection).applied_migrations()
