"""Backups of a whole installation in one file, with the database, the secret key, the snapshots and the paper.

A backup is a gzipped tar archive. `manifest.json` lists each file with its digest, the kind of database, its migrations
and the last keys used. SQLite is copied by its online backup interface, while the site runs. PostgreSQL is dumped by
`pg_dump` if that is installed and its version fits, otherwise row by row (`portable`), which either database can read
back. A backup counts as written only once it has been read back and compared. It contains everything, the secret key
included: store it where no one else can read it.
"""

from __future__ import annotations

import contextlib
import datetime
import gzip
import io
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core import serializers
from django.core.management import call_command
from django.core.management.color import no_style
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, connection, connections, models, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from events.models import ApiToken, Person, PublicProfile, PushSubscription, Webhook, WebhookMessage
from events.names import add_collation
from judging import refused
from judging.keeping import storage
from judging.keeping.storage import Damaged, digest
from judging.models import ReportMail

FORMAT, VERSION = "headjudge-backup", 1
SQLITE, PGDUMP, PORTABLE = "database.sqlite3", "database.pgdump", "database.jsonl"
KEY = "secret_key"
LAST = ("logs", "backup.json")
FOLDERS = (storage.SNAPSHOTS, storage.PAPERS)
Say = Callable[[str], object]


class NoBackup(Exception):
    """The backup or the restore is impossible; the message says why and what to do."""


# writing


def back_up(target: Path | None = None, *, portable: bool = False, say: Say = lambda _line: None) -> Path:
    """Write a backup, read it back and return its path; without `target` it goes to `DATA_DIR/backups`."""
    kept_here = target is None
    folder = storage.place(storage.BACKUPS) if target is None else target.parent
    folder.mkdir(parents=True, exist_ok=True)
    path = target or folder / f"headjudge-{timezone.now():%Y%m%d-%H%M%S-%f}.tar.gz"
    if path.exists():
        raise NoBackup(f"{path} already exists. Name another file.")
    try:
        _back_up(path, folder, portable=portable, say=say)
    except (NoBackup, Damaged, OSError, DatabaseError) as fault:
        _remember(str(fault))
        raise
    _remember()
    if kept_here:
        if trouble := storage.copy_out(path):
            say(f"Not copied to the second backup folder: {trouble}")
        _tidy(folder, but=path)
    return path


def _back_up(path: Path, folder: Path, *, portable: bool, say: Say) -> None:
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=folder) as name:
        work = Path(name)
        files = {_database(work, portable=portable, say=say).name: work}
        storage.write(work / KEY, settings.SECRET_KEY.encode())
        files[KEY] = work
        root = Path(settings.DATA_DIR)
        for one in FOLDERS:
            files |= {
                file.relative_to(root).as_posix(): root for file in sorted((root / one).rglob("*")) if _counts(file)
            }
        archive = work / "archive.tar.gz"
        _pack(archive, files)
        verify(archive)
        os.chmod(archive, 0o600)
        os.replace(archive, path)


def _remember(problem: str = "") -> None:
    """Store how the last backup went, for `last`."""
    told = {"at": timezone.now().isoformat(), "problem": problem[:300]}
    with contextlib.suppress(OSError, Damaged):
        storage.write(storage.place(*LAST), json.dumps(told).encode())


def last() -> tuple[datetime.datetime | None, str]:
    """Return when the last backup was tried (None if never), and why it failed ("" if it didn't)."""
    try:
        told = json.loads(storage.place(*LAST).read_bytes())
        return datetime.datetime.fromisoformat(told["at"]), str(told["problem"])
    except (OSError, ValueError, KeyError, TypeError, Damaged):
        return None, ""


def _counts(file: Path) -> bool:
    return file.is_file() and not file.name.startswith(".")


def _tidy(folder: Path, *, but: Path) -> None:
    """Remove the oldest backups, but never the one just made: its name sorts as old if the clock was set back."""
    others = [one for one in folder.glob("headjudge-*.tar.gz") if one != but]
    for old in sorted(others, reverse=True)[max(0, settings.BACKUPS_KEPT - 1) :]:
        storage.remove(old)


