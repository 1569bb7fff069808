"""The catalogue as a spreadsheet that can be imported again; texts of cards only if they are asked for."""

from __future__ import annotations

from django.db.models import QuerySet

from ..importers.csv_sheet import written
from ..models import Facts
from .catalogue import own_facts


def catalogue_sheet(found: QuerySet[Facts], *, with_card_texts: bool = False) -> bytes:
    """Return dated facts as a spreadsheet in CSV, with the byte order mark that other programs look for. One query."""
    rows, texts = found.select_related("element__set"), {}
    if with_card_texts:
        rows = found.select_related("element__set", "element__card_texts")
        texts = {row.element.code: row.element.card_texts.texts for row in rows if hasattr(row.element, "card_texts")}
    elements = ((row.element.code, row.element.set.name, row.element.section, own_facts(row)) for row in rows)
    return written(elements, texts).encode("utf-8-sig")
