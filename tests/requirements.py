"""Programs that a machine may lack: a browser, a PostgreSQL server. Tests that need one skip with a reason.

They fail instead if `HEADJUDGE_REQUIRE` names it (`browser,postgres`).
"""

import glob
import os
import shutil
from pathlib import Path

import pytest

REQUIRED = set(filter(None, os.environ.get("HEADJUDGE_REQUIRE", "").split(",")))


def skip_or_fail(what: str, why: str) -> None:
    """Skip the test with its reason, or fail if `HEADJUDGE_REQUIRE` names the thing."""
    if what in REQUIRED:
        pytest.fail(f"{what} is required here: {why}")
    pytest.skip(why)


def chromium() -> str:
    """Return the path of the system's Chromium, or skip.

    The headless shell comes first: it draws the same pages for half the processor time, as it has no windows or toolbars.
    """
    named = os.environ.get("CHROMIUM", "")
    for candidate in (named, "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(candidate) if candidate else None
        if found:
            return found
    skip_or_fail("browser", "no Chromium on this machine (install it, or name it in CHROMIUM)")
    raise AssertionError


def postgresql_programs() -> Path:
    """Return the folder of initdb and pg_ctl, or skip."""
    found = shutil.which("initdb")
    folders = (
        [str(Path(found).resolve().parent)] if found else sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)
    )
    for folder in folders:
        if Path(folder, "initdb").exists() and Path(folder, "pg_ctl").exists():
            return Path(folder)
    skip_or_fail("postgres", "no PostgreSQL server on this machine (initdb not found)")
    raise AssertionError
