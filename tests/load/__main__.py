"""Measure a full hall on both databases, print the tables of docs/figures.md, and exit with 1 if a goal was missed.

Run as a program: `python -m tests.load` (about 25 minutes). Each part can be run alone: `tests.load.day` (players report),
`tests.load.publishing`, `tests.load.hall` (spectators) and, as `make load` does afterwards, `tests.load.lists`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from tests.load import day, hall, publishing
from tests.load.figures import COLUMNS, Figure, misses, table
from tests.load.server import Installation, installation

PORT = 8300


def published(rounds: int) -> Callable[[Installation, bool], list[Figure]]:
    """Return the part that measures publishing this round."""
    return lambda place, _on_postgresql: publishing.measure(place, rounds, publishing.READERS)


PARTS: dict[str, list[Callable[[Installation, bool], list[Figure]]]] = {
    "players who report": [
        lambda place, _on_postgresql: day.measure(place, day.DAY),
        lambda place, _on_postgresql: day.measure(place, day.RUSH),
    ],
    "500 people who wait for the pairings of 500 players": [published(rounds) for rounds in publishing.ROUNDS],
    "500 spectators (2,000 on PostgreSQL) of 500 players": [
        lambda place, on_postgresql: hall.measure(place, hall.SPECTATORS[on_postgresql])
    ],
}


def main() -> int:
    """Measure each part on an installation of its own, and print."""
    missed: list[str] = []
    for title, parts in PARTS.items():
        columns: dict[str, list[Figure]] = {name: [] for name in COLUMNS}
        for on_postgresql, column in enumerate(columns.values()):
            for measure in parts:
                with installation(on_postgresql=bool(on_postgresql), port=PORT) as place:
                    column += measure(place, bool(on_postgresql))
        sys.stdout.write("\n".join(table(title, columns)) + "\n\n")
        sys.stdout.flush()
        missed += misses(title, columns)
    sys.stdout.write("\n".join(missed or ["Every goal was met."]) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
