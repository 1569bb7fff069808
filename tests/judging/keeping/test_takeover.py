"""The laptop dies during a round: a second machine takes over, and printed codes still lead to the right pages."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from django.db import connection

from tests.databases import copied_postgresql
from tests.judging.machines import ROOT, Machines, command

own_databases = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="these processes have databases of their own: once is enough"
)
MID_ROUND = """
import json
from django.conf import settings
settings.SITE_URL = "http://192.0.2.7:8000"
from tests.factories import OfficialFactory, EventFactory
from tests.events.simulation import players, result
from events.models import Entry, Match
from events.roles import SITE
from events.services import clock, rounds, results
from events.services.people import entry_link
from judging.background import Background
event = EventFactory(name="Mid-round", number_of_rounds=3)
OfficialFactory(event=event)
players(event, 8)
row = rounds.publish_round(by=SITE, round=rounds.draft_round(by=SITE, event=event))
clock.start_preparation(by=SITE, round=row)
clock.start_round(by=SITE, round=row)
first = Match.objects.filter(round=row).order_by("table").first()
results.enter_result(by=SITE, match=first, result=result("b"))
thread = Background()
thread.asked.put((event.pk, True, settings.SITE_URL))
thread.turn(0.0)
ends = clock.reading_of(row).ends
print(json.dumps({"event": event.public_id, "link": entry_link(Entry.objects.get(number=3)), "ends": ends.timestamp()}))
"""
LOOKED = """
import json, re
from django.test import Client
from events.models import Event, Match
from events.services.clock import reading_of
event = Event.objects.get(public_id={event!r})
row = event.rounds.get()
client = Client()
by_link = client.get({link!r})
slip = client.get(f"/events/{{event.public_id}}/rounds/1/tables/2/")
print(json.dumps({{"link": [by_link.status_code, by_link.url], "player": client.get(by_link.url).status_code, "slip": slip.status_code,
  "ends": reading_of(row).ends.timestamp(), "away": event.away, "confirmed": Match.objects.filter(state="confirmed").count(),
  "papers": event.bundles.filter(state="made").count()}}))
