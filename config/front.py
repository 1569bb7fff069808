"""The layer before Django: live stream, static texts, and public event pages kept until something changes.

Five hundred phones request the same page within a second of each notification. Readers without a session all see the
same page, so it is rendered once per counter, kept compressed, and sent with its ETag: 304 where the reader has it. Two
independent checks guard this: Django renders the page for a request made from the key alone, never from the reader's
headers; and Django must confirm that the view is marked public and touched no session (`events/sharing.py`). In doubt,
the request goes to Django.
"""

from __future__ import annotations

import asyncio
import functools
import gzip
import hashlib
import re
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import parse_qsl

import brotli
from django.conf import settings
from django.http import HttpRequest
from django.http.cookie import parse_cookie
from django.http.request import split_domain_port, validate_host
from django.utils.translation import get_language_from_request

from config.bodies import limited, nothing, route_of
from config.site import SHAREABLE
from config.watching import STREAMS, note
from events import live
from events.preferences import COOKIE as THEME_COOKIE
from events.preferences import THEMES
from events.sharing import FRESH_FOR, parameters_of
from events.stream import HUB, Application, Message, Receive, Scope, Send, stream

STATIC = f"/{settings.STATIC_URL.lstrip('/')}"
EVENT_PAGE = re.compile(r"^/events/([A-Za-z0-9_-]{1,60})/")
MAX_PAGES = 400
MAX_BYTES = 2_000_000
MAX_HELD = 64_000_000
MAX_ADDRESS = 500
MAX_HEADER = 300
SHARED_KINDS = (b"text/html", b"text/css", b"text/javascript", b"application/javascript", b"image/svg+xml")
PRIVATE = (b"csrfmiddlewaretoken", b"csrfToken", b"hx-headers")
MOMENT = re.compile(rb'data-(?:now|counter)="\d+"')
PERSONAL_COOKIES = ("messages",)
PASSED_BY = (b"authorization", b"range", b"hx-request", b"x-requested-with")
"""Request headers that ask for something other than the shared page."""


class Key(NamedTuple):
    """Everything that distinguishes one shared page from another; the request that renders it holds nothing else."""

    event: str
    path: str
    query: str
    theme: str
    language: str
    host: str
    scheme: str

    def request(self) -> Scope:
        """Return the request that renders the page."""
        headers = [(b"host", self.host.encode()), (b"accept-language", self.language.encode())]
        if self.theme != THEMES[0]:
            headers.append((b"cookie", f"{THEME_COOKIE}={self.theme}".encode()))
        if settings.SECURE_PROXY_SSL_HEADER:
            headers.append((b"x-forwarded-proto", self.scheme.encode()))
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": self.scheme,
            "path": self.path,
            "raw_path": self.path.encode(),
            "query_string": self.query.encode(),
            "root_path": "",
            "headers": headers,
            "client": None,
            "server": None,
        }


@dataclass
class Page:
    """A rendered page: headers, body by encoding, the counter it was rendered at, and when."""

    headers: list[tuple[bytes, bytes]]
    body: bytes
    etag: bytes
    counter: int
    made: float
    quality: int = 5
    """How hard Brotli works: a page is made often, a stylesheet once in the life of the process."""
    encoded: dict[bytes, bytes] = field(default_factory=dict)

    def body_in(self, encoding: bytes) -> bytes:
        """Return the body in this encoding, compressing it on first use."""
        if not encoding:
            return self.body
        if encoding not in self.encoded:
            packed = (
                brotli.compress(self.body, quality=self.quality) if encoding == b"br" else gzip.compress(self.body, 6)
            )
            self.encoded[encoding] = packed
        return self.encoded[encoding]

    @property
    def size(self) -> int:
        """Return the page's size in bytes, over all its encodings."""
        return len(self.body) + sum(map(len, self.encoded.values()))


