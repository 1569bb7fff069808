"""`manage.py adjudicate FILE`: position files → answers, steps and rulings of each, one JSON report per line."""

from typing import Any

from rules.engine import adjudicate, adjudication_in_words
from rules.management.reporting import ReportCommand
from rules.management.samples import SAMPLES


def in_words(document: dict[str, Any], report: dict[str, Any]) -> str:
    """Return a report as plain text."""
    return adjudication_in_words(report)


class Command(ReportCommand):
    """Adjudicate each position file: the answers to its questions, with reasons."""

    help = (
        "Adjudicate each position file in FILE ('-' for standard input): one JSON document, or one per line. Writes "
        "one report per line. Exit status 2 if a document can't be read."
    )
    sample = SAMPLES / "position.json"
    answer = staticmethod(adjudicate)
    in_words = staticmethod(in_words)
