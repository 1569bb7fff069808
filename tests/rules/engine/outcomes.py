"""What happens in every golden dispute and in fights drawn by lot: each step, the state and the rulings, in short.

`tests/cases/outcomes.txt` has a line for each: its name, then each step with a mark made from its numbers, changes and
topics, then marks of the rulings and of everything else. Words count for nothing, so a sentence may be rewritten.
A change of the engine that changes an outcome changes its line: look whether it should, then write the file anew with

    python -m tests.rules.engine.outcomes
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from rules.engine import adjudicate

from .drawn import fair_fight
from .golden import CASES, golden

FILE = CASES / "outcomes.txt"
FIGHTS = 200
WORDS = {"text", "because", "why", "citations"}
APART = {"steps", "rulings"}


def mark(value: Any) -> str:
    """Return four characters that differ for different values; the words in them don't count."""
    written = json.dumps(_without_words(value), sort_keys=True)
    return hashlib.sha256(written.encode()).hexdigest()[:4]


def _without_words(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_words(part) for key, part in value.items() if key not in WORDS}
    return [_without_words(part) for part in value] if isinstance(value, list) else value


def outcome(report: dict[str, Any]) -> str:
    """Return what a report says happened, on one line."""
    steps = [f"{step['step']}:{mark(step)}" for step in report["steps"]]
    shown = [(one["id"], one["weight"]) for one in report["rulings"]]
    rest = {key: part for key, part in report.items() if key not in APART}
    return " ".join([*steps, f"rulings:{mark(shown)}", f"state:{mark(rest)}"])


def drawn_outcomes() -> Iterator[tuple[str, str]]:
    """Yield the names and outcomes of fights drawn by lot."""
    for number in range(FIGHTS):
        yield f"fight-{number}", outcome(adjudicate(fair_fight(number)))


def dispute_outcomes() -> Iterator[tuple[str, str]]:
    """Yield the names and outcomes of the golden disputes."""
    for case in golden("disputes"):
        yield case["id"], outcome(adjudicate(case["input"]))


@cache
def recorded() -> dict[str, str]:
    """Return name → outcome, as the file has them."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return {name: told for name, _, told in (line.partition(" ") for line in lines)}


def difference(name: str, told: str) -> str:
    """Return the first mark that isn't as the file has it, with the one recorded; "" if all are."""
    known = recorded().get(name, "").split()
    for number, one in enumerate([*told.split(), "the end"]):
        was = known[number] if number < len(known) else "the end"
        if one != was:
            return f"{name}, step {number + 1}: {one}, was {was}; see tests/rules/engine/outcomes.py"
    return ""


if __name__ == "__main__":
    made = [*dispute_outcomes(), *drawn_outcomes()]
    FILE.write_text("".join(f"{name} {told}\n" for name, told in made), encoding="utf-8")
