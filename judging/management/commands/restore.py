"""`restore`: replace this installation by what a backup holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from events.models import Event, Person
from judging.keeping import backups
from judging.keeping.storage import Damaged


class Command(BaseCommand):
    """`restore FILE`; stop the site first if it is running."""

    help = "Restore a backup. Existing people and events are overwritten only with --force."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the file."""
        parser.add_argument("file")
        parser.add_argument("--force", action="store_true", help="overwrite the existing data, after backing it up")

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore the backup, and print what it held."""
        try:
            manifest = backups.restore(Path(options["file"]), force=options["force"], say=self.stdout.write)
        except (backups.NoBackup, Damaged) as fault:
            raise CommandError(str(fault)) from fault
        running = Event.objects.filter(state=Event.State.RUNNING).values_list("name", flat=True)
        self.stdout.write(
            f"Restored as of {manifest['made'][:19].replace('T', ' ')} UTC: "
            f"{Person.objects.count()} people, {Event.objects.count()} events."
        )
        if running:
            self.stdout.write(
                f"Running now: {', '.join(running)}. Start the site under the address that is printed on the slips."
            )
