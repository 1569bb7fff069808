"""Real servers with problems: two of them on one folder, a locked database, a full disk.

Two servers on one folder are one site: one key, one database, and each is notified of what the other writes.
"""

import contextlib
import json
import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from email.message import Message
from pathlib import Path

import pytest
from django.db import connection

from .machines import ROOT, Machines

own_databases = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="these processes have databases of their own: once is enough"
)
SET_UP = """
import json
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from tests.factories import EventFactory, OfficialFactory
event = EventFactory(name="Saturday", state="running")
head = OfficialFactory(event=event, role="head-judge").person
session = SessionStore()
session["_auth_user_id"], session["_auth_user_backend"] = str(head.pk), "django.contrib.auth.backends.ModelBackend"
session["_auth_user_hash"] = head.get_session_auth_hash()
session.save()
print(json.dumps({"session": session.session_key, "event": event.public_id}))
"""
LOOK = """
import json
from events.models import Announcement, AuditEntry
from judging.models import Snapshot
texts = list(Announcement.objects.values_list("text", flat=True))
kept = Snapshot.objects.filter(problem="")
print(json.dumps({"texts": texts, "record": AuditEntry.objects.count(), "problems": Snapshot.objects.exclude(problem="").count(),
  "doubled": kept.count() - kept.values("record_entry", "why", "verb").distinct().count()}))
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A real server of an installation."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SECRET_KEY")}
        kept |= {"DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings", "SNAPSHOT_SECONDS": "1"}
        command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(self.port)]
        with (folder / f"log-{self.port}").open("w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [*command, "--lifespan", "off"], cwd=ROOT, env=kept, stdout=log, stderr=subprocess.STDOUT
            )

    def ask(
        self, path: str, *, session: str = "", data: bytes | None = None, **headers: str
    ) -> tuple[int, Message, str]:
        """Return an answer's status, headers and text; a form gets the token of its cookie."""
        token = "t" * 32
        cookies = f"sessionid={session}; csrftoken={token}"
        given = {"Cookie": cookies, "X-CSRFToken": token, "Accept": "application/xhtml+xml"} | headers
        asked = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data=data, headers=given)
        try:
            with urllib.request.build_opener(Unmoved).open(asked, timeout=60) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.headers, answer.read().decode()

    def wait(self) -> None:
        for _n in range(600):
            assert self.process.poll() is None, "the server has ended"
            with contextlib.suppress(OSError):
                self.ask("/health/")
                return
            time.sleep(0.1)
        raise AssertionError("the server does not begin to listen")

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(20)


class Unmoved(urllib.request.HTTPRedirectHandler):
    """An opener that follows no redirects."""

    def redirect_request(self, *_given, **_named):
        return None


@pytest.fixture(scope="module")
def hall(tmp_path_factory):
    """Return two servers on one folder, with the facts of their event."""
    folder = tmp_path_factory.mktemp("servers")
    with Machines(folder) as machines:
        machines.migrated("hall")
        facts = json.loads(machines.run("hall", SET_UP))
        servers = [Server(folder / "hall") for _n in range(2)]
        try:
            for server in servers:
                server.wait()
            yield machines, servers, facts, folder / "hall"
        finally:
            for server in servers:
                server.end()


def announce(server, facts, text):
    return server.ask(
        f"/events/{facts['event']}/announce/", session=facts["session"], data=f"text={text}&minutes=30".encode()
    )


@own_databases
def test_two_servers_on_one_folder_are_one_site(hall):
    machines, servers, facts, _folder = hall
    for number in range(4):
        assert announce(servers[number % 2], facts, f"word-{number}")[0] == 302
    for server in servers:  # a shared page is made again as soon as the other server has written
        page = server.ask(f"/events/{facts['event']}/")[2]
        for _n in range(50):
            if "word-3" in page:
                break
            time.sleep(0.2)
            page = server.ask(f"/events/{facts['event']}/")[2]
        assert "word-3" in page
    told = json.loads(machines.run("hall", LOOK))
    assert sorted(text for text in told["texts"] if "late" not in text) == [f"word-{number}" for number in range(4)]
    assert (told["problems"], told["doubled"]) == (0, 0)


def crowd_during_lock(hall, seconds, how_many):
    """Post several announcements while another program holds the lock, each again after a 503; return the answers."""
    _machines, servers, facts, folder = hall
    other = sqlite3.connect(folder / "headjudge.sqlite3", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    answers: list[tuple[int, float]] = []

    def speak(number):
        for _n in range(60):
            began = time.monotonic()
            status, headers, _page = announce(servers[number % 2], facts, f"late-{seconds}-{number}")
            answers.append((status, time.monotonic() - began))
            if status != 503:
                return
            time.sleep(float(headers["Retry-After"]) / 5)

    threads = [threading.Thread(target=speak, args=(number,)) for number in range(how_many)]
    for thread in threads:
        thread.start()
    ends = time.monotonic() + seconds
    read = []
    while time.monotonic() < ends:  # reading still works
        read.append(servers[0].ask(f"/events/{facts['event']}/", session=facts["session"])[0])
        time.sleep(0.5)
    other.close()
    for thread in threads:
        thread.join(120)
    return answers, read


@own_databases
@pytest.mark.parametrize("seconds", [7, pytest.param(30, marks=pytest.mark.soak)])
def test_a_database_that_another_program_locks_delays_forms_and_loses_none(hall, seconds):
    machines, _servers, _facts, _folder = hall
    answers, read = crowd_during_lock(hall, seconds, 12)
    assert {status for status, _took in answers} == {302, 503}
    assert set(read) == {200}
    told = json.loads(machines.run("hall", LOOK))
    late = [text for text in told["texts"] if text.startswith(f"late-{seconds}-")]
    assert sorted(late) == sorted(f"late-{seconds}-{number}" for number in range(12))


@pytest.fixture
def small_disk(tmp_path):
    """Return a folder on a separate file system with little space; skip if none can be mounted."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a file system of its own can be mounted only by the machine's administrator")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=False)


@own_databases
@pytest.mark.soak
def test_a_full_disk_is_reported_and_nothing_is_half_saved(small_disk):
    with Machines(small_disk) as machines:
        machines.migrated("hall")
        facts = json.loads(machines.run("hall", SET_UP))
        folder = small_disk / "hall"
        server = Server(folder)
        try:
            server.wait()
            assert announce(server, facts, "before")[0] == 302
            with contextlib.suppress(OSError), (folder / "filler").open("wb", buffering=0) as filler:
                while True:
                    filler.write(b"x" * 1024)
            full = [announce(server, facts, "full" + "x" * 200)[0] for _n in range(20)]
            assert full[-1] == 503
            # SQLite needs space for its WAL index if no one else has the database open
            assert server.ask(f"/events/{facts['event']}/", session=facts["session"])[0] in (200, 503)
            (folder / "filler").unlink()
            assert announce(server, facts, "after")[0] == 302
        finally:
            server.end()
        told = json.loads(machines.run("hall", LOOK))
        texts = [text for text in told["texts"] if not text.startswith("full")]
        assert sorted(texts) == ["after", "before"]
        assert len(told["texts"]) - len(texts) == full.count(302)
