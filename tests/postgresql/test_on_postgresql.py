"""Every test that uses the database, again on PostgreSQL, in `make soak`; each run has the rest of this folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.requirements import postgresql_programs

from .server import postgresql

ROOT = Path(__file__).resolve().parents[2]
HALVES = {"events": ["tests/events"], "judging and the rest": ["tests/config", "tests/judging", "tests/rules"]}


@pytest.mark.soak
@pytest.mark.parametrize("half", HALVES)
def test_the_sites_tests_hold_on_postgresql(half):
    programs = postgresql_programs()
    with postgresql(programs) as url:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        environment |= {"DATABASE_URL": url}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *HALVES[half]]
        command += ["--ignore=tests/rules/engine", "-m", "not browser and not soak and not postgres"]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
