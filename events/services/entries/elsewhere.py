"""Players who are checked in at two events at once, for the officials of either."""

from __future__ import annotations

import datetime
from collections.abc import Collection

from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext as _

from events.models import Entry, Event, Role
from events.roles import OFFICIALS

from ..policy import NEAR, duration

ON = (Event.State.OPEN, Event.State.RUNNING)


def checked_in_elsewhere(event: Event, roles: Collection[Role]) -> dict[int, str]:
    """Return where else players of this event are checked in now, in words, by their entry's number.

    Two entries are one player's if they have the same account or the same e-mail address. Only officials of the event
    are told (`roles` are the reader's there), and no more than they need: another event of the venue by its name,
    elsewhere only that there is one, so that no one learns from a typed address what its owner plays. One query if no
    other event overlaps, else three.
    """
    if event.state not in ON or not OFFICIALS & set(roles):
        return {}
    near = Event.objects.filter(state__in=ON, starts__gt=event.starts - NEAR, starts__lt=event.starts + NEAR)
    others = {other.pk: other for other in near.exclude(pk=event.pk) if _overlap(event, other)}
    if not others:
        return {}
    mine = event.entries.filter(state=Entry.State.CHECKED_IN).exclude(person=None, email="").select_related("person")
    people, addresses = {}, {}
    for entry in mine:
        addresses[_address(entry)] = entry.number
        if entry.person_id is not None:
            people[entry.person_id] = entry.number
    there = Entry.objects.filter(event__in=others, state=Entry.State.CHECKED_IN).annotate(
        typed=Lower("email"), known=Lower("person__email")
    )
    same = there.filter(Q(person__in=people) | Q(person=None, typed__in=addresses) | Q(known__in=addresses))
    found = {}
    for entry in same.exclude(person=None, email="").select_related("person").order_by("pk"):
        number = people.get(entry.person_id or 0) or addresses.get(_address(entry))
        if number is not None:
            found[number] = _where(event, others[entry.event_id])
    return found


def _address(entry: Entry) -> str:
    return (entry.person.email if entry.person is not None else entry.email).lower()


def _overlap(one: Event, other: Event) -> bool:
    return one.starts < _ends(other) and other.starts < _ends(one)


def _ends(event: Event) -> datetime.datetime:
    """Return when an event will probably end: one that is running, not before now."""
    ends = event.starts + duration(event)
    return max(ends, timezone.now()) if event.state == Event.State.RUNNING else ends


def _where(event: Event, other: Event) -> str:
    if other.venue_id == event.venue_id:
        return _("also checked in at %(event)s") % {"event": other}
    return _("also checked in at another venue")
