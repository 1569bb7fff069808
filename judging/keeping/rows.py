"""An event's rows as plain values with file-wide numbers, to move them between installations without loss.

The models are inspected to find those that belong to an event: everything related to it, except data about one
installation only (`STAYS`). New models and columns are included automatically.

Primary keys differ between databases, so each row gets a number: its place among the rows of its model, by key,
counting deleted rows that the audit log still mentions. Rows are only ever appended, and the audit log mentions those
that were deleted, so every copy of the event has the same numbers. People are identified by their e-mail address, the
venue by its name and place, the hall by its name.
"""

from __future__ import annotations

import datetime
import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connection, models
from django.db.models import QuerySet

from events.models import (
    ApiToken,
    AuditEntry,
    Event,
    Hall,
    Official,
    PairingMail,
    Person,
    PushMessage,
    Reminder,
    SeriesEvent,
    SignInCode,
    Venue,
    Webhook,
    WebhookMessage,
)
from judging.models import Bundle, Move, ReportMail, Snapshot, TableDispute
from rules.models import SavedDispute

STAYS: frozenset[type[models.Model]] = frozenset({
    SignInCode, ApiToken, Webhook, WebhookMessage, PairingMail, PushMessage, Reminder, ReportMail, SeriesEvent, Snapshot,
    Bundle, Move,
})  # fmt: skip
"""Models related to an event that aren't moved with it."""
LEFT_OUT: Mapping[type[models.Model], frozenset[str]] = {
    Event: frozenset({"away", "copied_from"}),
    Official: frozenset({"answered"}),
}
"""Columns that aren't moved."""
RECORD = "events.RecordEntry"
"""The audit log's model in files: the name it had when the format was defined."""
PERSON, VENUE, HALL = Person._meta.label, Venue._meta.label, Hall._meta.label
PERSON_FACTS = ("email", "name", "is_minor", "publisher_family")
VENUE_FACTS = ("name", "kind", "public_location", "city", "country", "time_zone", "tables")
DISPUTE_FACTS = tuple(
    column.attname for column in SavedDispute._meta.concrete_fields if not column.primary_key
)  # includes the judges' key, which the event's holder needs

AT_A_TIME = 200
"""The number of rows held in memory at once while an event is written."""

Values = dict[str, Any]
Known = dict[str, list[int]]


@functools.cache
def models_of_event() -> Mapping[type[models.Model], str]:
    """Return every model of an event with its path to the event; the event first, parents before children."""
    found: dict[type[models.Model], str] = {Event: "pk"}
    candidates = [
        model
        for model in apps.get_models()
        if model._meta.app_label in ("events", "judging") and model not in STAYS and model is not Event
    ]
    added = True
    while added:
        added = False
        for model in candidates:
            if model not in found and (path := _path(model, found)):
                found[model] = path
                added = True
    return found


def _path(model: type[models.Model], found: Mapping[type[models.Model], str]) -> str:
    """Return the lookup from a model to its event: a direct relation if there is one, otherwise through a parent."""
    for column in model._meta.concrete_fields:
        if column.related_model is Event and column.name == "event":
            return "event"
    for column in model._meta.concrete_fields:
        if (
            isinstance(column, models.ForeignKey)
            and not column.null
            and column.remote_field.on_delete is models.CASCADE
        ):
            target = target_of(column)
            if target in found:
                return f"{column.name}__{found[target]}" if found[target] != "pk" else column.name
    return ""


def label_of(model: type[models.Model]) -> str:
    """Return a model's name as the audit log and the file write it."""
    return RECORD if model is AuditEntry else str(model._meta.label)


def target_of(column: models.Field) -> type[models.Model]:
    """Return the model that a relation points to."""
    target = column.related_model
    assert isinstance(target, type)
    return target


@functools.cache
def columns_of(model: type[models.Model]) -> tuple[models.Field, ...]:
    """Return the columns of a model that are moved: all except the key and `LEFT_OUT`."""
    left_out = LEFT_OUT.get(model, frozenset())
    return tuple(c for c in model._meta.concrete_fields if not c.primary_key and c.name not in left_out)


def rows_of(event: Event) -> dict[type[models.Model], list[models.Model]]:
    """Return every row of the event by model, oldest first; one query per model."""
    return {model: list(_rows_of(model, event)) for model in models_of_event()}


def _rows_of(model: type[models.Model], event: Event) -> QuerySet:
    return _all(model).filter(**{models_of_event()[model]: event.pk}).order_by("pk")


def _all(model: type[models.Model]) -> QuerySet:
    return model._base_manager.all()


# rows to values


