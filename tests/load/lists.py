"""Measure the long lists over a season: 100,000 events and 1,000,000 entries on PostgreSQL.

Run as a program: `python -m tests.load.lists [--events N] [--entries N]`. Each page is requested fifty times: first
pages, pages far down and searches. Prints the 95th percentile of each, and exits with 1 if one takes 100 ms or more.
"""

import argparse
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.load.figures import p95
from tests.postgresql.server import postgresql

ROOT = Path(__file__).parents[2]
AIM_MS = 100
TIMES = 50
DEEP = 40
NEXT = re.compile(r'rel="next" href="([^"]+)"')
PAGES = {
    "events to come": "/events/",
    "events played": "/events/?when=played",
    "all events, by name": "/events/?when=all&sort=name",
    "events, searched": "/events/?when=all&q=Skirmish+77",
    "events, a rare name": "/events/?when=played&q=Gauntlet+99",
    "events, a town": "/events/?when=all&q=Lyon",
    "venues": "/venues/",
    "venues, searched": "/venues/?q=Oslo",
    "a venue's events": "/venues/1/",
    "people": "/office/people/",
    "people, searched": "/office/people/?q=Kowalski+0004",
    "players at events": "/office/players/",
    "players, searched": "/office/players/?q=Moreau+0042",
    "players, a common part": "/office/players/?q=Nora",
}


def measure() -> dict[str, dict[str, float]]:
    """Return the 95th percentile in milliseconds of every list, on its first page and far down."""
    import django

    django.setup()
    from django.conf import settings
    from django.test import Client

    from events.models import Person

    settings.ALLOWED_HOSTS = ["*"]
    office = Person.objects.create_user("office@example.org", "-", name="Office", is_office=True)
    client = Client()
    client.force_login(office, backend="django.contrib.auth.backends.ModelBackend")
    found = {}
    for what, address in PAGES.items():
        client.get(address)
        times, deep = [], []
        for _n in range(TIMES):
            began = time.perf_counter()
            answer = client.get(address)
            times.append(time.perf_counter() - began)
            assert answer.status_code == 200, address
        for _n in range(DEEP):
            following = NEXT.search(answer.content.decode())
            if following is None:
                break
            began = time.perf_counter()
            answer = client.get(f"{address.split('?')[0]}{html.unescape(following[1])}")
            deep.append(time.perf_counter() - began)
        found[what] = {"first": p95(times), "deep": p95(deep), "pages": len(deep)}
    return found


def main() -> int:
    """Fill a separate server, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if asked.measure:
        sys.stdout.write(json.dumps(measure()) + "\n")
        return 0
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    with tempfile.TemporaryDirectory(prefix="headjudge-lists-") as folder, postgresql(programs) as address:
        environment = os.environ | {"DATA_DIR": folder, "DATABASE_URL": address, "BACKGROUND_WORK": "false"}
        run = {"cwd": ROOT, "env": environment, "check": True}
        python = [sys.executable, "manage.py"]
        began = time.monotonic()
        subprocess.run([*python, "migrate", "--verbosity", "0"], **run)
        numbers = ["--events", str(asked.events), "--entries", str(asked.entries)]
        subprocess.run([*python, "fill_season", *numbers], **run, stdout=subprocess.DEVNULL)
        sys.stdout.write(
            f"{asked.events:,} events, {asked.entries:,} entries, made in {time.monotonic() - began:.0f} s\n"
        )
        told = subprocess.run(
            [sys.executable, "-m", "tests.load.lists", "--measure"], **run, stdout=subprocess.PIPE, encoding="utf-8"
        )
    found = json.loads(told.stdout.splitlines()[-1])
    slow = 0
    for what, times in found.items():
        missed = max(times["first"], times["deep"]) >= AIM_MS
        slow += missed
        down = f"{times['deep']:6.1f} ms over {times['pages']} further pages" if times["pages"] else ""
        sys.stdout.write(f"  {what:26} {times['first']:6.1f} ms  {down}{'  MISSED' if missed else ''}\n")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
