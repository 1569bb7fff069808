"""`manage.py check_force FILE`: force files → legal or not, and why, one JSON report per line."""

from rules.engine import check_force, force_in_words
from rules.management.reporting import ReportCommand
from rules.management.samples import SAMPLES


class Command(ReportCommand):
    """Check each force file by the rules of its edition."""

    help = (
        "Check each force file in FILE ('-' for standard input), one JSON document, or one per line, by the rules of "
        "its edition. Writes one report per line. Exit status 2 if a document can't be read."
    )
    sample = SAMPLES / "force.json"
    answer = staticmethod(check_force)
    in_words = staticmethod(force_in_words)
