"""`manage.py adjudicate FILE`: position files → answers, steps and rulings of each, one JSON report a line."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rules.engine import adjudicate, adjudication_in_words, reports_on, written


class Command(BaseCommand):
    """Adjudicate each position file: what its questions come to, and why."""

    help = (
        "Adjudicate each position file in FILE ('-' for standard input): one JSON document, or one per line. Writes "
        "one report per line. Exit status 2 where a document cannot be understood."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """FILE and --text."""
        parser.add_argument("file", metavar="FILE", help="a file of position files, or - for standard input")
        parser.add_argument("--text", action="store_true", help="write the reports for a person")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write a report for each document; leave with status 2 where one could not be understood."""
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        misunderstood = False
        for report in reports_on(_text_of(options["file"]), adjudicate):
            misunderstood |= "error" in report
            if options["text"]:
                words = adjudication_in_words(report)
                self.stdout.write(words.encode(encoding, "backslashreplace").decode(encoding))
            else:
                self.stdout.write(written(report, encoding))
        if misunderstood:
            sys.exit(2)


def _text_of(file: str) -> str:
    """Return what FILE holds; bytes that are no UTF-8 are kept apart, so that only their own document is refused."""
    if file == "-":
        raw = sys.stdin.buffer.read() if hasattr(sys.stdin, "buffer") else sys.stdin.read().encode()
    else:
        try:
            raw = Path(file).read_bytes()
        except OSError as fault:
            raise CommandError(f"{file} cannot be read: {fault.strerror or fault}", returncode=2) from None
    return raw.decode("utf-8", "surrogateescape")
