"""`send_reminders`: mail everyone what is due, each duty once. Run it daily from a timer."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from events.mails import is_mail_configured
from events.roles import SITE
from judging.management.readiness import needs_database
from judging.services import reminders


class Command(BaseCommand):
    """Send reminders of results to verify and report, officials to accept, registrations to decide."""

    help = "E-mail people the tasks that are due, each task only once. You can run this as often as you like."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the one option."""
        parser.add_argument("--dry-run", action="store_true", help="show what would be sent, without sending it")

    def handle(self, *_given: Any, dry_run: bool = False, **_options: Any) -> None:
        """Send the reminders and print how many; on a mail server's error, name it and exit with status 1."""
        needs_database()
        now = timezone.now()
        if not dry_run and not is_mail_configured():
            self.stdout.write("No mail server is configured (EMAIL_URL): reminders appear on the site only.")
            return
        sent = faults = 0
        for person in reminders.people_to_remind(now):
            if dry_run:
                for duty in reminders.new_duties(person, now):
                    sent += 1
                    self.stdout.write(f"{person.email}: {duty.words}")
                continue
            try:
                sent += len(reminders.remind(by=SITE, person=person, now=now))
            except reminders.NotSent as fault:
                faults += 1
                self.stderr.write(f"{person.email}: {fault}")
        self.stdout.write(f"{sent} {'would be sent' if dry_run else 'sent'}.")
        if faults:
            raise CommandError(f"{faults} e-mails couldn't be sent. The next run tries again.")