def _pack(archive: Path, files: dict[str, Path]) -> None:
    """Write the archive; leave out a file that is deleted in the meantime (an old snapshot)."""
    listed: dict[str, dict[str, Any]] = {}
    with tarfile.open(archive, "w:gz", compresslevel=4) as tar:
        for name, root in files.items():
            try:
                content = (root / name).read_bytes()
            except FileNotFoundError:
                continue
            listed[name] = {"sha256": digest(content), "size": len(content)}
            _add(tar, name, content)
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "made": timezone.now().isoformat(),
            "database": connection.vendor,
            "migrations": applied_migrations(),
            "last_keys": last_keys(),
            "files": listed,
        }
        _add(tar, "manifest.json", json.dumps(manifest, indent=1).encode())
    with archive.open("r+b") as written:  # Windows writes out only what may be written
        os.fsync(written.fileno())


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = len(content), 0o600, int(timezone.now().timestamp())
    tar.addfile(member, io.BytesIO(content))


def applied_migrations() -> list[str]:
    """Return the migrations that the database has, as `app.name`."""
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def _database(work: Path, *, portable: bool, say: Say) -> Path:
    if not portable and connection.vendor == "sqlite":
        return _sqlite_copy(work / SQLITE)
    if not portable and connection.vendor == "postgresql":
        if made := _pg_dump(work / PGDUMP, say):
            return made
        say("The database is written row by row instead.")
    return _rows(work / PORTABLE)


def _sqlite_copy(target: Path) -> Path:
    """Copy the database as it is at one moment, while others may write to it."""
    name = settings.DATABASES["default"]["NAME"]
    with contextlib.closing(sqlite3.connect(name)) as source, contextlib.closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    return target


def _pg(program: str, *given: str) -> list[str]:
    default = connection.settings_dict
    where = ["--host", default["HOST"]] if default["HOST"] else []
    where += ["--port", str(default["PORT"])] if default["PORT"] else []
    return [program, *where, "--username", default["USER"], "--no-password", *given]


def _pg_run(command: list[str]) -> str:
    """Run one of PostgreSQL's programs; return its error message, or ""."""
    environment = {**os.environ, "PGPASSWORD": connection.settings_dict["PASSWORD"] or ""}
    done = subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    return (done.stderr.strip() or f"{command[0]} ended with {done.returncode}") if done.returncode else ""


def _pg_dump(target: Path, say: Say) -> Path | None:
    if shutil.which("pg_dump") is None:
        return None
    name = connection.settings_dict["NAME"]
    trouble = _pg_run(_pg("pg_dump", "--format=custom", "--no-owner", "--no-privileges", "--file", str(target), name))
    if trouble:
        say(f"pg_dump: {trouble.splitlines()[0]}")
        return None
    return target


class Exact(DjangoJSONEncoder):
    """A JSON encoder that keeps microseconds, which Django's own cuts."""

    def default(self, o: Any) -> Any:
        """Return the value as something that JSON can hold."""
        return o.isoformat() if isinstance(o, datetime.datetime) else super().default(o)


def _models() -> list[type[models.Model]]:
    """Return a model for each table as the database has it: one that isn't migrated yet lacks tables and columns."""
    loader = MigrationLoader(connection)
    is_behind = any(one not in loader.applied_migrations for one in loader.graph.leaf_nodes())
    applied = [one for one in loader.applied_migrations if one in loader.graph.nodes]
    known = loader.project_state(applied).apps if is_behind else apps
    return [model for model in known.get_models() if model._meta.managed and not model._meta.proxy]


def _rows(target: Path) -> Path:
    """Write every row as a line of JSON, all from one moment."""
    is_first = connection.vendor == "postgresql" and not connection.in_atomic_block
    with transaction.atomic(), target.open("w", encoding="utf-8") as stream:
        if is_first:
            connection.cursor().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        for model in _models():
            found = model._base_manager.order_by("pk").iterator(chunk_size=500)
            serializers.serialize("jsonl", found, stream=stream, cls=Exact)
    return target


def last_keys() -> dict[str, int]:
    """Return the last key used in each table: keys of deleted rows must not be used again."""
    found = {}
    for model in _models():
        if not isinstance(model._meta.pk, models.AutoField):
            continue
        table, column = model._meta.db_table, model._meta.pk.column
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [f'"{table}"', column])
                sequence = cursor.fetchone()[0]
                cursor.execute(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}")
            else:
                cursor.execute("SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = %s", [table])
            found[table] = cursor.fetchone()[0]
    return found


