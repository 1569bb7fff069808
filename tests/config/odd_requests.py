"""Requests that no browser sends: repeated, odd, oversized or late headers, unusual spellings of paths and queries.

Each request has one sender. `marked` makes Django write into each page for whom it was made, so that a page that
reaches the wrong person is detected whatever it shows.
"""

import asyncio
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from events.roles import LINKED_ENTRIES

Pairs = list[tuple[bytes, bytes]]
NOBODY = "nobody"
MARK = re.compile(rb"<!-- made for (.+?) -->")
TOKEN = re.compile(rb'(?:name="csrfmiddlewaretoken" value="|csrfToken": ?"|X-CSRFToken": ?")([A-Za-z0-9]{32,})')
SECRET_COOKIE = re.compile(rb"(?:sessionid|csrftoken)=([A-Za-z0-9]{20,})")


class MarkMiddleware:
    """Middleware that writes at the end of each page for whom Django made it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.get("Content-Type", "").startswith("text/html") and not response.streaming:
            response.content += b"<!-- made for " + made_for(request).encode() + b" -->"
        return response


def made_for(request: HttpRequest) -> str:
    if request.user.is_authenticated:
        return f"person {request.user.pk}"
    linked = request.session.get(LINKED_ENTRIES) or {}
    return f"entries {sorted(linked.values())}" if linked else NOBODY


@dataclass
class Sender:
    """A person who sends requests: the mark of their pages, and their session cookie ("" for a stranger)."""

    mark: str
    session: str = ""

    @property
    def cookie(self) -> bytes:
        return f"{settings.SESSION_COOKIE_NAME}={self.session}".encode() if self.session else b""


@dataclass
class Odd:
    """One request: its sender, its scope, and headers that arrive after it has begun (as trailers do)."""

    senders: list[Sender]
    scope: dict
    late: Pairs = field(default_factory=list)
    oddities: list[str] = field(default_factory=list)


@dataclass
class Given:
    status: int = 0
    headers: Pairs = field(default_factory=list)
    body: bytes = b""

    def header(self, name: bytes) -> list[bytes]:
        return [value for key, value in self.headers if key.lower() == name]


class Chance:
    """A source of random requests, the same for the same seed."""

    def __init__(self, seed: int, senders: list[Sender], paths: list[str]) -> None:
        self.random = random.Random(seed)
        self.senders = senders
        self.paths = paths

    def request(self) -> Odd:
        pick = self.random
        sender = pick.choice(self.senders)
        headers: Pairs = [(b"host", b"testserver")]
        cookies = [one for one in (sender.cookie, pick.choice([b"", b"", b"theme=dark", b"django_language=fr"])) if one]
        pick.shuffle(cookies)
        if cookies:
            headers.append((b"cookie", b"; ".join(cookies)))
        if pick.random() < 0.5:
            headers.append((b"accept-language", pick.choice([b"en", b"fr", b"fr-BE,fr;q=0.8", b"de"])))
        path = pick.choice(self.paths)
        asked = Odd([sender], {"method": "GET", "path": path, "query_string": b"", "headers": headers})
        for _n in range(pick.choice([0, 1, 1, 2, 3])):
            oddity = pick.choice(ODDITIES)
            oddity(self, asked)
            asked.oddities.append(oddity.__name__)
        path = asked.scope["path"]
        asked.scope |= {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http",
            "raw_path": path.encode(),
            "root_path": "",
            "client": ("127.0.0.1", 50000),
            "server": ("testserver", 80),
            "state": {},
        }
        return asked


def two_cookie_headers(chance: Chance, asked: Odd) -> None:
    """The session in one `Cookie` header, something harmless in another, in either order."""
    harmless = chance.random.choice([b"theme=dark", b"x=1", b"", b" ", b"django_language=fr", b"\xff=\xfe"])
    headers = asked.scope["headers"]
    headers.insert(chance.random.choice([0, len(headers)]), (b"cookie", harmless))


def two_in_other_letters(chance: Chance, asked: Odd) -> None:
    """A header twice, once in capitals or with an underscore."""
    name, value = chance.random.choice(asked.scope["headers"])
    other = chance.random.choice([name.upper(), name.title(), name.replace(b"-", b"_"), name + b" "])
    asked.scope["headers"].append((other, chance.random.choice([value, b"", b"theme=dark"])))


def header_twice(chance: Chance, asked: Odd) -> None:
    """`Host`, `Accept-Language`, `X-Forwarded-…`, `Authorization` twice, with different values."""
    pick = chance.random
    name = pick.choice(
        [b"host", b"accept-language", b"x-forwarded-proto", b"x-forwarded-host", b"x-forwarded-for", b"authorization"]
    )
    for _n in range(2):
        value = pick.choice([b"testserver", b"localhost", b"fr", b"https", b"http", b"198.51.100.7", b"Bearer x", b""])
        asked.scope["headers"].insert(pick.randrange(len(asked.scope["headers"]) + 1), (name, value))


def cookie_written_oddly(chance: Chance, asked: Odd) -> None:
    """The session cookie quoted, with spaces, commas, twice, after rubbish, or without its name."""
    sender = asked.senders[0]
    name, key = settings.SESSION_COOKIE_NAME, sender.session
    written = chance.random.choice(
        [
            f'{name}="{key}"',
            f" {name} = {key} ",
            f"x=1,{name}={key}",
            f"x=1;;;{name}={key};",
            f"{name}=wrong; {name}={key}",
            f"{name}={key}; {name}=",
            f"{name}={key}\t",
            f"{name.upper()}={key}",
            f"$Version=1; {name}={key}; $Path=/",
            f"=; {name}={key}",
            f"{key}",
            f"theme=dark\r\n {name}={key}",
            f"messages=x; {name}={key}",
            f"csrftoken={'a' * 32}; {name}={key}",
            "\xff\xfe\x00=1; " + f"{name}={key}",
            "y=" + "z" * 20_000 + f"; {name}={key}",
        ]
    )
    asked.scope["headers"] = [pair for pair in asked.scope["headers"] if pair[0] != b"cookie"]
    asked.scope["headers"].append((b"cookie", written.encode("latin-1")))


def two_sessions(chance: Chance, asked: Odd) -> None:
    """The sessions of two people in one request."""
    other = chance.random.choice(chance.senders)
    asked.senders.append(other)
    if chance.random.random() < 0.5:
        asked.scope["headers"].append((b"cookie", other.cookie))
    else:
        asked.scope["headers"] = [
            (name, value + b"; " + other.cookie if name == b"cookie" else value)
            for name, value in asked.scope["headers"]
        ]


def late_cookie(chance: Chance, asked: Odd) -> None:
    """The session in a trailer: servers add trailers to the headers of a request in progress."""
    asked.scope["headers"] = [pair for pair in asked.scope["headers"] if pair[0] != b"cookie"]
    asked.late.append((b"cookie", asked.senders[0].cookie))


def oversized(chance: Chance, asked: Odd) -> None:
    """Thousands of letters in a header that pages depend on, or in the query."""
    pick = chance.random
    if pick.random() < 0.3:
        asked.scope["query_string"] = b"page=" + b"1" * 9000
        return
    name = pick.choice([b"accept-language", b"host", b"x-forwarded-proto", b"user-agent", b"referer", b"x-live"])
    asked.scope["headers"] = [pair for pair in asked.scope["headers"] if pair[0] != name]
    asked.scope["headers"].append((name, pick.choice([b"a", b"fr,", b"testserver", b"9"]) * 3000))


def odd_value(chance: Chance, asked: Odd) -> None:
    """A header with a value that no browser sends."""
    pick = chance.random
    name = pick.choice(
        [
            b"accept-language", b"host", b"x-forwarded-proto", b"x-forwarded-host", b"x-forwarded-for", b"forwarded",
            b"x-live", b"if-none-match", b"accept-encoding", b"accept", b"range", b"x-http-method-override",
            b"content-length", b"transfer-encoding", b"authorization", b"x-requested-with", b"hx-request", b"origin",
            b"referer", b"x-real-ip", b"x-original-url", b"x-rewrite-url", b"cache-control", b"connection",
        ]
    )  # fmt: skip
    value = pick.choice(
        [
            b"", b" ", b",", b"*", b"0", b"-1", b"999999999999999", b"fr", b"https, http", b"testserver:80",
            b"TESTSERVER", b"evil.example", b"POST", b"/me/", b"bytes=0-10", b"\xff\xfe", b"br;q=0", b"Basic eDp5",
            b"true", b"score", b"application/json", b"127.0.0.1", b"a\r\n b", b'W/"x", "y"', b"no-cache", b"chunked",
        ]
    )  # fmt: skip
    asked.scope["headers"] = [pair for pair in asked.scope["headers"] if pair[0] != name]
    asked.scope["headers"].append((name, value))


def other_path(chance: Chance, asked: Odd) -> None:
    """The same path spelled differently, or nearly the same path."""
    path = asked.scope["path"]
    asked.scope["path"] = chance.random.choice(
        [
            path.rstrip("/"), path + "/", "/" + path, path.replace("/events/", "/events//"), path + "../", path + "./",
            path.replace("events", "Events"), path + "%2F", path + "\x00", path + "é", path + " ", path.upper(),
            "/static/.." + path, path.replace("/rounds/1/", "/rounds/01/"), "/x/.." + path, path + ";x=1",
        ]
    )  # fmt: skip


def other_query(chance: Chance, asked: Odd) -> None:
    """Parameters that the page reads or ignores, twice, in another order, or none at all."""
    asked.scope["query_string"] = chance.random.choice(
        [
            b"round=1", b"round=1&round=2", b"sort=name", b"sort=name&round=1", b"round=1&sort=name", b"x=1", b"&&&",
            b"all=1", b"by=name", b"q=Player", b"next=/me/", b"%00=%FF", b"show=clock&show=standings", b"page=2",
            b"\xff\xfe", b"x=" + str(chance.random.random()).encode(),
        ]
    )  # fmt: skip


def other_method(chance: Chance, asked: Odd) -> None:
    asked.scope["method"] = chance.random.choice(["HEAD", "HEAD", "OPTIONS", "POST", "get", "TRACE", "PURGE"])


def asks_for_what_it_has(chance: Chance, asked: Odd) -> None:
    pick = chance.random
    asked.scope["headers"].append((b"accept-encoding", pick.choice([b"identity", b"*", b"br;q=1"])))
    asked.scope["headers"].append((b"x-live", str(pick.randrange(60)).encode()))


ODDITIES = [
    two_cookie_headers, two_cookie_headers, two_in_other_letters, header_twice, cookie_written_oddly,
    cookie_written_oddly, two_sessions, late_cookie, oversized, odd_value, odd_value, other_path, other_query,
    other_method, asks_for_what_it_has,
]  # fmt: skip


async def send(application, asked: Odd) -> Given:
    """Send an odd request and return the application's answer."""
    given = Given()
    told = False

    async def receive():
        nonlocal told
        if told:
            await asyncio.Event().wait()
        told = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def sent(message):
        if message["type"] == "http.response.start":
            given.status, given.headers = message["status"], list(message["headers"])
        else:
            given.body += message.get("body", b"")

    if asked.late:
        asyncio.get_running_loop().call_soon(asked.scope["headers"].extend, asked.late)
    await application(asked.scope, receive, sent)
    return given
