"""Limits on request bodies: each route has its own, counted before Django stores anything."""

import asyncio
import inspect
import re

import pytest
from django.urls import URLResolver, get_resolver

from config import bodies
from config.bodies import FRAME, LARGE, LIMITS, SMALL, STRANGERS, UPLOADS, limit_of
from config.front import Front
from config.site import Site
from events import stream
from rules import uploads
from tests.asgi import run, scope
from tests.config.odd_requests import Given
from tests.tables import every_row

PIECE = b"x" * 65_536
EXAMPLES = {"int": "1", "str": "abc", "slug": "abc", "path": "abc", "uuid": "8f3b6f0e-2c1d-4a57-9be2-6d0f1c7a4e35"}
BY_HAND = {
    "judging:finish-act": "/events/abc/finish/verify/",
    "judging:call-act": "/events/abc/calls/1/take/",
    "judging:ruling-act": "/events/abc/rulings/1/reopen/",
    "account_confirm_email": "/accounts/confirm-email/abc/",
    "account_reset_password_from_key": "/accounts/password/reset/key/a-b/",
}


class Reading:
    """An application that reads the whole body before answering, as Django does."""

    def __init__(self):
        self.taken = 0
        self.refused = None

    async def __call__(self, asked, receive, send):
        self.refused = asked.get(bodies.REFUSED)
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return False
            self.taken += len(message.get("body", b""))
            more = message.get("more_body", False)
        await send({"type": "http.response.start", "status": self.refused[0] if self.refused else 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return True


def routes(resolver=None, before="", space=""):
    """Return each route's name and a path that leads to it."""
    for one in (resolver or get_resolver()).url_patterns:
        if isinstance(one, URLResolver):
            inner = f"{space}{one.namespace}:" if one.namespace else space
            yield from routes(one, before + str(one.pattern), inner)
            continue
        name = f"{space}{one.name}"
        pattern = before + str(one.pattern)
        path = re.sub(r"<(?:(\w+):)?\w+>", lambda found: EXAMPLES[found[1] or "str"], pattern)
        yield name, BY_HAND.get(name, f"/{path}"), one.callback


async def post(site, path, size, *headers, announce=False, client="127.0.0.1"):
    """Send a body in pieces; return the answer."""
    asked = scope(path, "POST") | {"client": (client, 50000)}
    asked["headers"] += list(headers)
    if announce:
        asked["headers"].append((b"content-length", str(size).encode()))
    given, left = Given(), size

    async def receive():
        nonlocal left
        if left < 0:
            await asyncio.Event().wait()
        piece = PIECE[:left] if left < len(PIECE) else PIECE
        left = left - len(piece) or -1
        return {"type": "http.request", "body": piece, "more_body": left > 0}

    async def send(message):
        if message["type"] == "http.response.start":
            given.status, given.headers = message["status"], list(message["headers"])
        else:
            given.body += message.get("body", b"")

    await Front(site)(asked, receive, send)
    return given


def test_every_route_has_a_limit_and_takes_not_one_byte_more():
    async def all_routes():
        for name, path, _view in routes():
            assert bodies.route_of(path), path
            name, limit = bodies.route_of(path).view_name or name, limit_of(path)
            assert limit == LIMITS.get(name, SMALL), name
            for size, announce in ((limit + 1, True), (limit + 1, False)):
                site = Reading()
                assert (await post(site, path, size, announce=announce)).status == 413, name
                assert site.taken <= limit, name
                assert site.refused == (413, limit)
            if limit == SMALL:
                site = Reading()
                assert (await post(site, path, limit)).status == 200, name

    run(all_routes())


@every_row("name", sorted(LIMITS))
def test_a_route_for_files_takes_as_much_as_its_page_says(name):
    path = next(path for found, path, _view in routes() if found == name)
    site = Reading()
    assert run(post(site, path, LIMITS[name])).status == 200
    assert site.taken == LIMITS[name]


def test_views_that_read_a_file_are_named():
    reading = {
        name
        for name, _path, view in routes()
        if inspect.isfunction(inspect.unwrap(view)) and "request.FILES" in inspect.getsource(inspect.unwrap(view))
    }
    assert reading
    assert reading <= set(LIMITS)


def test_limits_name_routes_that_exist():
    assert set(LIMITS) <= {name for name, _path, _view in routes()}
    assert min(LIMITS.values()) >= SMALL  # so that the route of a small body needn't be looked up
    assert LIMITS["judging:event-import"] == uploads.LIMITS["event-file"].received + FRAME


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "accept", "kind"),
    [
        ("/theme/", b"text/html", b"text/html"),
        ("/theme/", b"application/json", b"application/json"),
        ("/api/rules/adjudicate", b"*/*", b"application/json"),
        ("/nothing/", b"text/html", b"text/html"),
    ],
)
def test_a_body_that_is_too_large_is_answered_in_a_sentence(path, accept, kind):
    given = run(post(Site(), path, limit_of(path) + 1, (b"accept", accept)))
    assert given.status == 413
    assert given.header(b"content-type")[0].startswith(kind)
    assert b"The limit is" in given.body


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/theme/?next=%FF", "/theme/\x00", "//theme/", "/events/x/enter", "/" + "a" * 5000])
def test_an_odd_path_has_the_small_limit(path):
    assert run(post(Reading(), path, SMALL + 1)).status == 413


