"""Imports: a file is read, planned step by step, previewed, and then applied as a whole or not at all.

The plan is stored as lines, one per record, so that exactly what was previewed is applied: if the catalogue has changed
in between, applying is refused and the file is planned again.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _

from ..apart import apart
from ..documents import BadFacts, read_facts
from ..importers.kept import Kept, is_kept, kept_reading
from ..importers.records import ElementRecord, PassedOver, RecordFault, UnreadableFile
from ..models import Element, Facts, Import, ImportLine, Set
from ..uploads import LIMITS, check_size
from .catalogue import Loaded, NewElement, catalogue_elements, element_code, news, own_facts, record_set

AT_ONCE = 500
Outcome = ImportLine.Outcome


class CannotApply(Exception):
    """This import can't be applied in its current state; the message says why and what to do."""


@dataclass
class Planner:
    """State of a plan between records: the codes seen so far."""

    counts_from: datetime.date
    seen: dict[str, str] = field(default_factory=dict)

    def lines(self, records: Sequence[ElementRecord | RecordFault | PassedOver], first: int) -> list[ImportLine]:
        """Return the effects of these records, unsaved; `first` is the number of the first record."""
        codes = [self._code(record) if isinstance(record, ElementRecord) else "" for record in records]
        known = {
            row.code: row
            for row in Element.objects.select_related("set").filter(code__in=[code for code in codes if code])
        }
        current = {row.element_id: row for row in Facts.objects.on(self.counts_from).filter(element__in=known.values())}
        lines = []
        for order, (record, code) in enumerate(zip(records, codes, strict=True), first):
            line = ImportLine(order=order, where=record.where[:120], code=code[:120])
            if isinstance(record, ElementRecord):
                self._plan(line, record, known.get(code), current)
            else:
                line.name, line.message = record.name[:160], record.message
                line.outcome = Outcome.ERROR if isinstance(record, RecordFault) else Outcome.PASSED_OVER
            lines.append(line)
        return lines

    def _code(self, record: ElementRecord) -> str:
        return record.code or element_code(record.set_code, record.section, record.facts)[:120]

    def _plan(self, line: ImportLine, record: ElementRecord, known: Element | None, current: dict[int, Facts]) -> None:
        name = record.facts.get("name", "")
        line.name = name[:160] if isinstance(name, str) else ""
        try:
            facts = read_facts(record.section, dict(record.facts))
            if line.code in self.seen:
                raise BadFacts(
                    "number",
                    _("is the same item as %(other)s: %(code)s") % {"other": self.seen[line.code], "code": line.code},
                )
            if known is not None and known.section != record.section:
                raise BadFacts(
                    "section",
                    _("%(code)s is in the catalogue under %(section)s") % {"code": line.code, "section": known.section},
                )
        except BadFacts as bad:
            line.outcome, line.message = Outcome.ERROR, str(bad)
            return
        self.seen[line.code] = record.where
        line.record = {"set": record.set_code, "set_name": record.set_name, "section": record.section, "facts": facts}
        if known is None:
            line.outcome = Outcome.ADDED
            return
        version = current[known.pk]
        version.element = known
        line.differences = news(own_facts(version), known.printed, facts)
        line.outcome = Outcome.CHANGED if line.differences else Outcome.UNCHANGED


def plan_file(reading: Kept, counts_from: datetime.date) -> Iterator[list[ImportLine]]:
    """Return the plan of a whole file without storing it, in batches of some hundred lines."""
    planner = Planner(counts_from)
    records = reading.records()
    first = 1
    while some := list(islice(records, AT_ONCE)):
        yield planner.lines(some, first)
        first += len(some)


def _read(content: bytes, layout: str, set_code: str) -> Kept:
    """Return the contents of a file; a large one is read by a process of its own. Raises Unreadable."""
    limits = LIMITS["catalogue"]
    check_size("catalogue", len(content))
    told = apart(
        kept_reading, content, layout, set_code, size=len(content), seconds=limits.seconds, memory=limits.memory
    )
    return Kept(told)


def _reading_of(row: Import) -> Kept:
    """Return the contents of an import's file, as stored when the import began."""
    content = bytes(row.content)
    return Kept(content) if is_kept(content) else _read(content, row.layout, row.set_code)


def _new_sets(named: Mapping[str, str]) -> dict[str, str]:
    there = set(Set.objects.filter(code__in=named).values_list("code", flat=True))
    return {code: name or code for code, name in named.items() if code not in there}


