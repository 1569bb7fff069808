"""`migrate`: Django's command, which here backs the installation up before it changes a database that holds data."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import DatabaseError

from events.models import Person
from judging import refused
from judging.keeping import backups
from judging.keeping.storage import Damaged
from judging.management.readiness import alone, has_database, is_behind
from rules import full_text
from rules.search import store


class Command(migrate.Command):
    """`migrate`; refuses the database of a newer version."""

    help = "Create the database or bring it up to date. A database that holds data is backed up first."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add `--no-backup` to Django's options."""
        super().add_arguments(parser)
        parser.add_argument("--no-backup", action="store_true", help="migrate without a backup")

    def handle(self, *args: Any, **options: Any) -> None:
        """Back up the present data, migrate, and complete what is derived: the full text and what it searches."""
        if options["plan"] or options["check_unapplied"]:
            self._migrate(*args, **options)
            return
        with alone(self.stderr.write):
            self._migrate(*args, **options)

    def _migrate(self, *args: Any, **options: Any) -> None:
        if why := refused.why_database_refused():
            raise CommandError(why)
        only_looks = options["plan"] or options["check_unapplied"]
        changes = not only_looks and (options["migration_name"] or is_behind())
        if changes and not options["no_backup"] and has_database() and Person.objects.exists():
            self._back_up()
        super().handle(*args, **options)
        if not only_looks and not is_behind():
            full_text.complete()
            store()

    def _back_up(self) -> None:
        try:
            made = backups.back_up(say=self.stdout.write)
        except (backups.NoBackup, Damaged, DatabaseError, OSError) as fault:
            raise CommandError(
                f"No backup could be made, so nothing was migrated: {fault}. Fix this, then run `headjudge migrate` again. "
                "If you have another backup, use `headjudge migrate --no-backup`."
            ) from fault
        self.stdout.write(f"Backup from before the migration: {made}")
