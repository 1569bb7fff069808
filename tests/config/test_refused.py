"""A database or backup of an unreleased version, or of a newer one, is refused, with a sentence."""

import contextlib
import sqlite3
from importlib.util import find_spec

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config.health import HEALTH
from judging.keeping import backups
from judging.management.readiness import NOT_FOR_THIS_VERSION
from judging.refused import UNRELEASED
from tests.judging.machines import Machines, command

EARLY = min(UNRELEASED)
SAID, NEWER = "an unreleased version of Headjudge", "newer version of Headjudge (events.0999_next_year is unknown here)"
SERVER = "import sys; sys.stderr = sys.stdout; import config.asgi"
TYPED = "import sys; sys.stderr = sys.stdout; from config import commands; commands.run(['manage.py', *{!r}])"
own_databases = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="these processes have databases of their own: once is enough"
)


@own_databases
@pytest.mark.parametrize(
    "given", [["migrate"], ["serve", "--port", "8799"], ["demo", "--no-serve"], ["export_event", "any", "file.json"]]
)
def test_a_command_says_how_to_carry_the_data_over(tmp_path, given):
    with Machines(tmp_path) as machines:
        machines.migrated("shop")
        with contextlib.closing(sqlite3.connect(tmp_path / "shop" / "headjudge.sqlite3")) as database, database:
            database.execute(
                "UPDATE django_migrations SET name = ? WHERE app = ? AND name = '0002_since_0_1_0'", EARLY[::-1]
            )
        ended = machines.ask(folder=str(tmp_path / "shop"), url="", code=TYPED.format(given), wait=True)
    assert ended["status"] == 1
    assert SAID in ended["said"]
    assert "export_event" in ended["said"]
    assert "Traceback" not in ended["said"]


@own_databases
@pytest.mark.parametrize(
    ("code", "status"),
    [
        (command("migrate"), 1),
        (command("serve", "--port", "8799"), 1),
        (command("send_reminders"), 1),
        (SERVER, NOT_FOR_THIS_VERSION),
    ],
    ids=["migrate", "serve", "send_reminders", "gunicorn"],
)
def test_a_newer_database_is_refused_untouched(code, status, tmp_path):
    with Machines(tmp_path) as machines:
        machines.migrated("shop")
        file = tmp_path / "shop" / "headjudge.sqlite3"
        with contextlib.closing(sqlite3.connect(file)) as database, database:
            database.execute(
                "INSERT INTO django_migrations (app, name, applied) VALUES ('events', '0999_next_year', '2027-01-01')"
            )
        before = file.read_bytes()
        ended = machines.ask(folder=str(tmp_path / "shop"), url="", code=code, wait=True)
    assert ended["status"] == status
    assert NEWER in ended["said"]
    assert "Traceback" not in ended["said"]
    assert not (tmp_path / "shop/backups").exists()
    assert file.read_bytes() == before


@pytest.mark.skipif(find_spec("gunicorn") is None, reason="gunicorn isn't installed")
def test_gunicorn_starts_no_worker_again_after_that_status():
    from gunicorn.arbiter import Arbiter

    assert Arbiter.APP_LOAD_ERROR == NOT_FOR_THIS_VERSION


@pytest.mark.django_db
def test_the_health_page_says_so(client, monkeypatch):
    monkeypatch.setattr("config.health.CHECK_EVERY", 0)
    MigrationRecorder(connection).record_applied(*EARLY)
    HEALTH.complete = float("-inf")
    try:
        assert client.get("/health/").status_code == 503
        assert SAID in client.get("/health/details/").json()["problem"]
    finally:
        MigrationRecorder(connection).record_unapplied(*EARLY)
        HEALTH.forget()


@pytest.mark.django_db
def test_a_backup_of_it_is_refused_before_anything_is_touched(staff, tmp_path, monkeypatch):
    ours = backups.applied_migrations()
    monkeypatch.setattr(backups, "applied_migrations", lambda: [*ours, ".".join(EARLY)])
    made = backups.back_up(tmp_path / "old.tar.gz", portable=True)
    with pytest.raises(CommandError, match=SAID):
        call_command("restore", str(made), force=True)
    assert not list(tmp_path.glob("backups/*"))
