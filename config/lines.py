"""Lines in which requests wait for a few threads: people take turns, and no one's page is made twice.

Someone who reloads, opens thirty tabs or runs a script waits behind everyone who asks for less, and never holds all
threads of a line. If a client leaves while its request waits, the request is never processed. A request that equals a
waiting one of the same person gets the same response; it doesn't join one at work, which may have read the database
before that person's latest change. A line may let others go first: each of its threads then waits a moment before it
begins something new.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event, Lock
from typing import Generic, TypeVar

Result = TypeVar("Result")
PATIENCE = 0.03
"""How many seconds at most a thread waits before it begins something new while lines of `after` have work."""


@dataclass
class Work(Generic[Result]):
    """What is to be done, and who waits for the result; equal `same` means that one result serves both."""

    do: Callable[[], Result]
    same: Hashable
    asked: list[Future[Result]]

    def begin(self) -> bool:
        """Mark the work as begun, and return whether anyone still waits for it."""
        self.asked = [future for future in self.asked if future.set_running_or_notify_cancel()]
        return bool(self.asked)

    def finish(self) -> None:
        """Do the work, and give the result or the exception to everyone who waits."""
        try:
            result = self.do()
        except BaseException as fault:  # raised again where the result is awaited
            for future in self.asked:
                future.set_exception(fault)
        else:
            for future in self.asked:
                future.set_result(result)


class Line(Generic[Result]):
    """A line for `threads` threads, in which people take turns; one person has at most all threads but one at work."""

    def __init__(self, name: str, threads: int, *, first: Callable[[], None] | None = None) -> None:
        """Create a line whose threads begin with `first`, and which lets no other go first unless `after` names it."""
        self.after: tuple[Line[Result], ...] = ()
        self.idle = Event()
        self.idle.set()
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix=name, initializer=first)
        self.share = max(1, threads - 1)
        self.waiting: OrderedDict[Hashable, deque[Work[Result]]] = OrderedDict()
        self.at_work: Counter[Hashable] = Counter()
        self.guard = Lock()

    def __len__(self) -> int:
        """Return how many pieces of work wait."""
        with self.guard:
            return sum(map(len, self.waiting.values()))

    async def result(self, who: Hashable, do: Callable[[], Result], same: Hashable = None) -> Result:
        """Return the result of `do` when its turn has come; if cancelled before, it is never called."""
        asked: Future[Result] = Future()
        with self.guard:
            self.idle.clear()
            theirs = self.waiting.setdefault(who, deque())
            equal = next((work for work in theirs if same is not None and work.same == same), None)
            if equal is None:
                theirs.append(Work(do, same, [asked]))
            else:
                equal.asked.append(asked)
        if equal is None:
            self.threads.submit(self._serve)
        return await asyncio.wrap_future(asked)

    def _serve(self) -> None:
        """Do what waits, until nothing is left that may begin."""
        while (turn := self._next()) is not None:
            who, work = turn
            work.finish()
            with self.guard:
                self.at_work[who] -= 1
                if not self.at_work[who]:
                    del self.at_work[who]
            del turn, work

    def _next(self) -> tuple[Hashable, Work[Result]] | None:
        """Return the first work of the first person whose turn it is; that person then goes to the end."""
        until = time.monotonic() + PATIENCE
        for line in self.after:
            if not line.idle.is_set() and (left := until - time.monotonic()) > 0:
                line.idle.wait(left)
        with self.guard:
            while (who := next((one for one in self.waiting if self.at_work[one] < self.share), None)) is not None:
                theirs = self.waiting.pop(who)
                while theirs:
                    work = theirs.popleft()
                    if work.begin():
                        if theirs:
                            self.waiting[who] = theirs
                        self.at_work[who] += 1
                        return who, work
            if not self.at_work:
                self.idle.set()
        return None
