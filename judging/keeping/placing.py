"""Writing an event file's rows to the database, under the keys they have here; only rows that differ are written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from allauth.account.models import EmailAddress
from django.db import models
from django.utils.translation import gettext as _

from events.door import Writing, facts
from events.models import (
    ApiToken,
    AuditEntry,
    Event,
    Hall,
    Official,
    Person,
    SignInCode,
    Venue,
    Volunteer,
    Webhook,
    WebhookMessage,
)
from judging.keeping import rows as graph
from judging.keeping.comparing import ImportPlan, counted_marks, known_people
from judging.keeping.copying import must_be_a_dispute, must_be_an_address
from judging.keeping.whole_file import BadFile, Document, steady_file
from rules.models import SavedDispute

MAX_ROWS = 1_000_000
"""The highest number of a model in a file; no event has more rows."""
Keys = dict[str, dict[int, int]]
Wanted = Mapping[type[models.Model], Mapping[int, dict[str, Any]]]


def write_event(found: ImportPlan) -> Event:
    """Write the file's rows: all of a new event; of an existing one, changed rows and new audit log entries."""
    whole = found.document["whole"]
    if any(row["role"] not in Official.Role.values for row in whole["rows"].get(graph.label_of(Official), [])):
        raise ValueError("no such role")  # an unknown role would give powers that no row of `events.actions` describes
    must_be_an_address(found.document["event"]["public_id"])
    keys = keys_for(found)
    wanted = wanted_of(found.document, keys)
    here = graph.rows_of(found.event) if found.event else {model: [] for model in wanted}
    theirs = graph.dispute_keys(here, found.event) if found.event else None
    replace(here, wanted, keys)
    put_disputes(whole["disputes"], theirs)
    event = Event.objects.select_related("venue", "hall").get(public_id=found.document["event"]["public_id"])
    if found.relation == "new":
        _confirm_addresses(event)
    return event


def _confirm_addresses(event: Event) -> None:
    """Make people created from the file findable by their address."""
    for person in Person.objects.filter(models.Q(entries__event=event) | models.Q(offices__event=event)).distinct():
        EmailAddress.objects.get_or_create(
            user=person, email=person.email, defaults={"primary": True, "verified": True}
        )


def must_be_the_same(event: Event, document: Document, *, known: int = 0) -> None:
    """Raise BadFile unless the written rows match the file.

    The first `known` entries of the audit log were here before and stayed as they were.
    """
    mine, theirs = json.loads(steady_file(event).parts["whole"]), document["whole"]
    for label in theirs["rows"]:
        first = known if label == graph.RECORD else 0
        told = _without_changes(theirs["rows"][label][first:])
        written = _without_changes(mine["rows"].get(label, [])[first:])
        if len(written) != len(told) or any(
            {name: here.get(name) for name in row} != row for here, row in zip(written, told, strict=True)
        ):  # a file from an older version lacks columns
            raise BadFile(
                _("The file contradicts itself (%(what)s). Nothing was imported. Export the event again.")
                % {"what": label[:80]}
            )


def _without_changes(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name != "changes" and value is not None} for row in rows]


# numbers to keys


def keys_for(found: ImportPlan) -> Keys:
    """Return the key here for each of the file's numbers; new rows get keys that were never used."""
    whole = found.document["whole"]
    most: dict[str, int] = {}
    for label, rows in whole["rows"].items():
        most[label] = max((row["n"] for row in rows), default=0)
    _highest(most, whole["rows"][graph.RECORD])
    if max(most.values()) > MAX_ROWS:
        raise BadFile(_("The file is damaged or too large. Export the event again."))
    here = graph.numbered(found.event) if found.event else None
    renumbered = _renumbered(found, here)
    keys: Keys = {}
    for label, count in most.items():
        known = [] if here is None or label in renumbered else here.keys.get(label, [])
        model = graph.model_of(label)
        fresh = graph.reserve(model, max(0, count - len(known))) if model is not None else list(range(1, count + 1))
        keys[label] = dict(enumerate([*known, *fresh], 1))
    people, venue, hall = _outside(found)
    return keys | {
        graph.PERSON: dict(enumerate(people, 1)),
        graph.VENUE: {1: venue.pk},
        graph.HALL: {1: hall.pk} if hall else {},
    }


def _highest(most: dict[str, int], record: Iterable[Mapping[str, Any]]) -> None:
    """Raise the highest numbers by rows that only the audit log mentions."""

    def seen(label: str, number: Any) -> Any:
        if isinstance(number, int):
            most[label] = max(most.get(label, 0), number)
        return number

    written = {graph.label_of(model) for model in graph.models_of_event()}
    written |= {graph.label_of(model) for model in (SignInCode, ApiToken, Webhook, WebhookMessage)}
    for entry in record:
        if entry["subject_model"]:
            seen(entry["subject_model"], entry["subject_id"])
        for change in entry["changes"]:
            if change["model"] not in written:  # undoing it would write rows outside the event
                raise ValueError("no act at an event writes that")
            graph.translated(change, seen)
    for label in (graph.PERSON, graph.VENUE, graph.HALL):
        most.pop(label, None)


def _renumbered(found: ImportPlan, here: graph.Numbered | None) -> set[str]:
    """Return the models numbered differently here: a shared audit log entry has other numbers for their rows."""
    if here is None:
        return set()
    record = list(here.values_of(AuditEntry))
    rows = {mark: row for row, mark in zip(record, counted_marks(record), strict=True)}
    theirs = found.document["whole"]["rows"][graph.RECORD]
    differ = set()
    for row, mark in zip(theirs, counted_marks(theirs), strict=True):
        if mine := rows.get(mark):
            for one, other in zip(mine["changes"], row["changes"], strict=False):
                if one["model"] == other["model"] and one["id"] != other["id"]:
                    differ.add(one["model"])
    return differ - {graph.label_of(Event), graph.RECORD}


