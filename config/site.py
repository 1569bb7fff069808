"""Django behind the front, answering on a few permanent threads.

Django's own handler gives each request a thread and a database connection. When a full hall reports at once, those are
hundreds that compete for one interpreter and for SQLite's lock until some time out. Here requests wait in lines, in
which people take turns (`config/lines.py`). Each kind of work has its own line, so that a result waits behind neither
five hundred readers nor a form that pairs a round, a password guesser or a file; a judge's console and a look into the
catalogue don't wait behind the hall's pages, and a judge's question to the rules doesn't wait behind strangers'.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import gc
import re
from collections.abc import Hashable
from contextlib import nullcontext
from typing import Any, cast

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.db import Error, close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.loader import get_template
from django.urls import get_resolver, set_script_prefix
from whitenoise.middleware import WhiteNoiseFileResponse

from config.bodies import is_signed_in, route_of
from config.folders import TEMPLATES
from config.lines import Line
from config.sessions import SessionStore
from events.shares import address_of
from events.sharing import may_be_shared
from events.stream import Scope, disconnected
from judging.findings import LINES
from rules.engine import time_limit
from rules.system import use_every_core
from rules.uploads import SMALL

READING = frozenset({"GET", "HEAD", "OPTIONS"})
HASHING = re.compile(r"^/(accounts/|set-up/|sign-in-by-code/|events/[^/]+/sign-in-code/)")
"""URLs whose forms hash a password or a code."""
SHAREABLE = "headjudge.shareable"
"""The scope key under which the site says whether a response may be shared among readers without a session."""
AT_WORK = "headjudge.at_work"
"""The scope key that says that a thread reads the request, whose body must stay open even if the client leaves."""
LARGE = 2
"""How many requests with large bodies are processed at a time."""
COMPUTING = re.compile(r"^/(api/rules|rules/(argued|board|disputes|quick|training))/")
"""URLs where anyone may ask the rules about a position, which may take long."""
ASKING = 2
"""How many strangers' questions to the rules are answered at a time; they never delay other pages or forms."""
ASKING_SIGNED_IN = 1
"""How many questions to the rules from signed-in people are answered at a time."""
ASKING_SECONDS = 3.0
"""The most seconds that the rules may work on one request."""
RESULTS = frozenset({"events:claim", "events:claim-withdraw", "events:enter-result", "events:results", "api:report"})
"""The views whose forms report a result or enter one."""
RECORDING = 1
"""How many results are recorded at a time; they all lock their event."""
FILES = re.compile(r"\.(pdf|csv|json)$")
"""Addresses of papers and exports, which may take a second."""
DOWNLOADS = 1
"""How many of these files are made at a time."""
LOOKING_UP = re.compile(r"^/(rules/|forces/|api/elements$)")
"""Pages of rulebooks, catalogue and force builder, which someone looks up while the hall reads its own pages."""
LOOK_UPS = 1
"""How many of these pages are made at a time."""
OFFICIATING = re.compile(r"^/events/[^/]+/(console/|rounds/\d+/(draft|open|results)/)")
"""Pages of an event's officials, which they need at the moments when the whole hall reads."""
OFFICIALS = 1
"""How many of these pages are made at a time."""
FIRST = ("results", "writers", "officials", "look-ups", "rules-signed-in")
"""The lines that readers let go first: threads share one interpreter, and a hall's pages would take most of it."""
OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""How many more objects there may be before Python looks for cycles among the new ones."""
MAX_SESSIONS = 20_000
"""How many sessions a process knows to exist; the others wait as their address does."""
UNLIKE = (b"cache-control", b"pragma", b"priority")
"""Request headers in which requests for the same page may differ, as in those that begin with `sec-`."""
Answered = tuple[HttpRequest, HttpResponseBase]
"""A response, after the request that it was made for."""


class Site(ASGIHandler):
    """The Django handler, with at most `READERS`, `WRITERS` and `SIGN_INS` (settings) requests at work at a time."""

    def __init__(self) -> None:
        threads = {
            "readers": settings.READERS,
            "writers": settings.WRITERS,
            "sign-ins": settings.SIGN_INS,
            "results": RECORDING,
            "large": LARGE,
            "downloads": DOWNLOADS,
            "officials": OFFICIALS,
            "look-ups": LOOK_UPS,
            "rules": ASKING,
            "rules-signed-in": ASKING_SIGNED_IN,
        }
        self.lines: dict[str, Line[Answered]] = {
            name: Line(
                name, number, first=use_every_core if name == "sign-ins" else None
            )  # hashing needs no interpreter
            for name, number in threads.items()
        }
        self.lines["readers"].after = tuple(self.lines[name] for name in FIRST)
        LINES.update({name: line.__len__ for name, line in self.lines.items()})
        self.sessions: set[str] = set()
        super().__init__()

    def load_middleware(self, is_async: bool = False) -> None:
        """Load the middleware as synchronous code, so that it runs from end to end on one thread."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Serve one request, without the thread that Django keeps for each."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        await self.handle(scope, receive, send)

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one request: Django's method, without signals, and without two tasks and a thread for each request."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        set_script_prefix(get_script_prefix(scope))
        request, response = self.create_request(scope, body)
        serving, leaving = cast(asyncio.Task, asyncio.current_task()), asyncio.ensure_future(disconnected(receive))
        leaving.add_done_callback(lambda done: done.cancelled() or serving.cancel())
        try:
            response = response or await self.run_get_response(cast(ASGIRequest, request))
            await self.send_response(response, send)
        except asyncio.CancelledError:
            if not leaving.done():
                raise
        finally:
            leaving.cancel()
            if response is not None:
                response.close()
            if response is not None or AT_WORK not in scope:
                body.close()

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Let the request wait in its line, and return its response."""
        scope: Any = cast(ASGIRequest, request).scope
        name = self.line_of(request)
        if name == "rules" and await is_signed_in(scope):
            name = "rules-signed-in"
        session = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
        person = session if session and await self.knows(session) else None
        who = person or address_of(scope) or request.get_full_path()  # the front asks without an address
        same = page_of(scope) if session and request.method == "GET" else None
        work = functools.partial(contextvars.copy_context().run, self.answer, request)
        made_for, response = await self.lines[name].result(who, work, same)
        if response.streaming and made_for is not request:  # a stream is read once
            _request, response = await self.lines[name].result(who, work)
        return response

    def line_of(self, request: HttpRequest) -> str:
        """Return the name of a request's line by its address, method and length."""
        if COMPUTING.match(request.path_info):
            return "rules"
        if request.method in READING:
            if FILES.search(request.path_info):
                return "downloads"
            if OFFICIATING.match(request.path_info):
                return "officials"
            return "look-ups" if LOOKING_UP.match(request.path_info) else "readers"
        if HASHING.match(request.path_info):
            return "sign-ins"
        if is_large(request):
            return "large"
        route = route_of(request.path_info)
        return "results" if route is not None and route.view_name in RESULTS else "writers"

    @staticmethod
    def make_ready() -> None:
        """Load what the first reader would otherwise wait for: URL patterns with their views, and templates.

        These objects last as long as the process, so they are excluded from garbage collection. What requests make is
        looked through less often than Python would: it would take a twentieth of a full hall's time.
        """
        get_resolver().check()
        for template in TEMPLATES.rglob("*.html"):
            get_template(template.relative_to(TEMPLATES).as_posix())
        gc.collect()
        gc.freeze()
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)

    def answer(self, request: HttpRequest) -> Answered:
        """Return the request with its response, and close expired database connections."""
        scope: Any = cast(ASGIRequest, request).scope
        scope[AT_WORK] = True
        try:
            with time_limit(ASKING_SECONDS) if COMPUTING.match(request.path_info) else nullcontext():
                response = self.get_response(request)
            self.note_session(request)
            is_file = request.resolver_match is None and isinstance(response, WhiteNoiseFileResponse)
            scope[SHAREABLE] = is_file or may_be_shared(request, response)
            return request, response
        finally:
            close_old_connections()

    async def knows(self, session: str) -> bool:
        """Return whether a session exists, and so has turns of its own; one that the client made up has none."""
        if session not in self.sessions and await sync_to_async(_exists, thread_sensitive=False)(session):
            self.remember(session)
        return session in self.sessions

    def note_session(self, request: HttpRequest) -> None:
        """Remember a session that this request has just begun, so that no one has to ask the database whether it exists."""
        session = getattr(request, "session", None)
        if isinstance(session, SessionStore) and session.written is not None and session.session_key is not None:
            self.remember(session.session_key)

    def remember(self, session: str) -> None:
        """Remember that a session exists."""
        if len(self.sessions) >= MAX_SESSIONS:
            self.sessions.clear()
        self.sessions.add(session)


def _exists(session: str) -> bool:
    try:
        return SessionStore().exists(session)
    except Error:
        return False
    finally:
        close_old_connections()


def page_of(scope: Scope) -> Hashable:
    """Return what distinguishes a requested page from another: its address and the request's headers."""
    named = (scope["path"], scope["query_string"])
    told = ((name, value) for name, value in scope["headers"] if name not in UNLIKE and not name.startswith(b"sec-"))
    return *named, *sorted(told)


def is_large(request: HttpRequest) -> bool:
    """Return whether a body exceeds the limit for forms, or its length is unknown."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    is_known = length.isdecimal() and "HTTP_TRANSFER_ENCODING" not in request.META
    return not is_known or int(length[:20]) > SMALL
