"""The live word as a stream: at once, resumed by id, from other processes too."""

import asyncio

import pytest

from events import live, stream
from events.models import RecordEntry
from events.services.setup import announce
from tests.asgi import Listening, beside, run
from tests.factories import EventFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def hub(monkeypatch):
    """Give each test a hub of its own."""
    fresh = stream.Hub()
    monkeypatch.setattr(stream, "HUB", fresh)
    yield fresh
    fresh.stop()


def say(staff, text):
    def said():
        announce(by=staff.actor("judge"), event=staff.event, text=text)
        return live.newest(staff.event)

    return beside(said)


def test_the_first_word_comes_at_once_and_each_act_brings_another(staff):
    async def follow():
        async with Listening(stream.stream, live.stream_of([staff.event])) as words:
            first = await words.next()
            assert words.answer.headers["content-type"].startswith("text/event-stream")
            numbers = []
            for text in ("Lunch", "Round 2"):
                number = await say(staff, text)()
                word = await words.next(1)
                assert word["event"] == "word"
                assert word["id"] == str(word["counter"])
                numbers.append((word["counter"], number))
            return first, numbers

    before = live.newest(staff.event)
    first, numbers = run(follow())
    assert first["counter"] == before
    assert first["retry"] == "2000"
    assert abs(first["now"] / 1000 - RecordEntry.objects.latest("at").at.timestamp()) < 60
    assert all(heard == stood for heard, stood in numbers)
    assert numbers[0] < numbers[1]


def test_what_another_process_writes_is_heard(staff, monkeypatch):
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


def test_a_stream_that_ends_is_forgotten(staff, hub):
    async def follow():
        async with Listening(stream.stream, live.stream_of([staff.event])) as words:
            await words.next()
            assert hub.streams == 1
        return hub.streams, [len(found) for found in hub.followers.values()]

    assert run(follow()) == (0, [0])


@pytest.mark.parametrize(
    ("address", "most", "status"), [("/live?event=nothing", 5, 404), ("/live", 5, 404), (None, 0, 503)]
)
def test_what_cannot_be_followed_is_told_why(staff, monkeypatch, address, most, status):
    monkeypatch.setattr(stream.PLACES, "most", lambda: most)

    async def refused():
        async with Listening(stream.stream, address or live.stream_of([staff.event])) as words:
            return words.answer

    answer = run(refused())
    assert answer.status == status
    assert ("retry-after" in answer.headers) == (status == 503)
