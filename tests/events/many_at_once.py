"""Many people act at one event at the same moment, on a real server; prints the outcome.

Run as a program on a separate installation. It creates an event in that installation's database, starts the site, and
lets all clients (players, scorekeepers, judges) act at the same instant, phase by phase: pair, publish, report and
enter, correct.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
from collections import Counter
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port: int, server: subprocess.Popen, seconds: int = 60) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if server.poll() is not None:
            raise RuntimeError("the server has ended")
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server does not answer")


class Visitor:
    """One person's browser."""

    def __init__(self, port: int, person) -> None:
        from tests.conftest import client_of

        self.port, self.person = port, person
        self.session = client_of(person).cookies["sessionid"].value
        self.came: list[tuple[str, int]] = []

    def post(self, what: str, address: str, **sent: object) -> int:
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"sessionid={self.session}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
            "Accept": "application/json",
        }
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        link.request("POST", address, urllib.parse.urlencode(sent), headers)
        answer = link.getresponse()
        answer.read()
        link.close()
        self.came.append((what, answer.status))
        return answer.status


def together(acts) -> None:
    """Start all at the same instant, and wait for the last."""
    gate = threading.Barrier(len(acts))
    faults: list[BaseException] = []

    def run(act) -> None:
        gate.wait()
        try:
            act()
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


def broken_chains(event) -> list[str]:
    """Return audit log entries that show a lost update: the state before a write isn't that after the previous one."""
    from events.models import AuditEntry

    last: dict[tuple, object] = {}
    faults = []
    for entry in AuditEntry.objects.filter(event=event).order_by("pk"):
        for change in entry.changes:
            for name, before in (change["before"] or {}).items():
                key = (change["model"], change["id"], name)
                if key in last and last[key] != before:
                    faults.append(f"{entry}: {key} was {last[key]}, the writer saw {before}")
            for name, after in (change["after"] or {}).items():
                last[change["model"], change["id"], name] = after
    return faults


def evening(port: int, players: int, scorekeepers: int, judges: int, seed: int = 7) -> dict:
    from django.urls import reverse

    from events.models import AuditEntry, Event, Match
    from tests import factories

    chance = random.Random(seed)
    event = factories.EventFactory(seats=players + 10, number_of_rounds=3)
    head = factories.OfficialFactory(event=event).person
    officials = [head]
    for role, count in (("judge", judges - 1), ("scorekeeper", scorekeepers)):
        officials += [factories.OfficialFactory(event=event, role=role).person for _n in range(count)]
    for number in range(1, players + 1):
        factories.EntryFactory(
            event=event, number=number, person=factories.PersonFactory(), name=f"Player {number:03d}"
        )
    desk = [Visitor(port, person) for person in officials]
    judging = desk[:judges]
    by_person = {entry.person_id: Visitor(port, entry.person) for entry in event.entries.select_related("person")}

    def url(name: str, *parts: object) -> str:
        return reverse(name, args=[event.public_id, *parts])

    found: dict = {"clients": len(desk) + len(by_person), "rounds": []}
    for number in (1, 2):
        together([partial(one.post, "pair", url("events:draft-next")) for one in desk])
        version = event.rounds.get(number=number).version
        publish = url("events:publish", number)
        together([partial(one.post, "publish", publish, version=version) for one in desk])
        games = event.rounds.get(number=number).matches.filter(kind="game").select_related("a", "b")
        matches = {match.table: match for match in games.order_by("table")}
        tables = list(matches)
        acts = []
        for table, match in matches.items():
            claim, points = url("events:claim", number, table), chance.randrange(50, 200)
            for entry, more in ((match.a, 0), (match.b, 7 if table % 3 == 0 else 0)):
                acts.append(partial(by_person[entry.person_id].post, "claim", claim, score_a=points, score_b=10 + more))
        for place, one in enumerate(desk):
            table = tables[place % len(tables)]
            if one in judging:
                extend = url("events:extend", number, table)
                acts.append(partial(one.post, "extend", extend, minutes=3, reason="A call"))
            else:
                enter = url("events:enter-result", number, table)
                acts.append(partial(one.post, "enter", enter, act="enter", score_a=20 + place, score_b=5))
        together(acts)
        decided = {"act": "decide", "score_a": 99, "score_b": 1, "reason": "Asked both"}
        result = {table: url("events:enter-result", number, table) for table in tables}
        together([partial(one.post, "decide", result[t], **decided) for t in tables for one in judging[:2]])
        seen = {table: Match.objects.get(pk=match.pk).version for table, match in matches.items()}
        right = {"act": "correct", "score_b": 3, "confirmed": "yes", "reason": "A slip"}
        together(
            [
                partial(one.post, "correct", result[t], score_a=101 + place, version=seen[t], **right)
                for t in tables[:3]
                for place, one in enumerate(judging)
            ]
        )
        complete = url("events:complete", number)
        together([partial(one.post, "complete", complete) for one in desk])
        row = event.rounds.get(number=number)
        seats = Counter(pk for m in row.matches.all() for pk in (m.a_id, m.b_id) if pk)
        found["rounds"].append(
            {
                "state": row.state,
                "matches": row.matches.count(),
                "seats": sorted(set(seats.values())),
                "seated": len(seats),
                "open": row.matches.exclude(state="confirmed").count(),
                "corrected": [
                    AuditEntry.objects.filter(verb="correct-result", subject_id=matches[t].pk).count()
                    for t in tables[:3]
                ],
            }
        )
    told = Counter()
    for one in (*desk, *by_person.values()):
        told.update(f"{what} {status}" for what, status in one.came)
    written = Counter(AuditEntry.objects.filter(event=event).values_list("verb", flat=True))
    found |= {"answers": dict(told), "record": dict(written), "faults": broken_chains(event)}
    found["state"] = Event.objects.get(pk=event.pk).state
    return found


def main(players: int, scorekeepers: int, judges: int) -> None:
    """Serve this process's installation from a child process, and print the outcome."""
    from django.conf import settings
    from django.db import connection

    told = connection.settings_dict
    environment = dict(os.environ) | {"DATA_DIR": str(settings.DATA_DIR), "DJANGO_SETTINGS_MODULE": "config.settings"}
    if connection.vendor == "postgresql":
        environment["DATABASE_URL"] = f"postgres://{told['USER']}@{told['HOST']}:{told['PORT']}/{told['NAME']}"
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port), "--log-level", "error"]
    log = Path(settings.DATA_DIR, "server.log")
    with log.open("w", encoding="utf-8") as said:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=said, stderr=said)
        try:
            wait_for(port, server)
            came = evening(port, players, scorekeepers, judges)
        finally:
            server.terminate()
            server.wait(timeout=30)
    came["errors"] = [line for line in log.read_text(encoding="utf-8").splitlines() if "Error" in line][:10]
    print(json.dumps(came))  # noqa: T201