"""


@pytest.fixture
def machines(tmp_path):
    with Machines(tmp_path) as found:
        yield found


class Site:
    """A real server of an installation, on its own port."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        kept = {
            name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SECRET_KEY", "COPY_DIR")
        }
        command_ = [
            sys.executable,
            "-m",
            "uvicorn",
            "config.asgi:application",
            "--port",
            str(self.port),
            "--lifespan",
            "off",
        ]
        self.log = (folder / "log").open("w", encoding="utf-8")
        self.program = subprocess.Popen(
            command_, cwd=ROOT, env=kept | {"DATA_DIR": str(folder)}, stdout=self.log, stderr=subprocess.STDOUT
        )
        for _try in range(300):
            try:
                self.get("/")
                return
            except OSError:
                time.sleep(0.2)
        raise AssertionError((folder / "log").read_text(encoding="utf-8")[-2000:])

    def get(self, path: str) -> tuple[int, str, str]:
        """Return a page's status, its address after redirects, and its text."""
        jar = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        try:
            with jar.open(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
                return answer.status, answer.url, answer.read().decode()
        except urllib.error.HTTPError as told:
            return told.code, path, told.read().decode()

    def kill(self) -> None:
        self.program.send_signal(signal.SIGKILL)
        self.program.wait(10)
        self.log.close()


def ends_on(page: str) -> float:
    """Return the instant at which the clock on a page ends, in seconds."""
    found = re.search(r'data-ends="(\d+)"', page)
    assert found, page[-1500:]
    return int(found[1]) / 1000


@own_databases
def test_by_a_backup_a_second_machine_serves_the_printed_addresses_and_the_same_clock(machines, tmp_path):
    machines.migrated("laptop")
    was = json.loads(machines.run("laptop", MID_ROUND).splitlines()[-1])
    laptop = Site(tmp_path / "laptop")
    at = f"/events/{was['event']}"
    try:
        before = laptop.get(f"{at}/display/")[2]
        machines.run("laptop", command("backup", str(tmp_path / "stick.tar.gz")))
    finally:
        laptop.kill()
    machines.run("second", command("restore", str(tmp_path / "stick.tar.gz")))
    second = Site(tmp_path / "second")
    try:
        status, address, _text = second.get(was["link"])
        assert (status, address.endswith(f"{at}/entries/3/")) == (200, True)
        assert second.get(f"{at}/rounds/1/tables/2/")[0] == 200
        assert second.get("/e/forged.1~abc/")[0] == 404
        page = second.get(f"{at}/display/")[2]
        assert ends_on(page) == ends_on(before) == pytest.approx(was["ends"], abs=1.5)
    finally:
        second.kill()


def code_in(said: str) -> str:
    """Return the pairing code in a command's output."""
    return re.search(r"shown only now: (\S+)", said)[1]


def told(file: str) -> dict:
    """Return a file's document without its signatures: this part is the same on every machine."""
    document = json.loads(Path(file).read_bytes())
    assert document.pop("signatures")
    return document


PAIRED = """
from events.roles import SITE
from judging.keeping.machines import pair
print("shown only now:", pair(by=SITE, name={name!r}, code={code!r})[1])
"""


@own_databases
def test_an_event_continues_elsewhere_from_its_latest_snapshot(machines, tmp_path):
    machines.migrated("laptop")
    code = code_in(machines.run("laptop", PAIRED.format(name="the office", code="")))
    was = json.loads(machines.run("laptop", MID_ROUND).splitlines()[-1])
    newest = max((tmp_path / "laptop/snapshots").rglob("*.json.gz"))
    machines.migrated("office")
    refused = machines.run("office", command("import_event", str(newest), "--take-over"), fails=True)
    assert "--pairing-code" in refused
    assert ": head judge" in refused, "whom the file would give a role"
    wrong = code[:-1] + ("A" if code[-1] != "A" else "B")
    assert "doesn't belong" in machines.run(
        "office", command("import_event", str(newest), "--pairing-code", wrong), fails=True
    )
    said = machines.run("office", command("import_event", str(newest), "--pairing-code", code.lower()))
    assert "--take-over" in said
    assert "It will be created and approved" in said
    said = machines.run("office", command("import_event", str(newest), "--take-over"))
    assert "change the event here from now on" in said
    assert "changepassword" in said
    now = json.loads(machines.run("office", LOOKED.format(**was)))
    assert now["link"] == [302, f"/events/{was['event']}/entries/3/"]
    assert (now["player"], now["slip"], now["away"], now["confirmed"]) == (200, 200, "", 1)
    assert now["ends"] == was["ends"]


@own_databases
def test_without_a_pairing_running_the_command_vouches_for_the_snapshot(machines, tmp_path):
    machines.migrated("laptop")
    machines.migrated("office")
    was = json.loads(machines.run("laptop", MID_ROUND).splitlines()[-1])
    newest = max((tmp_path / "laptop/snapshots").rglob("*.json.gz"))
    said = machines.run("office", command("import_event", str(newest), "--take-over", "--trust"))
    assert "change the event here from now on" in said
    now = json.loads(machines.run("office", LOOKED.format(**was)))
    assert (now["link"][0], now["away"], now["confirmed"]) == (302, "", 1)


@own_databases
@pytest.mark.postgres
def test_from_the_laptop_to_the_offices_server_and_back_byte_for_byte(machines, tmp_path):
    file, back = str(tmp_path / "event.json"), str(tmp_path / "back.json")
    url = copied_postgresql()
    machines.migrated("laptop")
    was = json.loads(machines.run("laptop", MID_ROUND).splitlines()[-1])
    code = code_in(machines.run("laptop", command("export_event", was["event"], file, "--hand-over", "the office")))
    machines.run("office", command("import_event", file, "--pairing-code", code), url=url)
    machines.run("office", command("export_event", was["event"], back), url=url)
    assert told(file) == told(back)
    machines.run("office", command("export_event", was["event"], back, "--force", "--hand-over", "the laptop"), url=url)
    assert "1 audit log entry is only in the file" in machines.run("laptop", command("import_event", back))
    machines.run("laptop", command("export_event", was["event"], file, "--force"))
    assert told(file) == told(back)
    now = json.loads(machines.run("laptop", LOOKED.format(**was)))
    assert (now["confirmed"], now["away"], now["papers"]) == (1, "", 1)
