"""Imports: files are read, planned step by step, previewed, and then applied in one transaction.

Sound records are applied, and the others left out; a strict import applies nothing if any is left out. The plan is
stored as lines, one per record, so that exactly what was previewed is applied: if the catalogue has changed in between,
applying is refused and the file is planned again. `rules.services.import_jobs` does what takes long beside the server.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress, islice
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _

from ..importers.kept import Kept
from ..importers.records import ElementRecord, LeftOut, PassedOver, Record
from ..models import Element, Import, ImportLine, Set
from .catalogue import InEffect, Loaded, NewElement, catalogue_elements, other_section, record_set

AT_ONCE = 500
IN_MEMORY = 5_000
"""How many records are applied together: each such part is a line of the log."""
Outcome = ImportLine.Outcome


class CannotApply(Exception):
    """This import can't be applied in its current state; the message says why and what to do."""


def planned_lines(records: Sequence[Record], first: int, counts_from: datetime.date) -> list[ImportLine]:
    """Return the effects of these records, unsaved; `first` is the number of the first record."""
    codes = [record.code for record in records if isinstance(record, ElementRecord)]
    known = {row.code: row for row in Element.objects.select_related("set").filter(code__in=codes)}
    in_effect = InEffect(known.values(), counts_from)
    return [_planned(order, record, known, in_effect) for order, record in enumerate(records, first)]


def _planned(order: int, record: Record, known: Mapping[str, Element], in_effect: InEffect) -> ImportLine:
    line = ImportLine(order=order, file=record.file[:200], where=record.where[:120])
    if isinstance(record, LeftOut):
        line.name, line.outcome, line.faults = record.name[:160], Outcome.LEFT_OUT, [list(one) for one in record.faults]
        return line
    if isinstance(record, PassedOver):
        line.name, line.outcome = record.name[:160], Outcome.PASSED_OVER
        line.message = _("Items of this kind aren't used in matches: %(kind)s") % {
            "kind": record.kind.replace("-", " ")
        }
        return line
    line.code, line.name = record.code, record.facts["name"]
    element = known.get(record.code)
    if element is None:
        line.outcome = Outcome.ADDED
    elif element.section != record.section:
        line.outcome = Outcome.LEFT_OUT
        line.faults = [[record.where, other_section(line.code, element.section).message]]
    else:
        line.differences = in_effect.news(element, record.facts, record.texts)
        line.outcome = Outcome.CHANGED if line.differences else Outcome.UNCHANGED
    return line


def plan_files(reading: Kept, counts_from: datetime.date) -> Iterator[list[ImportLine]]:
    """Return the whole plan without storing it, in batches of some hundred lines."""
    records = reading.records()
    first = 1
    while some := list(islice(records, AT_ONCE)):
        yield planned_lines(some, first, counts_from)
        first += len(some)


def _new_sets(named: Mapping[str, str]) -> dict[str, str]:
    there = set(Set.objects.filter(code__in=named).values_list("code", flat=True))
    return {code: name or code for code, name in named.items() if code not in there}


def _as_read(reading: Kept) -> dict[str, Any]:
    """Return what an import's row says of its files once they are read."""
    return {
        "layout": reading.layout[:20],
        "content": reading.content,
        "files": reading.files,
        "files_passed_over": reading.files_passed_over,
        "unreadable": reading.unreadable,
        "guessed": reading.guessed,
        "records": reading.count,
        "unknown_fields": reading.unknown,
        "new_sets": _new_sets(reading.sets),
        "state": Import.State.PLANNING,
    }


def begin_import(*, name: str, reading: Kept, counts_from: datetime.date | None = None, by: str = "") -> Import:
    """Store what was read from an import's files, without changing the catalogue."""
    day = counts_from or timezone.localdate()
    return Import.objects.create(file_name=name[:200], counts_from=day, by=by[:160], **_as_read(reading))


def keep_reading(*, reading_of: int, reading: Kept) -> None:
    """Store what was read from the files of an import that waits for it."""
    Import.objects.filter(pk=reading_of, state=Import.State.READING).update(**_as_read(reading))


@transaction.atomic
def plan_more(*, reading_of: Import, at_once: int = AT_ONCE) -> Import:
    """Plan the next records of an import; after the last the state becomes `planned`. Does nothing if it already is."""
    row = Import.objects.select_for_update().get(pk=reading_of.pk)
    if row.state != Import.State.PLANNING:
        return row
    start = row.records_planned
    records = list(islice(Kept(bytes(row.content)).records(after=start), at_once))
    lines = planned_lines(records, start + 1, row.counts_from)
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


def _apply(reading: Kept, records: Iterable[Record], *, counts_from: datetime.date, by: str, source: str) -> Loaded:
    for code, name in _new_sets(reading.sets).items():
        record_set(code=code, name=name[:120], by=by, source=source)
    elements = (
        NewElement(one.set_code, one.section, one.facts, code=one.code, provenance=source, texts=one.texts)
        for one in records
        if isinstance(one, ElementRecord)
    )
    loaded = Loaded()
    while some := list(islice(elements, IN_MEMORY)):
        part = catalogue_elements(elements=some, by=by, source=source, counts_from=counts_from, verb="apply-import")
        loaded.added += part.added
        loaded.changed |= part.changed
        loaded.unchanged += part.unchanged
    return loaded


@transaction.atomic
def apply_import(*, planned: Import, by: str = "") -> Loaded:
    """Make all the changes shown in the preview, in one transaction; records that are left out change nothing.

    Raises CannotApply if the import isn't fully planned, was applied or discarded, or if the catalogue has changed
    since the preview; in that case the plan is discarded and made again.
    """
    row = Import.objects.select_for_update().get(pk=planned.pk)
    if row.state not in (Import.State.PLANNED, Import.State.APPLYING):
        raise CannotApply(_("This import can't be applied now. Reload the page to see its current state."))
    lines = row.lines.values_list("code", "outcome", "differences")
    reading = Kept(bytes(row.content))
    changing = []
    for some in plan_files(reading, row.counts_from):
        previewed = list(lines.filter(order__range=(some[0].order, some[-1].order)))
        if previewed != [(line.code, line.outcome, line.differences) for line in some]:
            raise CannotApply(
                _("The catalogue has changed since this preview. Check the new preview, then apply the import.")
            )
        changing += [line.outcome in (Outcome.ADDED, Outcome.CHANGED) for line in some]
    loaded = _apply(
        reading, compress(reading.records(), changing), counts_from=row.counts_from, by=by, source=row.file_name
    )
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
    if row.state in (Import.State.PLANNED, Import.State.PLANNING, Import.State.APPLYING):
        row.lines.all().delete()
        row.state, row.records_planned, row.new_sets = (
            Import.State.PLANNING,
            0,
            _new_sets(Kept(bytes(row.content)).sets),
        )
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
