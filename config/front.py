"""What stands before Django: the live stream, public pages of events kept while nothing has changed, static texts.

Five hundred phones ask for the same page within a second of each word. A reader without a session sees what every
other such reader sees, so the page is made once for each counter, held compressed, and given again with its ETag: 304
where the reader has it. Pages with a form's token, a cookie or an answer other than 200 are never held. Anything
unclear goes to Django.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import re
import time
from collections import OrderedDict
from dataclasses import dataclass, field

import brotli
from django.conf import settings
from django.http.cookie import parse_cookie

from config.watching import STREAMS, note
from events import live
from events.stream import HUB, Application, Message, Receive, Scope, Send, stream

STATIC = f"/{settings.STATIC_URL.lstrip('/')}"
EVENT_PAGE = re.compile(r"^/events/([A-Za-z0-9_-]{1,60})/")
FRESH_FOR = 10.0
MOST_PAGES = 400
MOST_BYTES = 2_000_000
MOST_HELD = 64_000_000
SHARED_KINDS = (b"text/html", b"text/css", b"text/javascript", b"application/javascript", b"image/svg+xml")
PRIVATE = (b"csrfmiddlewaretoken", b"csrfToken", b"hx-headers")
MOMENT = re.compile(rb'data-(?:now|counter)="\d+"')
PERSONAL_COOKIES = ("messages",)
TELLING_COOKIES = ("look", "django_language")
TELLING_HEADERS = (b"host", b"accept-language", b"x-forwarded-proto")
PASSED_BY = (b"authorization", b"range", b"hx-request", b"x-requested-with")
DROPPED = (b"accept-encoding", b"if-none-match", b"if-modified-since")
Key = tuple[str, ...]


@dataclass
class Page:
    """A page as it was made: its headers, its body in each encoding, the counter it was made from and when."""

    headers: list[tuple[bytes, bytes]]
    body: bytes
    etag: bytes
    counter: int
    made: float
    encoded: dict[bytes, bytes] = field(default_factory=dict)

    def body_in(self, encoding: bytes) -> bytes:
        """Return the body in this encoding, compressed at the first asking."""
        if encoding not in self.encoded:
            packed = {
                b"br": lambda: brotli.compress(self.body, quality=5),
                b"gzip": lambda: gzip.compress(self.body, 6),
            }
            self.encoded[encoding] = packed[encoding]() if encoding in packed else self.body
        return self.encoded[encoding]


class Front:
    """An ASGI application before the site: answers what it can by itself, hands on the rest."""

    def __init__(self, site: Application) -> None:
        self.site = site
        self.pages: OrderedDict[Key, Page] = OrderedDict()
        self.making: dict[Key, asyncio.Future[Page | None]] = {}
        self.unshared: OrderedDict[Key, float] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection, and count what was answered."""
        if scope["type"] != "http":
            await self.site(scope, receive, send)
            return
        began, status, size = time.perf_counter(), 0, 0

        async def counted(message: Message) -> None:
            nonlocal status, size
            status = message.get("status", status)
            size += len(message.get("body", b""))
            await send(message)

        by = await self.serve(scope, receive, counted)
        note(by, scope["method"], scope["path"], status, size, began)

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> str:
        """Serve one request, and return what answered it: "stream", "kept" or "site"."""
        page = None
        if scope["method"] == "GET":
            if scope["path"] == live.STREAM:
                with STREAMS.track_inprogress():
                    await stream(scope, receive, send)
                return "stream"
            if scope["path"].startswith(STATIC) and not settings.DEBUG:
                page = await self.static(scope)
            else:
                page = await self.shared(scope)
        if page is None:
            await self.site(scope, receive, send)
            return "site"
        await give(page, scope, send)
        return "kept"

    async def shared(self, scope: Scope) -> Page | None:
        """Return a page that is the same for all who ask like this; the first asker has it made."""
        key = key_of(scope)
        if key is None or time.monotonic() < self.unshared.get(key, 0):
            return None
        HUB.start()
        event = await HUB.number_of(key[0])
        if event is None:
            return None
        counter = await HUB.follow(event, at_least=claimed(scope))
        page = self.pages.get(key)
        if page is None or page.counter != counter or time.monotonic() - page.made > FRESH_FOR:
            page = await self.made(key, counter, scope)
        if page is not None and key in self.pages:
            self.pages.move_to_end(key)
        return page

    async def static(self, scope: Scope) -> Page | None:
        """Return a stylesheet, script or drawing; it stays what it is while this process runs."""
        key = ("", scope["path"], scope.get("query_string", b"").decode("latin-1"))
        page = self.pages.get(key)
        if page is None and time.monotonic() >= self.unshared.get(key, 0):
            page = await self.made(key, 0, scope)
        return page

    async def made(self, key: Key, counter: int, scope: Scope) -> Page | None:
        """Return the page, made now or by whoever asks for it at this moment; None where it cannot be shared."""
        at_work = self.making.get((*key, str(counter)))
        if at_work is not None:
            return await asyncio.shield(at_work)
        work = asyncio.ensure_future(self.make(key, counter, scope))
        self.making[(*key, str(counter))] = work
        try:
            return await asyncio.shield(work)
        finally:
            self.making.pop((*key, str(counter)), None)

    async def make(self, key: Key, counter: int, scope: Scope) -> Page | None:
        """Have Django make the page; keep it where it is one for all."""
        made: list[Message] = []
        body_given = False

        async def keep(message: Message) -> None:
            made.append(message)

        async def receive() -> Message:
            nonlocal body_given
            if body_given:
                await asyncio.Event().wait()
            body_given = True
            return {"type": "http.request", "body": b"", "more_body": False}

        asked = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] not in DROPPED]}
        await self.site(asked, receive, keep)
        start, body = made[0], b"".join(message.get("body", b"") for message in made[1:])
        if start["status"] != 200 or not may_be_shared(dict(start["headers"]), body):
            self.unshared[key] = time.monotonic() + FRESH_FOR
            while len(self.unshared) > MOST_PAGES:
                self.unshared.popitem(last=False)
            return None
        etag = b'"' + hashlib.sha256(MOMENT.sub(b"", body)).hexdigest()[:24].encode() + b'"'
        kept = [(name.lower(), value) for name, value in start["headers"]]
        kept = [(name, value) for name, value in kept if name not in (b"content-length", b"etag", b"vary")]
        if key[0]:
            kept = [(name, value) for name, value in kept if name != b"cache-control"]
            kept += [(b"cache-control", b"public, no-cache"), (b"vary", b"Cookie, Accept-Language, Accept-Encoding")]
        else:
            kept.append((b"vary", b"Accept-Encoding"))
        page = self.pages[key] = Page(kept, body, etag, counter, time.monotonic())
        while len(self.pages) > MOST_PAGES or sum(len(one.body) for one in self.pages.values()) > MOST_HELD:
            self.pages.popitem(last=False)
        return page


