"""Other installations, each in its own folder (and perhaps with its own PostgreSQL database), for tests with processes.

One program loads the site once and then forks: each piece of code runs in its own process against the given
installation, and can be killed like any other process. Run as a program, it takes one JSON line per piece of code and
answers with one.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import subprocess
import sys
import traceback
from pathlib import Path

from tests.run import run_folder

ROOT = Path(__file__).resolve().parents[2]


class Program:
    """The program, started once for all tests of this process, and stopped with it."""

    def __init__(self) -> None:
        folder = run_folder() / f"machines-{os.getpid()}"
        folder.mkdir()
        kept = {
            name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SECRET_KEY", "COPY_DIR")
        }
        kept |= {"DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"}
        self.log = folder / "log"
        with self.log.open("w", encoding="utf-8") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.judging.machines"],
                cwd=ROOT, env=kept, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, encoding="utf-8",
            )  # fmt: skip
        atexit.register(self.end)

    def ask(self, **what: object) -> dict:
        print(json.dumps(what), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        assert line, self.log.read_text(encoding="utf-8")[-3000:]
        return json.loads(line)

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


@functools.cache
def program() -> Program:
    """Return this process's program."""
    return Program()


class Machines:
    """Installations whose folders are in one folder, and the code they run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> Machines:
        return self

    def __exit__(self, *_given: object) -> None:
        pass

    def ask(self, **what: object) -> dict:
        return program().ask(**what)

    def migrated(self, *names: str) -> None:
        """Give these machines an empty, migrated database."""
        from tests.databases import copied_sqlite

        for name in names:
            copied_sqlite(self.folder / name / "headjudge.sqlite3")

    def run(self, machine: str, code: str, *, url: str = "", fails: bool = False) -> str:
        """Run code on a machine to its end, and return what it printed."""
        told = self.ask(folder=str(self.folder / machine), url=url, code=code, wait=True)
        assert bool(told["status"]) == fails, told["said"][-4000:]
        return told["said"]

    def start(self, machine: str, code: str, *, url: str = "") -> int:
        """Start code on a machine, and return the process id; its output goes to `said`."""
        return self.ask(folder=str(self.folder / machine), url=url, code=code, wait=False)["pid"]

    def wait(self, pid: int) -> int:
        """Wait for a started process, and return its exit status (negative: the signal that killed it)."""
        return self.ask(pid=pid)["status"]

    def said(self, machine: str) -> str:
        return (self.folder / machine / "said").read_text(encoding="utf-8")


COMMAND = """
from django.core.management import call_command, CommandError
try:
    call_command(*{given!r})
except CommandError as fault:
    print(fault)
    raise SystemExit(1)
"""


def command(*given: str) -> str:
    """Return code that runs a command of the site."""
    return COMMAND.format(given=given)


def be(folder: Path, url: str) -> None:
    """Make this process one of the installation in the folder, with its key and database."""
    import environ
    from django.conf import settings
    from django.db import connections

    folder.mkdir(parents=True, exist_ok=True)
    key = folder / "secret_key"
    if not key.exists():
        key.write_text(f"key of {folder.name}", encoding="utf-8")
    settings.DATA_DIR, settings.SECRET_KEY = folder, key.read_text(encoding="utf-8")
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.ALLOWED_HOSTS = ["*"]
    default = connections.databases["default"]
    if url:
        default |= environ.Env.db_url_config(url) | {"OPTIONS": {}, "CONN_MAX_AGE": 0}
    else:
        default["NAME"] = str(folder / "headjudge.sqlite3")
    settings.DATABASES["default"] = default
    with contextlib.suppress(AttributeError):
        del connections["default"]


def _child(given: dict) -> None:
    folder = Path(given["folder"])
    status = 0
    try:
        be(folder, given["url"])
        with (folder / "said").open("w", encoding="utf-8") as target, contextlib.redirect_stdout(target):
            try:
                exec(compile(given["code"], "code", "exec"), {"__name__": "code"})
            except SystemExit as ended:
                status = int(ended.code or 0)
            except BaseException:
                status = 1
                traceback.print_exc(file=target)
    finally:
        os._exit(status)


def main() -> None:
    import django

    django.setup()
    from django.test.utils import setup_test_environment
    from django.urls import get_resolver

    setup_test_environment()
    assert get_resolver().url_patterns  # imports every page's code once, for all forked processes
    for line in sys.stdin:
        given = json.loads(line)
        if "pid" in given:
            _pid, ended = os.waitpid(given["pid"], 0)
            print(json.dumps({"status": os.waitstatus_to_exitcode(ended)}), flush=True)  # noqa: T201
            continue
        pid = os.fork()
        if pid == 0:
            _child(given)
        if not given["wait"]:
            print(json.dumps({"pid": pid}), flush=True)  # noqa: T201
            continue
        _pid, ended = os.waitpid(pid, 0)
        said = Path(given["folder"], "said")
        text = said.read_text(encoding="utf-8") if said.exists() else ""
        print(json.dumps({"status": os.waitstatus_to_exitcode(ended), "said": text}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