def _outside(found: ImportPlan) -> tuple[list[int], Venue, Hall | None]:
    """Return the file's people, venue and hall as they are here; create those that are missing."""
    whole = found.document["whole"]
    known = known_people(person["email"] for person in whole["people"])
    people = []
    for facts_ in whole["people"]:
        key = known.get(facts_["email"].lower())
        if key is None:
            person = Person.objects.create_user(
                facts_["email"], None, **{name: facts_[name] for name in graph.PERSON_FACTS if name != "email"}
            )
            if facts_["volunteer"] is not None:
                Volunteer.objects.create(person=person, state=facts_["volunteer"])
            key = person.pk
        people.append(key)
    venue = found.venue
    if venue is None:
        told = {name: whole["venue"][name] for name in graph.VENUE_FACTS}
        venue = Venue.objects.create(
            **told, state=Venue.State.APPROVED, shipping_address=told["public_location"], telephone=""
        )
    hall = None
    if whole["hall"]:
        hall, _made = Hall.objects.get_or_create(
            venue=venue, name=whole["hall"]["name"], defaults={"tables": whole["hall"]["tables"]}
        )
    return people, venue, hall


def wanted_of(document: Document, keys: Keys) -> dict[type[models.Model], dict[int, dict[str, Any]]]:
    """Return the rows of a file under their keys here."""
    return {
        model: {
            keys[label][values["n"]]: values for values in document["whole"]["rows"].get(label, [])
        }
        for model, label in ((model, graph.label_of(model)) for model in graph.models_of_event())
    }  # fmt: skip


# writing


def put_disputes(disputes: Iterable[Mapping[str, Any]], theirs: set[str] | None = None) -> None:
    """Save the file's disputes; change an existing one only if it belonged to the event before (`theirs`)."""
    for values in disputes:
        known = SavedDispute.objects.filter(public_id=values["public_id"]).first()
        if known is not None and (known.public_id not in (theirs or ()) or known.version >= values["version"]):
            continue
        must_be_a_dispute(values)
        row = known or SavedDispute()
        for column in SavedDispute._meta.concrete_fields:
            if column.attname in values:
                value = values[column.attname]
                setattr(row, column.attname, column.to_python(value) if value is not None else None)
        row.save_base(raw=True)


def replace(
    here: Mapping[type[models.Model], list[models.Model]],
    wanted: Wanted,
    keys: Keys,
    *,
    writing: Writing | None = None,
    raise_version: Mapping[tuple[str, int], int] | None = None,
    keep: Iterable[type[models.Model]] = (),
) -> None:
    """Make the event's rows equal to `wanted`: rewrite those that differ, delete the rest.

    With `writing`, each change is logged, and versions increase (`raise_version` says by how much above the wanted
    one). Rows of the models in `keep` are neither written nor deleted.
    """
    put: list[models.Model] = []
    for model, rows in here.items():
        if model in keep:
            continue
        label, known = graph.label_of(model), {row.pk: row for row in rows}
        made = {key: graph.row_from(model, values, key, keys) for key, values in wanted[model].items()}
        gone = [key for key in known if key not in made]
        changed = []
        for key, row in made.items():
            old = known.get(key)
            if old is not None:
                _keep_local(row, old, known)
            differ = graph.differing(old, row) if old is not None else []
            versions = "version" in {column.name for column in graph.columns_of(model)}
            if writing is not None and versions:
                later = (raise_version or {}).get((label, key), 0)
                _set_version(row, 1 + (_version(old) if old is not None else _version(row) + later))
            is_same = old is not None and (model is AuditEntry or not differ)  # the audit log is append-only
            if is_same and (writing is not None or not versions or _version(old) == _version(row)):
                continue
            changed.append(row)
            before = facts(old, differ) if old is not None else None
            if writing is not None and before != {}:  # otherwise only columns differ that the audit log leaves out
                writing.changes.append(
                    {"model": label, "id": key, "before": before, "after": facts(row, differ or None)}
                )
        if writing is not None:
            writing.changes += [{"model": label, "id": key, "before": facts(known[key]), "after": None} for key in gone]
        if model is Event:
            for row in changed:
                row.save_base(raw=True, force_insert=row.pk not in known)
            continue
        graph.delete_rows(model, [*gone, *(row.pk for row in changed if row.pk in known)])
        graph.clear_relations(model, gone)
        put += changed
    graph.put(put)


def _version(row: Any) -> int:
    return int(row.version)


def _set_version(row: Any, version: int) -> None:
    row.version = version


def _keep_local(row: models.Model, old: models.Model, known: Mapping[int, models.Model]) -> None:
    """Keep what belongs to this installation: the columns left out of files, and relations to other events' rows."""
    left_out = graph.LEFT_OUT.get(type(row), frozenset())
    for column in type(row)._meta.concrete_fields:
        value = column.value_from_object(old)
        is_elsewhere = column.related_model is type(row) and value not in known
        if column.name in left_out or (is_elsewhere and column.value_from_object(row) is None):
            setattr(row, column.attname, value)


__all__ = ["Keys", "Wanted", "keys_for", "must_be_the_same", "put_disputes", "replace", "wanted_of", "write_event"]
