"""uvicorn's HTTP protocol with limits on time, header size and connections per address.

uvicorn waits for a client indefinitely. Here a request's headers have `HEADER_SECONDS` to arrive; a body has
`BODY_SECONDS`, plus a second for each `BODY_RATE` bytes received, up to `MAX_BODY_SECONDS`; a client that doesn't read
its response is disconnected after `READ_SECONDS`. A late request gets 408 unless its response has begun. No address
holds more than half of all connections, except the trusted proxy.
"""

from __future__ import annotations

import asyncio
from typing import Any

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from events.shares import Shares, most_connections, network_of

MAX_HEADER_BYTES = 64 * 1024
LINGER = 5
PLACES = Shares(most_connections)
SAID = {
    408: b"The request took too long to arrive.\n",
    429: b"Too many connections are open at your address.\n",
    431: b"The headers of this request are too long.\n",
    503: b"Too many connections are open.\n",
}


class Connection(HttpToolsProtocol):
    """One connection, with a timer for what the client must do next: send headers or a body, or read the response."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection towards its address, or refuse it; start the timer for the first request's headers."""
        super().connection_made(transport)
        self.access_log = False  # the site writes its own (`ACCESS_LOG`): one line for each request is enough
        self.due: asyncio.TimerHandle | None = None
        self.unread: asyncio.TimerHandle | None = None
        self.began, self.came = 0.0, 0
        self.in_body = self.in_headers = False
        self.place: str | None = None
        if self.client is not None and not settings.ALLAUTH_TRUSTED_PROXY_COUNT:
            place = network_of(self.client[0])
            refusal = PLACES.take(place)
            if refusal:
                self._refuse(refusal)
                return
            self.place = place
        self._owes(self._headers_late, settings.HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        super().connection_lost(exc)
        self._owes_nothing()
        self._stop_unread()
        if self.place is not None:
            PLACES.leave(self.place)
            self.place = None

    def data_received(self, data: bytes) -> None:
        """Read on, but refuse headers that don't end; empty lines before a request don't extend the time."""
        if self.transport.is_closing():
            return
        if self.due is None and not self._is_answering():
            self._owes(self._headers_late, settings.HEADER_SECONDS)
        was_in_headers = self.in_headers
        super().data_received(data)
        if was_in_headers and self.in_headers:
            self.came += len(data)
            if self.came > MAX_HEADER_BYTES:
                self._refuse(431)

    def on_message_begin(self) -> None:
        """Start the timer for the headers."""
        super().on_message_begin()
        self.in_headers, self.in_body, self.came = True, False, 0
        if self.due is None:
            self._owes(self._headers_late, settings.HEADER_SECONDS)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Accept a header. Trailers after the body are ignored, because the request is already being processed."""
        if self.in_headers:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Start processing the request, and the timer for its body."""
        self.in_headers, self.in_body, self.came, self.began = False, True, 0, self.loop.time()
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MAX_HEADER_BYTES:
            self._refuse(431)
            return
        super().on_headers_complete()
        self._owes(self._body_late, settings.BODY_SECONDS)

    def on_body(self, body: bytes) -> None:
        """Count the body's bytes."""
        self.came += len(body)
        if not self.transport.is_closing():
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop the timer; restart it for the next request if this one has already been answered."""
        self.in_body, self.came = False, 0
        self._owes_nothing()
        if self.transport.is_closing():
            return
        super().on_message_complete()
        if not self._is_answering():
            self._owes(self._headers_late, settings.HEADER_SECONDS)

    def on_response_complete(self) -> None:
        """Go on to the next request; disconnect a closing client that doesn't read its response."""
        super().on_response_complete()
        if self.in_body:  # the response was sent before the whole body arrived
            self.began, self.came = self.loop.time(), 0
            self._owes(self._body_late, settings.BODY_SECONDS)
        if self.transport.is_closing():
            self._let_go(settings.READ_SECONDS)

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, even if the client doesn't read."""
        super().timeout_keep_alive_handler()
        self._let_go(LINGER)

    def pause_writing(self) -> None:
        """Disconnect the client unless it resumes reading within `READ_SECONDS`."""
        super().pause_writing()
        self._stop_unread()
        self.unread = self.loop.call_later(settings.READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the timer: the client reads again."""
        super().resume_writing()
        self._stop_unread()

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _owes(self, late: Any, seconds: float) -> None:
        self._owes_nothing()
        self.due = self.loop.call_later(seconds, late)

    def _owes_nothing(self) -> None:
        if self.due is not None:
            self.due.cancel()
            self.due = None

    def _stop_unread(self) -> None:
        if self.unread is not None:
            self.unread.cancel()
            self.unread = None

    def _headers_late(self) -> None:
        self.due = None
        if self.flow.read_paused:  # the server itself has stopped reading: this client's requests are queued
            self._owes(self._headers_late, settings.HEADER_SECONDS)
        elif self.in_headers and not self._is_answering():
            self._refuse(408)
        else:
            self._close()

    def _body_late(self) -> None:
        self.due = None
        has_answer = self.cycle is not None and self.cycle.response_complete
        earned = 0 if has_answer else self.came / settings.BODY_RATE
        left = self.began + min(settings.BODY_SECONDS + earned, settings.MAX_BODY_SECONDS) - self.loop.time()
        if self.flow.read_paused:
            self._owes(self._body_late, settings.BODY_SECONDS)
        elif left > 0:
            self._owes(self._body_late, left)
        elif self.cycle is not None and self.cycle.response_started:
            self._close()
        else:
            self._refuse(408)

    def _refuse(self, status: int) -> None:
        """Answer with the reason, then close the connection."""
        if not self.transport.is_closing():
            said = SAID[status]
            self.transport.write(
                STATUS_LINE[status]
                + b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\nretry-after: 60\r\n"
                + b"content-length: "
                + str(len(said)).encode()
                + b"\r\n\r\n"
                + said
            )
        self._close()

    def _close(self) -> None:
        """Close the connection, and tell the running request that its client has gone."""
        self._owes_nothing()
        self.transport.close()
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self._let_go(LINGER)

    def _let_go(self, seconds: float) -> None:
        self._stop_unread()
        self.unread = self.loop.call_later(seconds, self.transport.abort)