def begin_import(
    *,
    file_name: str,
    content: bytes,
    layout: str = "",
    set_code: str = "",
    counts_from: datetime.date | None = None,
    by: str = "",
) -> Import:
    """Store the contents of a file to import, without changing the catalogue. Raises Unreadable."""
    reading = _read(content, layout, set_code)
    if not reading.count:
        raise UnreadableFile(_("The file contains no figures, objects or cards."))
    return Import.objects.create(
        file_name=file_name[:200],
        layout=reading.layout,
        content=reading.content,
        digest=hashlib.sha256(content).hexdigest(),
        set_code=set_code,
        counts_from=counts_from or timezone.localdate(),
        records=reading.count,
        unknown_fields=reading.unknown,
        new_sets=_new_sets(reading.sets),
        by=by[:160],
    )


@transaction.atomic
def plan_more(*, reading_of: Import, at_once: int = AT_ONCE) -> Import:
    """Plan the next records of an import; after the last the state becomes `planned`. Does nothing if it already is."""
    row = Import.objects.select_for_update().get(pk=reading_of.pk)
    if row.state != Import.State.PLANNING:
        return row
    reading = _reading_of(row)
    planner = Planner(row.counts_from)
    seen = row.lines.filter(outcome__in=[Outcome.ADDED, Outcome.CHANGED, Outcome.UNCHANGED])
    planner.seen = dict(seen.values_list("code", "where"))
    start = row.records_planned
    lines = planner.lines(list(islice(reading.records(), start, start + at_once)), start + 1)
    for line in lines:
        line.reading = row
    ImportLine.objects.bulk_create(lines, batch_size=AT_ONCE)
    row.records_planned = start + len(lines)
    if row.records_planned >= row.records:
        row.state = Import.State.PLANNED
    row.version += 1
    row.save(update_fields=["records_planned", "state", "version"])
    return row


def outcomes(row: Import) -> dict[str, int]:
    """Return the number of an import's records by outcome."""
    return dict(row.lines.order_by().values_list("outcome").annotate(Count("pk")))


def _apply(
    reading: Kept, lines: Iterable[tuple[str, dict[str, Any]]], *, counts_from: datetime.date, by: str, source: str
) -> Loaded:
    for code, name in _new_sets(reading.sets).items():
        record_set(code=code, name=name[:120], by=by, source=source)
    elements = [
        NewElement(line["set"], line["section"], line["facts"], code=code, provenance=source) for code, line in lines
    ]
    return catalogue_elements(elements=elements, by=by, source=source, counts_from=counts_from, verb="apply-import")


@transaction.atomic
def apply_import(*, planned: Import, by: str = "") -> Loaded:
    """Make all the changes shown in the preview, in one transaction.

    Raises CannotApply if the import has errors, isn't fully planned, was applied or discarded, or if the catalogue has
    changed since the preview; in that case the plan is discarded and made again.
    """
    row = Import.objects.select_for_update().get(pk=planned.pk)
    if row.state != Import.State.PLANNED:
        raise CannotApply(_("This import can't be applied."))
    lines = list(row.lines.values("order", "code", "outcome", "differences", "record"))
    if any(line["outcome"] == Outcome.ERROR for line in lines):
        raise CannotApply(_("Some records have errors. Fix the file and import it again. Nothing was changed."))
    reading = _reading_of(row)
    anew = [line for some in plan_file(reading, row.counts_from) for line in some]
    seen = [(line["code"], line["outcome"], line["differences"]) for line in lines]
    if seen != [(line.code, line.outcome, line.differences) for line in anew]:
        raise CannotApply(_("The catalogue has changed since this preview. Check it again, then apply it."))
    wanted = [(line["code"], line["record"]) for line in lines if line["outcome"] in (Outcome.ADDED, Outcome.CHANGED)]
    loaded = _apply(reading, wanted, counts_from=row.counts_from, by=by, source=row.file_name)
    row.state = Import.State.APPLIED
    row.applied = timezone.now()
    row.content = b""
    row.version += 1
    row.save(update_fields=["state", "applied", "content", "version"])
    return loaded


@transaction.atomic
def plan_again(*, planned: Import) -> Import:
    """Discard an import's plan, so that it is made again from its stored file."""
    row = Import.objects.select_for_update().get(pk=planned.pk)
    if row.state in (Import.State.PLANNED, Import.State.PLANNING):
        row.lines.all().delete()
        row.state, row.records_planned, row.new_sets = Import.State.PLANNING, 0, _new_sets(_reading_of(row).sets)
        row.version += 1
        row.save(update_fields=["state", "records_planned", "new_sets", "version"])
    return row


@transaction.atomic
def put_away_import(*, planned: Import) -> Import:
    """Discard an import: its file is deleted, the catalogue stays as it is."""
    row = Import.objects.select_for_update().get(pk=planned.pk)
    if row.state in (Import.State.PLANNED, Import.State.PLANNING):
        row.state, row.content = Import.State.PUT_AWAY, b""
        row.version += 1
        row.save(update_fields=["state", "content", "version"])
        row.lines.all().delete()
    return row
