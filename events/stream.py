"""Live updates as a stream of server-sent events that say "changed, fetch again", resumed by id.

One hub per process knows the counter of each followed event and series, and the version of each followed dispute. The
door reports this process's writes on commit; those of other processes arrive by PostgreSQL's notifications or, with
SQLite, by checking the file's data version four times a second. A stream is an ASGI application without session,
middleware or a waiting thread, so that thousands of open pages cost next to nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import close_old_connections, connection, connections
from django.db.models import Max

from rules.models import SavedDispute

from . import live
from .models import AuditEntry, Event
from .series_table import series_counters
from .shares import Shares, address_of, most_connections

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Receive, Any], Awaitable[None]]
Followed = int | str
"""What a stream follows: an event by its key, or a dispute or a series by its public id."""

LOOK_EVERY = 0.25
ASK_EVERY = 20.0
BEAT_EVERY = 15.0
REST = 0.5
"""The least seconds between two changes of an event that its followers are told of: a hall reports fifty times a second."""
AT_ONCE = 25
"""How many followers are woken together."""
PACE = 250
"""How many followers are woken in a second, so that the person who published needn't wait behind all who read it."""
RETRY = 2000
MAX_NUMBERS = 5000
FORGOTTEN_AFTER = 600.0
KNOWN_FOR = 60.0
UNASKED = -1
log = logging.getLogger("headjudge.live")


class Follower:
    """One open stream: the events and disputes it follows, and the future that ends its waiting."""

    __slots__ = ("events", "next")

    def __init__(self, events: Iterable[Followed]) -> None:
        self.events = frozenset(events)
        self.next = asyncio.get_running_loop().create_future()

    def wake(self, _done: object = None) -> None:
        """Have the stream send its next message."""
        if not self.next.done():
            self.next.set_result(None)

    async def woken(self, seconds: float) -> None:
        """Wait for a wake-up, at most so long. A task for each wake-up of a thousand streams would cost far more."""
        late = asyncio.get_running_loop().call_later(seconds, self.wake)
        try:
            await self.next
        finally:
            late.cancel()
            self.next = asyncio.get_running_loop().create_future()


def _wake_all(followers: list[Follower]) -> None:
    for follower in followers:
        follower.wake()


