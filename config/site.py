"""Django behind the front, answering on a few threads that stay.

Django's own handler gives every request a thread and a connection to the database. When a hall reports at once those
are hundreds, which take turns at one interpreter and wait for one another at SQLite's door until some give up. Here
requests stand in line, first come first served; who only reads and who writes have lines of their own, so that a
result does not wait behind five hundred readers. Forms that hash a password have a third, large files a fourth, pages
and questions of the rules a fifth: a result waits neither behind someone who guesses passwords nor behind a file.
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

from events.sharing import may_be_shared
from judging.findings import LINES
from rules.engine import time_limit
from rules.uploads import SMALL

READING = frozenset({"GET", "HEAD", "OPTIONS"})
HASHING = re.compile(r"^/(accounts/|sign-in-by-code/|events/[^/]+/sign-in-code/)")
"""Addresses whose forms hash a password or a code."""
SHAREABLE = "headjudge.shareable"
"""The key of a scope under which the site says whether its answer may be shared among people without a session."""
LARGE = 2
"""So many requests with large bodies are at work at a time."""
COMPUTING = re.compile(r"^/(api/rules|rules/(argued|board|disputes|training))/")
"""Addresses at which anyone may ask the rules about a position of their own, which may take them long."""
ASKING = 2
"""So many questions to the rules are at work at a time; whatever they take, no other page or form waits behind them."""
ASKING_SECONDS = 3.0
"""What one request has the rules work out takes no longer."""


class Site(ASGIHandler):
    """The site as Django serves it, with `READERS`, `WRITERS` and `SIGN_INS` (settings) at work at a time."""

    def __init__(self) -> None:
        self.readers = ThreadPoolExecutor(settings.READERS, thread_name_prefix="reader")
        self.writers = ThreadPoolExecutor(settings.WRITERS, thread_name_prefix="writer")
        self.sign_ins = ThreadPoolExecutor(settings.SIGN_INS, thread_name_prefix="sign-in")
        self.large = ThreadPoolExecutor(LARGE, thread_name_prefix="large")
        self.rules = ThreadPoolExecutor(ASKING, thread_name_prefix="rules")
        lines = {"readers": self.readers, "writers": self.writers, "sign-ins": self.sign_ins, "large": self.large}
        lines["rules"] = self.rules
        LINES.update({name: line._work_queue.qsize for name, line in lines.items()})
        super().__init__()

    def load_middleware(self, is_async: bool = False) -> None:
        """Load the chain as synchronous code: it runs from end to end on one thread."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Serve one request; what is short and outside of the chain shares one thread."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        await self.handle(scope, receive, send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Return the answer, made when the request's turn comes."""
        work = contextvars.copy_context().run
        return await asyncio.get_running_loop().run_in_executor(self.line_of(request), work, self.answer, request)

    def line_of(self, request: HttpRequest) -> ThreadPoolExecutor:
        """Return the line a request stands in."""
        if COMPUTING.match(request.path_info):
            return self.rules
        if request.method in READING:
            return self.readers
        if HASHING.match(request.path_info):
            return self.sign_ins
        return self.large if is_large(request) else self.writers

    @staticmethod
    def make_ready() -> None:
        """Load what the first reader would wait for: addresses with their views, and templates.

        What stands then stands for ever: the search for what nobody uses any more need not look at it again.
        """
        get_resolver().check()
        folder = settings.BASE_DIR / "templates"
        for template in folder.rglob("*.html"):
            get_template(str(template.relative_to(folder)))
        gc.collect()
        gc.freeze()

    def answer(self, request: HttpRequest) -> HttpResponseBase:
        """Return the answer, and leave no connection to the database behind."""
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
    """True for a body beyond what is read in place, or of unknown length."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    is_known = length.isdecimal() and "HTTP_TRANSFER_ENCODING" not in request.META
    return not is_known or int(length[:20]) > SMALL
