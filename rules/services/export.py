"""The catalogue as a spreadsheet that can be imported again; texts of cards only if they are asked for."""

from __future__ import annotations

from collections.abc import Iterable

from ..importers.csv_sheet import written
from ..models import CardTexts, Facts
from .catalogue import own_facts


def catalogue_sheet(found: Iterable[Facts], *, with_card_texts: bool = False) -> bytes:
    """Return dated facts as a spreadsheet in CSV, with the byte order mark that other programs look for."""
    rows, texts = list(found), {}
    if with_card_texts:
        of_sets = CardTexts.objects.filter(element__set__in={row.element.set_id for row in rows})
        texts = dict(of_sets.values_list("element__code", "texts"))
    elements = ((row.element.code, row.element.set.name, row.element.section, own_facts(row)) for row in rows)
    return written(elements, texts).encode("utf-8-sig")
