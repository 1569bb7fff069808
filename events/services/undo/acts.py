"""An audit log entry as undo sees it: its net effect on each row, and what undid it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from events.door import facts
from events.models import AuditEntry, Event

Key = tuple[str, int]


@dataclass
class Net:
    """The net effect on one row: fields that changed, `before` and `after`; a created row has all its fields."""

    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    made: bool = False
    removed: bool = False

    def touches(self, other: Net) -> set[str]:
        """Return the fields that both wrote; a created or deleted row counts with all its fields."""
        mine, theirs = set(self.before) | set(self.after), set(other.before) | set(other.after)
        if self.made or self.removed or other.made or other.removed:
            return (mine | theirs) - {"version"}
        return (mine & theirs) - {"version"}


def net_of(changes: Iterable[Mapping[str, Any]]) -> dict[Key, Net]:
    """Return an entry's net changes by row, without rows it both created and deleted."""
    rows: dict[Key, Net] = {}
    for change in changes:
        key = (change["model"], change["id"])
        before, after = change["before"], change["after"]
        one = rows.setdefault(key, Net(made=before is None))
        if after is None:
            if one.made:
                del rows[key]
                continue
            one.before, one.after, one.removed = {**before, **one.before}, {}, True
        elif before is None:
            one.after, one.removed = dict(after), False
        else:
            if not one.made:
                one.before = {**before, **one.before}
            one.after.update(after)
    return rows


def as_kept(row: models.Model, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return a row's fields exactly as the audit log would store them."""
    return json.loads(json.dumps(facts(row, names), cls=DjangoJSONEncoder))


def rows_now(net: Iterable[Key]) -> dict[Key, models.Model]:
    """Return the existing rows of these keys; one query per model."""
    by_model: dict[str, list[int]] = {}
    for label, pk in net:
        by_model.setdefault(label, []).append(pk)
    found: dict[Key, models.Model] = {}
    for label, keys in by_model.items():
        for pk, row in apps.get_model(label)._base_manager.in_bulk(keys).items():
            found[label, pk] = row
    return found


def changed_since(net: Mapping[Key, Net]) -> dict[Key, set[str]]:
    """Return the rows that have changed since the action, with the fields that differ."""
    now = rows_now(net)
    found: dict[Key, set[str]] = {}
    for key, one in net.items():
        row = now.get(key)
        if row is None or one.removed:
            if (row is None) != one.removed:
                found[key] = set(one.before) | set(one.after)
            continue
        there = as_kept(row, one.after)
        differing = {name for name, value in one.after.items() if name != "version" and there.get(name) != value}
        if differing:
            found[key] = differing
    return found


def root(entry: AuditEntry) -> AuditEntry:
    """Return the action behind an undo (or the undo of an undo); other entries are returned unchanged."""
    while entry.undoes is not None:
        entry = entry.undoes
    return entry


def is_undo(entry: AuditEntry) -> bool:
    """Return whether the entry undid an action, so that undoing it redoes the action."""
    return entry.undoes is not None and not is_undo(entry.undoes)


def undone_by(event: Event) -> dict[int, AuditEntry]:
    """Return, by the key of each entry now undone, the entry that undid it; one query."""
    found: dict[int, AuditEntry] = {}
    undoings = AuditEntry.objects.filter(event=event, undoes__isnull=False).select_related("by_person").order_by("-pk")
    for undoing in undoings:
        if undoing.pk not in found and undoing.undoes_id is not None:
            found[undoing.undoes_id] = undoing
    return found


__all__ = ["Key", "Net", "as_kept", "changed_since", "is_undo", "net_of", "root", "rows_now", "undone_by"]
