"""Connections over real sockets: slow ones are closed in time, long ones refused, and a full hall fits."""

import contextlib
import socket
import subprocess
import sys
import threading
import time

import pytest
import uvicorn

from config import bodies
from config.connections import PLACES, Connection
from config.front import Front
from config.settings import BASE_DIR
from config.site import Site
from events import stream

PATIENCE = 20


@contextlib.contextmanager
def served():
    """Serve the site on a free port; yield the port."""
    config = uvicorn.Config(
        Front(Site()), host="127.0.0.1", port=0, http=Connection, ws="none", lifespan="off", log_level="critical"
    )
    config.load()
    ours = uvicorn.Server(config)
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=ours.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not ours.started:
        time.sleep(0.01)
    yield listening.getsockname()[1]
    ours.should_exit = ours.force_exit = True
    thread.join(PATIENCE)
    listening.close()


@pytest.fixture(scope="module")
def running():
    with served() as port:
        yield port


@pytest.fixture
def server(running, settings):
    """Return the port of a server with the real site's timeouts."""
    settings.ALLOWED_HOSTS = ["testserver"]
    return running


@pytest.fixture
def hasty(server, settings):
    """Return the port of a server with short timeouts."""
    settings.HEADER_SECONDS = settings.BODY_SECONDS = settings.READ_SECONDS = 0.2
    settings.BODY_RATE, settings.MAX_BODY_SECONDS = 1_000_000, 0.4
    return server


def nobody_connected():
    deadline = time.monotonic() + PATIENCE
    while PLACES.total and time.monotonic() < deadline:
        time.sleep(0.01)
    return not PLACES.total


@contextlib.contextmanager
def connected(port):
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as line:
        yield line


