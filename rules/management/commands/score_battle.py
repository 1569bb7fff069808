"""`manage.py score_battle FILE`: battle files → victory points by line, and the winner; one JSON report per line."""

from rules.engine import battle_in_words, score_battle
from rules.management.reporting import ReportCommand
from rules.management.samples import SAMPLES


class Command(ReportCommand):
    """Score each battle file by the rules of its edition."""

    help = (
        "Score each battle file in FILE ('-' for standard input), one JSON document, or one per line, by the rules of "
        "its edition. Writes one report per line. Exit status 2 if a document can't be read."
    )
    sample = SAMPLES / "battle.json"
    answer = staticmethod(score_battle)
    in_words = staticmethod(battle_in_words)
