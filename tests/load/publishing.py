"""Publish the second and the last of ten rounds while 500 people wait for the pairings.

Run as a program: `python -m tests.load.publishing [--postgresql] [--readers N]`. Everyone holds a stream open and has
read the standings; once the pairings are out, everyone reads them. Prints a table; exits with 1 if a goal is missed.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.load.crowd import Crowd, p95
from tests.load.hall import ROOT, server
from tests.postgresql.server import postgresql

ROUNDS = (2, 10)
PLAYERS = 500
AIMS = {"published_ms": 500, "faults": 0}
AFTERWARDS = 10.0
"""How many seconds the readers have for the pairings."""


class Waiting(Crowd):
    """People who wait for the pairings, and the judge who publishes them."""

    async def run(self) -> dict:
        """Let everyone arrive, publish, let everyone read, and return the report."""
        told, pairings = self.told, self.page
        async with self.session() as judge:
            await self.sign_in(judge)
            self.page = f"{told['url']}/events/{told['event']}/standings/"
            hall = [
                asyncio.ensure_future(self.spectator(random.random() * told["within"]))
                for _n in range(told["spectators"])
            ]
            until = time.perf_counter() + 60
            while self.open < told["spectators"] and time.perf_counter() < until and not self.faults:
                await asyncio.sleep(0.1)
            self.page = pairings
            published = await self.publish(judge)
            await asyncio.sleep(AFTERWARDS)
        for one in hall:
            one.cancel()
        await asyncio.gather(*hall, return_exceptions=True)
        return {
            "published_ms": published * 1000,
            "pairings_p95_ms": p95(self.again),
            "reads": len(self.again),
            "faults": len(self.faults),
            "first_faults": self.faults[:3],
        }


def measure(environment: dict, *, rounds: int, readers: int, workers: int, port: int, folder: Path) -> dict:
    """Prepare an event up to the draft of this round, serve it, and return what its readers and its judge saw."""
    command = [sys.executable, "-m", "tests.load.prepare", str(PLAYERS), str(rounds)]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    told = json.loads(done.stdout.splitlines()[-1])
    told |= {"url": f"http://127.0.0.1:{port}", "spectators": readers, "within": 10}
    with server(environment, port, workers, folder / "server.log"):
        return asyncio.run(Waiting(told).run())


def main() -> int:
    """Measure each round, print the results, and return an exit status that says whether every goal was met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--readers", type=int, default=500)
    parser.add_argument("--port", type=int, default=8300)
    asked = parser.parse_args()
    missed = False
    for rounds in ROUNDS:
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="headjudge-load-")))
            kept = {"DATA_DIR": str(folder / "kept"), "ACCESS_LOG": "true", "LOG_FORMAT": "json"}
            environment = os.environ | kept | {"ALLOWED_HOSTS": "127.0.0.1"}
            environment.pop("DATABASE_URL", None)
            if asked.postgresql:
                programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
                environment["DATABASE_URL"] = stack.enter_context(postgresql(programs))
            workers = 2 if asked.postgresql else 1
            report = measure(
                environment, rounds=rounds, readers=asked.readers, workers=workers, port=asked.port, folder=folder
            )
        sys.stdout.write(f"round {rounds}, {asked.readers} readers, {'PostgreSQL' if asked.postgresql else 'SQLite'}\n")
        for name, value in report.items():
            misses = name in AIMS and value > AIMS[name]
            missed = missed or misses
            shown = f"{value:.1f}" if isinstance(value, float) else value
            sys.stdout.write(f"  {name:26} {shown}{'  MISSED' if misses else ''}\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
