"""Ten (and in `make soak` fifty) people report, correct and pair at the same moment: nothing is lost, nobody sits twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from tests.events import many_at_once
from tests.postgresql.server import postgresql
from tests.requirements import postgresql_programs


def run(folder: Path, database: str | None, players: int, scorekeepers: int, judges: int) -> dict:
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "CONN_MAX_AGE")}
    environment |= {"DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings", "CONN_MAX_AGE": "0"}
    if database:
        environment["DATABASE_URL"] = database
    command = [sys.executable, many_at_once.__file__, str(players), str(scorekeepers), str(judges)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def check(came: dict, players: int, clients: int) -> None:
    assert came["clients"] == clients
    assert came["faults"] == [], "every write knew the one before it"
    answers, record = came["answers"], came["record"]
    assert not [what for what in answers if what.split()[1].startswith("5")], (answers, came["errors"])
    for what, verb in (
        ("pair", "draft-round"),
        ("publish", "publish-round"),
        ("complete", "complete-round"),
        ("correct", "correct-result"),
        ("decide", "decide-result"),
        ("extend", "extend-table"),
        ("enter", "enter-result"),
        ("claim", "claim-result"),
    ):
        assert answers.get(f"{what} 302", 0) == record.get(verb, 0), f"{what}: what was acknowledged is in the record"
    assert record["draft-round"] == record["publish-round"] == record["complete-round"] == 2
    for row in came["rounds"]:
        assert (row["state"], row["open"]) == ("complete", 0)
        assert (row["matches"], row["seats"], row["seated"]) == (players // 2, [1], players)
        assert row["corrected"] == [1] * len(row["corrected"]), (
            "of all who corrected one table from one page, one was heard"
        )


@pytest.mark.django_db(transaction=True)
def test_ten_at_once(tmp_path):
    """On SQLite with a file of its own; where the tests run on a server, on a database of its own there."""
    if connection.vendor == "sqlite":
        came = run(tmp_path, None, 6, 2, 2)
    else:
        with connection.cursor() as cursor:
            cursor.execute("DROP DATABASE IF EXISTS many_at_once")
            cursor.execute("CREATE DATABASE many_at_once")
        told = connection.settings_dict
        came = run(tmp_path, f"postgres://{told['USER']}@{told['HOST']}:{told['PORT']}/many_at_once", 6, 2, 2)
    check(came, 6, 10)


@pytest.mark.soak
def test_fifty_at_once_on_sqlite(tmp_path):
    check(run(tmp_path, None, 36, 7, 7), 36, 50)


@pytest.mark.soak
@pytest.mark.postgres
def test_fifty_at_once_on_postgresql(tmp_path):
    with postgresql(postgresql_programs()) as database:
        check(run(tmp_path, database, 36, 7, 7), 36, 50)
