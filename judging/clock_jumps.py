"""Detection of changes to the system clock, by comparing it with a monotonic clock."""

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
    """Return a monotonic time in seconds that also counts sleep where the system has such a clock."""
    # macOS: CLOCK_MONOTONIC counts sleep, time.monotonic doesn't
    which = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    read = getattr(time, "clock_gettime", lambda _which: time.monotonic())
    return float(read(which))


def difference() -> float:
    """Return the seconds by which the system clock is ahead of the monotonic one.

    Reads both again if the process was paused between the readings.
    """
    while True:
        before, system, after = elapsed(), time.time(), elapsed()
        if after - before < AT_ONCE_SECONDS:
            return system - after


@dataclass(frozen=True)
class Jump:
    """A change of the system clock by `seconds` (negative: back); `at` is the new time, `moment` is in `elapsed()`."""

    at: datetime.datetime
    seconds: float
    moment: float


class Jumps:
    """The changes of the system clock that this process has seen."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget all changes, and compare from now on."""
        self.noted: deque[Jump] = deque(maxlen=REMEMBERED)
        self.difference = difference()

    def look(self) -> float:
        """Return the seconds by which the clock was set since the last look, or 0; remember a change."""
        before, self.difference = self.difference, difference()
        by = self.difference - before
        if abs(by) < MIN_SECONDS:
            return 0.0
        self.noted.append(Jump(timezone.now(), by, elapsed()))
        return by

    def recent(self) -> tuple[Jump, ...]:
        """Return the changes of the last two hours."""
        return tuple(one for one in self.noted if elapsed() - one.moment < TOLD_SECONDS)


JUMPS = Jumps()