class Hub:
    """This process's counters of followed events, and their followers."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self._watching: list[asyncio.Task[None]] = []
        self._forget()

    def _forget(self) -> None:
        self.counters: dict[Followed, int] = {}
        self.used: dict[Followed, float] = {}
        self.followers: dict[Followed, set[Follower]] = {}
        self.told: dict[Followed, int] = {}
        self.streams = 0
        self.said = 0
        self._numbers: dict[str, tuple[int, float]] = {}
        self._asking: dict[str, asyncio.Future[int | None]] = {}

    def start(self) -> None:
        """Bind to the running loop and start watching; further calls do nothing."""
        loop = asyncio.get_running_loop()
        if self.loop is loop:
            return
        self._forget()
        self.loop = loop
        if self.heard_in_thread not in live.LISTENERS:
            live.LISTENERS.append(self.heard_in_thread)
        watch = self._watch_file if connection.vendor == "sqlite" else self._watch_server
        self._watching = [loop.create_task(watch()), loop.create_task(self._ask_again())]

    def stop(self) -> None:
        """Stop watching, and forget everything."""
        for task in self._watching:
            task.cancel()
        with contextlib.suppress(ValueError):
            live.LISTENERS.remove(self.heard_in_thread)
        self.loop = None

    def heard_in_thread(self, event_id: int | None, number: int, topics: frozenset[str]) -> None:
        """Accept the door's notification, in the thread that wrote."""
        if event_id is not None and self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.heard, event_id, number)

    def heard(self, event_id: Followed, number: int) -> None:
        """Set an event's counter to `number`; wake its followers if it has changed, at most every `REST` seconds."""
        if event_id not in self.counters or self.counters[event_id] == number:
            return
        self.counters[event_id] = number
        self.said += 1
        if event_id not in self.told:
            self._wake(event_id)

    def _wake(self, event_id: Followed) -> None:
        """Wake an event's followers, and again after a rest if its counter has changed by then."""
        number = self.counters.get(event_id, UNASKED)
        if self.loop is None or self.told.get(event_id) == number:
            self.told.pop(event_id, None)
            return
        self.told[event_id] = number
        followers = list(self.followers.get(event_id, ()))
        for start in range(0, len(followers), AT_ONCE):
            self.loop.call_later(start / PACE, _wake_all, followers[start : start + AT_ONCE])
        self.loop.call_later(max(REST, len(followers) / PACE), self._wake, event_id)

    async def number_of(self, public_id: str) -> int | None:
        """Return the key of the event with this public id, cached; None if there is none."""
        known = self._numbers.get(public_id)
        if known is not None and known[1] > time.monotonic():
            return known[0]
        asking = self._asking.get(public_id)
        if asking is None:
            asking = self._asking[public_id] = asyncio.ensure_future(self._ask_number(public_id))
            asking.add_done_callback(lambda _done: self._asking.pop(public_id, None))
        return await asyncio.shield(asking)

    async def _ask_number(self, public_id: str) -> int | None:
        found = await in_thread(lambda: Event.objects.filter(public_id=public_id).values_list("pk", flat=True).first())
        if found is not None:
            if len(self._numbers) > MAX_NUMBERS:
                self._numbers.clear()
            self._numbers[public_id] = (found, time.monotonic() + KNOWN_FOR)
        return found

    async def follow(self, event_id: Followed, *, at_least: int = 0) -> int:
        """Return an event's counter, and keep it up to date from now on.

        A client that knows a later counter (`at_least`) triggers a query, because another worker's notification may be
        late.
        """
        self.used[event_id] = time.monotonic()
        if self.counters.setdefault(event_id, UNASKED) == UNASKED:
            found = await in_thread(lambda: counters([event_id]))
            if self.counters.get(event_id, UNASKED) == UNASKED:
                self.counters[event_id] = found.get(event_id, 0)
        elif self.counters[event_id] < at_least:
            found = await in_thread(lambda: counters([event_id]))
            if found.get(event_id, 0) > self.counters[event_id]:
                self.heard(event_id, found[event_id])
        return self.counters[event_id]

    async def refresh(self) -> None:
        """Query every followed event's counter; counters received during the query are newer."""
        wanted, said = list(self.counters), self.said
        for event_id, number in (await in_thread(lambda: counters(wanted)) if wanted else {}).items():
            if self.said == said or number > self.counters.get(event_id, number):
                self.heard(event_id, number)

    async def _ask_again(self) -> None:
        while True:
            await asyncio.sleep(ASK_EVERY)
            old = time.monotonic() - FORGOTTEN_AFTER
            for event_id in [one for one in self.counters if not self.followers.get(one) and self.used[one] < old]:
                del self.counters[event_id], self.used[event_id]
                self.followers.pop(event_id, None)
            with contextlib.suppress(DatabaseError):
                await self.refresh()

    async def _watch_file(self) -> None:
        """Watch for writes to the SQLite file, also by other processes."""
        name = str(connection.settings_dict["NAME"])
        beside = sqlite3.connect(name, check_same_thread=False, isolation_level=None, uri=name.startswith("file:"))
        seen = None
        try:
            while True:
                await asyncio.sleep(LOOK_EVERY)
                with contextlib.suppress(sqlite3.Error, DatabaseError):
                    version = beside.execute("PRAGMA data_version").fetchone()[0]
                    if version != seen:
                        await self.refresh()
                        seen = version
        finally:
            beside.close()

    async def _watch_server(self) -> None:
        """Listen to PostgreSQL; after a lost connection, reconnect and refresh all counters."""
        import psycopg

        known = connections["default"].get_connection_params()
        for name in ("cursor_factory", "context", "prepare_threshold", "server_side_binding", "pool"):
            known.pop(name, None)
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(**known, autocommit=True) as listening:
                    await listening.execute(f"LISTEN {live.CHANNEL}")
                    await self.refresh()
                    async for notice in listening.notifies():
                        event_id, number = notice.payload.split(":")[:2]
                        self.heard(int(event_id) if event_id.isdigit() else event_id, int(number))
            except (psycopg.Error, DatabaseError, OSError) as fault:
                log.warning("Live updates from the database are interrupted: %s", fault)
                await asyncio.sleep(1)


def counters(followed: Iterable[Followed]) -> dict[Followed, int]:
    """Return the counter of each event with an audit log, the version of each dispute, and the counter of each series."""
    wanted = list(followed)
    events = [one for one in wanted if isinstance(one, int)]
    others = [one for one in wanted if isinstance(one, str)]
    found: dict[Followed, int] = {}
    if events:
        rows = AuditEntry.objects.filter(event__in=events).order_by().values_list("event").annotate(Max("pk"))
        found |= {event_id: number for event_id, number in rows if event_id is not None}
    if others:
        found |= dict(SavedDispute.objects.filter(public_id__in=others).values_list("public_id", "version"))
        found.update(series_counters(others))
    return found


