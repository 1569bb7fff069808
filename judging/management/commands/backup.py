"""`backup`: write the whole installation to one file: database, secret key, snapshots, paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from judging.keeping import backups
from judging.keeping.storage import Damaged
from judging.management.readiness import NO_DATABASE, has_database
from rules.sizes import size_words


class Command(BaseCommand):
    """`backup [FILE]`; safe while the site runs."""

    help = "Back up the whole installation, verify the backup, and print where it is."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the file (by default a new one in the folder of backups) and `--portable`."""
        parser.add_argument("file", nargs="?", help="where to write (default: a new file in DATA_DIR/backups)")
        parser.add_argument(
            "--portable", action="store_true", help="row by row: SQLite and PostgreSQL can both read it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the backup."""
        if not has_database():
            raise CommandError(NO_DATABASE)
        target = Path(options["file"]) if options["file"] else None
        try:
            made = backups.back_up(target, portable=options["portable"], say=self.stdout.write)
        except (backups.NoBackup, Damaged, OSError) as fault:
            raise CommandError(f"No backup was made: {fault}") from fault
        size = size_words(made.stat().st_size).replace("\N{NO-BREAK SPACE}", " ")
        self.stdout.write(f"{made} ({size}), verified. It holds everything: keep it where no one else can read it.")
