"""Live updates as a stream: immediate, resumed by id, also from other processes."""

import asyncio
import contextlib

import pytest

from events import live, stream
from events.models import AuditEntry
from events.services.setup import announce
from events.shares import Shares, network_of
from rules.services.disputes import begin_dispute, change_dispute
from tests.asgi import Listening, beside, run
from tests.factories import EventFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def hub(monkeypatch):
    """Give each test its own hub."""
    fresh = stream.Hub()
    monkeypatch.setattr(stream, "HUB", fresh)
    yield fresh
    fresh.stop()


def say(staff, text):
    def said():
        announce(by=staff.actor("judge"), event=staff.event, text=text)
        return live.newest(staff.event)

    return beside(said)


def test_the_first_update_comes_at_once_and_each_action_brings_another(staff):
    async def follow():
        async with Listening(stream.stream, live.stream_of([staff.event])) as words:
            first = await words.next()
            assert words.answer.headers["content-type"].startswith("text/event-stream")
            numbers = []
            for text in ("Lunch", "Round 2"):
                number = await say(staff, text)()
                word = await words.next(1)
                assert word["event"] == "change"
                assert word["id"] == str(word["counter"])
                numbers.append((word["counter"], number))
            return first, numbers

    before = live.newest(staff.event)
    first, numbers = run(follow())
    assert first["counter"] == before
    assert first["retry"] == "2000"
    assert abs(first["now"] / 1000 - AuditEntry.objects.latest("at").at.timestamp()) < 60
    assert all(heard == stood for heard, stood in numbers)
    assert numbers[0] < numbers[1]


def test_a_hall_that_reports_wakes_its_readers_twice_a_second_at_most(staff, hub, monkeypatch):
    monkeypatch.setattr(stream, "LOOK_EVERY", 60)  # the numbers below aren't in the database

    async def follow():
        async with Listening(stream.stream, live.stream_of([staff.event])) as words:
            before = (await words.next())["counter"]
            told = []
            for number in (1, 40):
                for one in range(told[-1] if told else 0, number):
                    hub.heard(staff.event.pk, before + one + 1)
                told.append((await words.next(1))["counter"] - before)
            with pytest.raises(TimeoutError):
                await words.next(0.7)
            return told

    assert run(follow()) == [1, 40]


def test_a_full_hall_is_woken_in_groups_and_everyone_is_told(staff, hub, monkeypatch):
    monkeypatch.setattr(stream, "LOOK_EVERY", 60)
    monkeypatch.setattr(stream, "AT_ONCE", 2)
    monkeypatch.setattr(stream, "PACE", 4)

    async def follow():
        async with contextlib.AsyncExitStack() as open_pages:
            pages = [
                await open_pages.enter_async_context(Listening(stream.stream, live.stream_of([staff.event])))
                for _page in range(5)
            ]
            before, *_others = [(await page.next())["counter"] for page in pages]
            hub.heard(staff.event.pk, before + 1)
            first = [asyncio.ensure_future(page.next(5)) for page in pages]
            done, waiting = await asyncio.wait(first, timeout=0.2)
            hub.heard(staff.event.pk, before + 2)  # those still waiting hear of the latest
            told = [(await one)["counter"] - before for one in first]
            return len(done), len(waiting), sorted(told)

    assert run(follow()) == (2, 3, [1, 1, 2, 2, 2])


def test_writes_of_another_process_are_received(staff, monkeypatch):
    async def follow():
        async with Listening(stream.stream, live.stream_of([staff.event])) as words:
            await words.next()
            await asyncio.sleep(0.6)
            monkeypatch.setattr(live, "LISTENERS", [])
            number = await say(staff, "Written elsewhere")()
            return (await words.next(3))["counter"], number

    heard, stood = run(follow())
    assert heard == stood


def test_a_page_of_a_hall_follows_all_its_events(staff):
    other = EventFactory()

    async def follow():
        async with Listening(stream.stream, live.stream_of([other, staff.event])) as words:
            await words.next()
            number = await say(staff, "In one of them")()
            return (await words.next(1))["counter"], number

    heard, stood = run(follow())
    assert heard == stood


