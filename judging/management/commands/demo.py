"""`demo`: fill an empty site with demo data; if it is there already, only print the sign-ins."""

from typing import Any

from django.core.management.base import BaseCommand

from judging import demo
from judging.management.readiness import make_database


class Command(BaseCommand):
    """Load the demo once."""

    help = "Fill the site with a living demo and say the log-ins. What is there is kept."

    def handle(self, *args: Any, **options: Any) -> None:
        """Load the demo unless it exists, and print the sign-ins."""
        make_database()
        if demo.is_there():
            self.stdout.write("The demo is there already and is kept as it is.")
        else:
            self.stdout.write("Making the demo …")
            demo.load(self.stdout.write)
        width = max(len(email) for email, _what in demo.LOG_INS)
        self.stdout.write(self.style.SUCCESS(f"\nSign in with the password  {demo.PASSWORD}  as"))
        for email, what in demo.LOG_INS:
            self.stdout.write(f"  {email:{width}}  {what}")
