"""Django behind the front, answering on a few threads that stay.

Django's own handler gives every request a thread and a connection to the database. When a hall reports at once those
are hundreds, which take turns at one interpreter and wait for one another at SQLite's door until some give up. Here
requests stand in line, first come first served; who only reads and who writes have lines of their own, so that a
result does not wait behind five hundred readers.
"""

from __future__ import annotations

import asyncio
import contextvars
import gc
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.loader import get_template
from django.urls import get_resolver

from judging.findings import LINES

READING = frozenset({"GET", "HEAD", "OPTIONS"})


class Site(ASGIHandler):
    """The site as Django serves it, with `READERS` and `WRITERS` (settings) at work at a time."""

    def __init__(self) -> None:
        self.readers = ThreadPoolExecutor(settings.READERS, thread_name_prefix="reader")
        self.writers = ThreadPoolExecutor(settings.WRITERS, thread_name_prefix="writer")
        LINES.update(readers=self.readers._work_queue.qsize, writers=self.writers._work_queue.qsize)
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
        line = self.readers if request.method in READING else self.writers
        work = contextvars.copy_context().run
        return await asyncio.get_running_loop().run_in_executor(line, work, self.answer, request)

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
            return self.get_response(request)
        finally:
            close_old_connections()
