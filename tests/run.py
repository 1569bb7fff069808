"""Things shared by the workers of one test run: a folder, and locks in it."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

NAME = "HEADJUDGE_TEST_RUN"


def begin() -> bool:
    """Create the run's folder; return whether this process did, and so must end the run."""
    if NAME in os.environ:
        return False
    os.environ[NAME] = tempfile.mkdtemp(prefix="headjudge-tests-")
    return True


def end() -> None:
    """Delete the run's folder."""
    shutil.rmtree(os.environ.pop(NAME), ignore_errors=True)


def run_folder() -> Path | None:
    """Return this run's folder, or None outside a run."""
    return Path(os.environ[NAME]) if NAME in os.environ else None


@contextlib.contextmanager
def first_alone(name: str) -> Iterator[None]:
    """Let the first worker into the block alone, then all others at once; all at once if it was noted as done."""
    with locked(name):
        if not (Path(os.environ[NAME]) / name).exists():
            yield
            note(name)
            return
    yield


def note(name: str) -> None:
    """Note for this run's workers that something is done."""
    (Path(os.environ[NAME]) / name).touch()


@contextlib.contextmanager
def locked(name: str) -> Iterator[None]:
    """Let one worker at a time into the block."""
    with (Path(os.environ[NAME]) / f"{name}.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
