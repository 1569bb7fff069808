"""Who somebody is at an event or a venue: the roles from which the action table decides.

Roles belong to people (the office, venue managers), to an event (its officials) and to entries (players, with an
account or by their signed link). Nobody shares a password.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from .models import Entry, Event, Official, Person, Venue

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

LINKED_ENTRIES = "linked_entries"


class Role(enum.StrEnum):
    """The eight roles, the most powerful first. A judge of the hall is one of another event that is played there now."""

    OFFICE = "office"
    VENUE = "venue"
    HEAD_JUDGE = "head-judge"
    JUDGE = "judge"
    HALL_JUDGE = "hall-judge"
    SCOREKEEPER = "scorekeeper"
    PLAYER = "player"
    SPECTATOR = "spectator"

    @property
    def label(self) -> str:
        """The role in words."""
        return str(ROLE_LABELS[self])


ROLE_LABELS = {
    Role.OFFICE: _("sanctioning office"),
    Role.VENUE: _("venue manager"),
    Role.HEAD_JUDGE: _("head judge"),
    Role.JUDGE: _("judge"),
    Role.HALL_JUDGE: _("judge of another event in this hall"),
    Role.SCOREKEEPER: _("scorekeeper"),
    Role.PLAYER: _("player"),
    Role.SPECTATOR: _("spectator"),
}
OFFICIALS = frozenset({Role.HEAD_JUDGE, Role.JUDGE, Role.SCOREKEEPER})
JUDGES = frozenset({Role.HEAD_JUDGE, Role.JUDGE})
PLAYED_NOW = (Event.State.RUNNING, Event.State.FINISHED)


@dataclass(frozen=True)
class Actor:
    """Somebody who acts: a person, an entry by its signed link, both, or (neither) the site itself."""

    person: Person | None = None
    entry: Entry | None = None
    is_site: bool = False

    @classmethod
    def of(cls, request: HttpRequest, event: Event | None = None) -> Actor:
        """Return who makes this request; an entry linked in the session counts at its own event only."""
        person: Person | AnonymousUser = request.user
        entry = None
        linked = request.session.get(LINKED_ENTRIES, {}) if event is not None else {}
        if event is not None and str(event.pk) in linked:
            pk, issue = linked[str(event.pk)]
            entry = Entry.objects.filter(pk=pk, link_issue=issue, event=event).first()
        return cls(person=person if isinstance(person, Person) else None, entry=entry)

    @property
    def name(self) -> str:
        """The name under which the record keeps what was done."""
        if self.person is not None:
            return str(self.person)
        return str(self.entry) if self.entry is not None else str(_("the site"))

    def entry_at(self, event: Event) -> Entry | None:
        """Return this actor's own entry at the event, by link or by account."""
        if self.entry is not None and self.entry.event_id == event.pk:
            return self.entry
        if self.person is None:
            return None
        return event.entries.filter(person=self.person).first()

    def roles(self, *, event: Event | None = None, venue: Venue | None = None) -> frozenset[Role]:
        """Return every role this actor has at the event (or venue). The site itself has all."""
        if self.is_site:
            return frozenset(Role)
        found = {Role.SPECTATOR}
        venue_id = event.venue_id if event is not None else venue.pk if venue is not None else None
        if self.person is not None and self.person.is_active:
            if self.person.is_office:
                found.add(Role.OFFICE)
            if venue_id is not None and self.person.managing.filter(venue_id=venue_id).exists():
                found.add(Role.VENUE)
            if event is not None:
                offices = self.person.offices.filter(event=event, accepted__isnull=False)
                found.update(Role(role) for role in offices.values_list("role", flat=True))
        if event is not None and self.entry_at(event) is not None:
            found.add(Role.PLAYER)
        elif event is not None and event.hall_id is not None and not found & JUDGES and self._judges_in(event):
            found.add(Role.HALL_JUDGE)
        return frozenset(found)

    def _judges_in(self, event: Event) -> bool:
        """True for a judge of another event that is played in the same hall now."""
        if self.person is None or not self.person.is_active:
            return False
        return self.person.offices.filter(
            event__hall=event.hall_id,
            event__state__in=PLAYED_NOW,
            role__in=[role.value for role in JUDGES],
            accepted__isnull=False,
        ).exists()


SITE = Actor(is_site=True)

__all__ = ["JUDGES", "OFFICIALS", "ROLE_LABELS", "SITE", "Actor", "Official", "Role"]