def _set_last_keys(wanted: dict[str, int]) -> None:
    for model in _models():
        table, last = model._meta.db_table, wanted.get(model._meta.db_table, 0)
        if not last or not isinstance(model._meta.pk, models.AutoField):
            continue
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(
                    "SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [f'"{table}"', model._meta.pk.column, last]
                )
            else:
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])


# reading back


@contextlib.contextmanager
def opened(path: Path) -> Iterator[tuple[dict[str, Any], Callable[[str], bytes]]]:
    """Open a backup: yield its manifest and a function that reads one of its files; raise Damaged if it is none."""
    try:
        with tarfile.open(path, "r:gz") as tar:
            members = {member.name: member for member in tar.getmembers() if member.isfile()}

            def read(name: str) -> bytes:
                member = members.get(name)
                stream = tar.extractfile(member) if member else None
                if stream is None:
                    raise Damaged(f"{name} is missing from the backup")
                return stream.read()

            manifest = json.loads(read("manifest.json"))
            if manifest.get("format") != FORMAT or manifest.get("version") != VERSION:
                raise Damaged(f"{path.name} isn't a backup of this version of Headjudge")
            yield manifest, read
    except (gzip.BadGzipFile, tarfile.TarError, EOFError, zlib.error, ValueError, KeyError) as fault:
        raise Damaged(f"{path.name} isn't a backup or is damaged: {fault}") from fault
    except OSError as fault:
        raise Damaged(f"{path} can't be read: {fault.strerror or fault}") from fault


def verify(path: Path) -> dict[str, Any]:
    """Read back a whole backup, compare each file with its digest, open the database, and return the manifest."""
    with opened(path) as (manifest, read):
        if KEY not in manifest["files"] or any(".." in name.split("/") for name in manifest["files"]):
            raise Damaged(f"{path.name} isn't a backup that Headjudge wrote")
        for name, told in manifest["files"].items():
            if digest(read(name)) != told["sha256"]:
                raise Damaged(f"{name} in {path.name} has changed since it was written")
        if SQLITE in manifest["files"]:
            _verify_sqlite(read(SQLITE))
        elif PGDUMP in manifest["files"]:
            _verify_dump(read(PGDUMP))
        elif PORTABLE in manifest["files"]:
            for line in read(PORTABLE).splitlines():
                json.loads(line)
        else:
            raise Damaged(f"{path.name} contains no database")
    return manifest


def _verify_sqlite(content: bytes) -> None:
    with _written(content) as name, contextlib.closing(sqlite3.connect(name)) as copy:
        found = add_collation(copy).execute("PRAGMA integrity_check").fetchall()
        broken = copy.execute("PRAGMA foreign_key_check").fetchall()
    if found != [("ok",)] or broken:
        raise Damaged(f"the copy of the database is damaged: {(found if found != [('ok',)] else broken)[:3]}")


def _verify_dump(content: bytes) -> None:
    if shutil.which("pg_restore") is None:
        return
    with _written(content) as name:
        if trouble := _pg_run(["pg_restore", "--list", name]):
            raise Damaged(f"the dump can't be read: {trouble}")


@contextlib.contextmanager
def _written(content: bytes) -> Iterator[str]:
    folder = storage.place(storage.BACKUPS)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=folder) as name:
        path = Path(name) / "content"
        path.write_bytes(content)
        yield str(path)


# restoring


def is_empty() -> bool:
    """Return whether this installation has no people yet, or no tables at all."""
    try:
        with transaction.atomic():
            return not Person.objects.exists()
    except DatabaseError:
        return True