def test_a_dispute_is_followed_by_its_version():
    row = begin_dispute(document={"edition": "car-2002", "sides": [{"player": "A", "characters": []}]})

    async def follow():
        async with Listening(stream.stream, f"/live?dispute={row.public_id}") as words:
            first = (await words.next())["counter"]
            await beside(lambda: change_dispute(dispute=row, version=1, said="", title="In the yard"))()
            while (now := (await words.next(5))["counter"]) == first:
                pass  # on PostgreSQL the first may be told again once notifications arrive
            return first, now

    assert run(follow()) == (1, 2)


def test_a_stream_that_ends_is_forgotten(staff, hub):
    async def follow():
        async with Listening(stream.stream, live.stream_of([staff.event])) as words:
            await words.next()
            assert hub.streams == 1
        return hub.streams, [len(found) for found in hub.followers.values()]

    assert run(follow()) == (0, [0])


@pytest.mark.parametrize(
    ("address", "most", "status"),
    [
        ("/live?event=nothing", 5, 404),
        ("/live", 5, 404),
        ("/live?dispute=nothing", 5, 404),
        ("/live?event=%00", 5, 404),
        ("/live?dispute=%00", 5, 404),
        (None, 0, 503),
    ],
)
def test_a_refused_stream_says_why(staff, monkeypatch, address, most, status):
    monkeypatch.setattr(stream.PLACES, "most", lambda: most)

    async def refused():
        async with Listening(stream.stream, address or live.stream_of([staff.event])) as words:
            return words.answer

    answer = run(refused())
    assert answer.status == status
    assert ("retry-after" in answer.headers) == (status == 503)


@pytest.mark.parametrize(
    ("client", "forwarded", "proxies", "is_refused"),
    [
        ("198.51.100.7", None, 0, True),
        ("198.51.100.8", None, 0, False),
        ("198.51.100.8", b"198.51.100.7", 0, False),
        ("127.0.0.1", b"198.51.100.7", 1, True),
        ("127.0.0.1", b"203.0.113.5, 198.51.100.7", 1, True),
        ("127.0.0.1", b"198.51.100.7, 203.0.113.5", 1, False),
    ],
)
def test_no_address_holds_more_than_half_of_all_streams(
    staff, monkeypatch, settings, client, forwarded, proxies, is_refused
):
    """Behind a proxy the address is the one that trusted proxies report, whatever the client claims."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    monkeypatch.setattr(stream.PLACES, "most", lambda: 4)
    where = live.stream_of([staff.event])

    async def follow():
        async with contextlib.AsyncExitStack() as hall:
            for _n in range(2):
                await hall.enter_async_context(Listening(From("198.51.100.7"), where))
            async with Listening(From(client, forwarded, proxies), where) as words:
                return words.answer

    class From:
        """A stream requested from one address."""

        def __init__(self, address, forwarded=None, proxies=proxies):
            self.address = "127.0.0.1" if proxies else address
            self.headers = [(b"x-forwarded-for", forwarded or address.encode())] if forwarded or proxies else []

        async def __call__(self, scope, receive, send):
            asked = {**scope, "client": (self.address, 5), "headers": [*scope["headers"], *self.headers]}
            await stream.stream(asked, receive, send)

    answer = run(follow())
    assert answer.status == (429 if is_refused else 200)
    assert ("retry-after" in answer.headers) == is_refused
    assert stream.PLACES.total == 0


def test_a_hall_of_five_hundred_behind_one_address_has_room(settings, monkeypatch):
    """The default limits: more than five hundred phones follow from one address, and as many from others."""
    monkeypatch.setattr("events.shares.open_files", lambda: 4096)
    places = Shares(stream.most_streams)
    assert [places.take("198.51.100.7") for _n in range(1400)] == [0] * 1400
    assert [places.take(f"203.0.113.{n}") for n in range(200)] == [0] * 200


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("198.51.100.7", "198.51.100.8", False),
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:198.51.100.7", "198.51.100.7", True),
    ],
)
def test_a_household_is_one_address(one, other, is_same):
    assert (network_of(one) == network_of(other)) == is_same
