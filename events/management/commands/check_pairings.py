"""`manage.py check_pairings FILE`: verify the pairings of a whole event from its event file."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from events.management.samples import SAMPLES
from events.pairing import RoundCheck, check_event
from rules.engine import BadInput, read_documents
from rules.management.reporting import read_text
from rules.management.samples import add_file


class Command(BaseCommand):
    """Pair every round of an event again and compare it with what was played."""

    help = (
        "Verify every round of the event files in FILE ('-' for standard input): each active player seated once, no "
        "avoidable rematch, the bye where it belongs, the smallest score difference or a logged manual change. Exit status 0: "
        "no faults; 1: there are faults; 2: a file can't be read."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add FILE and --sample."""
        add_file(parser, SAMPLES / "event.json", "an event file, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a few lines for each round."""
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        faults = misunderstood = False
        for document in read_documents(read_text(options["file"])):
            try:
                if isinstance(document, BadInput):
                    raise document
                checks = check_event(document)
            except BadInput as bad:
                misunderstood = True
                for one in bad.every:
                    where = f" at {one.where}" if one.where else ""
                    told = f"The file can't be read{where}: {one.message}"
                    self.stderr.write(told.encode("ascii", "backslashreplace").decode())
                continue
            for check in checks:
                faults |= not check.is_fine
                for line in lines_of(check):
                    self.stdout.write(line.encode(encoding, "backslashreplace").decode(encoding))
            wrong = sum(not check.is_fine for check in checks)
            rounds = f"{len(checks)} round{'' if len(checks) == 1 else 's'}"
            self.stdout.write(f"{rounds}: {f'{wrong} with faults' if wrong else 'no faults'}")
        if misunderstood or faults:
            sys.exit(2 if misunderstood else 1)


def lines_of(check: RoundCheck) -> list[str]:
    """Return the lines about a round: its verdict and figures, then each fault and note."""
    head = f"round {check.number}{' (cut)' if check.stage == 'cut' else ''}: {'fine' if check.is_fine else 'FAULT'}"
    if check.comparison is not None:
        told = check.comparison
        head += f"; rematches {told.rematches}, score difference {told.cost}, club-mates paired {told.same_club}"
        if told.bye is not None:
            head += f", bye {told.bye}"
    return [head, *(f"  {'FAULT' if one.is_fault else 'note'}: {one.text}" for one in check.findings)]