def may_be_shared(headers: dict[bytes, bytes], body: bytes) -> bool:
    """True where an answer is the same for all: a text, no cookie, no word against keeping it, no form's token."""
    headers = {name.lower(): value for name, value in headers.items()}
    kind, kept = headers.get(b"content-type", b""), headers.get(b"cache-control", b"")
    return (
        kind.startswith(SHARED_KINDS)
        and b"set-cookie" not in headers
        and b"content-encoding" not in headers
        and not any(word in kept for word in (b"no-store", b"private"))
        and len(body) <= MOST_BYTES
        and not any(word in body for word in PRIVATE)
    )


def key_of(scope: Scope) -> Key | None:
    """Return what tells one public page from another (the event's public id first); None where it is not public."""
    found = EVENT_PAGE.match(scope["path"])
    if found is None:
        return None
    headers = dict(scope["headers"])
    if any(name in headers for name in PASSED_BY):
        return None
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin-1"))
    if any(name in cookies for name in (settings.SESSION_COOKIE_NAME, *PERSONAL_COOKIES)):
        return None
    telling = [cookies.get(name, "") for name in TELLING_COOKIES]
    told = [headers.get(name, b"").decode("latin-1")[:200] for name in TELLING_HEADERS]
    return (found[1], scope["path"], scope.get("query_string", b"").decode("latin-1"), *telling, *told)


def claimed(scope: Scope) -> int:
    """Return the counter that the asker has heard of, from another worker perhaps; 0 where it says nothing."""
    said: bytes = dict(scope["headers"]).get(b"x-live", b"")
    return int(said) if said.isdigit() and len(said) < 16 else 0


async def give(page: Page, scope: Scope, send: Send) -> None:
    """Send a kept page: 304 where the reader has it, else compressed as the reader can take it."""
    headers = dict(scope["headers"])
    known = {one.strip().removeprefix(b"W/") for one in headers.get(b"if-none-match", b"").split(b",")}
    told = [*page.headers, (b"etag", b"W/" + page.etag)]
    if page.etag in known:
        told = [pair for pair in told if pair[0].lower() != b"content-type"]
        await send({"type": "http.response.start", "status": 304, "headers": told})
        await send({"type": "http.response.body", "body": b""})
        return
    accepted = headers.get(b"accept-encoding", b"")
    encoding = b"br" if b"br" in accepted else b"gzip" if b"gzip" in accepted else b""
    body = page.body_in(encoding)
    if encoding:
        told.append((b"content-encoding", encoding))
    told.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": 200, "headers": told})
    await send({"type": "http.response.body", "body": body})
