"""Undo: a new audit log entry reverses an action, after its consequences were shown.

The audit log keeps each row before and after, so an action can be undone as long as its rows are as it left them and
nothing depends on it. Later actions that depend on it must be undone first, newest first. The consequences are never
guessed: the action is undone and restored within a transaction, and the difference is shown.

`permissions` says what may be undone and by whom, `conflicts` which later actions come first, `reversal` restores the
rows, `wording` describes the consequences (`pictures`: what people see of the event before and after).
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from events.audit import told
from events.door import NeedsConfirmation, Refused, door, require
from events.models import AuditEntry, Event, Match, Round
from events.roles import Actor

from .acts import changed_since, is_undo, net_of, root, undone_by
from .conflicts import in_the_way
from .permissions import may_undo, why_never
from .reversal import reverse
from .wording import blocked_in_words, what_changes


def undo(
    *, by: Actor, entry: AuditEntry, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> AuditEntry:
    """Undo an action by a new audit log entry with author, time and reason; the consequences must be confirmed.

    Raise Refused if it can't be undone (with the reason), is already undone, or later actions depend on it;
    NeedsConfirmation with the consequences.
    """
    if never := why_never(entry):
        raise Refused(never)
    event = entry.event
    assert event is not None, "only acts of an event are undone"
    require(may_undo(entry, by.roles(event=event), event))
    _must_be_free(entry, event)
    needs_reason = is_non_standard(entry)
    if not confirmed or (needs_reason and not reason.strip()):
        asked = _("Redo: %(what)s") if is_undo(entry) else _("Undo: %(what)s")
        asked %= {"what": root(entry).words}
        raise NeedsConfirmation(asked, what_changes(entry), needs_reason=needs_reason, about=event)
    with door("undo", by=by, event=event, confirmed=True, reason=reason) as writing:
        _must_be_free(entry, event)
        reverse(writing, entry, event)
        writing.undoes = entry
        writing.is_non_standard = needs_reason
        writing.says("redone" if is_undo(entry) else "undone", what=told(root(entry)))
        writing.topics.update({"pairings", "standings", "clock", "calls", "forces"})
    return AuditEntry.objects.filter(undoes=entry).latest("pk")


def _must_be_free(entry: AuditEntry, event: Event) -> None:
    """Raise Refused if the entry is already undone, or later actions depend on it."""
    earlier = undone_by(event).get(entry.pk)
    if earlier is not None:
        raise Refused(
            _("This action has already been undone by %(name)s.")
            % {"name": earlier.by_person or earlier.by_entry or _("the site")}
        )
    if found := in_the_way(entry):
        raise Refused(blocked_in_words(found))
    if changed_since(net_of(entry.changes)):
        raise Refused(_("This can't be undone any more: a later action has changed the same data."))


def is_non_standard(entry: AuditEntry) -> bool:
    """Return whether the undo belongs in the report: it reverses pairings, results or something non-standard."""
    if root(entry).is_non_standard or root(entry).verb in ("publish-round", "complete-round", "finish-event"):
        return True
    rounds = [pk for (label, pk) in net_of(entry.changes) if label == "events.Match"]
    return Match.objects.filter(pk__in=rounds).exclude(round__state=Round.State.DRAFT).exists()


__all__ = ["in_the_way", "is_undo", "may_undo", "undo", "undone_by", "what_changes", "why_never"]
