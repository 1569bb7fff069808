"""Health checks: `/health/` for load balancers and monitors, `/health/details/` for administrators.

The site can serve while its database can be read and written and has all its tables. A check writes a row, removes it,
and commits both, because a full disk or a read-only file shows only on writing. One thread makes at most one check
every two seconds; other requests get the latest result. A busy database is healthy: a check waits one second for the
lock, and the site counts as down only after twenty seconds in which no check got it.
"""

from __future__ import annotations

import datetime
import secrets
import threading
import time
from dataclasses import dataclass

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError, connection, transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.logs import shown
from config.watching import may_read
from events.models import Event
from events.stream import HUB
from judging.findings import findings, waiting
from judging.management.readiness import what_is_missing

CHECK_EVERY, COMPLETE_FOR = 2.0, 60.0
WAITS_MS = 1000
BUSY_SECONDS, STUCK_SECONDS = 20.0, 25.0
UNASKED_SECONDS = 300.0
LONG_AGO = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
LOCKED = {"55P03", "57014"}
"""PostgreSQL: the lock wasn't available in time, or the statement took too long."""


@dataclass(frozen=True)
class State:
    """The result of a check; `problem` says why the site can't serve."""

    problem: str = ""
    is_busy: bool = False


class Health:
    """This process's latest check, with its time (`time.monotonic`)."""

    def __init__(self) -> None:
        self.checking = threading.Lock()
        self.forget()

    def forget(self) -> None:
        """Discard the latest check, so that the next request makes a new one."""
        self.state: State | None = None
        self.checked = self.complete = float("-inf")
        self.began: float | None = None
        self.busy_since: float | None = None

    def now(self) -> State:
        """Return whether the site can serve, at most a few seconds old."""
        if self.state is not None and time.monotonic() - self.checked < CHECK_EVERY:
            return self.state
        if not self.checking.acquire(timeout=-1 if self.state is None else 0):
            began = self.began
            if began is not None and time.monotonic() - began > STUCK_SECONDS:
                return State("A database check hasn't finished.")
            return self.state or State()
        try:
            self.began = time.monotonic()
            if self.state is None or self.began - self.checked >= CHECK_EVERY:
                self.state = self.check()
                self.checked = time.monotonic()
            return self.state
        finally:
            self.began = None
            self.checking.release()

    def check(self) -> State:
        """Check that the database can be read, has its tables and migrations, and can be written."""
        try:
            if time.monotonic() - self.complete > COMPLETE_FOR:
                if missing := what_is_missing():
                    return State(missing)
                self.complete = time.monotonic()
            Event.objects.order_by().values_list("pk").first()
            write_and_remove()
        except DatabaseError as fault:
            self.complete = float("-inf")
            if not is_busy(fault):
                return State(f"The database can't be read or written: {shown(str(fault)).splitlines()[0][:200]}")
            now = time.monotonic()
            if self.busy_since is None or now - self.checked > UNASKED_SECONDS:  # no recent check says since when
                self.busy_since = now
            locked_for = now - self.busy_since
            if locked_for > BUSY_SECONDS:
                return State(f"The database has been locked for {locked_for:.0f} seconds.", is_busy=True)
            return State(is_busy=True)
        self.busy_since = None
        return State()


def write_and_remove() -> None:
    """Write an expired session that belongs to no one, remove it and commit; wait one second for the lock."""
    is_sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        if is_sqlite:
            cursor.execute(f"PRAGMA busy_timeout = {WAITS_MS}")
        try:
            with transaction.atomic():
                if not is_sqlite:
                    cursor.execute(f"SET LOCAL lock_timeout = {WAITS_MS}")
                    cursor.execute(f"SET LOCAL statement_timeout = {5 * WAITS_MS}")
                row = Session(session_key=f"check-{secrets.token_hex(12)}", session_data="", expire_date=LONG_AGO)
                row.save(force_insert=True)
                row.delete()
        finally:
            if is_sqlite:
                patience = settings.DATABASES["default"].get("OPTIONS", {}).get("timeout", 5)
                cursor.execute(f"PRAGMA busy_timeout = {int(patience * 1000)}")


def is_busy(fault: DatabaseError) -> bool:
    """Return whether the error means only that another writer holds the lock."""
    cause = fault.__cause__
    told = str(getattr(cause, "sqlite_errorname", ""))
    return told.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")) or getattr(cause, "sqlstate", "") in LOCKED


HEALTH = Health()


def _told(state: State) -> dict[str, object]:
    told = {"healthy": not state.problem, "database": connection.vendor, "streams": HUB.streams}
    return told | ({"problem": state.problem} if state.problem else {}) | ({"busy": True} if state.is_busy else {})


@never_cache
@require_safe
def health(_request: HttpRequest) -> HttpResponse:
    """Answer 200 if the site can serve, otherwise 503; the reason appears only in the details."""
    state = HEALTH.now()
    told = {name: value for name, value in _told(state).items() if name != "problem"}
    return JsonResponse(told, status=503 if state.problem else 200)


@never_cache
@require_safe
def details(request: HttpRequest) -> HttpResponse:
    """Report every problem to this machine, or to a client with the token of `/metrics/`."""
    if not may_read(request):
        raise Http404
    state = HEALTH.now()
    found = [
        {"name": one.name, "severity": one.severity, "sentence": one.sentence, "value": one.value, "event": one.event}
        for one in findings()
    ]
    told = _told(state) | {"findings": found, "waiting": waiting()}
    return JsonResponse(told, status=503 if state.problem else 200)
