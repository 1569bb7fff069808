"""Faults of the environment: the database is locked, full, read-only or away, or the disk is full.

`trouble_of` recognizes them in an exception. Pages (`unavailable.py`) and commands (`config/commands.py`) word them.
"""

from __future__ import annotations

import errno
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.db import Error


class TroubleKind(StrEnum):
    """Kinds of trouble."""

    BUSY = "busy"
    AWAY = "away"
    READ_ONLY = "read-only"
    FULL = "full"
    DAMAGED = "damaged"
    BEHIND = "behind"


@dataclass(frozen=True)
class Trouble:
    """The kind of trouble, and whether the failed statement certainly left nothing behind."""

    kind: TroubleKind
    is_certain: bool = True


class Jam:
    """Remembers for two seconds that a request waited for the database in vain.

    A request waits for a locked or absent database as long as the settings say (`LOCK_SECONDS`), and only a few wait at
    a time, so two hundred in a queue would wait for minutes. For two seconds after one gave up, the others fail at
    once.
    """

    SECONDS = 2.0

    def __init__(self) -> None:
        self.until = 0.0

    def note(self) -> None:
        """Record that a request has just waited in vain."""
        self.until = time.monotonic() + self.SECONDS

    @property
    def is_on(self) -> bool:
        """Whether requests should fail without waiting."""
        return time.monotonic() < self.until


SQLITE = {
    "BUSY": Trouble(TroubleKind.BUSY),
    "LOCKED": Trouble(TroubleKind.BUSY),
    "READONLY": Trouble(TroubleKind.READ_ONLY),
    "FULL": Trouble(TroubleKind.FULL),
    "CANTOPEN": Trouble(TroubleKind.AWAY),
    "IOERR": Trouble(TroubleKind.AWAY, is_certain=False),
    "PROTOCOL": Trouble(TroubleKind.BUSY),
    "CORRUPT": Trouble(TroubleKind.DAMAGED),
    "NOTADB": Trouble(TroubleKind.DAMAGED),
}
"""By the first word of SQLite's error names."""
STATES = {
    "55P03": Trouble(TroubleKind.BUSY),  # lock_timeout
    "57014": Trouble(TroubleKind.BUSY),  # statement_timeout
    "40001": Trouble(TroubleKind.BUSY),
    "40P01": Trouble(TroubleKind.BUSY),  # deadlock
    "53200": Trouble(TroubleKind.BUSY),
    "53300": Trouble(TroubleKind.BUSY),  # too many connections
    "53100": Trouble(TroubleKind.FULL),
    "25006": Trouble(TroubleKind.READ_ONLY),
    "57P03": Trouble(TroubleKind.AWAY),  # starting or stopping
    "57P01": Trouble(TroubleKind.AWAY, is_certain=False),
    "57P02": Trouble(TroubleKind.AWAY, is_certain=False),
    "28P01": Trouble(TroubleKind.AWAY),  # password refused
    "28000": Trouble(TroubleKind.AWAY),
    "3D000": Trouble(TroubleKind.AWAY),  # no such database
    "42P01": Trouble(TroubleKind.BEHIND),
    "42703": Trouble(TroubleKind.BEHIND),
}
"""By PostgreSQL's SQLSTATE."""
FILES = {
    errno.ENOSPC: TroubleKind.FULL,
    errno.EDQUOT: TroubleKind.FULL,
    errno.EFBIG: TroubleKind.FULL,
    errno.EROFS: TroubleKind.READ_ONLY,
    errno.EACCES: TroubleKind.READ_ONLY,
    errno.EPERM: TroubleKind.READ_ONLY,
}
NO_CONNECTION = ("connection failed", "connection refused", "could not connect", "no such file or directory")
LOST = ("closed", "lost", "terminat", "broken", "consuming input", "ssl")
NO_TABLE = ("no such table", "no such column", "has no column")


def trouble_of(fault: BaseException | None) -> Trouble | None:
    """Return the trouble behind an exception, or None if it isn't one of the environment."""
    for one in _causes(fault):
        found = _trouble(one)
        if found is not None:
            return found
    return None


def _causes(fault: BaseException | None) -> Iterator[BaseException]:
    seen: list[BaseException] = []
    while fault is not None and fault not in seen:
        seen.append(fault)
        yield fault
        fault = fault.__cause__


def _trouble(fault: BaseException) -> Trouble | None:
    name = getattr(fault, "sqlite_errorname", None) or ""
    if name and (found := SQLITE.get(name.removeprefix("SQLITE_").split("_")[0])):
        return found
    state = getattr(fault, "sqlstate", None) or ""
    if state:
        return STATES.get(state) or (Trouble(TroubleKind.AWAY, is_certain=False) if state.startswith("08") else None)
    kind = type(fault).__name__
    if kind in ("PoolTimeout", "TooManyRequests", "ConnectionTimeout"):
        return Trouble(TroubleKind.AWAY)
    said = str(fault).lower()
    is_database = isinstance(fault, Error) or type(fault).__module__.startswith(("psycopg", "sqlite3"))
    if is_database and any(words in said for words in NO_TABLE):
        return Trouble(TroubleKind.BEHIND)
    if is_database and fault.__cause__ is None and kind in ("OperationalError", "InterfaceError"):
        if any(words in said for words in NO_CONNECTION):
            return Trouble(TroubleKind.AWAY)
        if any(words in said for words in LOST):
            return Trouble(TroubleKind.AWAY, is_certain=False)
    if isinstance(fault, OSError) and fault.errno in FILES:
        return Trouble(FILES[fault.errno])
    return None
