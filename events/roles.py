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

from .models import Entry, Event, Official, Person, Role, SignInCode, Venue, VenueManager
from .prepared import Prepared, asked
from .token_rows import POWER

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
        """Return who makes this request; a link, code or token counts only at its own event."""
        power = POWER.get()
        if power is not None and (event is None or event.pk != power.event):
            return cls()
        user: Person | AnonymousUser = request.user
        person = user if isinstance(user, Person) else None
        entry = None
        linked = request.session.get(LINKED_ENTRIES, {}) if event is not None else {}
        if event is not None and str(event.pk) in linked:
            pk, issue, *code = linked[str(event.pk)]
            entry = LINKED.first(entry=pk, issue=issue, event=event.pk)
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
        return OWN.first(person=self.account.pk, event=event.pk)

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
        if self.office is not None:
            if event is not None and self.office.event_id == event.pk:
                found.update(
                    map(Role, Official.objects.at_work().filter(pk=self.office.pk).values_list("role", flat=True))
                )
        elif self.person is not None:
            if event is not None or venue is not None:
                found |= _held(self.person, event, venue)
            if self.person.is_office:
                found.add(Role.OFFICE)
            if not self.person.is_active:
                found &= {Role.SPECTATOR, Role.PLAYER}
        if event is not None and self.entry is not None and self.entry.event_id == event.pk:
            found.add(Role.PLAYER)
        if found & JUDGES or Role.PLAYER in found:
            found.discard(Role.HALL_JUDGE)
        return frozenset(found)


def _held(person: Person, event: Event | None, venue: Venue | None) -> set[Role]:
    """Return the roles that the database holds for a person, in one query."""
    place = {"venue": venue.pk if venue is not None else 0, "event": 0, "hall": 0}
    if event is not None:
        place = {"venue": event.venue_id, "event": event.pk, "hall": event.hall_id or 0}
    return set(map(Role, HELD(person=person.pk, **place)))


def _held_rows() -> models.QuerySet[Official, str]:
    working = Official.objects.at_work().filter(person=asked("person"))
    judging = working.filter(role__in=[role.value for role in JUDGES])
    held = working.filter(event=asked("event")).order_by().values_list("role", flat=True)
    others = (
        (VenueManager.objects.at_work().filter(person=asked("person"), venue=asked("venue")), Role.VENUE),
        (Entry.objects.filter(person=asked("person"), event=asked("event")), Role.PLAYER),
        (judging.filter(event__hall=asked("hall"), event__state__in=PLAYED_NOW), Role.HALL_JUDGE),
    )
    named = [rows.order_by().values_list(models.Value(role.value), flat=True) for rows, role in others]
    return held.union(*named, all=True)


HELD = Prepared(_held_rows)
LINKED = Prepared(
    lambda: Entry.objects.filter(pk=asked("entry"), link_issue=asked("issue"), event=asked("event")).order_by()
)
OWN = Prepared(lambda: Entry.objects.filter(person=asked("person"), event=asked("event")))


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


def is_signed_in(request: HttpRequest) -> bool:
    """Return whether someone is signed in to this installation: with an account, a player link or a sign-in code."""
    if request.user.is_authenticated:
        return True
    linked = {*request.session.get(LINKED_ENTRIES, ()), *request.session.get(LINKED_OFFICES, ())}
    actors = (Actor.of(request, event) for event in Event.objects.filter(pk__in=linked))
    return any(actor.entry is not None or actor.office is not None for actor in actors)


SITE = Actor(is_site=True)
