"""Check-in, and moving waiting players up to free seats."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.actions import Text
from events.door import Refused, Writing, door
from events.models import Entry, Event, Match, Round, sits
from events.roles import Actor

from ..rounds_byes import record_missed_rounds, remove_match, rounds_begun
from .asked import (
    cannot_play,
    hindrances_of,
    is_desk,
    known_player,
    may_check_in_self,
    must_allow_late_entry,
    must_be_own,
    seats_free,
)

BEFORE_CHECK_IN: dict[str, Text] = {
    Entry.State.DROPPED: gettext_lazy("%(name)s has dropped. Re-enter the player first."),
    Entry.State.WITHDRAWN: gettext_lazy("%(name)s has withdrawn. Undo the withdrawal first."),
    Entry.State.DISQUALIFIED: gettext_lazy("%(name)s has been disqualified. Withdraw the disqualification first."),
}
"""Why a player who has left can't be checked in, by state."""


def move_up(writing: Writing, event: Event) -> list[Entry]:
    """Give free seats to the players waiting longest; only before the first round is published."""
    if event.state != Event.State.OPEN:
        return []
    waiting = event.entries.filter(state=Entry.State.WAITING).order_by("entered", "number")[: seats_free(event)]
    return [writing.save(entry, state=Entry.State.ENTERED) for entry in waiting]


def names_of(moved: Iterable[Entry]) -> list[str]:
    """Return the names of entries, as facts of the audit log."""
    return [entry.name for entry in moved]


def seat(writing: Writing, event: Event, entry: Entry) -> None:
    """Check an entry in; after the start, from the next round on, with losses or byes for missed rounds."""
    begun = rounds_begun(event)
    changed: dict[str, Any] = {"state": Entry.State.CHECKED_IN, "dropped_after": None}
    if not begun:
        writing.save(entry, **changed)
        writing.says("checked-in", name=entry.name)
        return
    must_allow_late_entry(event, begun)
    writing.save(entry, **changed, from_round=begun + 1)
    by_rule = event.late_start == Event.LateStart.BYE
    missed = record_missed_rounds(writing, event, entry, Match.Kind.BYE if by_rule else Match.Kind.MISSED)
    writing.is_non_standard = True
    writing.says("checked-in-late", name=entry.name, round=begun + 1, missed=missed, what=event.late_start)


def move_up_waiting(*, by: Actor, event: Event) -> list[Entry]:
    """Give free seats to waiting players after seats were added."""
    with door("change-entry", by=by, event=event) as writing:
        moved = move_up(writing, event)
        writing.says("seats-given", names=names_of(moved))
    return moved


def open_self_check_in(*, by: Actor, event: Event, open: bool) -> Event:
    """Allow players to check themselves in, or stop allowing it."""
    with door("open-self-check-in", by=by, event=event) as writing:
        writing.save(event, self_check_in=open)
        writing.says("self-check-in-opened" if open else "self-check-in-closed")
    return event


def check_in(*, by: Actor, entry: Entry) -> Entry:
    """Check a player in; a waiting player takes a free seat. Doing it twice changes nothing.

    After the first round was published, the entry plays from the next round (see `Event.late_start`).
    """
    event = entry.event
    with door("check-in", by=by, event=event, on=entry) as writing:
        must_be_own(by, event, entry)
        if entry.state == Entry.State.CHECKED_IN:
            return entry
        if (person := known_player(entry)) and (against := hindrances_of(event, person)):
            raise Refused(cannot_play(entry.name, against))
        if not is_desk(by, event) and (why := may_check_in_self(event, entry)):
            raise Refused(why)
        if entry.state == Entry.State.WAITING:
            if not seats_free(event):
                raise Refused(
                    _(
                        "All %(seats)d seats are taken, so %(name)s stays on the waiting list. Add seats or "
                        "withdraw another player."
                    )
                    % {"seats": event.seats, "name": entry.name}
                )
        elif entry.state in BEFORE_CHECK_IN:
            raise Refused(BEFORE_CHECK_IN[entry.state] % {"name": entry.name})
        seat(writing, event, entry)
    return entry


def undo_check_in(*, by: Actor, entry: Entry) -> Entry:
    """Undo a check-in while the player has no match, along with rounds recorded as missed."""
    event = entry.event
    with door("undo-check-in", by=by, event=event, on=entry) as writing:
        if entry.state == Entry.State.ENTERED:
            return entry
        if entry.state != Entry.State.CHECKED_IN:
            raise Refused(
                _("%(name)s isn't checked in. Reload the page to see the current state.") % {"name": entry.name}
            )
        published = Match.objects.filter(sits(entry)).exclude(round__state=Round.State.DRAFT)
        if published.filter(Q(kind=Match.Kind.GAME) | Q(round__number__gte=entry.from_round)).exists():
            raise Refused(_("%(name)s has been paired. Drop the player instead.") % {"name": entry.name})
        for match in published:
            remove_match(writing, match)
        writing.save(entry, state=Entry.State.ENTERED, from_round=1)
        writing.says("check-in-undone", name=entry.name)
    return entry