def restore(path: Path, *, force: bool = False, say: Say = lambda _line: None) -> dict[str, Any]:
    """Replace this installation by what the backup holds; return the manifest.

    Refuses to overwrite people and events without `force`; with it, backs up the present data first.
    """
    manifest = verify(path)
    files = manifest["files"]
    fits = PORTABLE in files or (SQLITE in files) == (connection.vendor == "sqlite")
    if not fits:
        raise NoBackup(
            f"This backup is for {manifest['database']}, but this installation uses {connection.vendor}: "
            "make one with `backup --portable`, which both can read."
        )
    made_with = [(app, name) for app, _dot, name in (one.partition(".") for one in manifest["migrations"])]
    if why := refused.why_refused("backup", made_with):
        raise NoBackup(why)
    if not is_empty():
        if not force:
            raise NoBackup(
                "This installation already has people and events. To overwrite them, add --force (they are backed up first)."
            )
        say(f"The previous data is in {back_up(say=say)}")
    with opened(path) as (_manifest, read):
        if SQLITE in files:
            _restore_sqlite(read(SQLITE))
        elif PGDUMP in files:
            _restore_dump(read(PGDUMP))
        else:
            _restore_rows(read(PORTABLE).decode(), manifest)
        for name in files:
            if name.split("/", 1)[0] in FOLDERS:
                storage.write(storage.place(*name.split("/")), read(name))
        _restore_key(read(KEY), say)
    connections.close_all()
    call_command("migrate", verbosity=0, interactive=False, no_backup=True)  # the backup itself is from before
    PublicProfile.objects.update(is_on=False)  # it doesn't know which were turned off since
    ApiToken.objects.filter(revoked=None).update(revoked=timezone.now())  # it doesn't know which were revoked since
    Webhook.objects.filter(is_on=True).update(is_on=False)  # this may be a trial on another machine
    PushSubscription.objects.all().delete()  # as above, and it doesn't know who turned them off since
    WebhookMessage.objects.filter(state=WebhookMessage.State.WAITING).update(state=WebhookMessage.State.GIVEN_UP)
    ReportMail.objects.filter(state=ReportMail.State.WAITING).update(
        state=ReportMail.State.FAILED, fault=ReportMail.Fault.RESTORED
    )
    return manifest


def _restore_key(content: bytes, say: Say) -> None:
    """Store the key where the settings read it; if the environment sets another one, say what that means."""
    if os.environ.get("SECRET_KEY"):
        if os.environ["SECRET_KEY"].encode() != content:
            say(
                "SECRET_KEY is set and differs from the backup's: everyone has to sign in again. Printed links still work."
            )
        return
    storage.write(storage.place(KEY), content)


def _restore_sqlite(content: bytes) -> None:
    connections.close_all()
    target = Path(settings.DATABASES["default"]["NAME"])
    target.parent.mkdir(parents=True, exist_ok=True)
    with (
        _written(content) as name,
        contextlib.closing(sqlite3.connect(name)) as source,
        contextlib.closing(sqlite3.connect(target, timeout=30)) as here,
    ):
        source.backup(here)
        here.execute("PRAGMA journal_mode=WAL")


def _restore_dump(content: bytes) -> None:
    if missing := next((one for one in ("pg_restore", "psql") if shutil.which(one) is None), ""):
        raise NoBackup(f"{missing} isn't installed. Install PostgreSQL's client, or make the backup with --portable.")
    with _written(content) as name:
        if trouble := _pg_run(["pg_restore", "--list", name]):
            raise NoBackup(f"pg_restore can't read the dump: {trouble}")
        script = f"{name}.sql"
        connections.close_all()
        again = ["--command", "DROP SCHEMA public CASCADE", "--command", "CREATE SCHEMA public", "--file", script]
        all_or_nothing = ["--no-psqlrc", "--quiet", "--single-transaction", "--set", "ON_ERROR_STOP=1"]
        database = connection.settings_dict["NAME"]
        trouble = _pg_run(["pg_restore", "--no-owner", "--no-privileges", "--file", script, name])
        if trouble := trouble or _pg_run(_pg("psql", *all_or_nothing, "--dbname", database, *again)):
            raise NoBackup(f"Nothing was restored, and no existing data was lost: {trouble}")


def _restore_rows(content: str, manifest: dict[str, Any]) -> None:
    call_command("migrate", verbosity=0, interactive=False)
    if manifest["migrations"] != applied_migrations():
        raise NoBackup(
            "The backup was made by another version of Headjudge. Restore it with that version, then upgrade."
        )
    with transaction.atomic():
        for model in apps.get_models(include_auto_created=True):
            if model._meta.managed and not model._meta.proxy:
                models.QuerySet(model)._raw_delete(connection.alias)
        for row in serializers.deserialize("jsonl", io.StringIO(content)):
            row.save(force_insert=True)
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), _models()):
                cursor.execute(statement)
        _set_last_keys(manifest["last_keys"])
