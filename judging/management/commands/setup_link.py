"""`setup_link`: a new one-time link to set the site up, for a server that another program starts."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from events.setup_link import is_set_up
from judging.management.first_run import print_link
from judging.management.readiness import needs_database


class Command(BaseCommand):
    """Print a link."""

    help = "Print a new one-time link that sets up a site without accounts. `serve` prints one too."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the site's address."""
        parser.add_argument("--site", help="the site's address (default: SITE_URL, else http://127.0.0.1:8000)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the link; refuse if there is an account."""
        needs_database()
        if is_set_up():
            raise CommandError("This site already has accounts and needs no set-up link.")
        site = options["site"] or settings.SITE_URL or "http://127.0.0.1:8000"
        print_link(self.stdout, site.rstrip("/"))
