"""`manage.py export_catalogue FILE`: write the catalogue as a spreadsheet that `import_catalogue` reads."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rules.models import Set
from rules.queries import search_elements
from rules.services.export import catalogue_sheet


class Command(BaseCommand):
    """Write today's values of every element; card texts only if they are asked for."""

    help = "Write the catalogue as a spreadsheet (CSV) that import_catalogue reads."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file, the sets, and whether it has the texts of cards."""
        parser.add_argument("file", metavar="FILE", help="where to write, or - for standard output")
        parser.add_argument("--set", action="append", default=[], metavar="CODE", help="only this set; may be repeated")
        texts = "include card texts; give such a file only to people who may have them"
        parser.add_argument("--card-texts", action="store_true", help=texts)
        parser.add_argument("--force", action="store_true", help="overwrite an existing file")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file."""
        sets = options["set"]
        known = set(Set.objects.filter(code__in=sets).values_list("code", flat=True))
        for code in sets:
            if code not in known:
                raise CommandError(f"The catalogue has no set {code}.")
        sheet = catalogue_sheet(search_elements(sets=sets), with_card_texts=options["card_texts"])
        if options["file"] == "-":
            sys.stdout.buffer.write(sheet)
            return
        target = Path(options["file"])
        if target.exists() and not options["force"]:
            raise CommandError(f"{target} already exists. Name another file, or add --force.")
        try:
            target.write_bytes(sheet)
        except OSError as fault:
            raise CommandError(f"{target} can't be written: {fault.strerror}.") from fault
        self.stdout.write(f"The catalogue is in {target}.")