class Numbering:
    """The numbers of keys, by model."""

    def __init__(self, keys: Mapping[str, Iterable[int]]) -> None:
        self.keys = {label: list(known) for label, known in keys.items()}
        self._numbers = {label: {key: n for n, key in enumerate(known, 1)} for label, known in self.keys.items()}

    def number(self, label: str, key: Any) -> Any:
        """Return the number of a key, or None if it is another event's row."""
        return self._numbers.get(label, {}).get(key)


@dataclass
class Numbered:
    """An event's rows as the file writes them. `keys` are this database's keys in the order of the numbers."""

    event: Event
    numbers: Numbering
    there: Mapping[str, frozenset[int]]
    people: list[Values]
    disputes: list[Values]

    @property
    def keys(self) -> Known:
        """Return this database's keys by model, in the order of the numbers."""
        return self.numbers.keys

    def values_of(self, model: type[models.Model]) -> Iterator[Values]:
        """Yield the rows of a model as values with numbers, reading a few at a time."""
        for row in _rows_of(model, self.event).iterator(chunk_size=AT_A_TIME):
            yield _values(row, self.numbers, self.there)

    def venue(self) -> Values:
        """Return the venue's values for the file."""
        return _facts(self.event.venue, VENUE_FACTS)

    def hall(self) -> Values | None:
        """Return the hall's values for the file, or None."""
        return _facts(self.event.hall, ("name", "tables")) if self.event.hall else None


def numbered(event: Event) -> Numbered:
    """Return the event's rows with numbers; the rows themselves are read on demand."""
    keys: dict[str, set[int]] = {}
    wanted: set[int] = set()
    for model in models_of_event():
        about = [column.attname for column in columns_of(model) if column.related_model is Person]
        of_model = keys.setdefault(label_of(model), set())
        for key, *persons in _rows_of(model, event).values_list("pk", *about).iterator(chunk_size=AT_A_TIME):
            of_model.add(key)
            wanted.update(persons)
    there = {label: frozenset(seen) for label, seen in keys.items()}
    for label, seen in _mentioned(_rows_of(AuditEntry, event).iterator(chunk_size=AT_A_TIME)).items():
        keys.setdefault(label, set()).update(seen)
    people = _people(wanted | keys.pop(PERSON, set()))
    for label in (VENUE, HALL):
        keys.pop(label, None)
    ordered: dict[str, list[int]] = {label: sorted(seen) for label, seen in keys.items()}
    ordered[PERSON] = [person.pk for person in people]
    ordered[VENUE] = [event.venue_id]
    ordered[HALL] = [event.hall_id] if event.hall_id else []
    return Numbered(
        event=event,
        numbers=Numbering(ordered),
        there={label: frozenset(known) for label, known in ordered.items()} | there,
        people=[{**_facts(person, PERSON_FACTS), "volunteer": _volunteer(person)} for person in people],
        disputes=_disputes(_rows_of(TableDispute, event), event),
    )


def _values(row: models.Model, numbers: Numbering, there: Mapping[str, frozenset[int]]) -> Values:
    """Return a row's columns; relations to another event's rows become None."""
    values: Values = {"n": numbers.number(label_of(type(row)), row.pk)}
    for column in columns_of(type(row)):
        value = plain(column.value_from_object(row))
        if column.is_relation:
            target = label_of(target_of(column))
            value = numbers.number(target, value) if value in there.get(target, ()) else None
        values[column.attname] = value
    if isinstance(row, AuditEntry):
        values["changes"] = [translated(change, numbers.number) for change in row.changes]
        values["subject_id"] = numbers.number(row.subject_model, row.subject_id)
    return values


def plain(value: Any) -> Any:
    """Return a column's value as JSON can hold it; instants in UTC."""
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.UTC).isoformat()
    return value.isoformat() if isinstance(value, datetime.date) else value


def _facts(row: models.Model, names: Iterable[str]) -> Values:
    return {name: plain(getattr(row, name)) for name in names}


def _people(wanted: set[int]) -> list[Person]:
    people = Person.objects.filter(pk__in=wanted - {None}).select_related("volunteer")
    return sorted(people, key=lambda person: person.email)  # databases sort text differently


def _volunteer(person: Person) -> str | None:
    found = getattr(person, "volunteer", None)
    return found.state if found is not None else None


def dispute_keys(found: Mapping[type[models.Model], list[models.Model]], event: Event) -> set[str]:
    """Return the public ids of the disputes that the event's tables and decisions use, from the event's rows."""
    return _dispute_keys(found[TableDispute], event)


def _dispute_keys(rows: Iterable[models.Model], event: Event) -> set[str]:
    keys = {getattr(row, "key", "") for row in rows}
    return keys | set(event.decisions.exclude(dispute_key="").values_list("dispute_key", flat=True))


def _disputes(rows: Iterable[models.Model], event: Event) -> list[Values]:
    """Return the saved disputes that the event's tables and decisions use."""
    keys = _dispute_keys(rows, event)
    disputes = sorted(SavedDispute.objects.filter(public_id__in=keys), key=lambda dispute: dispute.public_id)
    return [_facts(row, DISPUTE_FACTS) for row in disputes]


