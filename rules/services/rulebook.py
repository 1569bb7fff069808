"""Loading a rulebook's text into this installation, replacing any text loaded before."""

from __future__ import annotations

from django.db import transaction

from rules.engine import headings, rulings
from rules.models import LoadedRulebook, RulebookPassage
from rules.rulebook_text import CutText, cut
from rules.search import store


@transaction.atomic
def load_rulebook(*, edition: str, file_name: str, text: str) -> tuple[LoadedRulebook, CutText]:
    """Cut a book's text at its headings and store the passages, replacing an earlier load of that edition.

    Returns the row and how the text was cut. Raises KeyError for an unknown edition and ValueError if the text has none
    of the edition's headings; then nothing is changed.
    """
    book = headings(edition)
    notes = [(ruling.id, ruling.section, ruling.line) for ruling in rulings(edition) if ruling.line is not None]
    pieces = cut(book, text, notes)
    if not pieces.passages:
        raise ValueError(f"this text contains none of the headings of {book.title}")
    rulebook, _made = LoadedRulebook.objects.update_or_create(
        edition=edition,
        defaults={"file_name": file_name, "exact": pieces.exact, "missing": list(pieces.missing)},
    )
    rulebook.passages.all().delete()
    RulebookPassage.objects.bulk_create(
        RulebookPassage(rulebook=rulebook, order=order, section=piece.section, ruling=piece.ruling, text=piece.text)
        for order, piece in enumerate(pieces.passages, 1)
    )
    store()
    return rulebook, pieces
