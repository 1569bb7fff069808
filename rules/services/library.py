"""Loading the shipped library: sets, elements and the book's figure corrections, in one transaction. Safe to repeat."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from ..documents import BadFacts
from ..importers.shipped import changes_of, shipped_corrections, shipped_sets
from ..models import Correction, Element, Facts, Set
from .catalogue import Loaded, catalogue_elements, correct_element, own_facts, record_set


@dataclass(frozen=True)
class LoadedLibrary:
    """The result of loading."""

    sets: int
    elements: Loaded
    corrections: int


@transaction.atomic
def load_library(*, by: str = "") -> LoadedLibrary:
    """Load everything that ships; for an existing set only facts that are still missing.

    Raises BadFacts, naming file and element, and then nothing is loaded.
    """
    sets = list(shipped_sets())
    known = Set.objects.in_bulk([each.code for each in sets], field_name="code")
    for each in sets:
        row = known.get(each.code)
        missing = {name: value for name, value in each.facts.items() if row is None or getattr(row, name) in (None, "")}
        if missing:
            record_set(code=each.code, by=by, source="library", **missing)
    elements = catalogue_elements(
        elements=[element for each in sets for element in each.elements], by=by, source="library", verb="load-library"
    )
    added = 0
    there = set(Correction.objects.values_list("code", flat=True))
    for correction in shipped_corrections(sets):
        if correction.code in there:
            continue
        figure = Element.objects.filter(set__code=correction.set_code, number=correction.number).first()
        if figure is None:
            words = _("The catalogue has no figure %(number)s in the set %(set_code)s.")
            raise BadFacts(correction.code, words % {"number": correction.number, "set_code": correction.set_code})
        facts = own_facts(Facts.objects.on(correction.from_date).select_related("element__set").get(element=figure))
        correct_element(
            element=figure,
            from_date=correction.from_date,
            changes=changes_of(correction.change, facts),
            text=correction.text,
            authority=Correction.Authority.CORRECTION,
            citation=correction.citation,
            provenance="Published corrections, 2002-07-23 and 2002-09-20",
            code=correction.code,
            by=by,
        )
        added += 1
    return LoadedLibrary(len(sets), elements, added)
