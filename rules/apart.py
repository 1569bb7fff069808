"""Running one job in a process of its own, so that other users never wait for a file that someone sent.

Python parses JSON, text and patterns without letting other threads run: a file of several megabytes would hold up every
page. `apart` starts a new interpreter with the same settings and database, has it call one function, and returns its
result or raises its exception. The process has a time limit and (where the system supports it) a memory limit, and it
never outlives the server: it exits when the pipe to its parent closes. The result must be small, or a single bytes
object: unpickling many objects would hold up other requests again.
"""

from __future__ import annotations

import concurrent.futures.thread  # noqa: F401 - registers its own end first, so that ours comes before it
import contextlib
import importlib
import logging
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import django
from django.conf import settings
from django.db import connections
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from . import system
from .uploads import MB, SMALL, Unreadable

Result = TypeVar("Result")
FILES, OPEN = "files", "open"
"""Queues, each of which runs one job at a time: files from users signed in, requests from anyone."""
PATIENCE = 2.0
"""Seconds for which a request waits for the job before it; then the user is asked to try again."""
CARRIED = ("SITE_URL", "ALLOWED_HOSTS", "DATA_DIR", "COPY_DIR", "SNAPSHOTS_KEPT")
"""Settings passed to the process, because the server may have changed them since it read its environment."""
START = "import sys; sys.path[:] = sys.argv[2:]; {first}from {module} import work; work()"
"""The process imports modules from where this one does, never from the folder in which the server was started."""
LOW = "from rules.system import lower_priority; lower_priority(); "
"""What it does first: to import what a job needs takes as long as to publish a round."""
log = logging.getLogger(__name__)
_LINES = {name: threading.BoundedSemaphore(1) for name in (FILES, OPEN)}
_CHILDREN: set[subprocess.Popen[bytes]] = set()


class Busy(Unreadable):
    """Another job is running in this queue."""

    status = 503


class Stopped(Unreadable):
    """The process ended before its job was done: it took too long, needed too much memory, or was killed."""

    status = 503


def apart(
    function: Callable[..., Result],
    *args: Any,
    size: int | None = None,
    line: str = FILES,
    seconds: float = 60,
    memory: int = 1024 * MB,
    patience: float | None = None,
) -> Result:
    """Return the result of a module-level function for these arguments, called in a process of its own.

    If `size` (the bytes it has to read) is at most `SMALL`, the function is called directly. Raises the function's own
    exceptions, Busy if another job in this queue isn't done within `patience` (`PATIENCE`), and Stopped if the process ended early.
    Call it only outside transactions if the function uses the database.
    """
    if size is not None and size <= SMALL:
        return function(*args)
    turn = _LINES[line]
    if not turn.acquire(timeout=PATIENCE if patience is None else patience):
        raise Busy(_("The server is reading another file. Try again in a minute."))
    try:
        return _called(function, args, seconds, memory)
    finally:
        turn.release()


