"""`manage.py import_catalogue PATH…`: preview what files would change in the catalogue; with `--apply`, change it."""

from __future__ import annotations

import datetime
import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rules.documents import BadFacts
from rules.importers.bundle import files_at
from rules.importers.kept import Kept, kept_reading
from rules.importers.layouts import LAYOUTS
from rules.management.samples import SAMPLES, add_file
from rules.models import Import, ImportLine
from rules.services.imports import CannotApply, apply_import, begin_import, outcomes, plan_more, put_away_import

Outcome = ImportLine.Outcome
WORDS = {
    Outcome.ADDED: "new",
    Outcome.CHANGED: "changed",
    Outcome.UNCHANGED: "unchanged",
    Outcome.LEFT_OUT: "left out",
    Outcome.PASSED_OVER: "skipped",
}
MOST_SHOWN = 100
"""The maximum number of lines shown for each outcome, and of faults in the JSON report."""


class Command(BaseCommand):
    """Preview an import; with --apply, import every valid record."""

    help = (
        "Show what files would change in the catalogue; with --apply, change it. Valid records are imported; "
        "those with faults are listed and left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the files, their layout and set, the day on which changes take effect, and how to apply them."""
        paths = "CSV, JSON or XML files, or folders or ZIP archives of them, or - for standard input"
        add_file(parser, SAMPLES / "catalogue.csv", paths, several=True)
        parser.add_argument("--layout", choices=list(LAYOUTS), default="", help="detected if not given")
        parser.add_argument("--set", default="", help="the code of the set, for files that don't name it")
        parser.add_argument(
            "--from", dest="counts_from", default="", metavar="YYYY-MM-DD", help="effective date of the changes"
        )
        parser.add_argument("--apply", action="store_true", help="apply what the preview shows")
        parser.add_argument("--strict", action="store_true", help="import nothing if any record or file has a fault")
        parser.add_argument("--json", action="store_true", help="print a JSON report as the last line")

    def handle(self, *args: Any, **options: Any) -> None:
        """Plan and preview the import; apply it if requested."""
        try:
            counts_from = datetime.date.fromisoformat(options["counts_from"]) if options["counts_from"] else None
        except ValueError:
            raise CommandError(f"--from must be a date (YYYY-MM-DD), not {options['counts_from']!r}.") from None
        reading, row = self._read(options), None
        if reading.count:
            row = begin_import(
                name=_name(options["paths"]), reading=reading, counts_from=counts_from, by="import_catalogue"
            )
            while row.state == Import.State.PLANNING:
                row = plan_more(reading_of=row)
                if row.records > 500:
                    self.stderr.write(f"{row.records_planned} of {row.records} records compared")
        counts = outcomes(row) if row else {}
        self._show(reading, row, counts)
        faults = bool(counts.get(Outcome.LEFT_OUT) or reading.unreadable)
        stopped = options["strict"] and faults
        report = _report(reading, row, counts)
        report["applied"] = self._apply(row, apply=options["apply"] and not stopped)
        if options["json"]:
            self.stdout.write(json.dumps(report))
        if options["apply"] and stopped:
            raise CommandError("Nothing was imported: --strict allows no faults.", returncode=2)
        if reading.unreadable:
            raise CommandError(_unreadable_words(reading), returncode=2)
        if stopped:
            raise CommandError("--strict would import nothing: there are faults.", returncode=2)

    def _read(self, options: dict[str, Any]) -> Kept:
        shown = (0, 0)

        def told(files: int, records: int) -> None:
            nonlocal shown
            if shown != (shown := (files // 50, records // 500)):
                self.stderr.write(f"{records} records of {files} files read")

        files = files_at(options["paths"], sys.stdin.buffer)
        return Kept(kept_reading(files, options["layout"], options["set"], told))

    def _apply(self, row: Import | None, *, apply: bool) -> bool:
        if row is None:
            return False
        if not apply:
            put_away_import(planned=row)
            self.stdout.write("Nothing was changed. Add --apply to apply this.")
            return False
        if row.records > 500:
            self.stderr.write("Applying the changes")
        try:
            loaded = apply_import(planned=row, by="import_catalogue")
        except (CannotApply, BadFacts) as error:
            raise CommandError(f"{error}") from error
        self.stdout.write(f"Applied: {len(loaded.added)} added, {len(loaded.changed)} changed.")
        return True

    def _show(self, reading: Kept, row: Import | None, counts: dict[str, int]) -> None:
        for one in reading.unreadable[:MOST_SHOWN]:
            self.stdout.write(f"A file can't be read and is left out: {_words(one)}")
        for name in reading.guessed[:MOST_SHOWN]:
            self.stdout.write(f"{name}: not UTF-8, read as Windows-1252. Check its names.")
        if row is None:
            if reading.files_passed_over == reading.files:
                self.stdout.write(f"Nothing to import: {reading.why_empty}")
            return
        said = ", ".join(f"{counts[outcome]} {word}" for outcome, word in WORDS.items() if counts.get(outcome))
        self.stdout.write(f"{row.file_name} ({row.layout}): {said}")
        if reading.files_passed_over:
            self.stdout.write(f"{reading.files_passed_over} of {reading.files} files contain nothing for the catalogue")
        for code, name in row.new_sets.items():
            self.stdout.write(f"New set: {code} ({name})")
        for name, times in row.unknown_fields.items():
            self.stdout.write(f"Unknown field: {name} ({times} time{'' if times == 1 else 's'})")
        for outcome in (Outcome.LEFT_OUT, Outcome.CHANGED):
            for line in row.lines.filter(outcome=outcome)[:MOST_SHOWN]:
                self._show_line(line, several=reading.files > 1)
            if counts.get(outcome, 0) > MOST_SHOWN:
                self.stdout.write(f"… and {counts[outcome] - MOST_SHOWN} more {WORDS[outcome]}")

    def _show_line(self, line: ImportLine, *, several: bool) -> None:
        place = f"{line.file}: " if several else ""
        name = line.name or line.code or "?"
        for where, message in line.faults:
            self.stdout.write(f"{place}{where}: {name}: {message}")
        if line.differences:
            self.stdout.write(f"{place}{line.where}: {name}: {line.get_outcome_display()}")
        for each in line.differences:
            self.stdout.write(f"    {each['fact']}: {_brief(each['before'])} → {_brief(each['after'])}")


def _words(unreadable: dict[str, str]) -> str:
    return f"{unreadable['file']}: {unreadable['message']}" if unreadable["file"] else unreadable["message"]


def _unreadable_words(reading: Kept) -> str:
    if reading.files == 1:
        return _words(reading.unreadable[0])
    return f"{len(reading.unreadable)} of {reading.files} files can't be read."


def _name(paths: list[str]) -> str:
    first = "standard input" if paths[0] == "-" else Path(paths[0]).resolve().name
    return first if len(paths) == 1 else f"{first} + {len(paths) - 1}"


def _report(reading: Kept, row: Import | None, counts: dict[str, int]) -> dict[str, Any]:
    """Return the report of `--json`, as FORMATS.md has it, but for whether the import was applied."""
    faults: list[dict[str, str]] = []
    if row is not None:
        for file, found in row.lines.filter(outcome=Outcome.LEFT_OUT).values_list("file", "faults")[:MOST_SHOWN]:
            faults += [{"file": file, "where": where, "message": message} for where, message in found]
    return {
        "applied": False,
        "files": reading.files,
        "files_passed_over": reading.files_passed_over,
        "unreadable": reading.unreadable,
        "records": reading.count,
        **{name: counts.get(outcome, 0) for name, outcome in REPORTED.items()},
        "passed_over": reading.passed_over,
        "faults": faults[:MOST_SHOWN],
    }


REPORTED = {
    "added": Outcome.ADDED,
    "changed": Outcome.CHANGED,
    "unchanged": Outcome.UNCHANGED,
    "left_out": Outcome.LEFT_OUT,
}
"""The counts of the JSON report."""


def _brief(value: Any) -> str:
    text = "nothing" if value is None else " ".join(f"{value}".split())
    return text if len(text) <= 100 else f"{text[:97]}…"
