"""When the system's clock was set: found by comparing it with a clock that nobody can set."""

from __future__ import annotations

import datetime
import time
from collections import deque
from dataclasses import dataclass

from django.utils import timezone

MIN_SECONDS = 5.0
AT_ONCE_SECONDS = 0.5
REMEMBERED = 5
TOLD_SECONDS = 2 * 3600


def elapsed() -> float:
    """Return seconds of a clock that only goes on, also while a laptop sleeps where the system has such a clock."""
    # on macOS CLOCK_MONOTONIC counts sleep and time.monotonic doesn't
    which = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    return time.clock_gettime(which) if which is not None else time.monotonic()


def difference() -> float:
    """Return by how much the system's clock is ahead of the other; read again where the process was stopped in between."""
    while True:
        before, system, after = elapsed(), time.time(), elapsed()
        if after - before < AT_ONCE_SECONDS:
            return system - after


@dataclass(frozen=True)
class Jump:
    """The clock was set by so many seconds (below zero: back); `at` is the new time, `moment` by `elapsed`."""

    at: datetime.datetime
    seconds: float
    moment: float


class Jumps:
    """What one process has seen of the system's clock."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.noted: deque[Jump] = deque(maxlen=REMEMBERED)
        self.difference = difference()

    def look(self) -> float:
        """Return by how many seconds the clock was set since the last look, 0 where it was not; a jump is noted."""
        before, self.difference = self.difference, difference()
        by = self.difference - before
        if abs(by) < MIN_SECONDS:
            return 0.0
        self.noted.append(Jump(timezone.now(), by, elapsed()))
        return by

    def recent(self) -> tuple[Jump, ...]:
        """Return the jumps of the last two hours."""
        return tuple(one for one in self.noted if elapsed() - one.moment < TOLD_SECONDS)


JUMPS = Jumps()
