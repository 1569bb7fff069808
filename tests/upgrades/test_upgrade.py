"""An upgrade loses nothing: a database of each earlier version is backed up, migrated, read and used."""

import contextlib
import json
import shutil
import sqlite3
import tarfile
from pathlib import Path

import pytest
from django.db import connection

from judging.keeping import backups
from tests.databases import copied_postgresql
from tests.judging.machines import Machines, command

HERE = Path(__file__).parent
VERSIONS = sorted(file.name.removesuffix(".tar.xz") for file in HERE.glob("*.tar.xz"))
GROWING = {"django_migrations", "django_content_type", "auth_permission", "sqlite_sequence"}
"""Tables that Django adds rows to when an app gets a new table or migration."""
MAX_BYTES = 150_000
BACK, AGAIN = command("migrate", "mfa", "0002", "--no-backup"), command("migrate")
"""An app's newest migration, which tests reverse so that the database is really behind, and apply again."""
IS_BEHIND = "from judging.management.readiness import is_behind; print(is_behind())"
SOMEBODY = 'from tests.factories import PersonFactory; PersonFactory(name="Ada", email="ada@example.org")'
NO_PROGRAMS = "import shutil; shutil.which = lambda _name: None\n"

pytestmark = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="these processes have databases of their own: once is enough"
)


DROPPED = {("rules_import", name) for name in ("digest", "set_code", "state", "content")}
DROPPED.add(("rules_importline", "record"))
DROPPED.add(("rules_facts", "words"))
"""Columns that nothing reads any more, of an import that waited (its files have to be chosen again), and derived ones."""
ADDED = ', "base_color": "black"}'
"""What figures of the invented sets have said since a base without a colour may be unknown."""


@pytest.fixture
def machines(tmp_path):
    with Machines(tmp_path) as found:
        yield found


def unpacked(version: str, folder: Path) -> Path:
    """Unpack the data folder of an earlier version there."""
    with tarfile.open(HERE / f"{version}.tar.xz") as kept:
        kept.extractall(folder, filter="data")
    return folder / "headjudge.sqlite3"


def rows_of(database: Path) -> dict[str, list[dict]]:
    """Return every row of every table by column."""
    with contextlib.closing(sqlite3.connect(database)) as opened:
        opened.row_factory = sqlite3.Row
        tables = [row[0] for row in opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: [dict(row) for row in opened.execute(f'SELECT * FROM "{table}"')] for table in tables}


def before_it(value: object) -> object:
    """Return a cell without what the upgrade adds to it."""
    return value.removesuffix(ADDED) + "}" if isinstance(value, str) and value.endswith(ADDED) else value


def lost(before: dict[str, list[dict]], after: dict[str, list[dict]]) -> list[str]:
    """Return the earlier rows that are missing or different now; tables, columns and Django's rows may be added."""
    found = []
    for table, rows in before.items():
        columns = [name for name in (rows[0] if rows else ()) if (table, name) not in DROPPED]
        rows = [{name: row[name] for name in columns} for row in rows]
        have = [{name: before_it(row.get(name, "no such column")) for name in columns} for row in after.get(table, [])]
        if table in GROWING:
            found += [f"{table}: {row}" for row in rows if row not in have and table != "sqlite_sequence"]
        elif sorted(map(repr, rows)) != sorted(map(repr, have)):
            found += [f"{table}: {row}" for row in rows if row not in have] or [f"{table}: other rows"]
    return found


USE = """
import json
from django.test import Client
from django.urls import reverse
from events.models import Event, Person
from judging.keeping import snapshots
from judging.models import Snapshot

OF_EVENTS = {
    "open": ["events:event", "events:entries"],
    "running": ["events:console", "events:rounds", "events:standings", "judging:calls", "judging:audit-log", "judging:snapshots"],
    "verified": ["events:event", "events:standings", "judging:penalties", "judging:audit-log-json", "judging:sheet-json"],
}
pages = ["/", "/me/", "/venues/", "/office/", "/forces/check/"]
for event in Event.objects.all():
    pages += [reverse(name, args=[event.public_id]) for name in OF_EVENTS[event.state]]
    pages += [reverse("events:round", args=[event.public_id, one.number]) for one in event.rounds.all()[2:3]]
pages.append(reverse("events:force", args=[Event.objects.get(state="running").public_id, 1]))
clients = []
for email in ("headjudge@example.org", "office@example.org"):
    clients.append(Client())
    clients[-1].force_login(Person.objects.get(email=email))
told = {}
for page in pages:
    for client in clients:
        told[page] = client.get(page).status_code
        if told[page] == 200:
            break
snapshot = Snapshot.objects.get(pk=1)
changes = snapshots.what_changes(snapshot.event, snapshot)
print(json.dumps({"pages": told, "changes": changes}))
"""


