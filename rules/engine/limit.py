"""A time limit for visitors' requests to the engine.

A document of 200 kB can ask thousands of questions, or one about a map of 90,000 squares. The rules know nothing of
time: a separate clock raises an exception in the requesting thread. Only `time_limit` starts the clock, so commands and
worker processes take as long as they need, and the same document always gives the same report.
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
    """The time limit was reached."""

    def __init__(self) -> None:
        super().__init__("", TOO_LONG)


class _TimeIsOver(BaseException):
    """Raised by the clock wherever the engine happens to be.

    It is a BaseException, so no handler in the engine mistakes it for a fault of the document.
    """


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Limit the total time of all engine calls in this context, in seconds; None lifts a limit."""
    token = _ends.set(None if seconds is None else time.monotonic() + seconds)
    try:
        yield
    finally:
        _ends.reset(token)


def time_is_over() -> bool:
    """Return whether the time limit of this context has been reached."""
    ends = _ends.get()
    return ends is not None and time.monotonic() >= ends


def within_limit(ask: Callable[Given, Result]) -> Callable[Given, Result]:
    """Return an engine function wrapped so that it raises TookTooLong when the time limit is reached."""

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
            clock.stop()  # the clock may have raised during the first call
            raise TookTooLong from None

    return asked


class _Clock(threading.Thread):
    """A clock that raises _TimeIsOver in the thread that made it, if its time is over and that thread still works.

    If a callback swallows the exception (garbage collection, `__del__`), it is raised again. Uses bare locks instead of
    an Event: an exception from outside can't leave them locked inside a `with` statement.
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
        """Stop the clock, so that it raises nothing from now on. Safe to call again."""
        with self.raising:
            self.is_over = True
        if self.working.locked():
            self.working.release()
