"""The database, its migrations, and the clock that dates its rows."""

from __future__ import annotations

import contextlib
import datetime
import re
import shutil
import sqlite3
import subprocess
import zoneinfo
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

from events.models import AuditEntry, Installation, Person
from events.names import add_collation
from events.setup_link import is_set_up
from judging.doctor.diagnoses import Diagnosis, Level
from judging.findings import MIN_AHEAD
from judging.management.readiness import what_is_missing
from rules.models import Element

DATABASE, MIGRATIONS, CLOCK, CATALOGUE, ACCOUNTS = "Database", "Migrations", "Clock", "Catalogue", "Accounts"
EARLIEST = datetime.datetime(2026, 11, 1, tzinfo=datetime.UTC)
"""The program is newer than this moment: a clock that shows an earlier time is wrong."""
LATEST = EARLIEST.replace(year=EARLIEST.year + 20)
MAX_APART = 5.0
CONNECT_SECONDS = 5
RESTORE = "Stop the site, then `headjudge restore` the newest backup."


def database() -> Iterator[Diagnosis]:
    """Examine whether the database opens and is undamaged."""
    yield from _sqlite() if connection.vendor == "sqlite" else _postgresql()


def _sqlite() -> Iterator[Diagnosis]:
    """Read SQLite's file without changing it."""
    path = Path(settings.DATABASES["default"]["NAME"]).absolute()
    if not path.exists():
        said = f"{path} doesn't exist yet."
        yield Diagnosis(
            DATABASE,
            Level.ERROR,
            said,
            "Run `headjudge migrate` or `headjudge restore FILE`; or correct DATA_DIR or DATABASE_URL.",
        )
        return
    try:
        with contextlib.closing(
            sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=CONNECT_SECONDS)
        ) as opened:
            add_collation(opened)
            (mode,) = opened.execute("PRAGMA journal_mode").fetchone()
            wrong = [row[0] for row in opened.execute("PRAGMA quick_check(3)") if row[0] != "ok"]
    except sqlite3.Error as fault:
        advice = (
            RESTORE
            if "malformed" in str(fault) or "not a database" in str(fault)
            else ("Check who owns the file and its folder, and close any other program that uses the file.")
        )
        yield Diagnosis(DATABASE, Level.ERROR, f"{path} can't be read: {fault}.", advice)
        return
    if wrong:
        yield Diagnosis(DATABASE, Level.ERROR, f"{path} is damaged: {wrong[0]}.", RESTORE)
    elif mode != "wal":
        said = f"{path} isn't in WAL mode ({mode}): readers and writers wait for each other."
        yield Diagnosis(DATABASE, Level.WARNING, said, "Keep it on a disk of this machine, not on a network drive.")
    else:
        yield Diagnosis(DATABASE, Level.OK, f"{path} can be opened and isn't damaged.")


def _postgresql() -> Iterator[Diagnosis]:
    """Connect to the server once, outside the pool, which would keep retrying."""
    import psycopg

    told: dict[str, Any] = {**connection.get_connection_params(), "connect_timeout": CONNECT_SECONDS}
    told = {name: value for name, value in told.items() if name not in ("pool", "cursor_factory", "context")}
    try:
        with psycopg.connect(**told) as opened:
            version = opened.info.server_version // 10_000
            row = opened.execute("SELECT now(), current_setting('max_connections')::int").fetchone()
    except psycopg.Error as fault:
        said = f"PostgreSQL doesn't answer: {str(fault).strip().splitlines()[0]}."
        yield Diagnosis(DATABASE, Level.ERROR, said, "Start it, or correct DATABASE_URL.")
        return
    now, most = row or (timezone.now(), 0)
    needed = connection.features.minimum_database_version or (0,)
    if version < needed[0]:
        said = f"PostgreSQL {version} is too old."
        yield Diagnosis(DATABASE, Level.ERROR, said, f"Upgrade it to {needed[0]} or later.")
    else:
        yield Diagnosis(DATABASE, Level.OK, f"PostgreSQL {version} answers.")
    apart = (now - timezone.now()).total_seconds()
    if abs(apart) > MAX_APART:
        said = f"The database server's clock differs from this machine's by {abs(apart):.0f} seconds."
        yield Diagnosis(CLOCK, Level.WARNING, said, "Synchronise both clocks with NTP.")
    kept = settings.DATABASES["default"].get("OPTIONS", {}).get("pool") or {}
    if most < kept.get("max_size", 0) + 3:
        said = f"The server allows {most} connections, and each process may keep {kept['max_size']} open."
        yield Diagnosis(DATABASE, Level.WARNING, said, "Lower DATABASE_CONNECTIONS, or raise max_connections.")
    yield from _pg_dump(version)


