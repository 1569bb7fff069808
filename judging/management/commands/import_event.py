"""`import_event`: import an event file: a new event, a newer copy, or (with an option) an older copy."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from events.door import NeedsConfirmation, Refused
from events.management.samples import SAMPLES
from events.models import Event, Venue
from events.roles import SITE
from judging.keeping import comparing, copied, machines, moving
from judging.keeping.whole_file import BadFile, Document, read_file
from judging.management.readiness import make_database
from rules.management.samples import add_file

TRUST = (
    "No paired machine signed this file. If you know where it comes from, use --trust. If the "
    "other machine showed a code, use --pairing-code."
)


class Command(BaseCommand):
    """`import_event FILE`; a snapshot is an event file too."""

    help = "Import an event from a file that export_event or a snapshot wrote. Shows the differences first."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add FILE, --sample, and what to do with an unsigned or older file."""
        add_file(parser, SAMPLES / "event.json", "an event file or a snapshot, or - for standard input")
        code = "the code that the other machine showed; it pairs the two, so that later files need none"
        parser.add_argument("--pairing-code", metavar="CODE", default="", help=code)
        parser.add_argument("--machine", metavar="NAME", default="", help="a name for the paired machine")
        trust = "trust an unsigned file, roles included; you know where it comes from"
        parser.add_argument("--trust", action="store_true", help=trust)
        venue = "the key of the venue for an unsigned file that is imported as a copy, if its own venue isn't here"
        parser.add_argument("--venue", type=int, metavar="KEY", help=venue)
        parser.add_argument("--force", action="store_true", help="restore an older copy; the audit log records it")
        over = "the machine that held the event is lost: edit the event here from now on"
        parser.add_argument("--take-over", action="store_true", help=over)
        parser.add_argument("--reason", default="", help="the reason, for the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        """Import the file, or say why it can't be imported."""
        try:
            content = sys.stdin.buffer.read() if options["file"] == "-" else Path(options["file"]).read_bytes()
        except OSError as fault:
            raise CommandError(f"{options['file']}: {fault.strerror}") from fault
        try:
            document = read_file(content)
            make_database()
            if options["pairing_code"]:
                machine = machines.pair_by_file(
                    by=SITE, document=document, code=options["pairing_code"], name=options["machine"]
                )
                self.stdout.write(f"Paired: {machine.name}. Its files need no code from now on.")
            planned = comparing.plan(document)
            if planned.signer is None and not options["trust"]:
                self._copy(planned, options)
                return
            found = moving.import_event(
                by=SITE,
                document=document,
                confirmed=options["force"],
                reason=options["reason"] or "Imported with the import_event command",
                take_over=options["take_over"],
                vouched=options["trust"],
            )
        except NeedsConfirmation as asked:
            lines = "\n".join(f"  {line}" for line in [*planned.lines(), *asked.consequences])
            raise CommandError(
                f"The file is older than the event here. Restoring it (--force) changes this:\n{lines}"
            ) from None
        except (BadFile, Refused) as fault:
            raise CommandError(str(fault)) from fault
        self._tell(found, document)

    def _copy(self, planned: comparing.ImportPlan, options: dict[str, Any]) -> None:
        """Import an unsigned file as a copy, unless an option was given that needs a trusted file."""
        powers = "\n".join(f"  {line}" for line in planned.powers()) or "  no one"
        if options["take_over"] or options["force"] or planned.event is not None:
            here = "This event is already here, and an unsigned file doesn't change it. " if planned.event else ""
            raise CommandError(f"{here}{TRUST} It would give a role or an entry to:\n{powers}")
        venue = Venue.objects.filter(pk=options["venue"]).first() if options["venue"] else None
        if venue is None and not copied.venues_for(SITE, planned.document):
            raise CommandError(
                f"This machine has no approved venue for a copy. {TRUST} It would give a role or an entry to:\n{powers}"
            )
        event = copied.import_copy(by=SITE, document=planned.document, venue=venue)
        self.stdout.write(
            f"Imported as a copy, {event.public_id}. {TRUST}\nThe file would have given a role or an entry to:"
        )
        self.stdout.write(powers)
        for line in copied.what_copy_becomes(planned.document):
            self.stdout.write(line)

    def _tell(self, found: comparing.ImportPlan, document: Document) -> None:
        for line in found.lines():
            self.stdout.write(line)
        event = Event.objects.get(public_id=document["event"]["public_id"])
        if found.relation == "same":
            self.stdout.write("The event on this machine is identical to the file.")
        if event.away and found.relation == "same":
            self.stdout.write(
                f"The event is read-only here because {event.away} has it. To take it over, use --take-over."
            )
        elif event.away:
            self.stdout.write(
                "The event is read-only here: the file was only a copy. To take it over, use --take-over."
            )
        else:
            self.stdout.write("You can change the event here from now on.")
        for person in moving.officials_without_password(event):
            self.stdout.write(f"{person.name} has no password here: headjudge changepassword {person.email}")
