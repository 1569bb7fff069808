"""`/health/` answers 503 exactly when the site can't serve."""

import os
import sqlite3
import subprocess
import sys
import threading
import time

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config.health import HEALTH, Health, State
from tests.databases import copied_sqlite

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ask(client, monkeypatch):
    """Ask for a fresh check, ignoring one from two seconds ago."""
    monkeypatch.setattr("config.health.CHECK_EVERY", 0)

    def asked():
        HEALTH.complete = float("-inf")
        return client.get("/health/")

    return asked


def test_health_says_that_the_site_can_serve_and_leaves_nothing(client):
    answer = client.get("/health/")
    assert answer.status_code == 200
    assert answer.json() == {"healthy": True, "database": connection.vendor, "streams": 0}
    assert not Session.objects.exists()


def test_a_flood_of_asking_is_one_check(client, monkeypatch):
    checks = []
    monkeypatch.setattr("config.health.CHECK_EVERY", 3600)
    monkeypatch.setattr("config.health.write_and_remove", lambda: checks.append(1))
    assert {client.get("/health/").status_code for _n in range(30)} == {200}
    assert len(checks) == 1


def test_a_request_during_a_check_gets_the_last_result(client, ask, monkeypatch):
    assert ask().status_code == 200
    at_work, on = threading.Event(), threading.Event()

    def slow():
        at_work.set()
        assert on.wait(20)

    monkeypatch.setattr("config.health.write_and_remove", slow)
    first = threading.Thread(target=HEALTH.now)
    first.start()
    assert at_work.wait(20)
    assert client.get("/health/").status_code == 200
    monkeypatch.setattr("config.health.STUCK_SECONDS", -1)
    assert client.get("/health/").status_code == 503
    on.set()
    first.join(20)


@pytest.mark.parametrize("table", ["events_event", "django_session"])
def test_a_missing_table_is_reported(ask, client, table):
    assert ask().status_code == 200
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} RENAME TO away")
    try:
        answer = ask()
        assert answer.status_code == 503
        assert answer.json() == {"healthy": False, "database": connection.vendor, "streams": 0}
        assert client.get("/health/details/").json()["problem"]
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE away RENAME TO {table}")
    assert ask().status_code == 200


def test_a_missing_migration_is_reported(ask, client):
    row = MigrationRecorder.Migration.objects.filter(app="events").order_by("-pk").first()
    row.delete()
    try:
        assert ask().status_code == 503
        assert "migrate" in client.get("/health/details/").json()["problem"]
    finally:
        MigrationRecorder(connection).record_applied(row.app, row.name)
    assert ask().status_code == 200


@pytest.mark.skipif("connection.vendor != 'sqlite'")
def test_a_writer_at_work_is_no_illness_but_one_that_never_ends_is(ask, client, monkeypatch):
    monkeypatch.setattr("config.health.WAITS_MS", 10)
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    answer = ask()
    assert answer.status_code == 200
    assert answer.json()["busy"] is True
    monkeypatch.setattr("config.health.BUSY_SECONDS", -1)
    assert ask().status_code == 503
    assert "locked" in client.get("/health/details/").json()["problem"]
    other.execute("ROLLBACK")
    other.close()
    assert ask().json() == {"healthy": True, "database": "sqlite", "streams": 0}
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA busy_timeout").fetchone()[0] > 1000


@pytest.mark.skipif("connection.vendor != 'sqlite'")
def test_two_writers_at_work_an_hour_apart_are_no_locked_database(monkeypatch):
    monkeypatch.setattr("config.health.WAITS_MS", 10)
    now, found = time.monotonic(), Health()
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for later in (0, 3600):
        monkeypatch.setattr("config.health.time.monotonic", lambda later=later: now + later)
        assert found.now() == State(is_busy=True)
    other.close()


FULL = """
import os, resource, signal, sys
import django
django.setup()
from django.test import Client
from django.db import connection
import config.health
config.health.CHECK_EVERY = 0
client = Client(SERVER_NAME="127.0.0.1")
print(client.get("/health/").status_code)
name = connection.settings_dict["NAME"]
if os.environ["FAULT"] == "full":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
else:
    connection.settings_dict["OPTIONS"]["init_command"] += " PRAGMA query_only=ON;"
    connection.close()
answer = client.get("/health/")
print(answer.status_code, client.get("/health/details/").json().get("problem"))
"""


@pytest.mark.skipif("connection.vendor != 'sqlite'")
@pytest.mark.parametrize("fault", ["full", "read-only"])
def test_a_site_that_can_read_but_not_write_is_unhealthy(tmp_path, fault):
    """No file can grow, as on a full disk; or nothing can be written at all."""
    copied_sqlite(tmp_path / "headjudge.sqlite3")
    environment = os.environ | {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings", "FAULT": fault}
    environment.pop("DATABASE_URL", None)
    done = subprocess.run(
        [sys.executable, "-c", FULL], env=environment, capture_output=True, encoding="utf-8", timeout=120
    )
    assert done.returncode == 0, done.stderr
    well, ill = done.stdout.splitlines()
    assert well == "200"
    assert ill.startswith("503 The database can't be read or written: ")
