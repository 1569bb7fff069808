"""Every management command, run in a separate process in an installation that has something wrong.

Run as a program, this loads the site once and then forks: its input is one JSON list of cases, [command, fault] each,
and it writes one JSON line per case: the command, the fault, the exit status and the output.
"""

from __future__ import annotations

import errno
import itertools
import json
import os
import resource
import shutil
import signal
import sqlite3
import sys
import tempfile
import traceback
from pathlib import Path

from tests.databases import copied_sqlite
from tests.judging.machines import be

GARBAGE = b"\x00\xff\xfe garbage \x80 no document, no database" * 20
FILE = "FILE"
"""Stands for the file that the command reads; `files` has the bad ones."""
COMMANDS: dict[str, list[str]] = {
    # ours
    "adjudicate": [FILE],
    "backup": [],
    "check_force": [FILE],
    "check_pairings": [FILE],
    "demo": ["--no-serve"],
    "doctor": ["--port", "8179"],
    "export_catalogue": ["out.csv"],
    "export_event": ["nope", "out.json"],
    "fill_season": ["--events", "1", "--entries", "1"],
    "import_catalogue": [FILE],
    "import_event": [FILE],
    "load_catalogue": [],
    "load_rulebook": ["ic-2002", FILE],
    "make_papers": [],
    "pair_round": [FILE],
    "recheck_forces": ["--since", "2026-01-01"],
    "restore": [FILE],
    "score_battle": [FILE],
    "send_reminders": ["--dry-run"],
    "serve": ["--port", "8179"],
    "setup_link": [],
    # those of Django and the libraries
    "account_unsetmultipleprimaryemails": [],
    "changepassword": ["nobody@example.org"],
    "check": ["--database", "default"],
    "clearsessions": [],
    "collectstatic": ["--noinput"],
    "createcachetable": [],
    "createsuperuser": ["--noinput", "--email", "office@example.org", "--name", "Otto"],
    "diffsettings": [],
    "dumpdata": ["events.venue"],
    "export_openapi_schema": ["--api", "config.api.api"],
    "findstatic": ["icon.svg"],
    "flush": ["--noinput"],
    "inspectdb": ["events_venue"],
    "loaddata": [FILE],
    "makemigrations": ["--check", "--dry-run"],
    "migrate": [],
    "remove_stale_contenttypes": ["--noinput"],
    "sendtestemail": ["somebody@example.org"],
    "shell": ["--command", "from events.models import Venue; Venue.objects.create(name='x')"],
    "showmigrations": [],
    "sqlflush": [],
    "sqlmigrate": ["events", "0001"],
    "sqlsequencereset": ["events"],
}
THEIRS = ["account_unsetmultipleprimaryemails", "changepassword", "collectstatic", "createsuperuser", "migrate"]
"""The libraries' first command, and those that an installation needs."""
UNTRIED = {
    "compilemessages": "writes into the program's folder",
    "dbshell": "becomes the database's own program",
    "makemessages": "writes into the program's folder",
    "optimizemigration": "writes into the program's folder",
    "runserver": "Django's development server, which `serve` replaces",
    "squashmigrations": "writes into the program's folder",
    "startapp": "writes into the program's folder",
    "startproject": "writes a new program",
    "test": "pytest runs the tests",
    "testserver": "Django's development server",
}
FILES = ("absent", "folder", "garbage", "empty")
DATABASES = ("no tables", "locked", "read-only", "full", "garbage", "folder")
OTHERS = ("no folder to write", "no room for files", "output is full", "interrupted")
READING = {name for name, given in COMMANDS.items() if FILE in given}


def cases() -> list[tuple[str, str]]:
    """Return every command with every fault that can affect it."""
    found = list(itertools.product(COMMANDS, DATABASES + OTHERS))
    return found + [(name, f"file: {file}") for name in sorted(READING) for file in FILES]


def sample() -> list[tuple[str, str]]:
    """Return the commands that people type, each with one fault; `demo` is slow, so it gets only the lock."""
    typed = [*itertools.takewhile(lambda name: name != THEIRS[0], COMMANDS), *THEIRS]
    faults = [fault for fault in DATABASES + OTHERS if fault != "output is full"]
    found = [(name, faults[number % len(faults)]) for number, name in enumerate(typed) if name != "demo"]
    return [*found, ("demo", "locked"), ("migrate", "output is full"), ("import_event", "file: folder")]


