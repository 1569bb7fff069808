"""Stored files are readable by their owner only, whatever the umask."""

import gzip
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from config import private
from tests.databases import migrated_sqlite

KEPT = """
import os, sqlite3, sys
os.umask(0)
import django
django.setup()
from django.core.management import call_command
from django.db import connection
from judging.keeping import storage
from judging.keeping import snapshots
from tests.factories import EventFactory
connection.ensure_connection()  # the site makes the file
sqlite3.connect(sys.argv[1]).backup(connection.connection)
event = EventFactory(state="running")
assert snapshots.take(event, "by-hand").problem == ""
storage.write(storage.place("papers", event.public_id, "round-1.pdf"), b"paper")
storage.copy_out(storage.place("papers", event.public_id, "round-1.pdf"))
call_command("backup", verbosity=0)
call_command("collectstatic", "--noinput", verbosity=0)
import logging; logging.getLogger("judging").error("something")
for root in (os.environ["DATA_DIR"], os.environ["COPY_DIR"]):
    for folder, _folders, files in os.walk(root):
        for one in (folder, *(os.path.join(folder, name) for name in files)):
            print(oct(os.stat(one).st_mode & 0o7777), one)
"""


def _modes(done):
    return {
        Path(one.split(" ", 1)[1]): int(one.split()[0], 8) for one in done.stdout.splitlines() if one.startswith("0o")
    }


def test_everything_kept_is_private_under_the_widest_umask(tmp_path):
    """The database and its companion files, key, snapshots, paper, backups, logs, static files, and `COPY_DIR`."""
    data, copies = tmp_path / "kept", tmp_path / "copies"
    copies.mkdir(mode=0o755)
    environment = os.environ | {
        "DATA_DIR": str(data),
        "COPY_DIR": str(copies),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    environment.pop("DATABASE_URL", None)
    done = subprocess.run(
        [sys.executable, "-c", KEPT, migrated_sqlite()],
        env=environment, capture_output=True, encoding="utf-8", timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    modes = _modes(done)
    modes.pop(copies)  # the stick itself isn't ours
    names = {path.relative_to(tmp_path).parts[:2] for path in modes}
    for wanted in (
        "secret_key",
        "headjudge.sqlite3",
        "headjudge.sqlite3-wal",
        "snapshots",
        "papers",
        "backups",
        "logs",
        "static",
    ):
        assert ("kept", wanted) in names
    assert {("copies", "snapshots"), ("copies", "papers"), ("copies", "backups")} <= names
    assert {str(path): oct(mode) for path, mode in modes.items() if mode & 0o077} == {}


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights of files are the system's own here")
def test_files_that_an_earlier_version_left_readable_become_private(settings, tmp_path):
    settings.DATA_DIR, settings.COPY_DIR = tmp_path / "kept", str(tmp_path / "copies")
    theirs = tmp_path / "copies" / "holiday.jpg"
    for folder in (tmp_path / "kept", tmp_path / "copies"):
        folder.mkdir(mode=0o755)
        folder.chmod(0o755)
    for path in (tmp_path / "kept/snapshots/one/a.json.gz", tmp_path / "copies/backups/b.tar.gz", theirs):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(b"{}"))
        path.chmod(0o644)
    (tmp_path / "kept/snapshots/link").symlink_to(theirs)
    private.tighten_kept()
    found = {str(one.relative_to(tmp_path)): stat.S_IMODE(one.stat().st_mode) & 0o077 for one in tmp_path.rglob("*")}
    still_open = {name for name, others in found.items() if others}
    assert still_open == {"kept", "copies", "copies/holiday.jpg", "kept/snapshots/link"}
    before = (tmp_path / "kept").stat().st_mode
    private.tighten(tmp_path / "kept")
    assert (tmp_path / "kept").stat().st_mode == before & ~0o077


def test_the_start_of_the_server_closes_it():
    """Both entry points: ASGI and Django's development server."""
    for name in ("asgi", "wsgi"):
        assert "\ntighten_kept()\nBACKGROUND.start()\nOUTBOX.start()" in Path(f"config/{name}.py").read_text(
            encoding="utf-8"
        )
