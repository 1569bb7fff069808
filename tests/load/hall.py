"""A full hall of spectators: they open the pairings, keep a live connection, and read again after each result.

Run as a program: `python -m tests.load.hall` (SQLite, one process, 500 spectators) and `python -m tests.load.hall
--postgresql` (two workers, 2,000). Prints a table; exits with 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import sys

from tests.load.figures import Figure, p95, printed, shown
from tests.load.server import Installation, installation

PLAYERS = 500
SPECTATORS = {False: 500, True: 2000}
"""How many there are on SQLite, and on PostgreSQL."""
MOST = {
    "published_ms": 500,
    "first_p95_ms": 1000,
    "again_p95_ms": 1000,
    "entry_p95_ms": 300,
    "word_to_all_worst_ms": 1000,
}
"""What each of these times may be at most, in milliseconds."""


def logged(place: Installation, part: str, method: str) -> list[float]:
    """Return the durations that the server's log gives for requests with this name."""
    found = []
    for line in place.log.read_text(encoding="utf-8").splitlines():
        if line.startswith("{") and '"ms"' in line:
            told = json.loads(line)
            if told["method"] == method and part in told["path"] and told["by"] != "stream":
                found.append(told["ms"] / 1000)
    return found


def measure(place: Installation, spectators: int) -> list[Figure]:
    """Prepare, serve, let the crowd arrive; return the figures."""
    event = place.run("tests.load.prepare", PLAYERS)
    crowd = {"url": place.url, "spectators": spectators, "within": 10, "early": 20, "entries": 20, "every": 1.5}
    with place.served():
        before = place.seconds_used()
        told = place.run("tests.load.crowd", json.dumps(event | crowd))
        used, memory = place.seconds_used() - before, place.memory()
    entered = p95(logged(place, f"/rounds/{event['round']}/results/", "POST"))
    if told["faults"]:
        sys.stderr.write("\n".join(told["first_faults"]) + "\n")

    def row(what: str, name: str, besides: str = "") -> Figure:
        missed = "" if told[name] < MOST[name] else f"not below {shown(MOST[name])}"
        return Figure(what, shown(told[name]) + besides, missed)

    lost = "" if not told["faults"] and not told["word_missed"] else "lost"
    return [
        row("publishing the round, until the next page", "published_ms"),
        row("opening the pairings within ten seconds of publishing, 95th percentile", "first_p95_ms"),
        row("reading again after a live update, 95th percentile", "again_p95_ms"),
        row(
            "a judge's result at the same time, 95th percentile: as the judge sees it · in the server's log",
            "entry_p95_ms",
            f" · {shown(entered)}",
        ),
        row("a live update to everyone, the slowest", "word_to_all_worst_ms"),
        Figure(
            "reads · faults · live updates missed",
            f"{told['reads']:,} · {told['faults']} · {told['word_missed']}",
            lost,
        ),
        Figure(
            "processor seconds of the server · of the crowd · memory",
            f"{used:.0f} · {told['crowd_cpu_s']:.0f} · {memory:.0f} MB",
        ),
    ]


def main() -> int:
    """Measure one hall, print the result, and return an exit status that says whether every goal was met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--spectators", type=int)
    parser.add_argument("--port", type=int, default=8300)
    asked = parser.parse_args()
    with installation(on_postgresql=asked.postgresql, port=asked.port) as place:
        column = measure(place, asked.spectators or SPECTATORS[asked.postgresql])
    return printed("spectators", column, on_postgresql=asked.postgresql)


if __name__ == "__main__":
    sys.exit(main())
