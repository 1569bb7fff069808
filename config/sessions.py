"""Sessions in the database that don't break a page while the database is locked or full."""

from __future__ import annotations

import logging

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore as DjangoSessionStore
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware as DjangoSessionMiddleware
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from events.faults import trouble_of
from events.prepared import Prepared, asked
from events.unavailable import JAM, READING

log = logging.getLogger(__name__)
STORED = Prepared(lambda: Session.objects.filter(pk=asked("key")))


class SessionStore(DjangoSessionStore):
    """Django's session store, except that it doesn't save the same content twice.

    A view that must not act without its session saves the session in the same transaction: both are saved, or neither.
    """

    written: tuple[str | None, bytes] | None = None

    def _get_session_from_db(self) -> Session | None:
        """Return the stored session unless it has expired: Django's method, with SQL that is built once."""
        found = STORED.first(key=self.session_key)
        if found is None or found.expire_date <= timezone.now():
            self._session_key = None
            return None
        return found

    def exists(self, session_key: str) -> bool:
        """Return whether a session is stored under this key."""
        return STORED.first(key=session_key) is not None

    def save(self, must_create: bool = False) -> None:
        """Save the session, unless this content has already been saved under this key."""
        if must_create or self.written is None or self.written != self._content():
            super().save(must_create)
            self.written = self._content()

    def _content(self) -> tuple[str | None, bytes]:
        return self.session_key, self.serializer().dumps(dict(self.items()))


class SessionMiddleware(DjangoSessionMiddleware):
    """Django's middleware, except that a session that can't be saved is dropped if only convenience depends on it.

    The page is still shown, and a committed action isn't answered as if it had failed.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Save the session; if the database can't be written, decide whether the response depends on it."""
        may_drop = not depends_on_session(request, response)
        if may_drop and JAM.is_on and request.session.modified:
            return response
        try:
            return super().process_response(request, response)
        except (DatabaseError, SessionInterrupted) as fault:
            cause = _fault_of_database(fault)
            if cause is None:
                raise
            if not may_drop:
                raise cause from cause.__cause__
            log.warning("A session couldn't be saved: %s", cause)
            return response


def _fault_of_database(fault: BaseException | None) -> BaseException | None:
    """Return the database error behind a failed save, or None; Django itself reports a deleted session."""
    while fault is not None:
        if isinstance(fault, DatabaseError) and trouble_of(fault):
            return fault
        fault = fault.__context__
    return None


def depends_on_session(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether the response needs the session: sign-in, sign-out, a link, or data kept only there."""
    if request.session.session_key != request.COOKIES.get(settings.SESSION_COOKIE_NAME):
        return True
    if request.method in READING:
        return 300 <= response.status_code < 400
    return not getattr(request, "committed", None)
