"""Requests to an ASGI application, without a server."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from asgiref.sync import sync_to_async


@dataclass
class Answer:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


def scope(address: str, method: str = "GET", **headers: str):
    path, _sep, query = address.partition("?")
    told = {"host": "testserver"} | {name.replace("_", "-"): value for name, value in headers.items()}
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in told.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("testserver", 80),
    }


async def ask(application, address: str, method: str = "GET", body: bytes = b"", **headers: str) -> Answer:
    """Send one request and return the complete answer."""
    answer = Answer()
    asked = False

    async def receive():
        nonlocal asked
        if asked:
            await asyncio.Event().wait()
        asked = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
        else:
            answer.body += message.get("body", b"")

    await application(scope(address, method, **headers), receive, send)
    return answer


class Listening:
    """An open stream; use as `async with Listening(application, address) as words`."""

    def __init__(self, application, address: str, **headers: str) -> None:
        self.answer = Answer()
        self.words: asyncio.Queue[dict] = asyncio.Queue()
        self.started = asyncio.Event()
        self._gone = asyncio.Event()
        self._text = ""
        self._run = application(scope(address, **headers), self._receive, self._send)

    async def _receive(self):
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message):
        if message["type"] == "http.response.start":
            self.answer.status = message["status"]
            self.answer.headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
            self.started.set()
            return
        self._text += message.get("body", b"").decode()
        *whole, self._text = self._text.split("\n\n")
        for one in whole:
            said = dict(line.split(": ", 1) for line in one.splitlines())
            self.words.put_nowait(said | json.loads(said.get("data", "{}")))

    async def __aenter__(self):
        self._task = asyncio.ensure_future(self._run)
        await asyncio.wait_for(self.started.wait(), 10)
        return self

    async def __aexit__(self, *fault):
        self._gone.set()
        await asyncio.wait_for(self._task, 10)

    async def next(self, seconds: float = 5) -> dict:
        """Return the next event; raise TimeoutError if none arrives in time."""
        return await asyncio.wait_for(self.words.get(), seconds)


def run(work):
    """Run a coroutine in a thread and return its result: this thread may already have a browser's event loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def beside(act):
    """Return an awaitable that calls `act` in a thread with its own database connection."""
    from django.db import connection

    def done():
        try:
            return act()
        finally:
            connection.close()

    return sync_to_async(done, thread_sensitive=False)
