"""Load a server with a full hall, and measure what the crowd and the server's own log see.

Run as a program: `python -m tests.load.hall` (SQLite, one process, 500 spectators) and `python -m tests.load.hall
--postgresql` (two workers, 2,000). Prints a table; exits with 1 if a goal is missed.
"""

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from tests.load.crowd import p95
from tests.postgresql.server import postgresql

ROOT = Path(__file__).parents[2]
AIMS = {
    "published_ms": 1000,
    "faults": 0,
    "first_p95_ms": 1000,
    "again_p95_ms": 1000,
    "entry_p95_ms": 300,
    "word_to_all_worst_ms": 1000,
    "word_missed": 0,
}


def seconds_used(pid: int) -> float:
    """Return the CPU seconds of a process and of its finished children."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(") ", 1)[1].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Return a process's memory in megabytes."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def family(pid: int) -> list[int]:
    """Return a process and its children."""
    told = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    return [pid, *map(int, told)]


@contextlib.contextmanager
def server(environment: dict, port: int, workers: int, log: Path):
    """Serve the site, yield the process, and stop it."""
    python = [sys.executable, "-m"]
    environment = environment | {"MALLOC_ARENA_MAX": "2"}  # the unit in config/deploy sets this; `serve` sets it itself
    if workers == 1:
        command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    else:
        worker = "config.worker.Worker"
        command = [*python, "gunicorn", "config.asgi:application", "-k", worker, "-w", str(workers)]
        command += ["-b", f"127.0.0.1:{port}", "--log-level", "warning", "--keep-alive", "75"]
    with log.open("w", encoding="utf-8") as written:
        running = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=written, stderr=subprocess.STDOUT)
        try:
            until = time.monotonic() + 60
            while time.monotonic() < until:
                with (
                    contextlib.suppress(OSError),
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/health/", timeout=5),
                ):
                    break
                time.sleep(0.2)
            yield running
        finally:
            running.send_signal(signal.SIGTERM)
            running.wait(30)


def logged(log: Path, part: str, method: str) -> list[float]:
    """Return the durations that the server's log gives for requests with this name."""
    found = []
    for line in log.read_text(encoding="utf-8").splitlines():
        if line.startswith("{") and '"ms"' in line:
            told = json.loads(line)
            if told["method"] == method and part in told["path"] and told["by"] != "stream":
                found.append(told["ms"] / 1000)
    return found


def measure(environment: dict, *, spectators: int, workers: int, port: int, folder: Path) -> dict:
    """Prepare, serve, let the crowd arrive; return all measurements."""
    run = {"cwd": ROOT, "env": environment, "check": True, "stdout": subprocess.PIPE, "text": True}
    event = json.loads(
        subprocess.run([sys.executable, "-m", "tests.load.prepare", "500"], **run).stdout.splitlines()[-1]
    )
    told = event | {
        "url": f"http://127.0.0.1:{port}",
        "spectators": spectators,
        "within": 10,
        "early": 20,
        "entries": 20,
        "every": 1.5,
    }
    log = folder / "server.log"
    with server(environment, port, workers, log) as running:
        before = {pid: seconds_used(pid) for pid in family(running.pid)}
        idle = sum(map(memory, before))
        crowd = subprocess.run([sys.executable, "-m", "tests.load.crowd", json.dumps(told)], **run)
        report = json.loads(crowd.stdout.splitlines()[-1])
        report["server_cpu_s"] = sum(seconds_used(pid) - used for pid, used in before.items())
        report["server_memory_mb"] = sum(map(memory, before))
        report["server_memory_grown_mb"] = report["server_memory_mb"] - idle
    page = f"/rounds/{event['round']}/"
    report["server_page_p95_ms"] = p95(logged(log, page, "GET"))
    report["server_entry_p95_ms"] = p95(logged(log, f"{page}results/", "POST"))
    return report


def main() -> int:
    """Measure one hall, print the result, and return an exit status that says whether every goal was met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--spectators", type=int)
    parser.add_argument("--port", type=int, default=8300)
    asked = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="headjudge-load-")))
        environment = os.environ | {
            "DATA_DIR": str(folder / "kept"),
            "ACCESS_LOG": "true",
            "LOG_FORMAT": "json",
            "ALLOWED_HOSTS": "127.0.0.1",
        }
        environment.pop("DATABASE_URL", None)
        workers, spectators = 1, asked.spectators or 500
        if asked.postgresql:
            programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
            environment["DATABASE_URL"] = stack.enter_context(postgresql(programs))
            workers, spectators = 2, asked.spectators or 2000
        report = measure(environment, spectators=spectators, workers=workers, port=asked.port, folder=folder)
    missed = [name for name, aim in AIMS.items() if report[name] > aim]
    kind = "PostgreSQL, two workers" if asked.postgresql else "SQLite, one process"
    lines = [f"{kind}, {spectators} spectators"]
    for name, value in report.items():
        aim = f"  (aim {AIMS[name]})" if name in AIMS else ""
        shown = f"{value:.1f}" if isinstance(value, float) else value
        lines.append(f"  {name:26} {shown}{aim}{'  MISSED' if name in missed else ''}")
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
