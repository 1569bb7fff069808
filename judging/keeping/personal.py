"""Everything that the site stores about a person, as plain values: each row that refers to them or their entries.

Found by inspecting the models, so that no table is forgotten; secrets (passwords, codes, keys of links) are left out.
Of the audit log, only the person's own actions are included, in words: the changed rows also concern other people.
"""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from events.models import AuditEntry, Entry, Person
from events.services.offers import confirmed_addresses
from judging.keeping.rows import plain

SECRET = frozenset({
    "password", "code_hash", "link_key", "link_secret", "secret", "key", "mark", "work", "endpoint", "p256dh", "auth",
})  # fmt: skip
UNTOLD = frozenset({"changes", "sentence", "facts"})
"""Fields of an audit log entry that are left out: it is given in words."""
APPS = ("events", "judging")


def facts_of(row: models.Model) -> dict[str, Any]:
    """Return a row's columns without secrets; a relation is given by its target's name."""
    found = {}
    for column in row._meta.concrete_fields:
        if column.name in SECRET or column.name in UNTOLD:
            continue
        value = plain(column.value_from_object(row))
        found[column.name] = str(getattr(row, column.name)) if column.is_relation and value is not None else value
    if isinstance(row, AuditEntry):
        found["summary"] = row.words
    return found


def records_of(person: Person) -> dict[str, Any]:
    """Return everything about a person, by kind of row."""
    entries = list(Entry.objects.filter(person=person).values_list("pk", flat=True))
    proven = confirmed_addresses(person)
    of_address = Entry.objects.alias(address=Lower("email")).filter(person=None, address__in=proven)
    addresses = EmailAddress.objects.filter(user=person).values_list("email", flat=True)
    found: dict[str, Any] = {"account": facts_of(person), "addresses": list(addresses)}
    for model in apps.get_models():
        if model._meta.app_label not in APPS or model is Person:
            continue
        wanted = Q(pk__in=[])
        relations = []
        for column in model._meta.concrete_fields:
            if column.related_model is Person:
                wanted |= Q(**{column.name: person.pk})
            elif (
                column.related_model is Entry and model is not Entry
            ):  # who chose the person as partner is another's row
                wanted |= Q(**{f"{column.name}__in": entries})
            if column.is_relation:
                relations.append(column.name)
        if model is Entry:
            wanted |= Q(pk__in=of_address)
        rows = model._base_manager.filter(wanted).select_related(*relations).order_by("pk")
        label = str(model._meta.verbose_name_plural)
        if kept := [facts_of(row) for row in (rows[:10_000] if model is AuditEntry else rows)]:
            found.setdefault(label, []).extend(kept)
    return found