def run(command: str, fault: str, folder: str) -> None:
    """Run the command; return its exit status, with its output on the process's output."""
    from django.conf import settings
    from django.core.management import get_commands, load_command_class
    from django.db import connections

    from config import commands
    from judging.management.commands import serve

    place = Path(folder)
    os.chdir(place)
    serve.serve_until_stopped = lambda *_given, **_options: None
    default = connections.databases["default"]
    default["OPTIONS"] = dict(default["OPTIONS"]) | {"timeout": 0.05}
    database = Path(default["NAME"])
    document = "document.json"
    Path(document).write_text("{}", encoding="utf-8")
    os.environ["DJANGO_SUPERUSER_PASSWORD"] = "three-action-tokens"
    held = _prepare(fault, database, default)
    settings.STATIC_ROOT = place / "static"
    if fault.startswith("file: "):
        document = _file(fault.removeprefix("file: "))
    given = [document if word == FILE else word for word in COMMANDS[command]]
    if load_command_class(get_commands()[command], command).requires_system_checks:
        given.append("--skip-checks")  # the same for every command, and slow
    try:
        commands.run(["manage.py", command, *given])
    finally:
        if held is not None:
            held.close()


def _file(what: str) -> str:
    if what == "folder":
        Path("a-folder").mkdir()
        return "a-folder"
    if what != "absent":
        Path("wrong").write_bytes(GARBAGE if what == "garbage" else b"")
        return "wrong"
    return "absent/nothing.json"


def _prepare(fault: str, database: Path, default: dict) -> sqlite3.Connection | None:
    """Create the fault in this process or its installation; return what must be kept open meanwhile."""
    start = default["OPTIONS"]["init_command"]
    if fault == "no tables":
        database.unlink(missing_ok=True)
    elif fault == "locked":
        held = sqlite3.connect(database, isolation_level=None)
        held.execute("BEGIN EXCLUSIVE")
        return held
    elif fault == "read-only":
        default["OPTIONS"]["init_command"] = f"{start} PRAGMA query_only = ON;"
    elif fault == "full":
        default["OPTIONS"]["init_command"] = f"{start} PRAGMA max_page_count = 1;"
    elif fault == "garbage":
        for each in database.parent.glob(f"{database.name}*"):
            each.unlink()
        database.write_bytes(GARBAGE)
    elif fault == "folder":
        for each in database.parent.glob(f"{database.name}*"):
            each.unlink()
        database.mkdir()
    elif fault == "no folder to write":
        _no_writing()
    elif fault == "no room for files":
        sys.dont_write_bytecode = True  # modules imported from now on would be cached truncated, for every later run
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
    elif fault == "output is full":
        sys.stdout = Full()
    elif fault == "interrupted":
        sys.stdout = Interrupted()
    return None


def _no_writing() -> None:
    """Refuse to create or open files for writing, as a read-only file system does, even for root."""
    was = os.open

    def opened(path, flags, *given, **named):
        if flags & (os.O_CREAT | os.O_WRONLY | os.O_RDWR):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return was(path, flags, *given, **named)

    def made(path, *_given, **_named):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    os.open = opened
    os.mkdir = os.replace = os.rename = made


class Full:
    """Output to a full disk."""

    encoding = "utf-8"

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def isatty(self) -> bool:
        return False


class Interrupted(Full):
    """Ctrl-C pressed while the command prints."""

    def write(self, text: str) -> int:
        raise KeyboardInterrupt

    def flush(self) -> None:
        pass


def _child(command: str, fault: str, folder: Path, told: int) -> None:
    """Run one case as this process, and exit."""
    signal.alarm(60)  # a command that waits for typed input is stopped, and that counts as a fault
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.setsid()  # there is no one at a terminal
    os.dup2(told, 1)
    os.dup2(told, 2)
    sys.stdout = sys.stderr = os.fdopen(1, "w", encoding="utf-8")
    said, status = sys.stdout, 0
    try:
        be(folder, "")
        run(command, fault, str(folder))
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    except BaseException:
        status = 99
        said.write(traceback.format_exc())
    finally:
        said.flush()
        os._exit(status)


def main() -> None:
    """Run the cases of the input."""
    import django

    django.setup()
    from django.urls import get_resolver

    assert get_resolver().url_patterns
    with tempfile.TemporaryDirectory() as made:
        root = Path(made)
        copied_sqlite(root / "model" / "headjudge.sqlite3")
        for number, (command, fault) in enumerate(json.load(sys.stdin)):
            folder = root / str(number)
            shutil.copytree(root / "model", folder)
            status, said = _result([command, fault], folder)
            print(json.dumps([command, fault, status, said]), flush=True)  # noqa: T201
            shutil.rmtree(folder)


def _result(case: list[str], folder: Path) -> tuple[int, str]:
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        folder.mkdir(exist_ok=True)
        _child(*case, folder, write)
    os.close(write)
    with os.fdopen(read, encoding="utf-8", errors="replace") as said:
        text = said.read()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), text


if __name__ == "__main__":
    main()