def _pg_dump(server: int) -> Iterator[Diagnosis]:
    """Examine whether PostgreSQL's own programs can back this server up."""
    found = shutil.which("pg_dump")
    said = ""
    if found is None:
        said = "pg_dump isn't installed"
    else:
        done = subprocess.run(
            [found, "--version"], capture_output=True, encoding="utf-8", errors="replace", check=False
        )
        ours = re.search(r"(\d+)", done.stdout)
        if ours is None or int(ours[1]) < server:
            said = f"pg_dump is older than the server ({ours[1] if ours else 'unknown'}, {server})"
    if said:
        advice = f"Install postgresql-client-{server}: backups are then faster, and other versions can restore them."
        yield Diagnosis(DATABASE, Level.WARNING, f"{said}: backups are written row by row.", advice)


def migrations() -> Iterator[Diagnosis]:
    """Examine whether the database fits this version, has an administrator, and has figures to build forces from."""
    if missing := what_is_missing():
        sentence, _dot, advice = missing.partition(". ")
        yield Diagnosis(MIGRATIONS, Level.ERROR, f"{sentence}.", advice)
        return
    yield Diagnosis(MIGRATIONS, Level.OK, "The database is up to date.")
    if not is_set_up():
        advice = "Open the set-up link that `headjudge serve` or `headjudge setup_link` prints."
        yield Diagnosis(ACCOUNTS, Level.WARNING, "No one has an account yet.", advice)
    elif not Person.objects.filter(is_office=True, is_active=True).exists():
        advice = "Create one: `headjudge createsuperuser`."
        yield Diagnosis(ACCOUNTS, Level.WARNING, "No account is an administrator.", advice)
    elif not Element.objects.exists():
        yield Diagnosis(
            CATALOGUE, Level.WARNING, "The catalogue of figures is empty.", "Run `headjudge load_catalogue`."
        )


def clock(can_ask: bool) -> Iterator[Diagnosis]:
    """Examine whether the clock is plausible, and not behind the newest entry of the audit log."""
    now = timezone.now()
    advice = "Set the clock, or synchronise it with NTP, before the next event."
    if not EARLIEST < now < LATEST:
        yield Diagnosis(CLOCK, Level.ERROR, f"It says {now:%Y-%m-%d %H:%M} UTC, which can't be right.", advice)
        return
    ahead, zone = 0.0, settings.TIME_ZONE
    if can_ask and not what_is_missing():
        zone = Installation.here().time_zone or zone
        newest = AuditEntry.objects.order_by("-pk").values_list("at", flat=True).first()
        ahead = (newest - now).total_seconds() if newest else 0.0
    if ahead > MIN_AHEAD:
        said = f"It is behind: the newest audit log entry is {datetime.timedelta(seconds=round(ahead))} in the future."
        yield Diagnosis(CLOCK, Level.ERROR, said, advice)
        return
    here = timezone.localtime(now, zoneinfo.ZoneInfo(zone))
    yield Diagnosis(CLOCK, Level.OK, f"It is {here:%Y-%m-%d %H:%M} in {zone}. Each venue has its own time zone.")
