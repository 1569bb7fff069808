"""Backups of the whole installation, written, read back and restored by real processes with their own databases."""

import io
import json
import sqlite3
import tarfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from judging.keeping import backups, storage
from judging.keeping.storage import Damaged
from tests.databases import copied_postgresql
from tests.events.simulation import play_round, players
from tests.judging.machines import Machines, command

own_databases = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="these processes have databases of their own: once is enough"
)

PLAY = """
from tests.factories import EventFactory, PersonFactory
from tests.events.simulation import players, play_round
from events.roles import SITE
event = EventFactory(name="Kept", number_of_rounds=3)
players(event, 5)
play_round(SITE, event)
ada = PersonFactory(name="Ada", email="ada@example.org")
from django.utils import timezone
ada.api_tokens.create(event=event, name="Stream", expires=timezone.now())
hook = event.webhooks.create(name="Discord", address="https://discord.example/x", secret="x")
hook.messages.create(kind="result", body="{}", ends=timezone.now())
from events.models import PublicProfile
PublicProfile.objects.create(person=ada, is_on=True)
event.report_mails.create(to="office", address="office@example.org")
ada.push_subscriptions.create(endpoint="https://push.example/x", host="push.example")
"""
STILL_WORK = """
from events.models import ApiToken, PublicProfile, PushSubscription, Webhook, WebhookMessage
from judging.models import ReportMail
working = (
    ApiToken.objects.filter(revoked=None), Webhook.objects.filter(is_on=True), WebhookMessage.objects.filter(state="waiting"),
    PublicProfile.objects.shown(), ReportMail.objects.filter(state="waiting"), PushSubscription.objects.all(),
)
print(*(found.count() for found in working))
"""
SOMEBODY_NEW = 'from tests.factories import PersonFactory; PersonFactory(email="new@example.org")'
FAILS_AT_THE_END = """
from judging.keeping import backups
really = backups._pg_run
backups._pg_run = lambda given: really([*given, "--command", "SELECT 1/0"] if "--dbname" in given else given)
"""
COUNT = """
import json
from events.models import Event, Match, Person, AuditEntry
from judging.keeping.whole_file import canonical, whole_file
from judging.keeping.storage import digest
event = Event.objects.get(name="Kept")
print(json.dumps([Person.objects.count(), Match.objects.count(), AuditEntry.objects.count(), digest(whole_file(event).content())]))
"""


@pytest.fixture
def machines(tmp_path):
    with Machines(tmp_path) as found:
        yield found


@own_databases
def test_a_backup_is_restored_whole_and_never_over_what_is_there(machines, tmp_path):
    kept = str(tmp_path / "kept.tar.gz")
    machines.migrated("one")
    machines.run("one", PLAY)
    was = json.loads(machines.run("one", COUNT))
    assert "verified" in machines.run("one", command("backup", kept))
    assert Path(kept).stat().st_mode & 0o077 == 0
    assert "already" in machines.run("one", command("restore", kept), fails=True)
    said = machines.run("other", command("restore", kept))
    assert "1 events" in said
    assert "Kept" in said
    assert json.loads(machines.run("other", COUNT)) == was
    assert [machines.run(name, STILL_WORK).splitlines()[-1] for name in ("one", "other")] == [
        "1 1 1 1 1 1",
        "0 0 0 0 0 0",
    ], "a backup doesn't know which tokens were revoked after it was made, and a trial elsewhere sends nothing"
    assert (tmp_path / "one/secret_key").read_text(encoding="utf-8") == (tmp_path / "other/secret_key").read_text(
        encoding="utf-8"
    )
    machines.run("other", SOMEBODY_NEW)
    assert "The previous data is in" in machines.run("other", command("restore", kept, "--force"))
    assert json.loads(machines.run("other", COUNT)) == was
    before = next((tmp_path / "other/backups").glob("headjudge-*.tar.gz"))
    machines.run("other", command("restore", str(before), "--force"))
    assert json.loads(machines.run("other", COUNT))[0] == was[0] + 1


@own_databases
@pytest.mark.postgres
def test_a_backup_of_postgresql_by_its_own_dump_and_row_by_row(machines, tmp_path):
    dump, rows, back = (str(tmp_path / f"{name}.tar.gz") for name in ("dump", "rows", "back"))
    url = copied_postgresql()

    def server(code: str, *, fails: bool = False) -> str:
        return machines.run("server", code, url=url, fails=fails)

    server(PLAY)
    was = json.loads(server(COUNT))
    server(command("backup", dump))
    with tarfile.open(dump) as tar:
        assert {"database.pgdump", "secret_key"} <= set(tar.getnames())
    server(command("backup", "--portable", rows))
    server(SOMEBODY_NEW)
    assert "already" in server(command("restore", dump), fails=True)
    server(command("restore", dump, "--force"))
    assert json.loads(server(COUNT)) == was
    assert "portable" in machines.run("laptop", command("restore", dump), fails=True)
    machines.run("laptop", command("restore", rows))
    assert json.loads(machines.run("laptop", COUNT)) == was
    machines.run("laptop", command("backup", "--portable", back))
    server(command("restore", back, "--force"))
    assert json.loads(server(COUNT)) == was
    more = server("from tests.factories import MatchFactory; print(MatchFactory().pk)")
    assert int(more) > was[1]
    now = json.loads(server(COUNT))
    said = server(FAILS_AT_THE_END + command("restore", dump, "--force"), fails=True)
    assert "no existing data was lost" in said
    assert "division by zero" in said
    assert json.loads(server(COUNT)) == now != was
    server(command("restore", dump, "--force"))
    assert json.loads(server(COUNT)) == was


