"""Random odd requests of many people to the front cache: no one gets a page made for another."""

import asyncio
import gzip
import logging

import brotli
import pytest
from django.test import Client
from django.urls import reverse

from config.front import Front
from config.site import Site
from events import stream
from events.services.people import entry_link
from events.services.setup import announce
from tests.asgi import beside, run
from tests.config.odd_requests import MARK, NOBODY, SECRET_COOKIE, TOKEN, Chance, Given, Odd, Sender, send
from tests.conftest import client_of
from tests.events.match_pages import play
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db(transaction=True)

SAMPLE = 150
WHOLE = 20_000
AT_ONCE = 10
ACT_EVERY = 500


@pytest.fixture
def hall(staff, settings, monkeypatch):
    """An event in progress with its staff, and everyone who sends requests: players, officials, strangers."""
    monkeypatch.setattr(stream, "HUB", stream.Hub())
    monkeypatch.setattr("config.front.HUB", stream.HUB)
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "tests.config.odd_requests.MarkMiddleware"]
    play(staff.event, 6, 3)
    player, linked = staff.event.entries.order_by("number")[:2]
    player.person = PersonFactory(name="Petra Player")
    player.save()
    people = [staff.office, staff.manager, staff.head_judge, staff.judge, staff.scorekeeper, player.person]
    senders = [Sender(f"person {one.pk}", client_of(one).cookies[settings.SESSION_COOKIE_NAME].value) for one in people]
    by_link = Client()
    by_link.get(entry_link(linked))
    senders.append(
        Sender(f"entries [[{linked.pk}, {linked.link_issue}]]", by_link.cookies[settings.SESSION_COOKIE_NAME].value)
    )
    yield staff, [*senders, *(Sender(NOBODY) for _n in range(6))]
    logging.disable(logging.NOTSET)


def paths_of(event) -> list[str]:
    at = [event.public_id]
    shared = [
        *(reverse(f"events:{name}", args=at) for name in ("event", "entries", "rounds", "clock", "display")),
        *(reverse(f"events:{name}", args=at) for name in ("standings", "cross-table", "chart", "console", "enter")),
        *(reverse("events:entry", args=[*at, number]) for number in (1, 2)),
        *(reverse(name, args=[*at, 1]) for name in ("events:round", "events:path")),
        *(reverse("events:table", args=[*at, 3, table]) for table in (1, 2)),
        *(reverse(name, args=at) for name in ("judging:calls", "judging:rulings", "judging:audit-log")),
    ]
    return [*shared, *shared, "/", "/me/", "/accounts/login/", "/static/headjudge.css", "/events/", "/here/"]


def body_of(given: Given) -> bytes:
    packed = given.header(b"content-encoding")
    unpack = {b"br": brotli.decompress, b"gzip": gzip.decompress}
    return unpack[packed[0]](given.body) if packed and given.body else given.body


def wrong_with(asked: Odd, given: Given, seen: set[bytes]) -> str:
    """Return what is wrong with an answer (another's page, a token or cookie given to two people), or ""."""
    body = body_of(given)
    allowed = {NOBODY} | {sender.mark for sender in asked.senders}
    for mark in MARK.findall(body):
        if mark.decode() not in allowed:
            return f"a page of {mark.decode()} for {sorted(allowed)}"
    if allowed == {NOBODY} and b"/accounts/logout/" in body:
        return "a page of somebody signed in for a stranger"
    brought = b"\n".join(value for _name, value in [*asked.scope["headers"], *asked.late])
    given_out = {*TOKEN.findall(body), *SECRET_COOKIE.findall(b"\n".join(given.header(b"set-cookie")))}
    secrets = {one for one in given_out if one not in brought}
    if secrets & seen:
        return f"a token or a cookie that somebody else got too: {secrets & seen}"
    seen |= secrets
    public = any(b"public" in value for value in given.header(b"cache-control"))
    if public and (given_out or given.header(b"set-cookie")):
        return "a secret in an answer that caches may keep"
    return ""


def wrong_on_the_shelf(front: Front) -> str:
    for page in front.pages.values():
        if vars(page).get("looked_at"):
            continue
        vars(page)["looked_at"] = True
        if set(MARK.findall(page.body)) - {NOBODY.encode()} or TOKEN.search(page.body):
            return "a kept page is somebody's own"
        if any(name.lower() == b"set-cookie" for name, _value in page.headers):
            return "a kept page sets a cookie"
    return ""


def fuzz(hall, requests: int, seed: int) -> int:
    """Send odd requests; fail if a page reaches the wrong person, and return the number of cached answers."""
    staff, senders = hall
    front = Front(Site())
    chance = Chance(seed, senders, paths_of(staff.event))
    seen: set[bytes] = set()
    logging.disable(logging.CRITICAL)

    async def one(number: int) -> int:
        asked = chance.request()
        given = await send(front, asked)
        wrong = wrong_with(asked, given, seen) or wrong_on_the_shelf(front)
        headers = [(name, value[:100]) for name, value in asked.scope["headers"]]
        where = (asked.scope["method"], asked.scope["path"], asked.scope["query_string"][:100])
        assert not wrong, f"request {number}, seed {seed}: {wrong}; {asked.oddities} {where} {headers}"
        return int(bool(given.header(b"etag")))

    async def go() -> int:
        kept = 0
        for first in range(0, requests, AT_ONCE):
            kept += sum(await asyncio.gather(*(one(first + n) for n in range(AT_ONCE))))
            if first % ACT_EVERY == 0:
                act = lambda text: announce(by=staff.actor("judge"), event=staff.event, text=text)  # noqa: E731
                await beside(lambda: act(f"Word {first}"))()  # noqa: B023 - awaited in this iteration
        return kept

    return run(go())


def test_a_sample_of_odd_requests_finds_nobodys_page_in_wrong_hands(hall):
    assert fuzz(hall, SAMPLE, 12) > SAMPLE / 20


@pytest.mark.soak
def test_twenty_thousand_odd_requests_find_nobodys_page_in_wrong_hands(hall):
    assert fuzz(hall, WHOLE, 2026) > WHOLE / 20