@pytest.mark.parametrize("version", VERSIONS)
def test_a_database_of_an_earlier_version_is_upgraded_without_loss(version, machines, tmp_path):
    assert (HERE / f"{version}.tar.xz").stat().st_size < MAX_BYTES
    database = unpacked(version, tmp_path / "shop")
    machines.run("shop", BACK)
    before = rows_of(database)
    assert [table for table, rows in before.items() if not rows] == [], "a table that is upgraded untried"
    assert "Backup from before the migration: " in machines.run("shop", command("migrate"))
    assert machines.run("shop", IS_BEHIND) == "False\n"
    assert lost(before, rows_of(database)) == []
    (kept,) = (tmp_path / "shop/backups").iterdir()
    with tarfile.open(kept) as backup:
        backup.extract(backups.SQLITE, tmp_path / "kept", filter="data")
    assert rows_of(tmp_path / "kept" / backups.SQLITE) == before
    told = json.loads(machines.run("shop", USE))
    assert {page: status for page, status in told["pages"].items() if status != 200} == {}
    assert told["changes"] != []


@pytest.fixture(scope="module")
def database_behind(tmp_path_factory):
    """Return a folder whose database is one migration behind, with a person in it."""
    folder = tmp_path_factory.mktemp("behind")
    with Machines(folder) as machines:
        machines.migrated("shop")
        machines.run("shop", SOMEBODY + "\n" + BACK)
        assert machines.run("shop", IS_BEHIND) == "True\n"
    return folder / "shop"


@pytest.fixture
def behind(database_behind, tmp_path):
    """Return the folder of a machine with such a database."""
    return shutil.copytree(database_behind, tmp_path / "shop")


def test_migrate_backs_up_first_and_the_way_back_works(behind, machines, tmp_path):
    said = machines.run("shop", f"{command('migrate', '--plan')}\n{AGAIN}\n{AGAIN}")
    assert said.count("Backup") == 1
    (kept,) = (behind / "backups").iterdir()
    assert f"Backup from before the migration: {kept}" in said
    assert (kept.stat().st_mode | kept.parent.stat().st_mode) & 0o077 == 0
    assert machines.run("shop", IS_BEHIND) == "False\n"
    machines.run("shop", command("restore", str(kept), "--force"))
    assert machines.run("shop", "from events.models import Person; print(Person.objects.get().name)") == "Ada\n"


def test_a_backup_that_fails_stops_the_migration(behind, machines):
    (behind / "backups").write_text("in the way", encoding="utf-8")
    said = machines.run("shop", AGAIN, fails=True)
    assert "No backup could be made, so nothing was migrated" in said
    assert machines.run("shop", IS_BEHIND) == "True\n"
    machines.run("shop", command("migrate", "--no-backup"))
    assert machines.run("shop", IS_BEHIND) == "False\n"


def test_an_empty_database_is_migrated_without_a_backup(behind, machines):
    with contextlib.closing(sqlite3.connect(behind / "headjudge.sqlite3")) as database, database:
        database.execute("DELETE FROM events_person")
    machines.run("shop", AGAIN)
    assert not (behind / "backups").exists()


def test_a_database_that_is_behind_is_backed_up_row_by_row(behind, machines, tmp_path):
    machines.run("shop", command("migrate", "mfa", "zero", "--no-backup"))
    machines.run("shop", command("backup", "--portable", str(tmp_path / "rows.tar.gz")))
    with tarfile.open(tmp_path / "rows.tar.gz") as kept:
        labels = {json.loads(line)["model"] for line in kept.extractfile(backups.PORTABLE)}
    assert "events.person" in labels
    assert "mfa.authenticator" not in labels


@pytest.mark.postgres
@pytest.mark.parametrize("programs", ["", NO_PROGRAMS], ids=["pg_dump", "row by row"])
def test_migrate_backs_postgresql_up_first(programs, machines, tmp_path):
    url = copied_postgresql()
    machines.run("server", SOMEBODY + command("migrate", "mfa", "zero", "--no-backup"), url=url)
    said = machines.run("server", programs + AGAIN, url=url)
    (kept,) = (tmp_path / "server/backups").iterdir()
    assert f"Backup from before the migration: {kept}" in said
    with tarfile.open(kept) as backup:
        assert (backups.PORTABLE if programs else backups.PGDUMP) in backup.getnames()
    assert machines.run("server", IS_BEHIND, url=url) == "False\n"