@pytest.mark.django_db
def test_a_portable_backup_is_read_back_here_as_it_was(staff, tmp_path):
    players(staff.event, 4)
    play_round(staff.actor("head_judge"), staff.event)
    made = backups.back_up(tmp_path / "one.tar.gz", portable=True)
    manifest = backups.verify(made)
    assert manifest["database"] == connection.vendor
    assert manifest["last_keys"]["events_match"] >= 2
    with tarfile.open(made) as tar:
        labels = {json.loads(line)["model"] for line in tar.extractfile("database.jsonl")}
    assert {"events.person", "events.match", "events.auditentry", "events.claim"} <= labels


@pytest.mark.django_db
def test_a_damaged_backup_is_reported_and_never_restored(staff, tmp_path):
    made = backups.back_up(tmp_path / "one.tar.gz", portable=True)
    content = made.read_bytes()
    made.write_bytes(content[: len(content) // 2])
    with pytest.raises(CommandError, match=r"isn't a backup or is damaged|missing"):
        call_command("restore", str(made), force=True)
    made.write_bytes(b"no archive at all")
    with pytest.raises(Damaged):
        backups.verify(made)
    with pytest.raises(CommandError, match=r"nowhere.tar.gz can't be read: No such file or directory$"):
        call_command("restore", str(tmp_path / "nowhere.tar.gz"))


@pytest.mark.django_db
def test_a_backup_of_a_newer_version_is_refused_before_anything_is_touched(staff, tmp_path, monkeypatch):
    ours = backups.applied_migrations()
    monkeypatch.setattr(backups, "applied_migrations", lambda: [*ours, "events.9999_from_next_year"])
    made = backups.back_up(tmp_path / "newer.tar.gz", portable=True)
    with pytest.raises(
        CommandError, match=r"newer version of Headjudge \(events\.9999_from_next_year is unknown here\)"
    ):
        call_command("restore", str(made), force=True)
    assert not list(tmp_path.glob("backups/*"))


@own_databases
def test_a_machine_without_a_database_says_so_or_makes_one(machines, tmp_path):
    machines.migrated("old")
    machines.run("old", PLAY)
    file, kept = str(tmp_path / "kept.json.gz"), str(tmp_path / "kept.tar.gz")
    found = machines.run("old", 'from events.models import Event; print(Event.objects.get(name="Kept").public_id)')
    machines.run("old", command("export_event", found.strip(), file))
    for asked in (("backup", kept), ("export_event", "any", str(tmp_path / "none.json"))):
        assert "No database yet" in machines.run("new", command(*asked), fails=True)
    assert "You can change the event here from now on" in machines.run(
        "new", command("import_event", file, "--take-over", "--trust")
    )
    assert json.loads(machines.run("new", COUNT))[1] == json.loads(machines.run("old", COUNT))[1] > 0


@pytest.mark.django_db
def test_a_file_changed_inside_the_archive_is_noticed(staff, tmp_path):
    made = backups.back_up(tmp_path / "one.tar.gz", portable=True)
    target = tmp_path / "other.tar.gz"
    with tarfile.open(made) as old, tarfile.open(target, "w:gz") as new:
        for member in old:
            content = old.extractfile(member).read()
            if member.name == "secret_key":
                content = b"x" * len(content)
            new.addfile(member, io.BytesIO(content))
    with pytest.raises(Damaged, match="secret_key"):
        backups.verify(target)


@pytest.mark.django_db
def test_only_so_many_backups_are_kept(staff, settings, tmp_path):
    settings.DATA_DIR, settings.BACKUPS_KEPT = tmp_path, 2
    made = [backups.back_up(portable=True) for _n in range(3)]
    assert sorted((tmp_path / "backups").iterdir()) == sorted(made[1:])
    with pytest.raises(CommandError, match="already"):
        call_command("backup", str(made[2]), portable=True)


def test_a_copy_of_a_database_that_is_not_whole_does_not_count(tmp_path, settings):
    settings.DATA_DIR = tmp_path
    broken = tmp_path / "broken.sqlite3"
    with sqlite3.connect(broken) as base:
        base.execute("PRAGMA foreign_keys=OFF")
        base.execute("CREATE TABLE a (id INTEGER PRIMARY KEY)")
        base.execute("CREATE TABLE b (a INTEGER REFERENCES a(id))")
        base.execute("INSERT INTO b VALUES (7)")
    with pytest.raises(Damaged, match="the copy of the database is damaged"):
        backups._verify_sqlite(broken.read_bytes())


def test_a_backup_with_names_that_lead_elsewhere_is_refused_before_anything_is_replaced(tmp_path):
    content = b"x"
    told = {"sha256": storage.digest(content), "size": 1}
    for names in (["secret_key", "snapshots/../headjudge.sqlite3"], ["snapshots/one"]):
        manifest = {"format": backups.FORMAT, "version": backups.VERSION, "files": dict.fromkeys(names, told)}
        path = tmp_path / "hostile.tar.gz"
        with tarfile.open(path, "w:gz") as tar:
            for name in names:
                backups._add(tar, name, content)
            backups._add(tar, "manifest.json", json.dumps(manifest).encode())
        with pytest.raises(storage.Damaged, match="isn't a backup that Headjudge wrote"):
            backups.verify(path)
