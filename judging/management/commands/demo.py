"""`demo`: create the database, fill it with demo data and serve it; a demo that exists already is kept."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser

from events.models import Venue
from judging import demo
from judging.management.commands import serve
from judging.management.readiness import is_behind, needs_database


class Command(serve.Command):
    """Load the demo once and serve it."""

    help = "Create the database, fill it with a demo, print the sign-ins, and serve it. Existing data is kept."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take what `serve` takes, and whether to serve at all."""
        super().add_arguments(parser)
        parser.add_argument("--no-serve", action="store_true", help="fill the database, then exit")

    def handle(self, *args: Any, **options: Any) -> None:
        """Load the demo unless it exists, print the sign-ins, and serve."""
        if is_behind():
            call_command("migrate", verbosity=0, interactive=False)
        needs_database()
        if demo.is_there():
            self.stdout.write("The demo already exists and is left unchanged.")
        elif Venue.objects.exists():
            raise CommandError(
                "This database has a venue of your own. To run the demo, name an empty folder in DATA_DIR."
            )
        else:
            self.stdout.write("Creating the demo …")
            demo.load(self.stdout.write)
        width = max(len(email) for email, _what in demo.LOG_INS)
        self.stdout.write(self.style.SUCCESS(f"\nSign in with the password  {demo.PASSWORD}  as"))
        for email, what in demo.LOG_INS:
            self.stdout.write(f"  {email:{width}}  {what}")
        if options["no_serve"]:
            self.say_where_data_is()
        else:
            super().handle(*args, **options)
