"""A limit of time for what a visitor asks of the engine.

A document of 200 kB can ask thousands of questions, or one about a map of 90,000 squares. The rules know nothing of
time: a clock beside them raises an exception in the thread that asks. Only `time_limit` starts it, so commands and a
process of its own take as long as they need, and the same document gives the same report.
"""

from __future__ import annotations

import ctypes
import functools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, ParamSpec, TypeVar

from rules.engine.errors import BadInput

Given = ParamSpec("Given")
Result = TypeVar("Result")

TOO_LONG: Final = "Working this out takes too long here. Ask less at a time, use a smaller map, or run the command on your own machine."
_ends: ContextVar[float | None] = ContextVar("ends", default=None)


class TookTooLong(BadInput):
    """The time for what was asked is over."""

    def __init__(self) -> None:
        super().__init__("", TOO_LONG)


class _TimeIsOver(BaseException):
    """Raised by the clock wherever the engine is just then: no fault of a document, so nothing on the way catches it."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Let everything that is asked of the engine inside, together, take so many seconds at most; None lifts a limit."""
    token = _ends.set(None if seconds is None else time.monotonic() + seconds)
    try:
        yield
    finally:
        _ends.reset(token)


def within_limit(ask: Callable[Given, Result]) -> Callable[Given, Result]:
    """Return a function of the engine's face that keeps the time limit; it raises TookTooLong, where there is one."""

    @functools.wraps(ask)
    def asked(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        ends = _ends.get()
        if ends is None:
            return ask(*args, **kwargs)
        left = ends - time.monotonic()
        if left <= 0:
            raise TookTooLong
        clock = _Clock(left)
        try:
            clock.start()
            try:
                return ask(*args, **kwargs)
            finally:
                clock.stop()
        except _TimeIsOver:
            clock.stop()  # the first may have been where the clock raised
            raise TookTooLong from None

    return asked


class _Clock(threading.Thread):
    """Raises _TimeIsOver in the thread that made it, when its time is over and that thread still works.

    Where it comes up in a callback that swallows exceptions (garbage collection, `__del__`), it is raised again.
    Bare locks, and no event: an exception from outside leaves no lock behind that is taken by a `with` statement.
    """

    AGAIN = 0.1

    def __init__(self, seconds: float) -> None:
        super().__init__(name="time-limit", daemon=True)
        self.thread, self.seconds, self.is_over = threading.get_ident(), seconds, False
        self.working, self.raising = threading.Lock(), threading.Lock()
        self.working.acquire()

    def run(self) -> None:
        wait = self.seconds
        while not self.working.acquire(timeout=wait):
            with self.raising:
                if self.is_over:
                    return
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), ctypes.py_object(_TimeIsOver))
            wait = self.AGAIN

    def stop(self) -> None:
        """Let nothing be raised from now on; may be called again."""
        with self.raising:
            self.is_over = True
        if self.working.locked():
            self.working.release()
