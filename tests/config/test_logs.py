"""Logs contain nothing that lets anyone in; errors have a number, a file of their own and a mail."""

import json
import logging
import multiprocessing
import os
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import unquote

import pytest
from django.core import mail
from django.test import Client
from django.urls import get_resolver, path

from config import logs, urls
from config.logs import SECRET, ErrorFile, ErrorMail, shown
from config.watching import note
from tests import factories
from tests.tables import every_row

TOKEN = "12:1:wh4tOpensThe_Door-x"
OPEN = {
    "series_id": "the id of a series, whose table is public",
    "row": "number of an event in a series",
    "act": "name of an act",
    "public_id": "an event's own address", "edition": "a book", "name": "a topic", "slug": "something shipped",
    "key": "a question of the training", "code": "a set", "set_code": "a set", "own_code": "a figure",
    "verb": "a verb", "kind": "a kind of offer", "answer": "a verb", "action": "a verb", "what": "a frame",
    "event_id": "an event's own address", "number": "a round or a player", "table": "a table",
    "message": "a message that a webhook sent",
}  # fmt: skip
"""Parts of addresses that let no one in, in all addresses except those of SECRET."""


def _patterns(resolver, spaces=()):
    for one in resolver.url_patterns:
        if hasattr(one, "url_patterns"):
            yield from _patterns(one, (*spaces, one.namespace) if one.namespace else spaces)
        else:
            yield ":".join((*spaces, one.name or "")), one.pattern


def _words(pattern):
    if hasattr(pattern, "converters") and pattern.converters:
        return {name for name, kind in pattern.converters.items() if type(kind).__name__ != "IntConverter"}
    numbers = set(re.findall(r"\?P<(\w+)>\[0-9\]", str(pattern)))
    return set(re.findall(r"\?P<(\w+)>", str(pattern))) - numbers


def test_each_part_of_each_address_is_secret_or_open():
    """Every part of an address is listed in `config.logs.SECRET` if knowing it lets someone in, otherwise in OPEN."""
    for view, pattern in _patterns(get_resolver()):
        words = _words(pattern) - {SECRET.get(view), "key" if view == "account_reset_password_from_key" else None}
        assert words <= set(OPEN), (view, words)
    known = dict(_patterns(get_resolver()))
    assert all(part in _words(known[view]) for view, part in SECRET.items())


@every_row(
    ("said", "as_logged"),
    [
        (f"/e/{TOKEN}/", "/e/…"),
        (f"Not Found: /e/{TOKEN}", "Not Found: /e/…"),
        (f'"GET //E//{TOKEN} HTTP/1.1" 404', '"GET //E//… HTTP/1.1" 404'),
        (f"%2Fe%2F{TOKEN}", "%2Fe%2F…"),
        (f"/accounts/password/reset/key/3-{TOKEN}/", "/accounts/password/reset/key/…"),
        (f"/accounts/confirm-email/{TOKEN}/", "/accounts/confirm-email/…"),
        (f"/accounts/login/?next=/e/{TOKEN}/", "/accounts/login/?…"),
        (f"/rules/disputes/robin/?key={TOKEN}", "/rules/disputes/…?…"),
        (f"/events/saturday/positions/{TOKEN}/", "/events/saturday/positions/…"),
        (f"Authorization: Bearer {TOKEN}", "Authorization: Bearer …"),
        ("/events/saturday/console/", "/events/saturday/console/"),
    ],
)
def test_secrets_are_cut_from_logs(said, as_logged):
    assert shown(said) == as_logged


def test_the_web_server_cuts_the_same_addresses():
    conf = Path("config/deploy/nginx.conf").read_text(encoding="utf-8")
    before = re.search(r'"~\*(\^.*?)" "\$\{shown_part\}', conf)[1].replace("(?<", "(?P<")
    prefixes = [
        "/e/", "/set-up/", "/calendar/read/", "/e-mails/off/", "/accounts/confirm-email/", "/accounts/password/reset/key/", "/rules/board/",
        "/rules/disputes/", "/events/one/positions/", "/events/one/enter/confirm/",
    ]  # fmt: skip
    assert all(re.match(before, f"{prefix}x/y")[0] == prefix for prefix in prefixes)
    ways = logs._secret_addresses().pattern.replace(logs.SLASH, "/").replace("[^/\\s]+", "one").replace("\\-", "-")
    assert set(ways[1 : ways.index(")")].split("|")) == set(prefixes), "a new secret address: nginx.conf names it too"


def _breaks(request, **_parts):
    raise RuntimeError(f"no way to {request.get_full_path()} with {request.POST.get('password')!r:.0}")