async def in_thread(ask: Callable[[], Any]) -> Any:
    """Return the result of a database query run in a thread; it keeps its connection as long as a request's thread would."""

    def asked() -> Any:
        close_old_connections()
        try:
            return ask()
        finally:
            close_old_connections()

    return await sync_to_async(asked, thread_sensitive=False)()


HUB = Hub()
COME_AGAIN = 60
TOO_MANY = {
    503: "Too many pages are open on this site, so this one checks for updates now and then instead.\n",
    429: "Too many pages are open at your address, so this one checks for updates now and then instead.\n",
}


def most_streams() -> int:
    """Return how many streams this process may hold: `STREAMS` of the settings, leaving room for other connections."""
    return min(settings.STREAMS, most_connections() * 3 // 4)


PLACES = Shares(most_streams)


def change_notification(counter: int) -> bytes:
    """Return one message of a stream: the counter, and the server's time in milliseconds."""
    now = int(time.time() * 1000)
    return f'id: {counter}\nevent: change\ndata: {{"counter":{counter},"now":{now}}}\n\n'.encode()


async def plain(send: Send, status: int, text: str, *, after: int = 0) -> None:
    """Answer with a line of text; `after` is when to retry, in seconds."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    if after:
        headers.append((b"retry-after", str(after).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


async def stream(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one stream: `?event=<public id>`, several for a hall; the counter is the highest of theirs.

    `?dispute=<public id>` follows a dispute instead; its counter is its version. `?series=<public id>` follows a
    series in the same way.

    The first message is sent at once, so that a page that was offline sees whether it is out of date. A heartbeat every
    15 s lets both sides notice a dead connection. No address holds more than half of all streams.
    """
    address = address_of(scope)
    refusal = PLACES.take(address)
    if refusal:
        await plain(send, refusal, TOO_MANY[refusal], after=COME_AGAIN)
        return
    try:
        await _follow(scope, receive, send)
    finally:
        PLACES.leave(address)


def _may_be_id(text: str) -> bool:
    """Return whether a text may be a public id; PostgreSQL can't be asked about a NUL."""
    return len(text) < 64 and "\0" not in text


async def _follow(scope: Scope, receive: Receive, send: Send) -> None:
    HUB.start()
    asked = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    named = [public_id for public_id in asked.get("event", [])[: live.MAX_STREAMED] if _may_be_id(public_id)]
    found = [await HUB.number_of(public_id) for public_id in named]
    events: list[Followed] = [number for number in found if number is not None]
    other = [one for name in ("dispute", "series") for one in asked.get(name, [])[:1] if _may_be_id(one)]
    if other and not events:
        events = list(await in_thread(lambda: counters(other)))
    if not events:
        await plain(send, 404, "This event doesn't exist.\n")
        return
    follower = Follower(events)
    HUB.streams += 1
    for event_id in events:
        HUB.followers.setdefault(event_id, set()).add(follower)
    gone = asyncio.ensure_future(disconnected(receive))
    gone.add_done_callback(follower.wake)
    try:
        for event_id in events:
            await HUB.follow(event_id)
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [
                    (b"content-type", b"text/event-stream; charset=utf-8"),
                    (b"cache-control", b"no-cache, no-transform"),
                    (b"x-accel-buffering", b"no"),
                ],
            }
        )
        await _say(send, f"retry: {RETRY}\n".encode() + change_notification(_highest(follower)))
        while not gone.done():
            await follower.woken(BEAT_EVERY * random.uniform(0.8, 1))
            if not gone.done():
                await _say(send, change_notification(_highest(follower)))
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    except (OSError, asyncio.CancelledError):
        return
    finally:
        gone.cancel()
        HUB.streams -= 1
        for event_id in events:
            HUB.used[event_id] = time.monotonic()
            HUB.followers.get(event_id, set()).discard(follower)


def _highest(follower: Follower) -> int:
    return max(HUB.counters.get(event_id, 0) for event_id in follower.events)


async def _say(send: Send, said: bytes) -> None:
    await send({"type": "http.response.body", "body": said, "more_body": True})


async def disconnected(receive: Receive) -> None:
    """Wait until the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass
