"""What happens in every golden dispute and in documents drawn by lot: each step, the state and the rulings, in short.

Drawn are fights, fights with cards, and every golden document again with some of its facts changed.

`tests/cases/outcomes.txt` has a line for each: its name, then each step with a mark made from its numbers, changes and
topics, then marks of the rulings and of everything else. Words count for nothing, so a sentence may be rewritten.
A change of the engine that changes an outcome changes its line: look whether it should, then write the file anew with

    python -m tests.rules.engine.outcomes
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from rules.engine import BadInput, adjudicate, check_force, score_battle

from .drawn import fair_fight
from .drawn_cards import fight_with_cards
from .golden import CASES, golden
from .varied import varied_disputes, varied_files

Outcomes = Iterator[tuple[str, str]]
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


def outcome_of(document: dict[str, Any]) -> str:
    """Return what happens in a dispute, or where the faults are for which it can't be read."""
    try:
        return outcome(adjudicate(document))
    except BadInput as faulty:
        return _faults(faulty)


def _faults(faulty: BadInput) -> str:
    return f"faults:{mark(sorted(fault.where for fault in faulty.every))}"


def fight_outcomes() -> Outcomes:
    """Yield the names and outcomes of fights drawn by lot."""
    for number in range(FIGHTS):
        yield f"fight-{number}", outcome_of(fair_fight(number))


def card_outcomes() -> Outcomes:
    """Yield the names and outcomes of fights with cards drawn by lot."""
    for number in range(FIGHTS):
        yield f"card-fight-{number}", outcome_of(fight_with_cards(number))


def varied_outcomes() -> Outcomes:
    """Yield the names and outcomes of the golden disputes with some facts changed, and of all those with cards."""
    for name, document in varied_disputes():
        yield name, outcome_of(document)


def file_outcomes() -> Outcomes:
    """Yield the names and outcomes of golden forces and battles with some facts changed."""
    for folder, answer in (("force", check_force), ("battle", score_battle)):
        for name, document in varied_files(folder):
            try:
                yield name, f"report:{mark(answer(document))}"
            except BadInput as faulty:
                yield name, _faults(faulty)


def dispute_outcomes() -> Outcomes:
    """Yield the names and outcomes of the golden disputes."""
    for case in golden("disputes"):
        yield case["id"], outcome_of(case["input"])


DRAWN: tuple[Callable[[], Outcomes], ...] = (fight_outcomes, card_outcomes, varied_outcomes, file_outcomes)


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
    made = [pair for outcomes in (dispute_outcomes, *DRAWN) for pair in outcomes()]
    FILE.write_text("".join(f"{name} {told}\n" for name, told in made), encoding="utf-8")
