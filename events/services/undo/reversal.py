"""Reversing an action: every row gets its former values, and the result must be consistent."""

from __future__ import annotations

from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.door import Refused, Writing
from events.models import AuditEntry, Entry, Event, Force, Match, Official, Round

OFFER_AGAIN = gettext_lazy("This role was never accepted. Offer the role again on the event's Officials page.")


def reverse(writing: Writing, entry: AuditEntry, event: Event) -> None:
    """Within an open door: reverse an action. Raise Refused if the event would become inconsistent."""
    had_head_judge = event.officials.at_work().filter(role=Official.Role.HEAD_JUDGE).exists()
    try:
        with transaction.atomic():
            _give_back(writing, entry)
    except (IntegrityError, models.ProtectedError):
        raise Refused(_("This can't be undone: a later change conflicts with it. Undo that change first.")) from None
    if why := _unsound(event):
        raise Refused(_("This can't be undone yet. %(why)s Undo the later actions first.") % {"why": why})
    playing = event.state in (Event.State.RUNNING, Event.State.FINISHED)
    if playing and had_head_judge and not event.officials.at_work().filter(role=Official.Role.HEAD_JUDGE).exists():
        raise Refused(
            _("This can't be undone yet: the event would have no head judge. Make another official head judge first.")
        )


def _give_back(writing: Writing, entry: AuditEntry) -> None:
    """Within an open door: restore every row that the action wrote, last written first."""
    event = entry.event
    for change in reversed(entry.changes):
        model = apps.get_model(change["model"])
        if change["after"] is None:
            if model is Official and not change["before"]["confirmed"]:  # it was made to the address of that time
                raise Refused(OFFER_AGAIN)
            writing.bring_back(model, change["id"], change["before"])
            continue
        row: models.Model | None = event if isinstance(event, model) and event.pk == change["id"] else None
        row = row or model._base_manager.filter(pk=change["id"]).first()
        if row is None:
            raise Refused(_("This can't be undone: something that this action created has since been deleted."))
        if change["before"] is None:
            _unmake(writing, row)
            continue
        columns = {column.attname: column for column in model._meta.concrete_fields}
        writing.save(row, **{name: columns[name].to_python(kept) for name, kept in change["before"].items()})
        if isinstance(row, Force) and row.work:
            writing.jot(row, work=dict(row.work) | {"changed": True, "submitted": None})


def _unmake(writing: Writing, row: models.Model) -> None:
    """Delete a row the action created; only withdraw an entry that has acted itself, to keep its name in the log."""
    if isinstance(row, Entry) and AuditEntry.objects.filter(by_entry=row).exists():
        writing.save(row, state=Entry.State.WITHDRAWN, fixed_table=None)
        return
    for relation in row._meta.related_objects:
        if relation.on_delete is models.SET_NULL or relation.related_model is AuditEntry:
            continue
        if relation.related_model._base_manager.filter(**{relation.field.name: row}).exists():
            raise Refused(
                _("This can't be undone yet: “%(row)s” is still used by %(what)s. Remove those first.")
                % {"row": row, "what": relation.related_model._meta.verbose_name_plural}
            )
    writing.delete(row)


def _unsound(event: Event) -> str:
    """Return what would be inconsistent after a reversal, or ""."""
    rounds = list(event.rounds.order_by("number"))
    begun = [row for row in rounds if row.state != Round.State.DRAFT]
    if begun and event.state in (Event.State.DRAFT, Event.State.OPEN):
        return _("%(round)s is published, so registration can't be reopened.") % {"round": begun[-1]}
    for row in rounds[:-1]:
        following = next(other for other in rounds if other.number > row.number)
        if row.state != Round.State.COMPLETE and following.state != Round.State.DRAFT:
            return _("%(round)s would be open, but %(later)s is published.") % {"round": row, "later": following}
    seen: dict[int, set[int]] = {}
    by_key = {row.pk: row for row in rounds}
    columns = ("round_id", "state", "kind", "table", "result", "a_id", "b_id", "c_id", "d_id")
    for key, state, kind, table, result, *entries in Match.objects.filter(round__in=by_key).values_list(*columns):
        row, at = by_key[key], seen.setdefault(key, set())
        seated = {pk for pk in entries if pk is not None}
        if at & seated:
            return _("A player would sit at two tables in %(round)s.") % {"round": row.definite_name}
        at |= seated
        if row.state == Round.State.COMPLETE and state != Match.State.CONFIRMED:
            told = {"round": row, "table": table}
            return _("%(round)s is complete, but table %(table)s would have no result.") % told
        if row.state == Round.State.DRAFT and kind == Match.Kind.GAME and result is not None:
            return _("%(round)s would be a draft with results.") % {"round": row}
    return ""


__all__ = ["reverse"]
