"""A process that is kept ready beside the server, for jobs that must begin at once and may take their time.

`rules.apart` needs a second to start an interpreter; this one is started with the server. A job is a generator: it runs
to its first `yield` at once, while the caller waits, and the rest of it after all jobs before it; one that ends without
a `yield` is left to the caller. So a request can have the state of the database read as it is at this moment without
waiting until it is read. The process finishes its jobs when the server ends, even if the server was killed.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, BinaryIO

import django
from django.db import connections

from . import system
from .apart import as_told, job_of, started

PATIENCE = 1.0
"""Seconds for which a caller waits until its job has begun."""
MAX_JOBS = 4
"""The most jobs that may be unfinished; callers then do the work themselves, so that the queue can't grow."""
RETRY = 60.0
"""Seconds between the starts of a process that ends early."""
SECONDS_TO_END = 5.0
"""Seconds that a server which stops leaves the process for its jobs: less than most supervisors leave the server."""
SECONDS_ALONE = 120.0
"""Seconds that the process has for its jobs once the server is gone."""
READY, BEGUN, DONE, FAILED = "ready", "begun", "done", "failed"
log = logging.getLogger(__name__)


@dataclass
class Job:
    """A job given to the process, and what to do if it began and was never finished."""

    lost: Callable[[], None]
    state: str = READY


class Standby:
    """The process beside this one and its unfinished jobs."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.listener: threading.Thread | None = None
        self.started = 0.0
        self.answers = False
        self.jobs: dict[int, Job] = {}
        self.numbers = itertools.count(1)
        self.changed = threading.Condition()

    @property
    def is_running(self) -> bool:
        """Whether the process has been started and hasn't ended."""
        return self.listener is not None and self.listener.is_alive()

    def start(self) -> None:
        """Start the process, or restart it if it has ended; do nothing while it runs."""
        with self.changed:
            now = time.monotonic()
            if self.is_running or (self.listener is not None and now - self.started < RETRY):
                return
            self.started = now
            try:  # in a session of its own, where Ctrl-C doesn't reach it
                self.process = started("rules.standby", first="", stdout=subprocess.PIPE, start_new_session=True)
            except OSError as fault:
                log.warning("No process beside the server could be started: %s", fault)
                return
            self.listener = threading.Thread(target=self._listen, args=(self.process,), name="standby", daemon=True)
            self.listener.start()

    def begin(self, function: Callable[..., Generator[None]], *args: Any, lost: Callable[[], None]) -> bool:
        """Have the process run a module-level generator function; return whether it has reached its first `yield`.

        If False, it never will: the caller does the work itself. `lost` is called, in another thread, if the job began
        and then failed or ended with its process.
        """
        with self.changed:
            if self.process is None or not self.answers or len(self.jobs) >= MAX_JOBS:
                return False
            number, job = next(self.numbers), Job(lost)
            told = job_of(function, args) | {"number": number, "until": time.monotonic() + PATIENCE}
            try:
                assert self.process.stdin is not None
                pickle.dump(told, self.process.stdin, protocol=5)
                self.process.stdin.flush()
            except OSError:
                self.answers = False
                return False
            self.jobs[number] = job
            if not self.changed.wait_for(lambda: job.state != READY, PATIENCE):
                del self.jobs[number]
                self.answers = False  # until it answers again, no one waits for it
                log.warning("The process beside the server didn't answer within %.0f second", PATIENCE)
            return job.state in (BEGUN, DONE)

    def wait(self, seconds: float) -> bool:
        """Wait until every job is finished; return False if that takes longer."""
        with self.changed:
            return self.changed.wait_for(lambda: not self.jobs, seconds)

    def end(self) -> None:
        """Let the process finish its jobs and end."""
        process = self.process
        if process is None:
            return
        assert process.stdin is not None
        with self.changed, contextlib.suppress(OSError):
            self.answers = False
            process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(SECONDS_TO_END)

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """Follow what the process answers until it ends."""
        assert process.stdout is not None
        with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError), process.stdout as answers:
            while True:
                number, state = pickle.load(answers)
                self.answers = True
                self._hear(number, state)
        process.wait()
        assert process.stdin is not None
        with self.changed, contextlib.suppress(OSError):
            self.answers, left = False, dict(self.jobs)
            process.stdin.close()
        for number in left:
            self._hear(number, FAILED)

    def _hear(self, number: int, state: str) -> None:
        with self.changed:
            if (job := self.jobs.get(number)) is None:
                return
            is_lost, job.state = job.state == BEGUN and state == FAILED, state
        if is_lost:
            try:
                job.lost()
            except Exception:
                log.exception("The loss of a job couldn't be reported")
            finally:
                connections.close_all()
        with self.changed:
            if state != BEGUN:
                self.jobs.pop(number, None)
            self.changed.notify_all()


STANDBY = Standby()
atexit.register(STANDBY.end)


# --- In the process itself ---


class Answers:
    """What the process tells its parent, from several threads."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.lock = stream, threading.Lock()

    def say(self, number: int, state: str) -> None:
        """Tell the state of a job; a parent that is gone needs no answer."""
        with self.lock, contextlib.suppress(OSError):
            pickle.dump((number, state), self.stream, protocol=5)
            self.stream.flush()


def work() -> None:
    """Do the jobs that come on standard input until it closes; then finish what has begun, and exit."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the server gets them too: it ends first
    answers = Answers(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)  # whatever else prints must not be taken for an answer
    sys.setswitchinterval(0.001)
    django.setup(set_prefix=False)
    answers.say(0, READY)
    turn = threading.Lock()
    jobs: list[threading.Thread] = []
    with contextlib.suppress(EOFError, OSError):
        while True:
            job = pickle.load(sys.stdin.buffer)
            jobs = [one for one in jobs if one.is_alive()]
            jobs.append(threading.Thread(target=_do, args=(job, answers, turn), daemon=True))
            jobs[-1].start()
    until = time.monotonic() + SECONDS_ALONE
    for one in jobs:
        one.join(max(0.0, until - time.monotonic()))
    sys.stderr.flush()
    os._exit(0)


def _do(job: dict[str, Any], answers: Answers, turn: threading.Lock) -> None:
    """Begin a job, and finish it when it is its turn. One that began too late is given up: no one waits for it."""
    number, state = job["number"], FAILED
    try:
        with as_told(job) as function, contextlib.closing(function(*job["args"])) as steps:
            has_begun = next(steps, FAILED) != FAILED
            if has_begun and time.monotonic() <= job["until"]:
                answers.say(number, BEGUN)
                system.lower_priority()
                with turn:
                    for _step in steps:
                        pass
                state = DONE
    except Exception:
        log.exception("A job beside the server failed")
    finally:
        connections.close_all()
        system.return_free_memory()
        answers.say(number, state)
