"""`manage.py import_catalogue FILE --layout … [--apply]`: preview a file's changes to the catalogue, or apply them."""

from __future__ import annotations

import datetime
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rules.documents import BadFacts
from rules.importers.layouts import LAYOUTS
from rules.importers.records import LARGEST_FILE
from rules.management.samples import SAMPLES, add_file
from rules.models import ImportLine
from rules.services.imports import CannotApply, apply_import, begin_import, outcomes, plan_more, put_away_import
from rules.uploads import Unreadable

Outcome = ImportLine.Outcome
WORDS = {
    Outcome.ADDED: "new",
    Outcome.CHANGED: "changed",
    Outcome.UNCHANGED: "unchanged",
    Outcome.PASSED_OVER: "skipped",
    Outcome.ERROR: "with errors",
}


class Command(BaseCommand):
    """Preview a file; with --apply import it, all or nothing."""

    help = "Show what a file would change in the catalogue; with --apply, change it, all or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file, its layout, its set, the day on which changes take effect, and whether to apply."""
        add_file(parser, SAMPLES / "catalogue.csv", "a CSV, JSON or XML file, or - for standard input")
        parser.add_argument("--layout", choices=list(LAYOUTS), default="", help="found out where it is not given")
        parser.add_argument("--set", default="", help="the code of the set, where the file does not name it")
        parser.add_argument(
            "--from", dest="counts_from", default="", metavar="YYYY-MM-DD", help="effective date of the changes"
        )
        parser.add_argument("--apply", action="store_true", help="apply what the preview shows")

    def handle(self, *args: Any, **options: Any) -> None:
        """Plan and preview the import; apply it if requested and without faults."""
        name = options["file"]
        try:
            if name == "-":
                content = sys.stdin.buffer.read(LARGEST_FILE + 1)
            else:
                with Path(name).open("rb") as file:
                    content = file.read(LARGEST_FILE + 1)
        except OSError as error:
            raise CommandError(f"{name} cannot be read: {error.strerror}.") from error
        try:
            counts_from = datetime.date.fromisoformat(options["counts_from"]) if options["counts_from"] else None
        except ValueError:
            raise CommandError(f"--from must be a date (YYYY-MM-DD), not {options['counts_from']!r}.") from None
        try:
            row = begin_import(
                file_name=Path(name).name if name != "-" else "standard input",
                content=content,
                layout=options["layout"],
                set_code=options["set"],
                counts_from=counts_from,
                by="import_catalogue",
            )
        except Unreadable as bad:
            raise CommandError(f"{name}: {bad}") from bad
        while row.state == row.State.PLANNING:
            row = plan_more(reading_of=row)
            if row.records > 500:
                self.stderr.write(f"{row.records_planned} of {row.records} records read")
        self._show(row)
        counts = outcomes(row)
        if counts.get(Outcome.ERROR):
            put_away_import(planned=row)
            raise CommandError(f"{counts[Outcome.ERROR]} records have errors: nothing can be applied.", returncode=2)
        if not options["apply"]:
            put_away_import(planned=row)
            self.stdout.write("Nothing was changed. Add --apply to apply this.")
            return
        try:
            loaded = apply_import(planned=row, by="import_catalogue")
        except (CannotApply, BadFacts) as error:
            raise CommandError(f"{error}") from error
        self.stdout.write(f"Applied: {len(loaded.added)} added, {len(loaded.changed)} changed.")

    def _show(self, row: Any) -> None:
        counts = outcomes(row)
        said = ", ".join(f"{counts[outcome]} {word}" for outcome, word in WORDS.items() if counts.get(outcome))
        self.stdout.write(f"{row.file_name} ({row.layout}): {said}")
        for code, name in row.new_sets.items():
            self.stdout.write(f"new set: {code} ({name})")
        for name, times in row.unknown_fields.items():
            self.stdout.write(f"not understood: {name} ({times} times)")
        shown = row.lines.filter(outcome__in=[Outcome.ERROR, Outcome.CHANGED, Outcome.PASSED_OVER])
        for line in shown.iterator():
            self.stdout.write(
                f"{line.where}: {line.name or line.code or '?'}: {line.message or line.get_outcome_display()}"
            )
            for each in line.differences:
                self.stdout.write(f"    {each['fact']}: {_brief(each['before'])} → {_brief(each['after'])}")


def _brief(value: Any) -> str:
    text = "nothing" if value is None else f"{value}"
    return text if len(text) <= 100 else f"{text[:97]}…"
