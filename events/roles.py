"""Who acts at an event or a venue, and in which roles, on which the action table decides.

Roles belong to people (administrators, venue managers), to an event (its officials) and to entries (players, with an
account or a player link). Passwords are never shared.

A sign-in code gives a session one role at one event, never an account: see `Actor.office`.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import models
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .models import Entry, Event, Official, Person, Role, SignInCode, Venue
from .models.events import OfficialQuerySet

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

LINKED_ENTRIES = "linked_entries"
"""Session key of the entries a session acts for: event's key → entry's key, issue of its link and, if a sign-in code
opened the session, the code's key.
"""
LINKED_OFFICES = "linked_offices"
"""Session key of the roles held by sign-in code: event's key → keys of the official and of the code."""
CODE_SESSION_LASTS = datetime.timedelta(hours=14)
OFFICIALS = frozenset({Role.HEAD_JUDGE, Role.JUDGE, Role.SCOREKEEPER})
JUDGES = frozenset({Role.HEAD_JUDGE, Role.JUDGE})
PLAYED_NOW = (Event.State.RUNNING, Event.State.FINISHED)
CODES_ENDED = (Event.State.VERIFIED, Event.State.CANCELLED)


@dataclass(frozen=True)
class Actor:
    """The acting party: a person, an entry by its player link, both, or (neither) the site itself.

    `office` is set if a sign-in code lets the person act: they then have this role at its event and nothing else.
    """

    person: Person | None = None
    entry: Entry | None = None
    is_site: bool = False
    office: Official | None = None

    @classmethod
    def of(cls, request: HttpRequest, event: Event | None = None) -> Actor:
        """Return who makes this request; a link or code in the session counts only at its own event."""
        user: Person | AnonymousUser = request.user
        person = user if isinstance(user, Person) else None
        entry = None
        linked = request.session.get(LINKED_ENTRIES, {}) if event is not None else {}
        if event is not None and str(event.pk) in linked:
            pk, issue, *code = linked[str(event.pk)]
            entry = Entry.objects.filter(pk=pk, link_issue=issue, event=event).first()
            if code and entry is not None and not _codes(event, *code).filter(person=entry.person_id).exists():
                entry = None
        office = _office_by_code(request, event) if event is not None and person is None else None
        return cls(person=office.person if office is not None else person, entry=entry, office=office)

    @property
    def account(self) -> Person | None:
        """The person signed in with their own account; None when acting by sign-in code or link."""
        return self.person if self.office is None else None

    @property
    def name(self) -> str:
        """The name under which the audit log records this actor."""
        if self.person is not None:
            return str(self.person)
        return str(self.entry) if self.entry is not None else str(_("the site"))

    def entry_at(self, event: Event) -> Entry | None:
        """Return this actor's own entry at the event, by link or account, or None."""
        if self.entry is not None and self.entry.event_id == event.pk:
            return self.entry
        if self.account is None:
            return None
        return event.entries.filter(person=self.account).first()

    def plays_at(self, event: Event) -> bool:
        """Return whether this actor has an entry at the event: `entry_at` without reading the entry."""
        if self.entry is not None and self.entry.event_id == event.pk:
            return True
        return self.account is not None and event.entries.filter(person=self.account).exists()

    def roles(self, *, event: Event | None = None, venue: Venue | None = None) -> frozenset[Role]:
        """Return every role this actor has at the event or venue; the site itself has all."""
        if self.is_site:
            return frozenset(Role)
        found = {Role.SPECTATOR}
        venue_id = event.venue_id if event is not None else venue.pk if venue is not None else None
        if self.office is not None:
            if event is not None and self.office.event_id == event.pk:
                found.update(_roles_of(Official.objects.filter(pk=self.office.pk), event))
        elif self.person is not None and self.person.is_active:
            if self.person.is_office:
                found.add(Role.OFFICE)
            if venue_id is not None and self.person.managing.at_work().filter(venue_id=venue_id).exists():
                found.add(Role.VENUE)
            if event is not None:
                found.update(_roles_of(Official.objects.filter(person=self.person), event))
        if event is not None and self.plays_at(event):
            found.add(Role.PLAYER)
        elif event is not None and event.hall_id is not None and not found & JUDGES and self._judges_in(event):
            found.add(Role.HALL_JUDGE)
        return frozenset(found)

    def _judges_in(self, event: Event) -> bool:
        """Return whether the person judges another event being played in the same hall now."""
        if self.account is None or not self.account.is_active:
            return False
        judging = Official.objects.at_work().filter(person=self.account, role__in=[role.value for role in JUDGES])
        return judging.filter(event__hall=event.hall_id, event__state__in=PLAYED_NOW).exists()


def _roles_of(officials: OfficialQuerySet, event: Event) -> list[Role]:
    return [Role(role) for role in officials.at_work().filter(event=event).values_list("role", flat=True)]


def _office_by_code(request: HttpRequest, event: Event) -> Official | None:
    """Return the official whose sign-in code the session uses at this event; None once it has expired."""
    linked = request.session.get(LINKED_OFFICES, {}).get(str(event.pk))
    if linked is None:
        return None
    official, code = linked
    used = _codes(event, code).values("person")
    found = Official.objects.at_work().filter(pk=official, event=event, person__in=used)
    return found.select_related("person").first()


def _codes(event: Event, pk: int) -> models.QuerySet[SignInCode]:
    """Return the code with this key while its session lasts, or an empty query set."""
    began = timezone.now() - CODE_SESSION_LASTS
    found = SignInCode.objects.filter(pk=pk, event=event, revoked=None, used__gt=began, person__is_active=True)
    return found.exclude(event__state__in=CODES_ENDED)


SITE = Actor(is_site=True)
