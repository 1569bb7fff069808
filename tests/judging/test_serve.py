"""`serve`: on this machine, on a shop's network, with HTTPS; and what it says if something is missing."""

import contextlib
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import segno
from django.core.management import CommandError, call_command

from judging.management import listening, readiness
from judging.management.commands import serve
from tests.databases import copied_sqlite

ROOT = Path(__file__).parents[2]


@pytest.fixture
def served(monkeypatch, administrator):
    """Return the arguments with which a server would have been started."""
    told = {}

    def serve_until_stopped(_config, listener):
        told["host"], told["port"] = listener.getsockname()[:2]

    monkeypatch.setattr(serve, "serve_until_stopped", serve_until_stopped)
    return told


def test_without_more_it_serves_this_machine_only(served, capsys):
    call_command("serve", port=8765)
    assert served["host"] == "127.0.0.1"
    assert "http://127.0.0.1:8" in capsys.readouterr().out


def test_on_the_network_it_shows_an_address_that_phones_can_open(served, capsys, monkeypatch, settings):
    monkeypatch.setattr(serve, "network_address", lambda: "192.168.7.20")
    settings.SITE_URL = ""
    call_command("serve", lan=True, port=8765)
    said = capsys.readouterr().out
    address = f"http://192.168.7.20:{served['port']}"
    assert served["host"] == "0.0.0.0"
    assert f"{address}/here/" in said
    drawn = said.split("address:\n", 1)[1].split("The page")[0].removesuffix("\n").split("\n")
    light = [[half in {"█", which} for half in line] for line in drawn for which in ("▀", "▄")]
    code = [[not dark for dark in row] for row in segno.make(f"{address}/", error="m").matrix_iter(border=4)]
    assert light[: len(code)] == code, "row under row without gaps, or no phone reads it"
    assert address == settings.SITE_URL
    assert "192.168.7.20" in settings.ALLOWED_HOSTS


@pytest.mark.parametrize("lan", [True, False])
def test_the_demo_on_the_network_is_warned_of(served, capsys, monkeypatch, settings, lan):
    """Its passwords are public, and one of its people is an administrator."""
    monkeypatch.setattr(serve, "network_address", lambda: "192.168.7.20")
    settings.SITE_URL = ""
    monkeypatch.setattr(serve, "demo_is_there", lambda: True)
    call_command("serve", lan=lan, port=8765)
    assert ("This is the demo" in capsys.readouterr().err) == lan


def test_on_no_network_it_says_so(served, capsys, monkeypatch, settings):
    monkeypatch.setattr(serve, "network_address", lambda: None)
    settings.SITE_URL = ""
    call_command("serve", lan=True, port=8765)
    assert "on a network" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"port": 99_999}, "99999 isn't a port"),
        ({"port": 0}, "0 isn't a port"),
        ({"host": "203.0.113.9"}, "doesn't have the address 203.0.113.9"),
        ({"host": "no such host"}, "The host no such host (--host) doesn't exist"),
    ],
)
def test_a_port_or_an_address_that_cannot_be_is_named(served, options, said):
    with pytest.raises(CommandError, match=re.escape(said)):
        call_command("serve", **options)
    assert not served


def has_ipv6() -> bool:
    """Whether this machine has IPv6's own address."""
    with contextlib.suppress(CommandError), listening.listen("::1", 8765):
        return True
    return False


ipv6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", pytest.param("::1", marks=ipv6), pytest.param("[::1]", marks=ipv6)]
)
def test_a_port_in_use_is_reported_and_the_next_one_served(served, capsys, host, settings):
    with listening.listen(host.strip("[]"), 8765) as other:
        taken = other.getsockname()[1]
        call_command("serve", port=taken, host=host)
    assert served["port"] > taken
    said = capsys.readouterr().out
    assert f"Another program uses port {taken}, so Headjudge uses port {served['port']}." in said
    address = re.search(r"http://(.+):\d+/", said)[1]
    assert address in settings.ALLOWED_HOSTS


@ipv6
def test_an_ipv6_address_is_answered_under_its_name(served, settings):
    settings.ALLOWED_HOSTS = []
    call_command("serve", port=8765, host="::1")
    assert settings.ALLOWED_HOSTS == ["[::1]"]


def test_it_says_so_if_every_port_is_taken(served, monkeypatch):
    monkeypatch.setattr(listening, "TRIED", 1)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(CommandError, match=f"Other programs use ports {port} to {port}"):
            call_command("serve", port=port)


def test_a_port_for_administrators_is_named(served, monkeypatch):
    def refuse(_socket, _address):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(listening.socket.socket, "bind", refuse)
    with pytest.raises(CommandError, match="This account isn't allowed to use port 80"):
        call_command("serve", port=80)


def test_a_database_of_an_older_version_is_reported(served, capsys, monkeypatch):
    monkeypatch.setattr(readiness, "is_behind", lambda: True)
    call_command("serve", port=8765)
    assert "headjudge migrate" in capsys.readouterr().err
    assert served


@pytest.mark.parametrize(
    ("options", "said"), [({"certificate": "missing.pem"}, "missing.pem"), ({"key": "missing.pem"}, "--certificate")]
)
def test_a_certificate_that_is_not_there_is_named(served, options, said):
    with pytest.raises(CommandError, match=re.escape(said)):
        call_command("serve", **options)
    assert not served


def status_of(address, trusting):
    """Return an address's status, retrying until the server listens."""
    for _n in range(100):
        try:
            with urllib.request.urlopen(address, context=trusting, timeout=10) as answer:
                return answer.status
        except urllib.error.URLError:
            time.sleep(0.2)
    return None


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate of this test")
def test_with_a_certificate_it_serves_by_https(tmp_path):
    certificate, key = tmp_path / "site.pem", tmp_path / "site.key"
    made = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout {key} -out {certificate}"
    subprocess.run([*made.split(), "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    copied_sqlite(tmp_path / "kept" / "headjudge.sqlite3")
    environment = os.environ | {"DATA_DIR": str(tmp_path / "kept"), "PYTHONUNBUFFERED": "1"}
    environment.pop("DATABASE_URL", None)
    command = [sys.executable, "manage.py", "serve", "--port", "8790", "--certificate", certificate, "--key", key]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, encoding="utf-8") as server:
        try:
            line = ""
            while "Headjudge is at" not in line:
                line = server.stdout.readline()
                assert line or server.poll() is None
            address = re.search(r"https://[\w.:]+/", line)[0]
            trusting = ssl.create_default_context(cafile=str(certificate))
            assert status_of(f"{address}static/icon.svg", trusting) == 200
        finally:
            server.terminate()
            server.wait(20)


def test_the_address_is_shown_for_a_projector(client, staff, settings):
    settings.SITE_URL = "http://192.168.7.20:8000"
    page = client.get(f"/here/?event={staff.event.public_id}").text
    assert f"http://192.168.7.20:8000/events/{staff.event.public_id}/" in page
    assert "<svg" in page
    assert "Only this machine" not in page
    settings.SITE_URL = ""
    assert "Only this machine" in client.get("/here/", headers={"host": "127.0.0.1"}).text
    assert client.get("/here/?event=nothing").status_code == 404
