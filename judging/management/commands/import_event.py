"""`import_event`: read an event from its file: new, gone on elsewhere, or (asked for) set back to an older copy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from events.door import NeedsConfirmation, Refused
from events.models import Event
from events.roles import SITE
from judging.management.readiness import make_database
from judging.services import moves
from judging.whole_file import BadFile, read_file


class Command(BaseCommand):
    """`import_event FILE`; a snapshot is such a file too."""

    help = "Read an event from a file that export_event or a snapshot wrote. What differs is told first."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the file."""
        parser.add_argument("file")
        parser.add_argument("--force", action="store_true", help="go back to an older copy, as an entry of the record")
        over = "the machine that held the event is lost: change it here from now on"
        parser.add_argument("--take-over", action="store_true", help=over)
        parser.add_argument("--reason", default="", help="why, for the record")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read the file, or say what stands against it."""
        try:
            content = Path(options["file"]).read_bytes()
        except OSError as fault:
            raise CommandError(f"{options['file']}: {fault.strerror}") from fault
        try:
            document = read_file(content)
            make_database()
            found = moves.import_event(
                by=SITE,
                document=document,
                confirmed=options["force"],
                reason=options["reason"] or "Read from a file by command",
                take_over=options["take_over"],
                trusted=True,
            )
        except NeedsConfirmation as asked:
            lines = "\n".join(f"  {line}" for line in [*moves.plan(document).lines(), *asked.consequences])
            raise CommandError(
                f"The file is older than what is here. Going back to it (--force) changes this:\n{lines}"
            ) from None
        except (BadFile, Refused) as fault:
            raise CommandError(str(fault)) from fault
        for line in found.lines():
            self.stdout.write(line)
        event = Event.objects.get(public_id=document["event"]["public_id"])
        if found.relation == "same":
            self.stdout.write("The event is here already, just as in the file.")
        if event.away and found.relation == "same":
            self.stdout.write(f"It is here for reading: {event.away} holds it. To go on with it here: --take-over.")
        elif event.away:
            self.stdout.write("It is here for reading: the file was only a copy. To go on with it here: --take-over.")
        else:
            self.stdout.write("It is changed here from now on.")
        for person in moves.officials_without_password(event):
            self.stdout.write(f"{person.name} has no password here: python manage.py changepassword {person.email}")
