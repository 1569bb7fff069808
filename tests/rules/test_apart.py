"""Work in a separate process: results, failures, and nothing left behind."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from rules import apart as module
from rules.apart import FILES, LOW, OPEN, START, Busy, Stopped, apart
from rules.system import NICE
from rules.uploads import SMALL

ROOT = Path(__file__).parents[2]
PATIENCE = 60


def whereabouts(folder):
    """Return the process that runs this, its language, and its data folder."""
    return os.getpid(), translation.get_language(), str(settings.DATA_DIR)


def priority():
    return os.getpriority(os.PRIO_PROCESS, 0)


def end_at_once():
    os.kill(os.getpid(), signal.SIGKILL)


def wait_in(folder):
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(10 * PATIENCE)


def pid_in(folder):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for one in Path(folder).iterdir():
            return int(one.name)
        time.sleep(0.02)
    raise AssertionError("no process began")


def is_gone(pid):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        stat = Path(f"/proc/{pid}/stat")
        with contextlib.suppress(OSError):
            if stat.exists() and stat.read_text(encoding="utf-8").rsplit(") ", 1)[1][0] == "Z":
                return True
        time.sleep(0.05)
    return False


def test_small_work_is_done_here_and_large_work_apart():
    assert apart(whereabouts, None, size=SMALL)[0] == os.getpid()
    with translation.override("fr"):
        pid, language, folder = apart(whereabouts, None, size=SMALL + 1)
    assert pid != os.getpid()
    assert language == "fr"
    assert folder == str(settings.DATA_DIR)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows starts it at low priority")
def test_it_never_takes_the_processor_from_those_who_wait_for_a_page():
    assert apart(priority) == max(NICE, priority())
    assert "lower_priority()" in START.format(first=LOW, module="rules.apart").partition("import work")[0]


def test_a_process_that_is_killed_gives_a_sentence():
    with pytest.raises(Stopped, match="was interrupted") as caught:
        apart(end_at_once)
    assert caught.value.status == 503


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited where the system knows how")
def test_memory_is_bounded():
    with pytest.raises(Stopped, match="memory"):
        apart(bytes, 2_000_000_000)


def test_work_that_takes_too_long_is_ended():
    with pytest.raises(Stopped, match="longer than 1 second"):
        apart(time.sleep, 10 * PATIENCE, seconds=1)
    assert not module._CHILDREN


def test_requests_during_busy_work_are_told_to_retry(monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    with module._LINES[FILES], pytest.raises(Busy, match="reading another file") as caught:
        apart(whereabouts, None)
    assert caught.value.status == 503
    assert module._LINES[FILES] is not module._LINES[OPEN]


PARENT = "import django; django.setup(); from rules.apart import apart; from tests.rules.test_apart import wait_in; apart(wait_in, {!r})"


def test_no_process_outlives_the_server(tmp_path):
    kept = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "DATA_DIR": str(tmp_path / "data")}
    seen = tmp_path / "seen"
    seen.mkdir()
    parent = subprocess.Popen([sys.executable, "-c", PARENT.format(str(seen))], cwd=ROOT, env=kept)
    child = pid_in(seen)
    parent.kill()
    parent.wait()
    assert is_gone(child)
