"""Differences between Linux, macOS and Windows, in one place; functions do nothing on systems that lack the feature.

No other module imports `resource`, `fcntl` or `msvcrt`, or calls the C library.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import math
import os
import shutil
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def _module(name: str) -> Any:
    """Return a module of Python's own library, or None where the system has none such."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


resource, fcntl = _module("resource"), _module("fcntl")
M_ARENA_MAX = -8
OPEN_MAX = 10_240
"""The number of files macOS lets a process open, whatever its limit says."""
NICE = 5
SECONDS_BETWEEN_LOOKS = 0.5
CORES: set[int] = set(getattr(os, "sched_getaffinity", lambda _pid: ())(0))
"""The processor cores that this process was given; known only on Linux."""
AT_LOW_PRIORITY: int = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
"""`creationflags` for a new process: Windows starts it at low priority; elsewhere the process calls
`lower_priority`."""


def open_files() -> int | None:
    """Return how many files and connections this process may have open; None if the system sets no limit."""
    if resource is None:
        return None
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def allow_open_files(wanted: int) -> None:
    """Raise this process's limit of open files to the wanted number, or as close to it as the system allows."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for most in (wanted, OPEN_MAX):
        most = most if hard == resource.RLIM_INFINITY else min(hard, most)
        if soft == resource.RLIM_INFINITY or soft >= most:
            return
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            return


def keep_port(listener: socket.socket) -> None:
    """Keep other programs off the port that this socket will be bound to; one just released doesn't block it."""
    if sys.platform == "win32":  # where SO_REUSEADDR lets two servers share a port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def limit_this_process(seconds: float, memory: int) -> None:
    """Limit this process's processor time (seconds) and memory (bytes), on Linux and macOS."""
    if resource is None:
        return
    for limit, soft, hard in (
        (resource.RLIMIT_CPU, int(seconds) + 1, int(seconds) + 5),
        (resource.RLIMIT_AS, memory, memory),
    ):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(limit, (soft, hard))


def lower_priority() -> None:
    """Give other processes priority over this one; on Linux, over this thread of it."""
    if sys.platform != "win32":
        with contextlib.suppress(AttributeError, OSError):
            os.setpriority(os.PRIO_PROCESS, 0, max(NICE, os.getpriority(os.PRIO_PROCESS, 0)))


def stay_on_one_core() -> None:
    """Keep this thread, and the threads it starts from now on, on one processor core; only on Linux.

    Threads of one interpreter take turns. On two cores they spend almost half of a full hall's time waking each other.
    The core is one on which the fewest processes of the same parent stay; those that start together choose by their
    numbers, which follow each other. So each worker has its own core, if there are enough.
    """
    if sys.platform == "linux" and CORES:
        taken = Counter(core for cores in _cores_of_siblings() if len(cores) == 1 for core in cores)
        first = os.getpid() % len(CORES)
        cores = sorted(CORES)
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {min(cores[first:] + cores[:first], key=taken.__getitem__)})


def _cores_of_siblings() -> list[set[int]]:
    """Return the cores of each process that has the same parent as this one."""
    found: list[set[int]] = []
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            children = Path(f"/proc/{os.getppid()}/task/{os.getppid()}/children").read_text(encoding="ascii")
            for pid in map(int, children.split()):
                with contextlib.suppress(OSError):
                    found += [os.sched_getaffinity(pid)] if pid != os.getpid() else []
    return found


def use_every_core() -> None:
    """Let this thread run on every core that the process was given."""
    if sys.platform == "linux" and CORES:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, CORES)


@contextlib.contextmanager
def on_every_core() -> Iterator[None]:
    """Let this thread run on every core meanwhile: a process that it starts inherits its cores."""
    if sys.platform == "linux" and CORES:
        before = os.sched_getaffinity(0)
        use_every_core()
        try:
            yield
        finally:
            os.sched_setaffinity(0, before)
    else:
        yield


def use_heaps(number: int) -> None:
    """Limit glibc to this many heaps: with one per thread, memory freed in one thread isn't reused by the next."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, number)


def return_free_memory() -> None:
    """Return memory that glibc keeps free to the system."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def lock_until_closed(number: int) -> None:
    """Wait until no other process or thread holds an open file, given by its number; hold it until it is closed."""
    if fcntl is not None:
        fcntl.flock(number, fcntl.LOCK_EX)
    elif sys.platform == "win32":
        import msvcrt

        msvcrt.locking(number, msvcrt.LK_LOCK, 1)


def lock_at_once(number: int) -> bool:
    """Hold an open file, given by its number, until it is closed; return False if another process or thread holds it."""
    try:
        if fcntl is not None:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif sys.platform == "win32":
            import msvcrt

            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True


def wait_for_end_of_parent() -> None:
    """Wait until the parent process ends; it holds the other end of standard input and never writes.

    On Windows a thread that reads standard input can block others, so there it is polled.
    """
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            import _winapi
            import msvcrt

            while True:
                _winapi.PeekNamedPipe(msvcrt.get_osfhandle(0), 0)
                time.sleep(SECONDS_BETWEEN_LOOKS)
        os.read(0, 1)


def free_space(folder: Path) -> float:
    """Return how many bytes are free on a folder's disk; infinity where that can't be told."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return math.inf
