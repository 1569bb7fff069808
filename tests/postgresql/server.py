"""A PostgreSQL server for tests: one per test run, in its own folder, on a free loopback port.

Each test that needs a PostgreSQL database gets a new one on it. Programs other than the tests (`make load`) start their
own server.
"""

import contextlib
import json
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg

from tests.run import locked, run_folder

QUICKLY = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200"


def _as_owner(command: list[str]) -> list[str]:
    """Return the command as run by another user: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return command
    return ["runuser", "-u", "postgres", "--", *command]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(programs: Path) -> tuple[str, Path]:
    """Start a server; return its address (without a database name) and its folder."""
    folder = Path(tempfile.mkdtemp(prefix="headjudge-pg-", dir="/tmp"))
    if os.geteuid() == 0:
        owner = pwd.getpwnam("postgres")
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    cluster, log, port = str(folder / "cluster"), str(folder / "log"), _free_port()
    make = [str(programs / "initdb"), "-D", cluster, "-U", "headjudge", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run(_as_owner(make), check=True, capture_output=True, cwd=folder)
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} {QUICKLY}"
    begin = [str(programs / "pg_ctl"), "-D", cluster, "-l", log, "-w", "-o", options, "start"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(_as_owner(begin), check=True, cwd=folder, **quiet)
    return f"postgres://headjudge@127.0.0.1:{port}", folder


def stop(programs: Path, folder: Path) -> None:
    """Stop the server of this folder and delete the folder."""
    end = [str(programs / "pg_ctl"), "-D", str(folder / "cluster"), "-m", "immediate", "stop"]
    subprocess.run(_as_owner(end), check=False, capture_output=True, cwd="/")
    shutil.rmtree(folder, ignore_errors=True)


def of_this_run(programs: Path) -> str:
    """Return the address of the run's server; the first caller starts it, and the end of the run stops it."""
    told = run_folder() / "postgresql.json"
    with locked("postgresql"):
        if not told.exists():
            address, folder = start(programs)
            told.write_text(
                json.dumps({"address": address, "folder": str(folder), "programs": str(programs)}), encoding="utf-8"
            )
    return json.loads(told.read_text(encoding="utf-8"))["address"]


def stop_of_this_run() -> None:
    """Stop the run's server, if there is one."""
    told = run_folder() / "postgresql.json"
    if told.exists():
        kept = json.loads(told.read_text(encoding="utf-8"))
        stop(Path(kept["programs"]), Path(kept["folder"]))


def command(address: str, sql: str) -> None:
    """Execute one statement outside any transaction."""
    with psycopg.connect(f"{address}/postgres", autocommit=True) as link:
        link.execute(sql)


def new_database(address: str, template: str = "template0") -> str:
    """Create a database, empty or as a copy of another, and return its DATABASE_URL."""
    name = f"test_{secrets.token_hex(6)}"
    command(address, f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return f"{address}/{name}"


@contextlib.contextmanager
def postgresql(programs: Path) -> Iterator[str]:
    """Yield the DATABASE_URL of a new, empty database on the run's server, or outside a run on its own server."""
    if run_folder() is not None:
        yield new_database(of_this_run(programs))
        return
    address, folder = start(programs)
    try:
        yield f"{address}/postgres"
    finally:
        stop(programs, folder)
