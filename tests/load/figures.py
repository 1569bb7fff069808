"""The figures that `make load` prints, as rows of a table in Markdown, and which of them missed their goal."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from statistics import quantiles

COLUMNS = ("SQLite, one process", "PostgreSQL, two workers")


@dataclass(frozen=True)
class Figure:
    """One row of a table: what was measured, and the numbers; `missed` says which goal was missed, or is empty."""

    what: str
    numbers: str
    missed: str = ""


def p95(seconds: list[float]) -> float:
    """Return the 95th percentile in milliseconds."""
    if len(seconds) < 2:
        return seconds[0] * 1000 if seconds else math.nan
    return quantiles(seconds, n=20, method="inclusive")[-1] * 1000


def shown(milliseconds: float) -> str:
    """Return a time as the documents write it."""
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"


def timed(what: str, seconds: list[float], most: float) -> Figure:
    """Return the row of a 95th percentile that must be below `most` milliseconds; no measurement misses it, too."""
    found = p95(seconds)
    return Figure(f"{what}, 95th percentile", shown(found), "" if found < most else f"not below {shown(most)}")


def table(title: str, columns: dict[str, list[Figure]]) -> list[str]:
    """Return the lines of a table with a column for each kind of server."""
    lines = [f"| {title} | {' | '.join(columns)} |", f"| --- |{' --- |' * len(columns)}"]
    rows = zip(*columns.values(), strict=True)
    return lines + [f"| {row[0].what} | {' | '.join(one.numbers for one in row)} |" for row in rows]


def misses(title: str, columns: dict[str, list[Figure]]) -> list[str]:
    """Return a line for each goal that was missed."""
    return [
        f"MISSED  {title}, {name}: {one.what}: {one.numbers} ({one.missed})"
        for name, column in columns.items()
        for one in column
        if one.missed
    ]


def printed(title: str, column: list[Figure], *, on_postgresql: bool) -> int:
    """Print the table of one measurement and its missed goals; return an exit status that says whether there are any."""
    columns = {COLUMNS[on_postgresql]: column}
    missed = misses(title, columns)
    sys.stdout.write("\n".join([*table(title, columns), *missed]) + "\n")
    return 1 if missed else 0
