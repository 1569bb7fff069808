"""What happens in every golden dispute and in documents drawn by lot: each step, the state and the rulings, in short.

Drawn are fights, fights with cards, and every golden document again with some of its facts changed.

`tests/cases/outcomes.txt` has a line for each: its name, then each step with a mark made from its numbers, changes and
topics, then marks of the rulings and of everything else. Words count for nothing there: of the sentences in each kind
of step the file has a mark apart, so that a sentence that is rewritten changes few lines.
A change of the engine that changes an outcome changes its line: look whether it should, then write the file anew with

    python -m tests.rules.engine.outcomes
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from rules.engine import BadInput, adjudicate, battle_in_words, check_force, force_in_words, score_battle

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


class Drawn:
    """Outcomes of documents drawn by lot: each document's, then a mark of all sentences in each kind of step."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.said: dict[str, set[str]] = {}

    def hear(self, kind: str, *values: Any) -> None:
        """Keep the sentences in some parts of a report."""
        self.said.setdefault(kind, set()).update(_words(list(values)))

    def outcome_of(self, document: dict[str, Any]) -> str:
        """Return what happens in a dispute, or where the faults are for which it can't be read."""
        try:
            report = adjudicate(document)
        except BadInput as faulty:
            return self.faults_of(faulty)
        for step in report["steps"]:
            self.hear(step["step"], step)
        for answer in report["answers"]:
            self.hear(answer["ask"], answer)
        self.hear("awaiting", report["awaiting"])
        return outcome(report)

    def faults_of(self, faulty: BadInput) -> str:
        """Return where the faults are."""
        self.hear("faults", [{"text": fault.message} for fault in faulty.every])
        return f"faults:{mark(sorted(fault.where for fault in faulty.every))}"

    def sentences(self) -> Outcomes:
        """Yield a name for each kind of step, with the mark of its sentences."""
        for kind, said in sorted(self.said.items()):
            yield f"{self.name}-words-{kind}", mark(sorted(said))


def _words(value: Any) -> Iterator[str]:
    """Yield the sentences in a part of a report."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key in WORDS and key != "citations":
                yield from [part] if isinstance(part, str) else part or ()
            else:
                yield from _words(part)
    elif isinstance(value, list):
        for part in value:
            yield from _words(part)


def fight_outcomes() -> Outcomes:
    """Yield the names and outcomes of fights drawn by lot."""
    drawn = Drawn("fight")
    for number in range(FIGHTS):
        yield f"fight-{number}", drawn.outcome_of(fair_fight(number))
    yield from drawn.sentences()


def card_outcomes() -> Outcomes:
    """Yield the names and outcomes of fights with cards drawn by lot."""
    drawn = Drawn("card-fight")
    for number in range(FIGHTS):
        yield f"card-fight-{number}", drawn.outcome_of(fight_with_cards(number))
    yield from drawn.sentences()


def varied_outcomes() -> Outcomes:
    """Yield the names and outcomes of the golden disputes with some facts changed, and of all those with cards."""
    drawn = Drawn("varied")
    for name, document in varied_disputes():
        yield name, drawn.outcome_of(document)
    yield from drawn.sentences()


def file_outcomes() -> Outcomes:
    """Yield the names and outcomes of golden forces and battles with some facts changed."""
    drawn = Drawn("files")
    for folder, answer, in_words in (
        ("force", check_force, force_in_words),
        ("battle", score_battle, battle_in_words),
    ):
        for name, document in varied_files(folder):
            try:
                report = answer(document)
            except BadInput as faulty:
                yield name, drawn.faults_of(faulty)
            else:
                drawn.hear(folder, report, {"text": in_words(document, report)})
                yield name, f"report:{mark(report)}"
    yield from drawn.sentences()


def dispute_outcomes() -> Outcomes:
    """Yield the names and outcomes of the golden disputes."""
    for case in golden("disputes"):
        yield case["id"], outcome(adjudicate(case["input"]))


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
