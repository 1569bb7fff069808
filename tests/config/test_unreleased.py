"""A database or backup from before the first release is refused, with a sentence on how to move the data."""

import contextlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config.health import HEALTH
from judging import unreleased
from judging.keeping import backups
from tests.databases import copied_sqlite

ROOT = Path(__file__).parents[2]
SAID = "before the first release"


@pytest.fixture
def old(tmp_path):
    """Return the environment of an installation whose database has migrations from before the first release."""
    file = copied_sqlite(tmp_path / "headjudge.sqlite3")
    with contextlib.closing(sqlite3.connect(file)) as database, database:
        database.execute(
            "UPDATE django_migrations SET name = ? WHERE app = ? AND name = '0001_initial'", unreleased.MARK[::-1]
        )
    return os.environ | {"DATA_DIR": str(tmp_path), "DATABASE_URL": ""}


@pytest.mark.parametrize(
    "command", [["migrate"], ["serve", "--port", "8799"], ["demo", "--no-serve"], ["export_event", "any", "file.json"]]
)
def test_a_command_says_how_to_carry_the_data_over(old, command):
    asked = [sys.executable, "manage.py", *command]
    ended = subprocess.run(asked, env=old, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert ended.returncode == 1
    assert SAID in ended.stderr
    assert "export_event" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.django_db
def test_the_health_page_says_so(client, monkeypatch):
    monkeypatch.setattr("config.health.CHECK_EVERY", 0)
    MigrationRecorder(connection).record_applied(*unreleased.MARK)
    HEALTH.complete = float("-inf")
    try:
        assert client.get("/health/").status_code == 503
        assert SAID in client.get("/health/details/").json()["problem"]
    finally:
        MigrationRecorder(connection).record_unapplied(*unreleased.MARK)
        HEALTH.forget()


@pytest.mark.django_db
def test_a_backup_of_it_is_refused_before_anything_is_touched(staff, tmp_path, monkeypatch):
    ours = backups.applied_migrations()
    monkeypatch.setattr(backups, "applied_migrations", lambda: [*ours, ".".join(unreleased.MARK)])
    made = backups.back_up(tmp_path / "old.tar.gz", portable=True)
    with pytest.raises(CommandError, match=SAID):
        call_command("restore", str(made), force=True)
    assert not list(tmp_path.glob("backups/*"))
