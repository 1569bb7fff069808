"""`manage.py pair_round FILE`: tournament files → the next round of each, one JSON report a line."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from events.pairing import explain, pair_round
from rules.engine import read_documents, reports_on, written

Document = dict[str, Any]


class Command(BaseCommand):
    """Pair the next round of each tournament file, provably best."""

    help = (
        "Pair the next round of each tournament file in FILE ('-' for standard input): one JSON document, or one per "
        "line. Writes one report per line. Exit status 2 where a document cannot be understood."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """FILE and --text."""
        parser.add_argument("file", metavar="FILE", help="a file of tournament files, or - for standard input")
        parser.add_argument("--text", action="store_true", help="write the reports for a person")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write a report for each document; leave with status 2 where one could not be understood."""
        text = read_text(options["file"])
        documents = read_documents(text) if options["text"] else None
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        misunderstood = False
        for report in reports_on(text, pair_round):
            misunderstood |= report.get("error", {}).get("code") == "bad-input"
            if documents is None:
                self.stdout.write(written(report, encoding))
            else:
                document = next(documents)
                words = in_words(document if isinstance(document, dict) else {}, report)
                self.stdout.write(words.encode(encoding, "backslashreplace").decode(encoding))
        if misunderstood:
            sys.exit(2)


def read_text(file: str) -> str:
    """Return what FILE holds; bytes that are no UTF-8 are kept apart, so that only their own document is refused."""
    if file == "-":
        raw = sys.stdin.buffer.read() if hasattr(sys.stdin, "buffer") else sys.stdin.read().encode()
    else:
        try:
            raw = Path(file).read_bytes()
        except OSError as fault:
            raise CommandError(f"{file} cannot be read: {fault.strerror or fault}", returncode=2) from None
    return raw.decode("utf-8", "surrogateescape")


def in_words(document: Document, report: Document) -> str:
    """Return a report for a person: table by table, then how good the round is."""
    title = " – ".join(str(part) for part in (report.get("id"), document.get("title")) if part)
    lines = [title] if title else []
    if "error" in report:
        error = report["error"]
        where = f" at {error['where']}" if error.get("where") else ""
        return "\n".join([*lines, f"{error['code']}{where}: {error['message']}", ""])
    points = {player["id"]: player["points"] for player in document["players"]}
    width = max((len(one) for pair in report["pairings"] for one in pair), default=0)
    for table, (a, b) in enumerate(report["pairings"], 1):
        lines.append(f"{table:4}  {a:{width}} ({points[a]})  –  {b:{width}} ({points[b]})")
    told = explain(document, report)
    if report["bye"] is not None:
        lines.append(f" bye  {report['bye']}: {told.bye_reason}")
    lines += [f"      {one.higher} plays down to {one.lower}: {one.why}" for one in told.floats]
    lines.append(f"rematches {report['rematches']}, cost {report['cost']}, within a club {report['same_club']}")
    lines += [told.proof, ""]
    return "\n".join(lines)
