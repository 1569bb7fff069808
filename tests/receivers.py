"""Stand-in receivers of webhooks on 127.0.0.1: each answers in its own way and keeps what it got."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Received:
    """A request as it arrived; headers by lower-case name."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """A receiver: its address, what arrived, and the status with which it answers.

    While it drips, it sends a byte every so many seconds, and no answer ever ends.
    """

    address: str = ""
    status: int = 204
    drips: float = 0
    headers: dict[str, str] = field(default_factory=dict)
    before: Callable[[], Any] = lambda: None
    got: list[Received] = field(default_factory=list)


@contextlib.contextmanager
def receiving(**how: Any) -> Iterator[Receiver]:
    """Yield a receiver that listens on a free port of 127.0.0.1."""
    receiver = Receiver(**how)

    class Handler(BaseHTTPRequestHandler):
        dripped = False

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.before()
            with contextlib.suppress(OSError):  # the sender has closed the connection
                while receiver.drips:
                    self.wfile.write(b"x")
                    time.sleep(receiver.drips)
                    self.dripped = True
            if self.dripped:
                self.close_connection = True
                return
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.got.append(Received(self.path, headers, body))
            self.send_response(receiver.status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_given: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.address = f"http://127.0.0.1:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.contextmanager
def dripping(piece: bytes, every: float) -> Iterator[str]:
    """Yield the address of a receiver that sends this again and again, and never ends its answer."""
    listening = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def serve() -> None:
        with contextlib.suppress(OSError):
            one, _from = listening.accept()
            with one:
                one.recv(65536)
                while not over.wait(every):
                    one.sendall(piece)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    finally:
        over.set()
        listening.close()
        thread.join(1)


def refusing() -> str:
    """Return an address at which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        return f"http://127.0.0.1:{one.getsockname()[1]}/"
