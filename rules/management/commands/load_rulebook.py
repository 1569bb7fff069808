"""`load_rulebook EDITION FILE`: load the text of a rulebook that the judge owns into their own installation."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.engine import EDITIONS
from rules.management.samples import SAMPLES, add_file
from rules.services.rulebook import load_rulebook


class Command(BaseCommand):
    """Cut a rulebook's text at its headings and store the passages, so that citations open them."""

    help = "Load the text of a rulebook that you own; citations then open its passages."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the edition and the file; - is standard input."""
        parser.add_argument("edition", metavar="EDITION", help=", ".join(EDITIONS))
        add_file(parser, SAMPLES / "rulebook.txt", "a text file in UTF-8, or - for standard input")

    def handle(self, *, edition: str, file: str, **options: Any) -> None:
        """Load the text and report the result, naming each heading not found."""
        if edition not in EDITIONS:
            raise CommandError(f"{edition} isn't an edition. Editions: {', '.join(EDITIONS)}.")
        try:
            raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        except OSError as reason:
            raise CommandError(f"{file} can't be read: {reason.strerror}.") from reason
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as reason:
            raise CommandError(
                f"{file} isn't UTF-8 text (byte {reason.start}). Save it as UTF-8 and try again."
            ) from reason
        try:
            rulebook, pieces = load_rulebook(edition=edition, file_name=Path(file).name, text=text.replace("\x00", ""))
        except ValueError as reason:
            raise CommandError(f"Nothing was loaded: {reason}.") from reason
        sections = sum(not piece.ruling for piece in pieces.passages)
        notes = len(pieces.passages) - sections
        self.stdout.write(
            f"{edition}: {sections} passages" + (f" and {notes} notes to rulings" if notes else "") + " loaded."
        )
        if rulebook.missing:
            self.stdout.write(f"{len(rulebook.missing)} headings were not found:")
            for section in rulebook.missing:
                self.stdout.write(f"  {section}")
