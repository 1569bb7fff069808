"""A server as an installation runs it: one process on SQLite, or two workers on PostgreSQL; what it uses."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.postgresql.server import postgresql

ROOT = Path(__file__).parents[2]
PASSWORD = "three-action-tokens"


def seconds_used(pid: int) -> float:
    """Return the CPU seconds of a process and of its finished children."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(") ", 1)[1].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Return a process's memory in megabytes."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def family(pid: int) -> list[int]:
    """Return a process and its descendants."""
    told = " ".join(one.read_text(encoding="utf-8") for one in Path(f"/proc/{pid}/task").glob("*/children")).split()
    return [pid, *(one for child in told for one in family(int(child)))]


def serving(pid: int) -> list[int]:
    """Return a server's process and its workers, without processes that one of their threads started."""
    return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split())]


@contextlib.contextmanager
def server(environment: dict, port: int, workers: int, log: Path) -> Iterator[subprocess.Popen]:
    """Serve the site, yield the process, and stop it."""
    python = [sys.executable, "-m"]
    environment = environment | {"MALLOC_ARENA_MAX": "2"}  # the unit in config/deploy sets this; `serve` sets it itself
    if workers == 1:
        command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    else:
        worker = "config.worker.Worker"
        command = [*python, "gunicorn", "config.asgi:application", "-k", worker, "-w", str(workers)]
        command += ["-b", f"127.0.0.1:{port}", "--log-level", "warning", "--keep-alive", "75"]
    with log.open("w", encoding="utf-8") as written:
        running = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=written, stderr=subprocess.STDOUT)
        try:
            until = time.monotonic() + 60
            while time.monotonic() < until:
                with (
                    contextlib.suppress(OSError),
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/health/", timeout=5),
                ):
                    break
                time.sleep(0.2)
            yield running
        finally:
            running.send_signal(signal.SIGTERM)
            running.wait(30)


@dataclass
class Installation:
    """A database in a folder of its own, and the server's first process while it runs."""

    environment: dict[str, str]
    folder: Path
    workers: int
    port: int
    pid: int = 0

    @property
    def url(self) -> str:
        """Return the server's address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        """Return the server's log."""
        return self.folder / "server.log"

    def run(self, module: str, *arguments: object, given: Any = None) -> Any:
        """Return what a program prints as JSON in its last line; it works on this database."""
        told = subprocess.run(
            [sys.executable, "-m", module, *map(str, arguments)],
            cwd=ROOT,
            env=self.environment,
            input=json.dumps(given),
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return json.loads(told.stdout.splitlines()[-1])

    @contextlib.contextmanager
    def served(self) -> Iterator[None]:
        """Serve the site meanwhile."""
        with server(self.environment, self.port, self.workers, self.log) as running:
            self.pid = running.pid
            yield

    def seconds_used(self) -> float:
        """Return the CPU seconds of the server's processes, without those of a database server."""
        return sum(map(seconds_used, family(self.pid)))

    def memory(self) -> float:
        """Return the memory of the processes that serve in megabytes, without those that make paper."""
        return sum(map(memory, serving(self.pid)))


@contextlib.contextmanager
def installation(*, on_postgresql: bool, port: int) -> Iterator[Installation]:
    """Yield an installation with an empty database."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="headjudge-load-")))
        environment = os.environ | {
            "DATA_DIR": str(folder / "kept"),
            "ACCESS_LOG": "true",
            "LOG_FORMAT": "json",
            "ALLOWED_HOSTS": "127.0.0.1",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        environment.pop("DATABASE_URL", None)
        if on_postgresql:
            programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
            environment["DATABASE_URL"] = stack.enter_context(postgresql(programs))
        yield Installation(environment, folder, 2 if on_postgresql else 1, port)
