"""One migrated database of each kind, made once and copied: for each worker, each machine and each race."""

import contextlib
import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import django
import environ
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections

from tests.postgresql.server import command, new_database, of_this_run
from tests.requirements import postgresql_programs
from tests.run import locked, run_folder

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".pytest_cache" / "migrated"


def _state_of_the_migrations() -> str:
    """Return a text that changes with any migration of any app, with the full text, and with what the search finds."""
    from rules.search.corpus import content  # once the apps are loaded

    told = hashlib.sha256(django.__version__.encode())
    for app in apps.get_app_configs():
        for file in sorted(Path(app.path, "migrations").glob("*.py")):
            told.update(file.name.encode() + file.read_bytes())
    told.update((ROOT / "rules" / "full_text.py").read_bytes())  # what it makes isn't in a migration
    told.update(content().encode())
    return told.hexdigest()[:16]


def migrated_sqlite() -> Path:
    """Return the file of a migrated, empty database; it is made again only after a migration has changed."""
    file = KEPT / f"{_state_of_the_migrations()}.sqlite3"
    with locked("sqlite"):
        if not file.exists():
            shutil.rmtree(KEPT, ignore_errors=True)
            KEPT.mkdir(parents=True)
            making = file.with_suffix(".making")
            with switched({**connections.settings["default"], "NAME": str(making)}):
                call_command("migrate", verbosity=0)
            making.rename(file)
    return file


def copied_sqlite(file: Path) -> Path:
    """Copy a migrated, empty database to this path."""
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(migrated_sqlite(), file)
    return file


def quick_sqlite(file: Path) -> dict:
    """Return settings for SQLite in this file, which needn't survive a crash; no connection outlives its request."""
    told = connections.settings["default"]
    options = told["OPTIONS"]
    quickly = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
    return {**told, "NAME": str(file), "CONN_MAX_AGE": 0, "OPTIONS": {**options, "init_command": quickly}}


def copied_postgresql() -> str:
    """Return the DATABASE_URL of a migrated, empty database on the run's server; all copy the first one."""
    programs = postgresql_programs()
    address, done = of_this_run(programs), run_folder() / "migrated-postgresql"
    with locked("migrated-postgresql"):
        if not done.exists():
            command(address, 'CREATE DATABASE "migrated"')
            _migrate_postgresql(f"{address}/migrated", programs)
            done.touch()
    return new_database(address, "migrated")


def _migrate_postgresql(url: str, programs: Path) -> None:
    """Migrate a database, or restore the dump of one that an earlier run has migrated."""
    dump = KEPT / f"{_state_of_the_migrations()}-{programs.parent.name}.sql"
    if dump.exists():
        subprocess.run(
            [programs / "psql", "-q", "-o", os.devnull, "-v", "ON_ERROR_STOP=1", "-f", dump, url], check=True
        )
        return
    with switched(server_settings(url)):
        call_command("migrate", verbosity=0)
    KEPT.mkdir(parents=True, exist_ok=True)
    making = dump.with_suffix(".making")
    subprocess.run([programs / "pg_dump", "--no-owner", "-f", making, url], check=True)
    making.rename(dump)


def server_settings(url: str) -> dict:
    """Return the settings of this server's database, as an installation has them."""
    from config.settings import of_server

    return of_server(environ.Env.db_url_config(url))


UNBLOCKED: list[Callable[[], contextlib.AbstractContextManager[None]]] = []
"""Allows database access in code that isn't marked for it; set by the plugin."""


@contextlib.contextmanager
def switched(told: dict) -> Iterator[None]:
    """Make this the site's database within the block; the earlier connection is kept."""
    before, kept = connections.settings["default"], connections["default"]
    _be_on(told)
    del connections["default"]
    try:
        with UNBLOCKED[-1]() if UNBLOCKED else contextlib.nullcontext():
            yield
    finally:
        connection.close()
        if connection.vendor == "postgresql":
            connection.close_pool()
        _be_on(before)
        connections["default"] = kept


def _be_on(told: dict) -> None:
    settings.DATABASES["default"] = told
    connections.settings = connections.configure_settings(settings.DATABASES)