class Front:
    """The ASGI application before the site: answers what it can and passes the rest on."""

    def __init__(self, site: Application) -> None:
        self.site = site
        self.pages: OrderedDict[Key, Page] = OrderedDict()
        self.making: dict[tuple[Key, int], asyncio.Future[Page | None]] = {}
        self.unshared: OrderedDict[Key, float] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection, and count the response."""
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
            await limited(self.site, scope, receive, send)
            return "site"
        await self.give(page, scope, send)
        return "kept"

    async def shared(self, scope: Scope) -> Page | None:
        """Return the shared page for a request, rendered by the first to ask; None where there is none."""
        key = key_of(scope)
        if key is None or time.monotonic() < self.unshared.get(key, 0):
            return None
        HUB.start()
        event = await HUB.number_of(key.event)
        if event is None:
            return None
        counter = await HUB.follow(event, at_least=claimed(scope))
        page = self.pages.get(key)
        if page is None or page.counter != counter or time.monotonic() - page.made > FRESH_FOR:
            page = await self.made(key, counter)
        if page is not None and key in self.pages:
            self.pages.move_to_end(key)
        return page

    async def static(self, scope: Scope) -> Page | None:
        """Return a stylesheet, script or drawing, kept for the life of the process, or None."""
        key = key_of(scope)
        if key is None:
            return None
        page = self.pages.get(key)
        if page is None and time.monotonic() >= self.unshared.get(key, 0):
            page = await self.made(key, 0)
        return page

    async def made(self, key: Key, counter: int) -> Page | None:
        """Return the page, rendered now or by a request already under way; None where it can't be shared."""
        at_work = self.making.get((key, counter))
        if at_work is not None:
            return await asyncio.shield(at_work)
        work = asyncio.ensure_future(self.make(key, counter))
        self.making[(key, counter)] = work
        try:
            return await asyncio.shield(work)
        finally:
            self.making.pop((key, counter), None)

    async def make(self, key: Key, counter: int) -> Page | None:
        """Have Django render the page; keep it if it may be shared."""
        made: list[Message] = []

        async def keep(message: Message) -> None:
            made.append(message)

        asked = key.request()
        await self.site(asked, nothing(), keep)
        start, body = made[0], b"".join(message.get("body", b"") for message in made[1:])
        if start["status"] != 200 or not asked.get(SHAREABLE) or not may_be_shared(start["headers"], body):
            self.unshared[key] = time.monotonic() + FRESH_FOR
            self.unshared.move_to_end(key)
            while len(self.unshared) > MAX_PAGES:
                self.unshared.popitem(last=False)
            return None
        etag = b'"' + hashlib.sha256(MOMENT.sub(b"", body)).hexdigest()[:24].encode() + b'"'
        kept = [(name.lower(), value) for name, value in start["headers"]]
        kept = [(name, value) for name, value in kept if name not in (b"content-length", b"etag", b"vary")]
        if key.event:
            kept = [(name, value) for name, value in kept if name != b"cache-control"]
            kept += [(b"cache-control", b"public, no-cache"), (b"vary", b"Cookie, Accept-Language, Accept-Encoding")]
        else:
            kept.append((b"vary", b"Accept-Encoding"))
        quality = 5 if key.event else 10
        page = self.pages[key] = Page(kept, body, etag, counter, time.monotonic(), quality)
        self.pages.move_to_end(key)
        self.make_room()
        return page

    async def give(self, page: Page, scope: Scope, send: Send) -> None:
        """Send a kept page: 304 if the reader has it, otherwise in the best encoding the reader accepts."""
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
        is_new = encoding != b"" and encoding not in page.encoded
        body = page.body_in(encoding)
        if is_new:
            self.make_room()
        if encoding:
            told.append((b"content-encoding", encoding))
        told.append((b"content-length", str(len(body)).encode()))
        await send({"type": "http.response.start", "status": 200, "headers": told})
        await send({"type": "http.response.body", "body": body})

    def make_room(self) -> None:
        """Drop the least recently requested pages until their number and size are within the limits."""
        held = sum(page.size for page in self.pages.values())
        while len(self.pages) > MAX_PAGES or held > MAX_HELD:
            _key, page = self.pages.popitem(last=False)
            held -= page.size


