"""Publish the second and the last of ten rounds while 500 people wait for the pairings.

Run as a program: `python -m tests.load.publishing [--postgresql] [--readers N]`. Everyone holds a stream open and has
read the standings; once the pairings are out, everyone reads them. Prints a table; exits with 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time

from tests.load.crowd import Crowd
from tests.load.figures import Figure, p95, printed, shown
from tests.load.server import Installation, installation

ROUNDS = (2, 10)
PLAYERS = 500
READERS = 500
MOST_MS = 500
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
            published, seen = await self.publish(judge)
            await asyncio.sleep(AFTERWARDS)
        for one in hall:
            one.cancel()
        await asyncio.gather(*hall, return_exceptions=True)
        return {
            "published_ms": published * 1000,
            "seen_ms": seen * 1000,
            "pairings_p95_ms": p95(self.again),
            "reads": len(self.again),
            "faults": len(self.faults),
            "first_faults": self.faults[:3],
        }


def measure(place: Installation, rounds: int, readers: int) -> list[Figure]:
    """Prepare an event up to the draft of this round, serve it, and return what its readers and its judge saw."""
    told = place.run("tests.load.prepare", PLAYERS, rounds)
    told |= {"url": place.url, "spectators": readers, "within": 10}
    with place.served():
        seen = asyncio.run(Waiting(told).run())
    if seen["faults"]:
        sys.stderr.write("\n".join(seen["first_faults"]) + "\n")
    both = f"{shown(seen['published_ms'])} · {shown(seen['seen_ms'])}"
    missed = "" if seen["published_ms"] < MOST_MS else f"not below {shown(MOST_MS)}"
    return [
        Figure(f"publishing round {rounds} while {readers} wait for it · with the judge's next page", both, missed),
        Figure(f"reading the pairings of round {rounds}, 95th percentile", shown(seen["pairings_p95_ms"])),
        Figure(
            f"reads · faults in round {rounds}", f"{seen['reads']} · {seen['faults']}", "lost" if seen["faults"] else ""
        ),
    ]


def main() -> int:
    """Measure each round, print the results, and return an exit status that says whether every goal was met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--readers", type=int, default=READERS)
    parser.add_argument("--port", type=int, default=8300)
    asked = parser.parse_args()
    column = []
    for rounds in ROUNDS:
        with installation(on_postgresql=asked.postgresql, port=asked.port) as place:
            column += measure(place, rounds, asked.readers)
    return printed("publishing", column, on_postgresql=asked.postgresql)


if __name__ == "__main__":
    sys.exit(main())