def _called(function: Callable[..., Result], args: tuple[Any, ...], seconds: float, memory: int) -> Result:
    with tempfile.TemporaryDirectory(prefix="headjudge-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        job = job_of(function, args) | {"seconds": seconds, "memory": memory}
        with (folder / "job").open("wb") as target:
            pickle.dump(job, target, protocol=5)
        del job
        ended = _run(folder, seconds)
        try:
            outcome, told = pickle.loads((folder / "result").read_bytes())
        except (OSError, EOFError, pickle.UnpicklingError):
            faults = (folder / "faults").read_text(encoding="utf-8", errors="replace")[-2000:]
            log.error("%s in a process of its own ended with %s\n%s", function.__qualname__, ended, faults)
            raise Stopped(_("Reading the file was interrupted. Nothing was changed. Try again in a minute.")) from None
    if outcome == "done":
        result: Result = told
        return result
    raise _fault(*told)


def job_of(function: Callable[..., Any], args: tuple[Any, ...]) -> dict[str, Any]:
    """Return what another process must know to call a module-level function as this one would."""
    return {
        "function": (function.__module__, function.__qualname__),
        "args": args,
        "language": translation.get_language(),
        "zone": timezone.get_current_timezone_name(),
        "database": connections["default"].settings_dict["NAME"],
        "settings": {name: getattr(settings, name) for name in CARRIED},
    }


def started(module: str, told: str = "", *, first: str = LOW, **streams: Any) -> subprocess.Popen[bytes]:
    """Start a new interpreter that calls `work` of a module, at low priority; it hears of this one's end on its input.

    `first` is what it does before it imports the module.
    """
    code = START.format(first=first, module=module)
    with system.on_every_core():
        return subprocess.Popen(
            [sys.executable, "-P", "-c", code, told, *map(os.path.abspath, sys.path)],
            env=os.environ | {"DATA_DIR": str(settings.DATA_DIR), "BACKGROUND_WORK": "false"},
            stdin=subprocess.PIPE,
            creationflags=system.AT_LOW_PRIORITY,
            **streams,
        )


def _run(folder: Path, seconds: float) -> int:
    """Start the process, wait for its end and return its exit code; raise Stopped if it takes too long."""
    with (folder / "faults").open("wb") as faults:
        child = started("rules.apart", str(folder), stdout=faults, stderr=faults)
        _CHILDREN.add(child)
        try:
            return child.wait(seconds)
        except subprocess.TimeoutExpired:
            words = _("Reading the file took longer than %(seconds)d seconds. Split it and try again.")
            raise Stopped(words % {"seconds": seconds}) from None
        finally:
            _CHILDREN.discard(child)
            child.kill()
            child.wait()
            assert child.stdin is not None
            child.stdin.close()


def _fault(kind: type[Exception], args: tuple[Any, ...], state: dict[str, Any], told: str) -> Exception:
    """Return an exception as it was raised there; an unexpected one includes its traceback."""
    fault = kind.__new__(kind)
    fault.args = args
    fault.__dict__.update(state)
    fault.add_note(told)
    return fault


def end_all() -> None:
    """End every running process, so that the server doesn't wait for them when it stops."""
    for child in list(_CHILDREN):
        with contextlib.suppress(OSError):
            child.kill()


getattr(threading, "_register_atexit", lambda _end: None)(end_all)


# --- In the process itself ---


def work() -> None:
    """Run the job in the folder named on the command line, leave its result there, and exit."""
    folder = Path(sys.argv[1])
    threading.Thread(target=_end_with_parent, args=(folder,), daemon=True).start()
    job = pickle.loads((folder / "job").read_bytes())
    (folder / "job").unlink()
    system.limit_this_process(job["seconds"], job["memory"])
    django.setup(set_prefix=False)
    with as_told(job) as function:
        result = _result(function, job["args"])
    connections.close_all()
    (folder / "writing").write_bytes(pickle.dumps(result, protocol=5))
    os.replace(folder / "writing", folder / "result")
    sys.stderr.flush()
    os._exit(0)


@contextlib.contextmanager
def as_told(job: dict[str, Any]) -> Iterator[Callable[..., Any]]:
    """Use the settings, database, language and zone of the process that gave a job; yield the job's function."""
    for name, value in job["settings"].items():
        setattr(settings, name, value)
    connections["default"].settings_dict["NAME"] = job["database"]
    module, name = job["function"]
    with translation.override(job["language"]), timezone.override(job["zone"]):
        yield getattr(importlib.import_module(module), name)


def _result(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[str, Any]:
    try:
        return "done", function(*args)
    except MemoryError:
        said = _("Reading the file takes too much memory. Nothing was changed. Split the file and try again.")
        return "raised", (Stopped, (said,), {}, "")
    except Exception as fault:
        told = {name: _plain(value) for name, value in fault.__dict__.items() if name != "__notes__"}
        for name in ("sqlite_errorname", "sqlstate"):  # these tell the site a locked database from a fault
            if found := getattr(fault.__cause__, name, None):
                told[name] = found
        return "raised", (type(fault), _plain(fault.args), told, traceback.format_exc())


def _plain(value: Any) -> Any:
    """Return the data of an exception with its texts in the request's language: lazy translations can't be sent."""
    if isinstance(value, Promise):
        return str(value)
    return type(value)(map(_plain, value)) if type(value) in (list, tuple) else value


def _end_with_parent(folder: Path) -> None:
    """Exit when the parent does."""
    system.wait_for_end_of_parent()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)
