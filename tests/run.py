"""What the workers of one run of the tests share: a folder, and locks in it."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

NAME = "HEADJUDGE_TEST_RUN"


def begin() -> bool:
    """Make the run's folder; return whether this process did, and so has to end the run."""
    if NAME in os.environ:
        return False
    os.environ[NAME] = tempfile.mkdtemp(prefix="headjudge-tests-")
    return True


def end() -> None:
    """Remove the run's folder."""
    shutil.rmtree(os.environ.pop(NAME), ignore_errors=True)


def run_folder() -> Path | None:
    """Return the folder of this run, or None outside of a run."""
    return Path(os.environ[NAME]) if NAME in os.environ else None


@contextlib.contextmanager
def locked(name: str) -> Iterator[None]:
    """Let one worker after the other in."""
    with (Path(os.environ[NAME]) / f"{name}.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
