"""A PostgreSQL server for one test run, in a folder of its own, on a free loopback port."""

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path


def _as_owner(command: list[str]) -> list[str]:
    """Return the command as a user whom PostgreSQL accepts: it refuses to run as root."""
    if os.geteuid() != 0:
        return command
    return ["runuser", "-u", "postgres", "--", *command]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def postgresql(programs: Path) -> Iterator[str]:
    """Start a server, yield its DATABASE_URL, stop it and remove its folder."""
    folder = Path(tempfile.mkdtemp(prefix="headjudge-pg-", dir="/tmp"))
    try:
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        cluster, log, port = str(folder / "cluster"), str(folder / "log"), _free_port()
        run = {"check": True, "capture_output": True, "cwd": folder}
        subprocess.run(
            _as_owner([str(programs / "initdb"), "-D", cluster, "-U", "headjudge", "-A", "trust", "-E", "UTF8"]), **run
        )
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
        start = [str(programs / "pg_ctl"), "-D", cluster, "-l", log, "-w", "-o", options, "start"]
        subprocess.run(_as_owner(start), check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield f"postgres://headjudge@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run(_as_owner([str(programs / "pg_ctl"), "-D", cluster, "-m", "immediate", "stop"]), **run)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
