"""The consequences of an undo, in words: undo within a transaction, compare, restore."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.apps import apps
from django.db import models, transaction
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.actions import ACTIONS, Permission, Text, Verdict
from events.door import Writing, fresh
from events.models import AuditEntry, Entry, Event, Match, Round
from events.roles import SITE

from .acts import Net, as_kept, net_of, rows_now
from .pictures import MAX_LINES, compared, picture_of
from .reversal import reverse

SILENT = frozenset({"version", "confirmed_at", "tournament", "pairing_report", "changes_by_hand", "seed"})
IN_PICTURE = frozenset({"events.Match", "events.Claim", "events.ClockRun"})


def what_changes(entry: AuditEntry) -> list[Text]:
    """Return in words what undoing this entry changes: rows, pairings, byes, results, places, drafts, clocks.

    It is undone and restored within one transaction. Raise Refused if it can't be undone.
    """
    assert entry.event is not None, "only acts of an event are undone"
    event = Event.objects.select_related("venue").get(pk=entry.event.pk)
    entry.event = event
    lines = _rows_in_words(entry)
    with transaction.atomic():
        fresh(event)
        was = picture_of(event)
        try:
            reverse(Writing(SITE, Permission(Verdict.ALLOWED, ACTIONS["undo"])), entry, event)
            will = picture_of(event)
        finally:
            transaction.set_rollback(True)
    event.refresh_from_db()
    lines += compared(was, will)
    over = event.entries.filter(state__in=[Entry.State.ENTERED, Entry.State.CHECKED_IN]).count() - event.seats
    if over > 0:
        lines.append(_("The event will have more players than seats (%(seats)d).") % {"seats": event.seats})
    return lines + _paired_on(entry, event)


def _rows_in_words(entry: AuditEntry) -> list[Text]:
    """Return the changes in rows that no picture shows: settings of the event, entries, officials, penalties, calls."""
    net = net_of(entry.changes)
    now = rows_now(net)
    lines: list[Text] = []
    for (label, pk), one in net.items():
        model, row = apps.get_model(label), now.get((label, pk))
        if label in IN_PICTURE:
            continue
        title = capfirst(str(model._meta.verbose_name))
        if one.made:
            lines.append(_("%(what)s “%(row)s” will be removed.") % {"what": title, "row": row})
        elif one.removed:
            lines.append(
                _("%(what)s “%(row)s” will be restored.") % {"what": title, "row": _named(model, pk, one.before)}
            )
        elif row is not None:
            lines += _fields_in_words(row, one)
    if len(lines) > MAX_LINES:
        rest = len(lines) - MAX_LINES
        lines = [*lines[:MAX_LINES], "… " + _("and %(n)d more") % {"n": rest}]
    return lines


def _fields_in_words(row: models.Model, one: Net) -> list[Text]:
    columns = {column.attname: column for column in row._meta.concrete_fields}
    lines: list[Text] = []
    for name, kept in one.before.items():
        column = columns.get(name)
        if column is None or name in SILENT or column.remote_field is not None or name.endswith("_at"):
            continue
        there = as_kept(row, [name])[name]
        if isinstance(kept, (dict, list)) or there == kept:
            continue
        told = {"row": row, "what": column.verbose_name}
        told |= {"before": _in_words(column, there), "after": _in_words(column, kept)}
        lines.append(_("%(row)s: %(what)s “%(before)s” → “%(after)s”.") % told)
    return lines


def _in_words(column: Any, value: Any) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return str(_("yes") if value else _("no"))
    if isinstance(value, (list, dict)):
        return "…"
    return str(dict(getattr(column, "flatchoices", ()) or ()).get(value, value))


def _named(model: type[models.Model], pk: int, kept: Mapping[str, Any]) -> str:
    names = {column.attname for column in model._meta.concrete_fields}
    row = model(**{name: value for name, value in kept.items() if name in names and not name.endswith("_at")})
    try:
        return str(row)
    except (AttributeError, TypeError, ValueError):
        return f"{pk}"


def _paired_on(entry: AuditEntry, event: Event) -> list[Text]:
    """Return which later rounds were paired from the current result; they aren't re-paired automatically."""
    net = net_of(entry.changes)
    keys = [pk for (label, pk), one in net.items() if label == "events.Match" and "result" in one.before]
    first = Match.objects.filter(pk__in=keys).order_by("round__number").values_list("round__number", flat=True).first()
    if first is None:
        return []
    later = event.rounds.filter(number__gt=first).exclude(state=Round.State.DRAFT).order_by("number")
    return [
        _("%(round)s was paired from the current result and won't be re-paired automatically.") % {"round": row}
        for row in later
    ]


def blocked_in_words(found: Sequence[AuditEntry]) -> str:
    """Return why an action can't be undone yet, naming what must be undone first."""
    newest = found[0]
    if len(found) == 1:
        return _("Undo this first: %(what)s.") % {"what": newest.words}
    return ngettext(
        "%(n)d later action depends on this one. Undo the newest first: %(what)s.",
        "%(n)d later actions depend on this one. Undo the newest first: %(what)s.",
        len(found),
    ) % {"n": len(found), "what": newest.words}


__all__ = ["blocked_in_words", "what_changes"]