# rows that the audit log mentions


def model_of(label: str) -> type[models.Model] | None:
    """Return the model with a label in the audit log, or None if there is no such model (any more)."""
    try:
        return AuditEntry if label == RECORD else apps.get_model(label)
    except (LookupError, ValueError):
        return None


def _relations(label: str) -> dict[str, str]:
    model = model_of(label)
    if model is None:
        return {}
    return {column.attname: label_of(target_of(column)) for column in model._meta.concrete_fields if column.is_relation}


def _mentioned(record: Iterable[models.Model]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    relations: dict[str, dict[str, str]] = {}
    for entry in record:
        if entry.subject_model and entry.subject_id:  # type: ignore[attr-defined]
            found.setdefault(entry.subject_model, set()).add(entry.subject_id)  # type: ignore[attr-defined]
        for change in entry.changes:  # type: ignore[attr-defined]
            label = change["model"]
            found.setdefault(label, set()).add(change["id"])
            of_label = relations.setdefault(label, _relations(label))
            for facts in (change["before"], change["after"]):
                for name, target in of_label.items():
                    if facts and isinstance(facts.get(name), int):
                        found.setdefault(target, set()).add(facts[name])
    return found


def translated(change: Mapping[str, Any], translate: Any) -> Values:
    """Return a change of the audit log with the keys of its rows translated."""
    label, relations = change["model"], _relations(change["model"])
    made = {**change, "id": translate(label, change["id"])}
    for side in ("before", "after"):
        if facts := change.get(side):
            made[side] = {
                name: translate(relations[name], value) if name in relations and value is not None else value
                for name, value in facts.items()
            }
    return made


# unused keys


def reserve(model: type[models.Model], count: int) -> list[int]:
    """Reserve keys of a model that no row has or will get."""
    if not count:
        return []
    table, column = model._meta.db_table, str(model._meta.pk.column)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
                [f'"{table}"', column, count],
            )
            return [key for (key,) in cursor.fetchall()]
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        found = cursor.fetchone()
        quoted = connection.ops.quote_name
        cursor.execute(f"SELECT MAX({quoted(column)}) FROM {quoted(table)}")
        last = max(found[0] if found else 0, cursor.fetchone()[0] or 0)
        if found:
            cursor.execute("UPDATE sqlite_sequence SET seq = %s WHERE name = %s", [last + count, table])
        else:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last + count])
    return list(range(last + 1, last + count + 1))


# values to rows


def row_from(
    model: type[models.Model], values: Mapping[str, Any], key: int, keys: Mapping[str, Mapping[int, int]]
) -> models.Model:
    """Return an unsaved row with these values and this key; `keys` maps numbers to keys, by model.

    Columns missing from the values (the file is from an older version) get their default.
    """
    row = model(pk=key)

    def translate(label: str, number: Any) -> Any:
        return keys.get(label, {}).get(number)

    for column in columns_of(model):
        if column.attname not in values:
            continue
        value = values[column.attname]
        if column.is_relation:
            value = translate(label_of(target_of(column)), value)
        setattr(row, column.attname, column.to_python(value) if value is not None else None)
    if isinstance(row, AuditEntry):
        row.changes = [translated(change, translate) for change in values["changes"]]
        row.subject_id = translate(row.subject_model, values["subject_id"])
    return row


def put(rows: Iterable[models.Model]) -> None:
    """Write rows exactly as they are, with their keys, timestamps and versions."""
    for row in rows:
        row.save_base(raw=True, force_insert=True)


def delete_rows(model: type[models.Model], keys: Iterable[int]) -> None:
    """Delete rows without cascading; the caller handles rows that refer to them, in the same transaction."""
    for some in _in_parts(keys):
        _all(model).filter(pk__in=some)._raw_delete(connection.alias)


def clear_relations(model: type[models.Model], keys: Iterable[int]) -> None:
    """Set nullable relations to deleted rows to null."""
    gone = list(keys)
    for relation in model._meta.related_objects:
        if relation.field.null and not relation.many_to_many and relation.related_model is not AuditEntry:
            for some in _in_parts(gone):
                _all(relation.related_model).filter(**{f"{relation.field.name}__in": some}).update(
                    **{relation.field.name: None}
                )


def _in_parts(keys: Iterable[int]) -> Iterable[list[int]]:
    wanted = list(keys)
    return (wanted[start : start + 500] for start in range(0, len(wanted), 500))


def differing(one: models.Model, other: models.Model) -> list[str]:
    """Return the columns in which two states of a row differ, ignoring the version."""
    return [
        column.attname
        for column in columns_of(type(one))
        if column.name != "version" and column.value_from_object(one) != column.value_from_object(other)
    ]
