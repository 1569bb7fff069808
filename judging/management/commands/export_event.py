"""`export_event`: write an event to one file, as a copy or to hand it over to another machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from events.door import Refused
from events.roles import SITE
from judging.keeping import machines, moving, storage
from judging.keeping.whole_file import packed
from judging.management.readiness import event_named, needs_database
from judging.models import PairedMachine


def _must_be_writable(target: Path) -> None:
    """Raise CommandError before an event is handed over to a file that can't be written."""
    if target.is_dir():
        raise CommandError(f"{target} is a folder: name a file in it.")
    tried = target.with_name(f".{target.name}.trying")
    try:
        storage.write(tried, b"")
        tried.unlink()
    except OSError as fault:
        raise CommandError(f"{target} can't be written: {fault.strerror}. Nothing was done.") from fault


class Command(BaseCommand):
    """`export_event ID FILE`; a name ending in .gz is compressed."""

    help = "Write an event as one file. With --hand-over, another machine edits it from then on."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the event and the file."""
        parser.add_argument("event", help="the event's id, as in its address")
        parser.add_argument("file", help="where to write; compressed if the name ends in .gz")
        over = "hand the event over; it is read-only here until it comes back"
        parser.add_argument("--hand-over", metavar="WHERE", default="", help=over)
        pair = "create a pairing code for another machine; the first hand-over creates one by itself"
        parser.add_argument("--pair", action="store_true", help=pair)
        parser.add_argument("--force", action="store_true", help="overwrite an existing file")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file."""
        needs_database()
        event = event_named(options["event"])
        target = Path(options["file"])
        if target.exists() and not options["force"]:
            raise CommandError(f"{target} already exists. Name another file, or add --force.")
        if options["pair"] and not options["hand_over"]:
            raise CommandError(
                "Add --hand-over to --pair: --pair creates a code for the machine that receives the event."
            )
        _must_be_writable(target)
        code = ""
        try:
            if options["hand_over"]:
                is_first = options["pair"] or not PairedMachine.objects.exists()
                with transaction.atomic():
                    code = machines.pair(by=SITE, name=options["hand_over"])[1] if is_first else ""
                    content = moving.hand_over(by=SITE, event=event, other=options["hand_over"], confirmed=True)
            else:
                content = moving.export_event(by=SITE, event=event)
        except Refused as fault:
            raise CommandError(str(fault)) from fault
        storage.write(target, packed(content) if target.suffix == ".gz" else content)
        how = "copied; it can still be edited here"
        if event.away:
            how = f"copied; it can be edited only on another machine: {event.away}"
        if options["hand_over"]:
            how = f"handed over to {options['hand_over']}"
        self.stdout.write(
            f"{event.name}: {how}. {target} holds players' addresses: give it only to people who run the event."
        )
        if code:
            self.stdout.write(f"Pairing code, shown only now: {code}")
            self.stdout.write(f"On the other machine: headjudge import_event {target.name} --pairing-code {code}")
        elif options["hand_over"]:
            names = ", ".join(machine.name for machine in PairedMachine.objects.all())
            self.stdout.write(
                f"These paired machines trust the file without a code: {names}. For a new machine, add --pair."
            )
