"""The worst uploads on a real server: readers don't wait for them. Run by `make soak`."""

import contextlib
import gzip
import http.client
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.load.server import server

ROOT = Path(__file__).parents[2]
PORT = 8153
MAX_SECONDS = 0.3
MB = 1024 * 1024
PREPARE = """
import json
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from events.models import Event, Person
from judging import demo
demo.load(lambda _text: None)
office = Person.objects.filter(is_office=True).first()
session = SessionStore()
session[SESSION_KEY] = str(office.pk)
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = office.get_session_auth_hash()
session.save()
event = Event.objects.exclude(rounds=None).order_by("pk").first()
print(json.dumps([session.session_key, event.public_id]))
"""


def worst():
    """Return the uploads by name: their address and content."""
    event, catalogue, rules = "/events/import/", "/rules/catalogue/imports/", "/api/rules/check-force"
    return {
        "event file: 400 MB in a gzip of 400 kB": (event, gzip.compress(b"[" + b"0," * (200 * MB) + b"0]", 9)),
        "event file: 63 kB of packed brackets": (event, gzip.compress(b"[" * (60 * MB), 9)),
        "event file: 29 MB of numbers": (event, b"[" + b"1," * (29 * MB // 2) + b"0]"),
        "event file: 29 MB of values within the limits": (event, b"[" + b"1.5," * 7_200_000 + b"0]"),
        "event file: 29 MB of small objects": (event, b"[" + b'{"a":1},' * 3_500_000 + b"0]"),
        "event file: one text of 29 MB": (event, b'["' + b"x" * (29 * MB) + b'"]'),
        "event file: 40 MB": (event, b"[" + b'"abc",' * (40 * MB // 6) + b"0]"),
        "catalogue: 9 MB of units": (catalogue, b"[" + b'{"name":"Ada"},' * (9 * MB // 15) + b"0]"),
        "catalogue: 9 MB of numbers": (catalogue, b"[" + b"1," * (9 * MB // 2) + b"0]"),
        "catalogue: 20,000 lines": (
            catalogue,
            b"set,number,name,points\n" + b"".join(b"x1,%d,%s,50\n" % (n, b"Ada" * 45) for n in range(20_000)),
        ),
        "catalogue: 9 MB of cells": (catalogue, b"set,name\n" + (b"," * 9_000 + b"\n") * 1_000),
        "catalogue: 9 MB of XML": (catalogue, b"<set>" + b"<card/>" * (9 * MB // 7) + b"</set>"),
        "catalogue: 40 MB": (catalogue, b"x" * (40 * MB)),
        "rules: 5 MB of documents": (rules, b'{"id": "a"}\n' * (5 * MB // 12)),
        "rules: 5 MB of brackets": (rules, b"[" * (5 * MB - 10)),
        "rules: 5 MB of different keys": (rules, b"{" + b",".join(b'"%d":0' % n for n in range(400_000)) + b',"0":1}'),
    }


class Reader(threading.Thread):
    """A reader who reloads a page again and again, and records how long each took."""

    def __init__(self, port, path):
        super().__init__(daemon=True)
        self.port, self.path = port, path
        self.took, self.faults, self.ends = [], [], False

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        number = 0
        while not self.ends:
            number += 1
            began = time.monotonic()
            try:
                connection.request("GET", f"{self.path}?n={number}")
                answer = connection.getresponse()
                answer.read()
                if answer.status != 200:
                    self.faults.append(answer.status)
            except OSError as fault:
                self.faults.append(repr(fault))
                connection.close()
            self.took.append(time.monotonic() - began)
            time.sleep(0.01)
        connection.close()


def post(port, path, content, key):
    """Send a file (or a body) as the sanctioning office until it is read; return the status and the seconds it took."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    headers = {"Cookie": f"sessionid={key}; csrftoken={'a' * 32}"}
    if path.startswith("/api/"):
        headers["Content-Type"], body = "application/json", content
    else:
        fields = {"csrfmiddlewaretoken": "a" * 32, "counts_from": "2026-01-01", "layout": "", "set_code": "x1"}
        parts = [f'--edge\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items()]
        parts.append('--edge\r\nContent-Disposition: form-data; name="file"; filename="file.json"\r\n\r\n')
        body = "".join(parts).encode() + content + b"\r\n--edge--\r\n"
        headers["Content-Type"] = "multipart/form-data; boundary=edge"
    began = time.monotonic()
    try:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        answer.read()
        status, page = answer.status, answer.headers.get("Location", "")
        while page.startswith("/rules/catalogue/imports/"):  # read beside the server, while its page says how far
            connection.request("GET", page, headers={"Cookie": headers["Cookie"]})
            if b'http-equiv="refresh"' not in connection.getresponse().read():
                break
            time.sleep(0.5)
    except OSError as fault:  # answered and closed before the whole body was sent
        status = type(fault).__name__
    finally:
        connection.close()
    return status, time.monotonic() - began


def measured(root, folder, port=PORT):
    """Return each upload's answer, the longest delays of two readers, and the server's memory afterwards."""
    kept = os.environ | {"DATA_DIR": str(folder / "data"), "SNAPSHOTS_KEPT": "0", "PYTHONPATH": str(root)}
    manage = [sys.executable, str(root / "manage.py")]
    subprocess.run([*manage, "migrate", "--verbosity", "0"], env=kept, cwd=root, check=True)
    told = subprocess.run(
        [*manage, "shell", "-v0", "-c", PREPARE], env=kept, cwd=root, check=True, capture_output=True, encoding="utf-8"
    )
    key, event = json.loads(told.stdout.splitlines()[-1])
    found = {}
    with contextlib.chdir(root), server(kept, port, 1, folder / "log") as running:
        for name, (path, content) in {"nothing": ("", b""), **worst()}.items():
            readers = [Reader(port, "/health/"), Reader(port, f"/events/{event}/standings/")]
            for one in readers:
                one.start()
            time.sleep(1.0)
            for one in readers:
                one.took.clear()
            status, took = post(port, path, content, key) if path else (time.sleep(5), 5.0)
            for one in readers:
                one.ends = True
            for one in readers:
                one.join(120)
            memory = Path(f"/proc/{running.pid}/status").read_text(encoding="utf-8").split("VmRSS:")[1].split()[0]
            delays = [round(max(one.took), 3) for one in readers]
            found[name] = {"status": status, "took": round(took, 1), "delays": delays, "memory_mb": int(memory) // 1024}
            found[name]["faults"] = [fault for one in readers for fault in one.faults]
            print(name, found[name], flush=True)  # noqa: T201 - the figures are the purpose of the run
    return found


@pytest.mark.soak
def test_no_upload_delays_other_readers(tmp_path):
    found = measured(ROOT, tmp_path)
    quiet = max(found.pop("nothing")["delays"])
    assert not [name for name, one in found.items() if one["faults"]]
    assert not {name: one["delays"] for name, one in found.items() if max(one["delays"]) > MAX_SECONDS + quiet}