def may_be_shared(pairs: list[tuple[bytes, bytes]], body: bytes) -> bool:
    """Return whether a response is the same for everyone: text, no cookie, cacheable, without a CSRF token."""
    headers = {name.lower(): value for name, value in pairs}
    kind, kept = headers.get(b"content-type", b""), headers.get(b"cache-control", b"")
    return (
        kind.startswith(SHARED_KINDS)
        and b"set-cookie" not in headers
        and b"content-encoding" not in headers
        and not any(word in kept for word in (b"no-store", b"private"))
        and len(body) <= MAX_BYTES
        and not (kind.startswith(b"text/html") and any(word in body for word in PRIVATE))
    )


def key_of(scope: Scope) -> Key | None:
    """Return the key of a shared page or static text; None for any other request."""
    path, query = scope["path"], scope.get("query_string", b"")
    if not path.startswith(STATIC) and (EVENT_PAGE.match(path) is None or has_session(scope)):
        return None
    headers = headers_of(scope)
    if headers is None or len(path) + len(query) > MAX_ADDRESS:
        return None
    host = headers.get(b"host", b"").decode("latin-1")
    scheme = scope["scheme"]
    if settings.SECURE_PROXY_SSL_HEADER:
        scheme = headers.get(b"x-forwarded-proto", scheme.encode()).decode("latin-1")
    if scheme not in ("http", "https") or not is_our_name(host, tuple(settings.ALLOWED_HOSTS)):
        return None
    if path.startswith(STATIC):
        return Key("", path, "", THEMES[0], settings.LANGUAGE_CODE, host, scheme)
    found, cookies = EVENT_PAGE.match(path), parse_cookie(headers.get(b"cookie", b"").decode("latin-1"))
    is_own = any(name in cookies for name in (settings.SESSION_COOKIE_NAME, *PERSONAL_COOKIES))
    if found is None or is_own or any(name in headers for name in PASSED_BY) or not is_public(path, query):
        return None
    accepted, chosen = headers.get(b"accept-language", b""), cookies.get(settings.LANGUAGE_COOKIE_NAME, "")
    if len(accepted) > MAX_HEADER or len(chosen) > MAX_HEADER:
        return None
    seen = cookies.get(THEME_COOKIE)
    return Key(
        found[1],
        path,
        query.decode("ascii"),
        seen if seen in THEMES else THEMES[0],
        language_of(chosen, accepted.decode("latin-1"), settings.LANGUAGE_CODE),
        host,
        scheme,
    )


def has_session(scope: Scope) -> bool:
    """Return whether a request seems to have a session's cookie, read as quickly as possible: most requests have one."""
    mark = f"{settings.SESSION_COOKIE_NAME}=".encode()
    return any(name == b"cookie" and mark in value for name, value in scope["headers"])


def headers_of(scope: Scope) -> dict[bytes, bytes] | None:
    """Return the headers by name; None if one occurs twice, because Django might read either."""
    headers = {name.lower().replace(b"_", b"-").strip(): value for name, value in scope["headers"]}
    return headers if len(headers) == len(scope["headers"]) else None


def is_public(path: str, query: bytes) -> bool:
    """Return whether this is the address of a public view, with only the parameters that view reads."""
    route = route_of(path)
    read = parameters_of(route.func) if route is not None else None
    if read is None or not query.isascii():
        return False
    return not query or all(name in read for name, _value in parse_qsl(query.decode("ascii"), keep_blank_values=True))


@functools.lru_cache(maxsize=1000)
def is_our_name(host: str, ours: tuple[str, ...]) -> bool:
    """Return whether `ALLOWED_HOSTS` includes a host."""
    domain, _port = split_domain_port(host) if len(host) <= MAX_HEADER else ("", "")
    return bool(domain) and validate_host(domain, ours)


@functools.lru_cache(maxsize=1000)
def language_of(chosen: str, accepted: str, _otherwise: str) -> str:
    """Return the language in which Django answers a reader with this cookie and these accepted languages.

    `_otherwise` is the installation's language, which Django uses if neither names one of the site's; it is part of the
    cache key.
    """
    request = HttpRequest()
    request.COOKIES[settings.LANGUAGE_COOKIE_NAME] = chosen
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted
    return get_language_from_request(request)


def claimed(scope: Scope) -> int:
    """Return the latest counter the client has seen, perhaps from another worker; 0 where it sends none."""
    said: bytes = dict(scope["headers"]).get(b"x-live", b"")
    return int(said) if said.isdigit() and len(said) < 16 else 0