@every_row("said", [b"-1", b"x", b"1" * 30, b"\xb2", b""])
def test_a_length_that_is_none_is_counted(said):
    site = Reading()
    assert run(post(site, "/theme/", SMALL + 1, (b"content-length", said))).status == 413
    assert site.taken <= SMALL


def test_few_large_bodies_come_at_once_and_half_of_them_from_one_address(monkeypatch, transactional_db):
    monkeypatch.setattr(STRANGERS, "most", lambda: 4)
    path = "/events/import/"

    async def hall():
        go = asyncio.Event()

        class Waiting(Reading):
            async def __call__(self, asked, receive, send):
                if asked.get(bodies.REFUSED):
                    await Site()(asked, receive, send)
                elif await super().__call__(asked, receive, send):
                    await go.wait()

        site = Waiting()
        clients = ["198.51.100.1"] * 2 + ["198.51.100.2"] * 2
        working = [asyncio.ensure_future(post(site, path, LARGE + 1, client=one)) for one in clients[:2]]
        await asyncio.sleep(0)
        while STRANGERS.total < 2:
            await asyncio.sleep(0.001)
        same = await post(site, path, LARGE + 1, client=clients[0])
        working += [asyncio.ensure_future(post(site, path, LARGE + 1, client=one)) for one in clients[2:]]
        while STRANGERS.total < 4:
            await asyncio.sleep(0.001)
        other = await post(site, path, LARGE + 1, client="198.51.100.3")
        small = asyncio.ensure_future(post(site, "/theme/", 1000, client=clients[0]))
        go.set()
        return same, other, await small, await asyncio.gather(*working)

    same, other, small, working = run(hall())
    assert (same.status, other.status) == (429, 503)
    assert other.header(b"retry-after")
    assert small.status == 200
    assert {one.status for one in working} == {200}
    assert STRANGERS.total == 0


@pytest.mark.django_db(transaction=True)
def test_slow_uploads_by_strangers_do_not_block_organisers(staff):
    """The attack: two addresses begin as many large uploads as the server has slots, and never finish them."""
    key = staff.client("manager").session.session_key.encode()
    path, cookie = "/events/import/", b"theme=dark; sessionid="

    async def hall():
        go = asyncio.Event()

        class Stalled(Reading):
            async def __call__(self, asked, receive, send):
                if await super().__call__(asked, receive, send):
                    await go.wait()

        clients = [f"198.51.100.{1 + n % 2}" for n in range(STRANGERS.most())]
        stalled = [asyncio.ensure_future(post(Stalled(), path, LARGE + 1, client=one)) for one in clients]
        while STRANGERS.total < len(clients):
            await asyncio.sleep(0.001)
        forged = await post(Reading(), path, LARGE + 1, (b"cookie", cookie + b"a" * 32), client="198.51.100.3")
        organiser = await post(Reading(), path, LARGE + 1, (b"cookie", cookie + key), client="198.51.100.1")
        go.set()
        await asyncio.gather(*stalled)
        return forged.status, organiser.status

    assert run(hall()) == (503, 200)
    assert (STRANGERS.total, UPLOADS.total) == (0, 0)


def test_a_client_that_goes_away_gives_its_place_back():
    async def goes():
        asked = scope("/events/import/", "POST")
        pieces = iter([PIECE] * 20)

        async def receive():
            piece = next(pieces, None)
            return {"type": "http.disconnect"} if piece is None else {
                "type": "http.request", "body": piece, "more_body": True,
            }  # fmt: skip

        async def send(message):
            pytest.fail("Nobody is there to read this.")

        await Front(Reading())(asked, receive, send)

    run(goes())
    assert STRANGERS.total == 0
    assert stream.PLACES.total == 0
