"""`make_papers`: make the paper of published rounds that is waiting; a server runs it outside its requests."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from judging.keeping import bundles
from judging.management.readiness import event_named, needs_database


class Command(BaseCommand):
    """Make the paper that is waiting."""

    help = "Make missing printouts of published rounds (a running server does so by itself)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the event, to make only its paper."""
        parser.add_argument("event", nargs="?", help="the event's id, as in its address (default: all events)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the paper, and print how many files were made."""
        needs_database()
        event = event_named(options["event"]) if options["event"] else None
        self.stdout.write(f"Printouts made: {bundles.make_waiting(event)}")
