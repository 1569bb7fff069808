"""Base of the commands that read a file of documents and report on each (FORMATS, "File formats and commands")."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rules.engine import BadInput, error_report, read_documents, report_on, written
from rules.management.samples import add_file, write_utf8

Document = dict[str, Any]


class ReportCommand(BaseCommand):
    """Answer each document of FILE, or of standard input, with a one-line report; `--text` writes plain text.

    `sample` is a file of such documents. `answer` returns the report of a document, `in_words` its text. Exit status 2
    if one can't be read.
    """

    requires_system_checks = []
    requires_migrations_checks = False
    sample: Path
    answer: Callable[[Document], Document]
    in_words: Callable[[Document, Document], str]

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add FILE, --sample and --text."""
        add_file(parser, self.sample, "a file of documents, or - for standard input")
        parser.add_argument("--text", action="store_true", help="write the reports as text for people")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write a report on each document, in order, as soon as it is ready."""
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        if not options["text"]:
            write_utf8(self.stdout)
        misunderstood = False
        try:
            for read in read_documents(read_text(options["file"])):
                document = {} if isinstance(read, BadInput) else read
                report = error_report(None, read) if isinstance(read, BadInput) else report_on(read, self.answer)
                misunderstood |= report.get("error", {}).get("code") == "bad-input"
                if options["text"]:
                    words = self.in_words(document, report)
                    self.stdout.write(words.encode(encoding, "backslashreplace").decode(encoding))
                else:
                    self.stdout.write(written(report))
            self.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(141)
        if misunderstood:
            sys.exit(2)


def read_text(file: str) -> str:
    """Return the contents of FILE; bytes that aren't UTF-8 are preserved, so only their own document is refused."""
    if file == "-":
        raw = sys.stdin.buffer.read() if hasattr(sys.stdin, "buffer") else sys.stdin.read().encode()
    else:
        try:
            raw = Path(file).read_bytes()
        except (OSError, ValueError) as fault:
            raise CommandError(
                f"{file} can't be read: {getattr(fault, 'strerror', None) or fault}", returncode=2
            ) from None
    return raw.decode("utf-8", "surrogateescape")
