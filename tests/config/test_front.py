"""The cache in front of Django: shared pages are made once, are never outdated, and are never personal."""

import asyncio
import gzip

import brotli
import pytest
from django.urls import reverse

from config.front import Front
from config.site import Site
from events import live, stream
from events.services.setup import announce
from tests.asgi import ask, beside, run
from tests.events.match_pages import play

pytestmark = pytest.mark.django_db(transaction=True)


class Counted:
    """The site, counting the requests that reach it."""

    def __init__(self):
        self.site = Site()
        self.asked = 0

    async def __call__(self, scope, receive, send):
        self.asked += 1
        await self.site(scope, receive, send)


@pytest.fixture(autouse=True)
def hub(monkeypatch):
    fresh = stream.Hub()
    monkeypatch.setattr(stream, "HUB", fresh)
    monkeypatch.setattr("config.front.HUB", fresh)
    yield fresh
    fresh.stop()


@pytest.fixture
def played(staff):
    play(staff.event, 6, 2)
    return staff


def said(staff, text):
    return beside(lambda: announce(by=staff.actor("judge"), event=staff.event, text=text))


def test_a_whole_hall_asks_and_the_page_is_made_once(played):
    site = Counted()
    front = Front(site)
    address = reverse("events:standings", args=[played.event.public_id])

    async def hall():
        first = await asyncio.gather(*(ask(front, address, accept_encoding="br") for _n in range(40)))
        etag = first[0].headers["etag"]
        again = await ask(front, address, if_none_match=etag)
        unpacked = [await ask(front, address, accept_encoding=one) for one in ("", "gzip", "br")]
        return first, again, unpacked

    first, again, (bare, zipped, brotlied) = run(hall())
    assert site.asked == 1
    assert {one.status for one in first} == {200}
    assert (again.status, again.body) == (304, b"")
    assert (
        bare.body
        == gzip.decompress(zipped.body)
        == brotli.decompress(brotlied.body)
        == brotli.decompress(first[7].body)
    )
    assert b"Standings" in bare.body
    assert bare.headers["cache-control"] == "public, no-cache"
    assert int(bare.headers["content-length"]) == len(bare.body)


def test_after_an_act_no_one_gets_the_page_from_before_it(played):
    front = Front(Counted())
    address = reverse("events:standings", args=[played.event.public_id])

    async def acts():
        before = await ask(front, address)
        found = []
        for text in ("Lunch is served", "Round two begins"):
            await said(played, text)()
            found.append((await ask(front, address, if_none_match=before.headers["etag"]), text))
        return found

    for page, text in run(acts()):
        assert page.status == 200
        assert text in page.body.decode()


def test_a_reader_notified_earlier_than_this_worker_gets_a_new_page(played, monkeypatch):
    """The reader was notified by another worker before this one: the page must be looked up again."""
    front = Front(Counted())
    address = reverse("events:standings", args=[played.event.public_id])

    async def acts():
        await ask(front, address)
        monkeypatch.setattr(live, "LISTENERS", [])
        for task in stream.HUB._watching:
            task.cancel()
        await said(played, "From elsewhere")()
        number = await beside(lambda: live.newest(played.event))()
        return await ask(front, address, x_live=str(number))

    assert "From elsewhere" in run(acts()).body.decode()


def test_each_look_and_language_has_its_page(played):
    front = Front(Counted())
    address = reverse("events:standings", args=[played.event.public_id])

    async def themes():
        return [await ask(front, address, cookie=f"theme={theme}") for theme in ("dark", "light", "dark")]

    dark, light, again = run(themes())
    assert 'data-theme="dark"' in dark.body.decode()
    assert 'data-theme="light"' in light.body.decode()
    assert again.body == dark.body


@pytest.mark.parametrize("name", ["events:enter", "events:console"])
def test_pages_with_a_form_or_a_redirect_are_never_shared(staff, name):
    site = Counted()
    front = Front(site)
    address = reverse(name, args=[staff.event.public_id])

    async def twice():
        return [await ask(front, address) for _n in range(3)]

    run(twice())
    assert site.asked >= 3
    assert not front.pages


def test_a_signed_in_person_gets_their_own_page(played, settings):
    site = Counted()
    front = Front(site)
    address = reverse("events:event", args=[played.event.public_id])
    judge = played.client("judge").cookies[settings.SESSION_COOKIE_NAME].value

    async def both():
        own = [await ask(front, address, cookie=f"{settings.SESSION_COOKIE_NAME}={judge}") for _n in range(2)]
        return own, await ask(front, address)

    own, anybody = run(both())
    assert site.asked == 3
    assert all("Sign out" in page.body.decode() for page in own)
    assert "Sign out" not in anybody.body.decode()


def test_an_event_that_is_not_there_is_the_sites_own_answer():
    answer = run(ask(Front(Counted()), "/events/nothing/standings/"))
    assert answer.status == 404


@pytest.mark.parametrize("name", ["headjudge.css", "django_htmx/htmx-2.min.js"])
def test_stylesheets_and_scripts_come_compressed_and_are_read_once(name):
    site = Counted()
    front = Front(site)

    async def reads():
        first = await ask(front, f"/static/{name}", accept_encoding="gzip, br")
        again = await ask(front, f"/static/{name}", if_none_match=first.headers["etag"])
        made = site.asked
        return first, again, made, await ask(front, "/static/nothing.css")

    first, again, made, nothing = run(reads())
    assert first.headers["content-encoding"] == "br"
    assert len(first.body) < len(brotli.decompress(first.body)) / 2.5
    assert again.status == 304
    assert made == 1
    assert nothing.status == 404
