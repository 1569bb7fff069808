"""Django behind the front, answering on a few permanent threads.

Django's own handler gives each request a thread and a database connection. When a full hall reports at once, those are
hundreds that compete for one interpreter and for SQLite's lock until some time out. Here requests queue, first come
first served. Readers and writers have separate queues, so that a result doesn't wait behind five hundred readers. Forms
that hash a password have a third, large files a fourth, and questions to the rules a fifth and (from signed-in people)
a sixth, so that a result waits behind neither a password guesser nor a file, and a judge's question not behind
strangers'.
"""

from __future__ import annotations

import asyncio
import contextvars
import gc
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any, cast

from django.conf import settings
from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.loader import get_template
from django.urls import get_resolver
from whitenoise.middleware import WhiteNoiseFileResponse

from config.bodies import is_signed_in
from config.folders import TEMPLATES
from events.sharing import may_be_shared
from judging.findings import LINES
from rules.engine import time_limit
from rules.uploads import SMALL

READING = frozenset({"GET", "HEAD", "OPTIONS"})
HASHING = re.compile(r"^/(accounts/|set-up/|sign-in-by-code/|events/[^/]+/sign-in-code/)")
"""URLs whose forms hash a password or a code."""
SHAREABLE = "headjudge.shareable"
"""The scope key under which the site says whether a response may be shared among readers without a session."""
LARGE = 2
"""How many requests with large bodies are processed at a time."""
COMPUTING = re.compile(r"^/(api/rules|rules/(argued|board|disputes|training))/")
"""URLs where anyone may ask the rules about a position, which may take long."""
ASKING = 2
"""How many strangers' questions to the rules are answered at a time; they never delay other pages or forms."""
ASKING_SIGNED_IN = 1
"""How many questions to the rules from signed-in people are answered at a time."""
ASKING_SECONDS = 3.0
"""The most seconds that the rules may work on one request."""


class Site(ASGIHandler):
    """The Django handler, with at most `READERS`, `WRITERS` and `SIGN_INS` (settings) requests at work at a time."""

    def __init__(self) -> None:
        self.readers = ThreadPoolExecutor(settings.READERS, thread_name_prefix="reader")
        self.writers = ThreadPoolExecutor(settings.WRITERS, thread_name_prefix="writer")
        self.sign_ins = ThreadPoolExecutor(settings.SIGN_INS, thread_name_prefix="sign-in")
        self.large = ThreadPoolExecutor(LARGE, thread_name_prefix="large")
        self.rules = ThreadPoolExecutor(ASKING, thread_name_prefix="rules")
        lines = {"readers": self.readers, "writers": self.writers, "sign-ins": self.sign_ins, "large": self.large}
        self.rules_signed_in = ThreadPoolExecutor(ASKING_SIGNED_IN, thread_name_prefix="rules-signed-in")
        lines |= {"rules": self.rules, "rules-signed-in": self.rules_signed_in}
        LINES.update({name: line._work_queue.qsize for name, line in lines.items()})
        super().__init__()

    def load_middleware(self, is_async: bool = False) -> None:
        """Load the middleware as synchronous code, so that it runs from end to end on one thread."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Serve one request. Django's short synchronous steps outside the middleware share one thread."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        await self.handle(scope, receive, send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Queue the request, and return its response."""
        line, work = self.line_of(request), contextvars.copy_context().run
        if line is self.rules and await is_signed_in(dict(cast(ASGIRequest, request).scope)):
            line = self.rules_signed_in
        return await asyncio.get_running_loop().run_in_executor(line, work, self.answer, request)

    def line_of(self, request: HttpRequest) -> ThreadPoolExecutor:
        """Return the queue for a request by its address, method and length."""
        if COMPUTING.match(request.path_info):
            return self.rules
        if request.method in READING:
            return self.readers
        if HASHING.match(request.path_info):
            return self.sign_ins
        return self.large if is_large(request) else self.writers

    @staticmethod
    def make_ready() -> None:
        """Load what the first reader would otherwise wait for: URL patterns with their views, and templates.

        These objects last as long as the process, so they are excluded from garbage collection.
        """
        get_resolver().check()
        for template in TEMPLATES.rglob("*.html"):
            get_template(template.relative_to(TEMPLATES).as_posix())
        gc.collect()
        gc.freeze()

    def answer(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response, and close expired database connections."""
        try:
            with time_limit(ASKING_SECONDS) if COMPUTING.match(request.path_info) else nullcontext():
                response = self.get_response(request)
            is_file = request.resolver_match is None and isinstance(response, WhiteNoiseFileResponse)
            scope: Any = cast(ASGIRequest, request).scope
            scope[SHAREABLE] = is_file or may_be_shared(request, response)
            return response
        finally:
            close_old_connections()


def is_large(request: HttpRequest) -> bool:
    """Return whether a body exceeds the limit for forms, or its length is unknown."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    is_known = length.isdecimal() and "HTTP_TRANSFER_ENCODING" not in request.META
    return not is_known or int(length[:20]) > SMALL
