"""Differences between systems, imitated by modules that replace Linux's."""

import os
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest

from events.shares import MAX_FILES, most_connections
from rules import system

UNLIMITED = -1


def limited(soft, hard, most):
    """Return a module like `resource`, on a system that lets a process open so many files, whatever the limit says."""
    limits = [soft, hard]

    def setrlimit(_kind, wanted):
        if wanted[0] > most:
            raise ValueError("current limit exceeds maximum limit")
        limits[:] = wanted

    return SimpleNamespace(
        RLIMIT_NOFILE=7, RLIM_INFINITY=UNLIMITED, getrlimit=lambda _kind: tuple(limits), setrlimit=setrlimit
    )


@pytest.mark.parametrize(
    ("soft", "hard", "most", "then"),
    [
        (1024, 4096, 10**6, 4096),
        (1024, UNLIMITED, 10**6, 65_536),
        (256, UNLIMITED, 10_240, 10_240),  # macOS
        (256, UNLIMITED, 1000, 256),
        (70_000, UNLIMITED, 10**6, 70_000),
        (UNLIMITED, UNLIMITED, 10**6, None),
    ],
)
def test_the_limit_of_open_files_is_raised_as_far_as_the_system_allows(soft, hard, most, then, monkeypatch):
    monkeypatch.setattr(system, "resource", limited(soft, hard, most))
    system.allow_open_files(65_536)
    assert system.open_files() == then


def test_a_system_without_limits_has_none(monkeypatch):
    monkeypatch.setattr(system, "resource", None)
    system.allow_open_files(65_536)
    system.limit_this_process(seconds=1, memory=1)
    assert system.open_files() is None
    assert most_connections() == MAX_FILES - 200


def test_one_thread_after_another_holds_a_file(tmp_path):
    path, order = tmp_path / "lock", []
    path.touch()
    with path.open("r+b") as mine:
        system.lock_until_closed(mine.fileno())

        def other():
            with path.open("r+b") as its:
                system.lock_until_closed(its.fileno())
                order.append("other")

        waiting = threading.Thread(target=other)
        waiting.start()
        waiting.join(0.1)
        order.append("mine")
    waiting.join(20)
    assert order == ["mine", "other"]


def test_a_process_notices_the_end_of_its_parent():
    waits = "from rules.system import wait_for_end_of_parent; wait_for_end_of_parent(); print('ended')"
    child = subprocess.Popen(
        [sys.executable, "-c", waits], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", env=os.environ
    )
    assert child.communicate(timeout=60)[0] == "ended\n"


@pytest.fixture
def windows(monkeypatch):
    """Return what is asked of Windows' own modules, which are played here."""
    asked = []

    def peek(handle, size):
        asked.append(("looked at", handle, size))
        if len(asked) > 2:
            raise BrokenPipeError(109, "The pipe has been ended")

    played = SimpleNamespace(
        LK_LOCK=1,
        LK_NBLCK=2,
        get_osfhandle=lambda number: 100 + number,
        locking=lambda *given: asked.append(given),
    )
    monkeypatch.setitem(sys.modules, "msvcrt", played)
    monkeypatch.setitem(sys.modules, "_winapi", SimpleNamespace(PeekNamedPipe=peek))
    monkeypatch.setattr(system, "fcntl", None)
    monkeypatch.setattr(system, "SECONDS_BETWEEN_LOOKS", 0)
    monkeypatch.setattr(system, "sys", SimpleNamespace(platform="win32"))
    return asked


def test_a_file_held_elsewhere_is_told_at_once(tmp_path):
    path = tmp_path / "lock"
    with path.open("wb") as mine, path.open("rb+") as its:
        assert system.lock_at_once(mine.fileno())
        assert not system.lock_at_once(its.fileno())
    with path.open("rb+") as its:
        assert system.lock_at_once(its.fileno())


def test_windows_is_asked_now_and_then_whether_the_parent_still_lives(windows):
    system.wait_for_end_of_parent()
    assert windows == [("looked at", 100, 0)] * 3


def test_windows_locks_the_first_byte_of_a_file(windows):
    system.lock_until_closed(7)
    assert windows == [(7, 1, 1)]


def test_windows_tries_to_lock_the_first_byte_of_a_file(windows):
    assert system.lock_at_once(7)
    assert windows == [(7, 2, 1)]


def test_windows_keeps_others_from_a_port(windows, monkeypatch):
    played = SimpleNamespace(SOL_SOCKET=1, SO_EXCLUSIVEADDRUSE=-5)
    monkeypatch.setattr(system, "socket", played)
    system.keep_port(SimpleNamespace(setsockopt=lambda *given: windows.append(given)))
    assert windows == [(1, -5, 1)]


@pytest.mark.skipif(sys.platform != "linux" or len(system.CORES) < 2, reason="there is one core, or no choice of it")
def test_a_server_stays_on_one_core_and_its_processes_do_not():
    seen = {}

    def serve():
        system.stay_on_one_core()
        inherits = threading.Thread(target=lambda: seen.update(thread=os.sched_getaffinity(0)))
        inherits.start()
        inherits.join()
        look = [sys.executable, "-c", "import os; print(len(os.sched_getaffinity(0)))"]
        with system.on_every_core():
            seen["beside"] = int(subprocess.run(look, capture_output=True, check=True).stdout)
        seen["after"] = os.sched_getaffinity(0)
        system.use_every_core()
        seen["hashing"] = os.sched_getaffinity(0)

    server = threading.Thread(target=serve)
    server.start()
    server.join()
    assert seen["thread"] == seen["after"] < system.CORES
    assert len(seen["after"]) == 1
    assert seen["beside"] == len(seen["hashing"]) == len(system.CORES)
