"""The process that is kept beside the server: jobs begin at once, and nothing waits for a process that doesn't answer."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from rules import standby
from rules.standby import STANDBY, Standby

ROOT = Path(__file__).parents[2]
PATIENCE = 60


def until(is_true):
    end = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < end
        time.sleep(0.01)


def two_steps(folder, name):
    """Leave a file, and the next once a file `go` is there."""
    (Path(folder) / f"{name}-begun").write_text(f"{os.getpid()}", encoding="utf-8")
    yield
    until((Path(folder) / "go").exists)
    (Path(folder) / f"{name}-done").touch()


def fails_later(folder):
    yield
    raise ValueError("no space")


def declines(folder):
    return
    yield


@pytest.fixture(scope="module")
def beside():
    made = Standby()
    made.start()
    until(lambda: made.answers)
    yield made
    made.end()


def test_a_job_has_begun_when_its_caller_goes_on_and_is_finished_later(beside, tmp_path):
    lost = []
    assert beside.begin(two_steps, str(tmp_path), "one", lost=lambda: lost.append(1))
    assert (tmp_path / "one-begun").read_text(encoding="utf-8") == str(beside.process.pid)
    assert beside.begin(two_steps, str(tmp_path), "two", lost=lambda: lost.append(2)), "though the first isn't finished"
    assert not beside.wait(0)
    (tmp_path / "go").touch()
    assert beside.wait(PATIENCE)
    assert {one.name for one in tmp_path.iterdir()} == {"one-begun", "one-done", "two-begun", "two-done", "go"}
    assert lost == []


def test_more_jobs_than_it_can_do_are_left_to_their_callers(beside, tmp_path):
    begun = [beside.begin(two_steps, str(tmp_path), f"{n}", lost=print) for n in range(standby.MAX_JOBS + 1)]
    assert begun == [True] * standby.MAX_JOBS + [False]
    (tmp_path / "go").touch()
    assert beside.wait(PATIENCE)


def test_a_job_that_fails_after_it_began_tells_and_one_that_never_begins_does_not(beside, tmp_path):
    lost = threading.Event()
    assert beside.begin(fails_later, str(tmp_path), lost=lost.set)
    assert lost.wait(PATIENCE)
    lost.clear()
    assert not beside.begin(two_steps, str(tmp_path / "nowhere"), "one", lost=lost.set)
    assert not beside.begin(declines, str(tmp_path), lost=lost.set)
    assert not lost.is_set()
    assert beside.wait(PATIENCE)


def test_a_process_that_hangs_or_dies_holds_no_one_up(monkeypatch, tmp_path):
    beside = Standby()
    assert not beside.begin(two_steps, str(tmp_path), "early", lost=print), "not started yet"
    beside.start()
    beside.start()
    until(lambda: beside.answers)
    lost = threading.Event()
    assert beside.begin(two_steps, str(tmp_path), "one", lost=lost.set)
    monkeypatch.setattr(standby, "PATIENCE", 0.05)
    os.kill(beside.process.pid, signal.SIGSTOP)
    assert not beside.begin(two_steps, str(tmp_path), "two", lost=print)
    began = time.monotonic()
    assert not beside.begin(two_steps, str(tmp_path), "three", lost=print)
    assert time.monotonic() - began < 0.05, "nobody waits a second time"
    assert not lost.is_set()
    os.kill(beside.process.pid, signal.SIGCONT)
    until(lambda: beside.answers)
    beside.process.kill()
    assert lost.wait(PATIENCE)
    assert beside.wait(PATIENCE)
    assert not beside.begin(two_steps, str(tmp_path), "four", lost=print)
    before = beside.process
    beside.start()
    assert beside.process is before, "one that ends early isn't started again at once"
    assert {one.name for one in tmp_path.iterdir()} <= {"one-begun", "two-begun"}, "what began too late is given up"


SERVER = """
import django; django.setup()
import time
from rules.standby import STANDBY
from tests.rules.test_standby import two_steps, until
STANDBY.start()
until(lambda: STANDBY.answers)
print(STANDBY.begin(two_steps, {!r}, "one", lost=print), flush=True)
time.sleep(600)
"""


def test_what_began_is_finished_though_the_server_is_killed(tmp_path):
    folder = tmp_path / "seen"
    folder.mkdir()
    kept = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "DATA_DIR": str(tmp_path / "data")}
    command = [sys.executable, "-c", SERVER.format(str(folder))]
    with subprocess.Popen(command, cwd=ROOT, env=kept, stdout=subprocess.PIPE) as server:
        assert server.stdout.readline() == b"True\n"
        server.kill()
        server.wait()
        pid = int((folder / "one-begun").read_text(encoding="utf-8"))
        os.kill(pid, signal.SIGTERM)
        (folder / "go").touch()
    until((folder / "one-done").exists)


def test_tests_and_commands_have_none():
    assert STANDBY.process is None