def rest(line) -> bytes:
    """Return everything until the server closes the connection; fail if it never does."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while more := line.recv(65536):
            found += more
    return found


def answer(line) -> bytes:
    """Return one answer with its body."""
    found = b""
    while b"\r\n\r\n" not in found:
        more = line.recv(65536)
        assert more, found
        found += more
    head, _sep, body = found.partition(b"\r\n\r\n")
    wanted = next(int(one.split(b":")[1]) for one in head.lower().split(b"\r\n") if one.startswith(b"content-length"))
    while len(body) < wanted:
        body += line.recv(65536)
    return head + b"\r\n\r\n" + body


GET = b"GET /static/icon.svg HTTP/1.1\r\nHost: testserver\r\n"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"", b""),
        (b"\r\n", b""),
        (b"GET /", b"408"),
        (GET, b"408"),
        (GET + b"X-Slow: ", b"408"),
        (b"POST /theme/ HTTP/1.1\r\nHost: testserver\r\nContent-Length: 50\r\n\r\ntheme=", b"408"),
        (b"POST /theme/ HTTP/1.1\r\nHost: testserver\r\nTransfer-Encoding: chunked\r\n\r\n6\r\ntheme=\r\n", b"408"),
    ],
)
def test_endless_requests_are_closed_in_time(hasty, sent, status):
    with connected(hasty) as line:
        line.sendall(sent)
        said = rest(line)
    assert said.split(b" ")[1:2] == ([status] if status else [])


@pytest.mark.parametrize("drop", [b"X", b"\r\n"])
def test_a_drop_now_and_then_buys_no_time(hasty, drop):
    with connected(hasty) as line:
        line.sendall(GET + b"X-Slow: " if drop == b"X" else b"")
        sent = 0
        with contextlib.suppress(ConnectionError):
            for sent in range(200):  # noqa: B007 - how far it came is asserted
                line.sendall(drop)
                time.sleep(0.05)
    assert sent < 199


FORM = b"POST /theme/ HTTP/1.1\r\nHost: testserver\r\nContent-Type: application/x-www-form-urlencoded\r\n"


def test_a_body_that_trickles_is_closed(hasty):
    with connected(hasty) as line:
        line.sendall(FORM + b"Content-Length: 1000\r\n\r\n")
        sent = 0
        with contextlib.suppress(ConnectionError):
            for sent in range(200):  # noqa: B007 - how far it came is asserted
                line.sendall(b"x")
                time.sleep(0.05)
    assert sent < 199


def test_a_body_that_flows_is_taken(server):
    with connected(server) as line:
        body = b"theme=dark&more=" + b"x" * 150_000
        line.sendall(FORM + b"Content-Length: " + str(len(body)).encode() + b"\r\n\r\n" + body)
        assert b" 302 " in answer(line).split(b"\r\n")[0]


def test_a_connection_is_used_again_and_closed_when_it_then_stalls(server, settings):
    with connected(server) as line:
        for _n in range(3):
            line.sendall(GET + b"\r\n")
            assert b" 200 " in answer(line).split(b"\r\n")[0]
        settings.HEADER_SECONDS = 0.2
        line.sendall(GET)
        assert rest(line).startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize("more", [b"X-Long: " + b"a" * 400_000, b"X-Many: 1\r\n" * 20_000])
def test_headers_without_end_are_refused(server, more):
    with connected(server) as line:
        with contextlib.suppress(ConnectionError):
            line.sendall(GET + more + b"\r\n\r\n")
        said = rest(line)
    assert said[:12] in (b"HTTP/1.1 431", b"")  # a reset may arrive before the text


def test_a_client_that_does_not_read_is_let_go(server, settings):
    settings.READ_SECONDS = 0.2
    with connected(server) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with contextlib.suppress(ConnectionError, TimeoutError):
            line.settimeout(2)
            line.sendall((b"GET /static/headjudge.css HTTP/1.1\r\nHost: testserver\r\n\r\n") * 400)
        assert nobody_connected()


@pytest.mark.django_db(transaction=True)
def test_a_trailer_is_no_header(server, staff, settings, monkeypatch):
    """A session sent after the body, while the page is being made, must not affect the page."""
    monkeypatch.setattr(stream, "HUB", stream.Hub())
    monkeypatch.setattr("config.front.HUB", stream.HUB)
    key = staff.client("head_judge").cookies[settings.SESSION_COOKIE_NAME].value
    path = f"/events/{staff.event.public_id}/".encode()
    with connected(server) as line:
        line.sendall(
            b"GET " + path + b" HTTP/1.1\r\nHost: testserver\r\nTransfer-Encoding: chunked\r\nTrailer: Cookie\r\n\r\n"
            b"0\r\nCookie: " + f"{settings.SESSION_COOKIE_NAME}={key}".encode() + b"\r\n\r\n"
        )
        own = answer(line)
    with connected(server) as line:
        line.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: testserver\r\nConnection: close\r\n\r\n")
        everyones = rest(line)
    assert b"/accounts/login/" in own
    assert b"/accounts/logout/" not in own + everyones


TWO_TO_THE_16 = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
CHUNKED = FORM + b"Transfer-Encoding: chunked\r\n\r\n"


def test_a_body_without_end_is_refused_before_it_has_come(server):
    with connected(server) as line:
        line.sendall(CHUNKED + TWO_TO_THE_16 * (bodies.SMALL // 0x10000 + 1))
        assert b" 413 " in answer(line).split(b"\r\n")[0]
        line.sendall(TWO_TO_THE_16 + b"0\r\n\r\n" + GET + b"\r\n")  # the rest is ignored
        assert b" 200 " in answer(line).split(b"\r\n")[0]


def test_the_rest_of_a_refused_body_does_not_go_on_for_ever(hasty):
    sent = 0
    with connected(hasty) as line, contextlib.suppress(ConnectionError):
        line.sendall(CHUNKED + TWO_TO_THE_16 * (bodies.SMALL // 0x10000 + 1))
        for sent in range(200):  # noqa: B007 - how far it came is asserted
            line.sendall(b"1\r\nx\r\n")
            time.sleep(0.05)
    assert sent < 199


def test_a_large_body_that_is_announced_is_refused_without_being_read(server):
    with connected(server) as line:
        line.sendall(b"POST /api/rules/adjudicate HTTP/1.1\r\nHost: testserver\r\nContent-Length: 90000000\r\n")
        line.sendall(b"Expect: 100-continue\r\n\r\n")
        said = answer(line)
    assert b" 413 " in said.split(b"\r\n")[0]
    assert b'"detail"' in said


def test_no_address_holds_more_than_half_of_all_connections(server, monkeypatch):
    assert nobody_connected()
    monkeypatch.setattr(PLACES, "most", lambda: 6)
    with contextlib.ExitStack() as open_lines:
        for _n in range(3):
            line = open_lines.enter_context(connected(server))
            line.sendall(GET + b"\r\n")
            assert b" 200 " in answer(line).split(b"\r\n")[0]
        with connected(server) as line:
            assert rest(line).startswith(b"HTTP/1.1 429")
    assert nobody_connected()
    with connected(server) as line:
        line.sendall(GET + b"\r\n")
        assert b" 200 " in answer(line).split(b"\r\n")[0]


@pytest.mark.parametrize("asked", [b"h2c", b"websocket"])
def test_a_request_for_another_protocol_is_answered_and_then_closed(server, settings, asked):
    with connected(server) as line:
        line.sendall(GET + b"Connection: Upgrade\r\nUpgrade: " + asked + b"\r\n\r\n")
        assert b" 200 " in answer(line).split(b"\r\n")[0]
        settings.HEADER_SECONDS = 0.2
        line.sendall(b"anything")
        rest(line)


def test_gunicorn_finds_its_worker_before_django_is_ready():
    asked = "import sys, config.worker as w; print('django' in sys.modules, w.Worker.CONFIG_KWARGS['http'])"
    said = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, encoding="utf-8", check=True, cwd=BASE_DIR
    )
    assert said.stdout.split() == ["False", f"{Connection.__module__}:{Connection.__name__}"]
    unit = (BASE_DIR / "config" / "deploy" / "headjudge.service").read_text(encoding="utf-8")
    assert "--worker-class config.worker.Worker" in unit