@pytest.fixture
def broken(monkeypatch, settings, tmp_path):
    """A site on which a few addresses fail; yields its folder of logs."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(urls, "urlpatterns", [path("broken/<str:one>/", _breaks), path("e/<str:token>/", _breaks),
                                              path("api/broken/", _breaks), *urls.urlpatterns])  # fmt: skip
    import django.urls

    django.urls.clear_url_caches()
    yield tmp_path / "logs"
    monkeypatch.undo()
    django.urls.clear_url_caches()


def _number(answer):
    return re.search(r"<strong>([0-9a-f]{6})</strong>", answer.content.decode())[1]


@pytest.mark.django_db
def test_the_page_and_the_log_give_an_error_one_number_and_no_secret(broken):
    client = Client(raise_request_exception=False)
    answer = client.post(f"/e/{TOKEN}/?key={TOKEN}", {"password": "hunter22"}, headers={"cookie": "sessionid=crumb"})
    assert answer.status_code == 500
    written = (broken / "errors.log").read_text(encoding="utf-8")
    assert f"[{_number(answer)}]" in written
    assert "RuntimeError" in written
    assert "_breaks" in written
    for secret in (TOKEN, "hunter22", "crumb"):
        assert secret not in written
    assert stat.S_IMODE((broken / "errors.log").stat().st_mode) == 0o600
    assert stat.S_IMODE(broken.stat().st_mode) == 0o700


@pytest.mark.django_db
def test_a_script_learns_the_number_too(broken):
    answer = Client(raise_request_exception=False).get("/api/broken/")
    assert answer.status_code == 500
    assert f"[{answer.json()['error']['number']}]" in (broken / "errors.log").read_text(encoding="utf-8")


def test_a_phone_that_drops_its_connection_is_no_error(broken):
    said = "Exception in callback _ProactorBasePipeTransport._call_connection_lost(None)"
    for fault in (ConnectionResetError(10054, "forcibly closed"), RuntimeError("a fault of ours")):
        logging.getLogger("asyncio").error(said, exc_info=fault)
    written = (broken / "errors.log").read_text(encoding="utf-8")
    assert "ConnectionResetError" not in written
    assert "a fault of ours" in written


def _mailed():
    for thread in threading.enumerate():
        if thread.name == "error-mail":
            thread.join(20)
    return mail.outbox


@pytest.mark.django_db(transaction=True)
def test_the_administrators_get_each_error_once_and_nothing_that_was_sent(broken, settings):
    settings.ERROR_MAILS, settings.EMAIL_BACKEND = 3, "django.core.mail.backends.locmem.EmailBackend"
    factories.PersonFactory(email="office@example.org", is_office=True)
    factories.PersonFactory(email="player@example.org")
    client = Client(raise_request_exception=False)
    answers = [client.post(f"/e/{TOKEN}/?key={TOKEN}", {"password": "hunter22"}) for _n in range(3)]
    assert [one.to for one in _mailed()] == [["office@example.org"]]
    told = mail.outbox[0].subject + mail.outbox[0].body
    assert _number(answers[0]) in told
    assert "POST /e/…" in told
    for secret in (TOKEN, "hunter22", "sessionid", "no way to"):
        assert secret not in told
    for n in range(5):
        logging.getLogger(f"judging.other{n}").error("Something else went wrong")
    assert len(_mailed()) == 3


@pytest.mark.django_db(transaction=True)
def test_no_mail_without_a_mail_server(broken, settings):
    settings.ERROR_MAILS, settings.EMAIL_BACKEND = 3, "django.core.mail.backends.console.EmailBackend"
    settings.ADMINS = [("", "office@example.org")]
    Client(raise_request_exception=False).get("/broken/x/")
    assert not (broken / "mailed.json").exists()


@pytest.fixture
def lines():
    """Return a list that collects the lines a handler writes from now on."""
    found, handler = [], logging.Handler()
    handler.emit = lambda record: found.append(handler.format(record))
    handler.addFilter(logs.CutSecrets())
    logging.getLogger().addHandler(handler)
    yield found
    logging.getLogger().removeHandler(handler)


@pytest.mark.django_db
@pytest.mark.parametrize("before", ["%20", "%22", "%3C", "a%27", "a%20", "a%3F", "a%23", "%C3%A9%20"])
def test_a_link_that_was_pasted_with_something_around_it_is_cut_whole(before, lines, caplog):
    caplog.set_level(logging.INFO, "headjudge.access")
    client = Client(raise_request_exception=False)
    client.get(f"/e/{before}{TOKEN}/")
    note("page", "GET", unquote(f"/e/{before}{TOKEN}/"), 404, 0, 0.0)
    assert len(lines) == 2
    assert TOKEN not in "".join(lines)


@pytest.mark.django_db
def test_no_error_tells_the_parts_of_a_secret_address(broken, monkeypatch):
    def breaks(token):
        raise ValueError(f"what is {token}?")

    monkeypatch.setattr("events.views.people.services.entry_of_link", breaks)
    monkeypatch.setattr(urls, "urlpatterns", urls.urlpatterns[3:])  # the fixture's lines left out
    Client(raise_request_exception=False).get(f"/e/{TOKEN}/")
    written = (broken / "errors.log").read_text(encoding="utf-8")
    assert "what is …?" in written
    assert TOKEN not in written


def test_no_address_writes_a_second_line_or_colours_the_terminal(lines, caplog):
    caplog.set_level(logging.INFO, "headjudge.access")
    note("page", "GET", "/x\n2026-01-01 00:00:00,000 ERROR forged\x1b[31m\x9b31m", 404, 0, 0.0)
    assert len(lines) == 1
    assert lines[0].isprintable()


@pytest.mark.django_db(transaction=True)
def test_a_stranger_cannot_use_up_the_mails_and_the_file_of_errors(broken, settings):
    settings.ERROR_MAILS, settings.EMAIL_BACKEND = 3, "django.core.mail.backends.locmem.EmailBackend"
    settings.ADMINS = [("", "office@example.org")]
    for n in range(10):
        assert Client().get("/", headers={"host": f"stranger{n}.example"}).status_code == 400
    assert not _mailed()
    assert not (broken / "errors.log").exists()
    Client(raise_request_exception=False).get("/broken/x/")
    assert len(_mailed()) == 1


def _write_lines(which):
    for n in range(50):
        ErrorFile().emit(logging.makeLogRecord({"msg": f"line {which}-{n} {'y' * 400}"}))


def test_many_processes_write_one_log_and_lose_no_line(settings, tmp_path, monkeypatch):
    """Four processes write at the same time, past the size at which a new file begins."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(logs, "MAX_BYTES", 10_000)
    monkeypatch.setattr(logs, "MAX_FILES", 50)
    at_work = [multiprocessing.get_context("fork").Process(target=_write_lines, args=(n,)) for n in range(4)]
    for one in at_work:
        one.start()
    for one in at_work:
        one.join(60)
    files = list((tmp_path / "logs").glob("errors.log*"))
    lines = [line for one in files for line in one.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == len({re.search(r"line (\d-\d+) y{400}$", line)[1] for line in lines}) == 200
    assert all(one.stat().st_size <= 10_000 for one in files)


def test_the_log_keeps_within_its_bounds(settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(logs, "MAX_BYTES", 1000)
    handler = ErrorFile()
    for n in range(100):
        handler.emit(logging.makeLogRecord({"msg": f"{n} {'x' * 100}"}))
    files = sorted(one.name for one in (tmp_path / "logs").glob("errors*"))
    assert files == ["errors.log", *(f"errors.log.{n}" for n in range(1, 5))]
    assert (tmp_path / "logs/errors.log").read_text(encoding="utf-8").splitlines()[-1].startswith("99 ")


def test_a_log_that_cannot_be_written_stops_nothing(settings, tmp_path):
    (tmp_path / "logs").write_text("no folder", encoding="utf-8")
    settings.DATA_DIR = tmp_path
    ErrorFile().emit(logging.makeLogRecord({"msg": "x"}))
    assert not ErrorMail._is_due("x")


SERVED = """
import asyncio
import uvicorn
uvicorn.Config("config.asgi:application", access_log=True)  # the command `uvicorn` sets its logs up first
import config.asgi
from config import urls
from django.urls import path
urls.urlpatterns.insert(0, path("rules/disputes/<slug:slug>/", lambda request, slug: 1 / 0))

async def main():
    server = uvicorn.Server(uvicorn.Config(config.asgi.application, port=0, lifespan="off", log_config=None))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    for address in ("/e/SECRET1/", "/e/SECRET2", "/accounts/login/?next=/e/SECRET3/", "/rules/disputes/secret4/?key=SECRET5",
                    "/accounts/password/reset/key/3-SECRET6/", "/accounts/confirm-email/SECRET7/"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {address} HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n".encode())
        await reader.read()
        writer.close()
    server.should_exit = True
    await serving

asyncio.run(main())
"""


def test_no_logger_of_a_server_logs_a_link(tmp_path):
    """uvicorn's log of requests, Django's of missing pages and errors, and ours, started as a server starts them."""
    environment = os.environ | {
        "DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings", "ACCESS_LOG": "1", "LOG_FORMAT": "json",
        "LOG_LEVEL": "INFO", "BACKGROUND_WORK": "0",
    }  # fmt: skip
    environment.pop("DATABASE_URL", None)
    done = subprocess.run(
        [sys.executable, "-c", SERVED], env=environment, capture_output=True, encoding="utf-8", timeout=60
    )
    logged = done.stdout + done.stderr + (tmp_path / "logs/errors.log").read_text(encoding="utf-8")
    assert done.returncode == 0, logged
    assert "secret" not in logged.casefold()
    assert "ZeroDivisionError" in logged
    lines = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    assert {"headjudge.access", "uvicorn.access", "django.request"} <= {line["logger"] for line in lines}
