"""Offers waiting for a person's answer: roles at events, venues to manage, a club's registered volunteer, entries under
their address, invitations to series.

An offer gives no rights. `Official.confirmed`, `VenueManager.confirmed`, `Venue.volunteer_agreed` and `Entry.person`
are set here, by the person concerned, or (all but entries, with a reason) by the administrator if that person can't be
reached.

Anyone can sign up with someone else's e-mail address. An account that hasn't confirmed its address therefore only
answers (`answered`); then the venue's manager or the event's head judge sees its name and confirms it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.db.models.functions import Lower
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.actions import Text
from events.door import Refused, Writing, door
from events.models import Entry, Event, Official, Person, Series, SeriesDraft, SeriesEvent, Venue, VenueManager
from events.roles import SITE, Actor

from .people import account_of
from .series_draft import held
from .setup import may_work, working_lines

OVER = (Event.State.VERIFIED, Event.State.CANCELLED)
SHOWN = 20
NOT_YOURS: Text = gettext_lazy("This offer is for another account. Sign in with that account to answer it.")
ANOTHER_ROLE: Text = gettext_lazy("You've since been offered another role. Reload the page to see it.")
NOT_CONFIRMED: Text = gettext_lazy(
    "Confirm your e-mail address first, or ask an administrator to accept on your behalf."
)
NOT_ANSWERED: Text = gettext_lazy("%(email)s hasn't accepted yet.")
NOT_PROVEN: Text = gettext_lazy(
    "We can't tell whether this entry is yours. Confirm your e-mail address, or open your player "
    "link (on your player card, or from the judges' table)."
)


@dataclass(frozen=True)
class Offers:
    """What awaits one person's answer, or was answered and awaits confirmation; and prize drafts of series they play in.

    `is_proven`: the account's address is confirmed. `unproven` counts entries under an address that isn't.
    """

    roles: Sequence[Official] = ()
    venues: Sequence[VenueManager] = ()
    clubs: Sequence[Venue] = ()
    entries: Sequence[Entry] = ()
    invitations: Sequence[SeriesEvent] = ()
    drafts: Sequence[SeriesDraft] = ()
    unproven: int = 0
    is_proven: bool = False

    def __bool__(self) -> bool:
        offered = self.roles or self.venues or self.clubs or self.entries
        return bool(offered or self.invitations or self.drafts or self.unproven)


def offers_of(person: Person) -> Offers:
    """Return everything offered to a person. Nine queries at most."""
    roles = Official.objects.offered().filter(person=person).exclude(event__state__in=OVER)
    venues = VenueManager.objects.offered().filter(person=person)
    clubs = Venue.objects.filter(registered_volunteer__person=person, volunteer_agreed=None)
    proven = confirmed_addresses(person)
    listed = (
        Entry.objects.alias(address=Lower("email"))
        .filter(person=None, address__in={person.email.lower(), *proven})
        .exclude(state=Entry.State.WITHDRAWN)
        .exclude(event__state=Event.State.CANCELLED)
        .exclude(event__in=Entry.objects.filter(person=person).values("event"))
        .exclude(event__in=Official.objects.agreed().filter(person=person).values("event"))
    )
    found = (
        list(listed.select_related("event__venue").order_by("-event__starts", "number")[:SHOWN]) if person.email else []
    )
    entries = [entry for entry in found if entry.email.lower() in proven]
    return Offers(
        roles=list(roles.select_related("event__venue").order_by("event__starts", "pk")[:SHOWN]),
        venues=list(venues.select_related("venue").order_by("since")[:SHOWN]),
        clubs=list(clubs.order_by("pk")[:SHOWN]),
        entries=entries,
        invitations=invitations_of(person),
        drafts=drafts_of(person),
        unproven=len(found) - len(entries),
        is_proven=person.email.lower() in proven,
    )


def invitations_of(person: Person) -> list[SeriesEvent]:
    """Return the invitations to series that wait for an answer of the person, as a manager of the event's venue."""
    found = SeriesEvent.objects.filter(
        accepted=None, series__ended=None, event__venue__in=Venue.objects.managed_by(person)
    )
    return list(found.select_related("series__venue", "event").order_by("added", "pk")[:SHOWN])


def drafts_of(person: Person) -> list[SeriesDraft]:
    """Return the prize drafts now held at the end of series that the person played in; `is_own_turn` marks their turn."""
    played = Series.objects.filter(rows__accepted__isnull=False, rows__event__entries__person=person)
    drafts = held(played)
    turns = [whose for draft in drafts if (whose := draft.snake.whose) is not None]
    own = Entry.objects.filter(pk__in=turns, person=person).values_list("pk", flat=True)
    mine = set(own) if drafts else set()
    for draft, whose in zip(drafts, turns, strict=True):
        draft.is_own_turn = whose in mine
    return drafts


def confirmed_addresses(person: Person) -> frozenset[str]:
    """Return the addresses that the person has confirmed, in lower case. One query."""
    rows = EmailAddress.objects.filter(user=person, verified=True).values_list("email", flat=True)
    return frozenset(email.lower() for email in rows)


def has_confirmed_address(person: Person) -> bool:
    """Return whether the account's own address, which offers go to, is confirmed."""
    return person.email.lower() in confirmed_addresses(person)


def owes_an_answer(person: Person) -> bool:
    """Return whether a role, a venue or a club was offered to the account's address and isn't answered yet."""
    waiting = {"person": person, "confirmed": None, "answered": None}
    return (
        Official.objects.filter(**waiting).exclude(event__state__in=OVER).exists()
        or VenueManager.objects.filter(**waiting).exists()
        or Venue.objects.filter(registered_volunteer__person=person, volunteer_agreed=None).exists()
    )


# roles at events


def _own_role(by: Actor, official: Official) -> None:
    if official.person_id != account_of(by).pk:
        raise Refused(NOT_YOURS)


def accept_role(*, by: Actor, official: Official, role: str = "") -> Official:
    """Accept the role offered to the acting person; doing it twice changes nothing.

    `role` is the one that the person saw: if another has been offered since, raise Refused.
    """
    event = official.event
    with door("accept-role", by=by, event=event, on=official) as writing:
        _own_role(by, official)
        if official.answered is not None:
            return official
        if role and role != official.role:
            raise Refused(ANOTHER_ROLE)
        _accept(writing, event, official, is_proven=has_confirmed_address(account_of(by)))
    return official


def confirm_official(
    *, by: Actor, event: Event, official: Official, confirmed: bool = False, **_unused: object
) -> Official:
    """Confirm that the account that accepted the role, with its address unconfirmed, is the right person."""
    lines = working_lines(event, official)
    with door("confirm-official", by=by, event=event, on=official, confirmed=confirmed, consequences=lines) as writing:
        _has_answered(official)
        _accept(writing, event, official)
    return official


def _has_answered(row: Official | VenueManager) -> None:
    if row.answered is None and row.confirmed is None:
        raise Refused(NOT_ANSWERED % {"email": row.person.email})


def accept_role_for(
    *, by: Actor, event: Event, official: Official, confirmed: bool = False, reason: str = "", **_unused: object
) -> Official:
    """Accept a role for someone who agreed in person: for administrators, at a venue without e-mail."""
    lines = working_lines(event, official)
    with door(
        "accept-role-for", by=by, event=event, on=official, confirmed=confirmed, reason=reason, consequences=lines
    ) as writing:
        _accept(writing, event, official)
    return official


def _accept(writing: Writing, event: Event, official: Official, *, is_proven: bool = True) -> None:
    if official.confirmed is not None:
        return
    may_work(event, official)
    writing.save(official, **{"confirmed" if is_proven else "answered": writing.at})
    writing.says("role-accepted", name=official.person, role=official.role)


def decline_role(*, by: Actor, official: Official) -> None:
    """Decline the role offered to the acting person."""
    with door("decline-role", by=by, event=official.event, on=official) as writing:
        _own_role(by, official)
        if official.confirmed is not None:
            raise Refused(_("You've already accepted this role. The head judge can remove you from the officials."))
        writing.says("role-declined", name=official.person, role=official.role)
        writing.delete(official)


# venues


def _own_management(by: Actor, manager: VenueManager) -> None:
    if manager.person_id != account_of(by).pk:
        raise Refused(NOT_YOURS)


def accept_management(*, by: Actor, manager: VenueManager) -> VenueManager:
    """Accept to manage the venue; doing it twice changes nothing."""
    with door("accept-management", by=by, venue=manager.venue, on=manager) as writing:
        _own_management(by, manager)
        if manager.answered is None:
            _accept_management(writing, manager, is_proven=has_confirmed_address(account_of(by)))
    return manager


def confirm_manager(*, by: Actor, manager: VenueManager) -> VenueManager:
    """Confirm that the account that accepted, with its address unconfirmed, is the right person."""
    with door("confirm-manager", by=by, venue=manager.venue, on=manager) as writing:
        _has_answered(manager)
        _accept_management(writing, manager)
    return manager


def accept_management_for(*, by: Actor, manager: VenueManager, reason: str = "", **_unused: object) -> VenueManager:
    """Accept for someone who agreed in person: for administrators, at a venue without e-mail."""
    lines = [_("%(name)s becomes a manager of %(venue)s.") % {"name": manager.person, "venue": manager.venue}]
    with door(
        "accept-management-for", by=by, venue=manager.venue, on=manager, reason=reason, consequences=lines
    ) as writing:
        _accept_management(writing, manager)
    return manager


def _accept_management(writing: Writing, manager: VenueManager, *, is_proven: bool = True) -> None:
    if manager.confirmed is not None:
        return
    writing.save(manager, **{"confirmed" if is_proven else "answered": writing.at})
    said = "manager-added" if is_proven else "manager-accepted"
    writing.says(said, name=manager.person, venue=manager.venue)


def decline_management(*, by: Actor, manager: VenueManager) -> None:
    """Decline to manage the venue."""
    with door("decline-management", by=by, venue=manager.venue, on=manager) as writing:
        _own_management(by, manager)
        if manager.confirmed is not None:
            raise Refused(_("You already manage this venue. To stop, remove yourself on the venue's Managers page."))
        writing.by = SITE  # the venue reads its audit log, and the person may stay unknown to it
        writing.says("manager-declined", venue=manager.venue)
        writing.delete(manager)


# registered volunteers of clubs


def _own_volunteering(by: Actor, venue: Venue) -> None:
    """Raise Refused unless the actor is the volunteer whom the club names now."""
    named = venue.registered_volunteer
    if named is None or named.person_id != account_of(by).pk:
        raise Refused(NOT_YOURS)


def accept_volunteering(*, by: Actor, venue: Venue) -> Venue:
    """Accept to be the club's registered volunteer, with a confirmed address; doing it twice changes nothing."""
    with door("accept-volunteering", by=by, venue=venue, on=venue) as writing:
        _own_volunteering(by, venue)
        if not has_confirmed_address(account_of(by)):
            raise Refused(NOT_CONFIRMED)
        _accept_volunteering(writing, venue)
    return venue


def accept_volunteering_for(
    *, by: Actor, venue: Venue, reason: str = "", version: int | None = None, **_unused: object
) -> Venue:
    """Accept for someone who agreed in person: for administrators, for a club without e-mail."""
    named = {"name": venue.registered_volunteer, "venue": venue}
    lines = [_("%(name)s becomes %(venue)s's registered volunteer.") % named]
    with door(
        "accept-volunteering-for", by=by, venue=venue, on=venue, version=version, reason=reason, consequences=lines
    ) as writing:
        if venue.registered_volunteer is None:
            raise Refused(
                _("%(venue)s hasn't named a registered volunteer. A manager of the club must name one first.")
                % {"venue": venue}
            )
        _accept_volunteering(writing, venue)
    return venue


def _accept_volunteering(writing: Writing, venue: Venue) -> None:
    writing.save(venue, volunteer_agreed=venue.volunteer_agreed or writing.at)
    writing.says("volunteer-of-venue", name=venue.registered_volunteer, venue=venue)


def decline_volunteering(*, by: Actor, venue: Venue) -> None:
    """Decline to be the club's registered volunteer; the club then names no one."""
    with door("decline-volunteering", by=by, venue=venue, on=venue) as writing:
        _own_volunteering(by, venue)
        if venue.volunteer_agreed is not None:
            raise Refused(
                _("You've already accepted. A manager of the club can name a different registered volunteer.")
            )
        writing.save(venue, registered_volunteer=None)
        writing.by = SITE  # the club reads its audit log, and the person may stay unknown to it
        writing.says("volunteer-of-venue-declined", venue=venue)


# entries


def may_join(by: Actor, entry: Entry) -> bool:
    """Return whether the acting person can add the entry to their account: it is no one's, and proven theirs."""
    account = by.account
    if account is None or entry.person_id is not None:
        return False
    by_link = by.entry is not None and by.entry.pk == entry.pk
    if not by_link and entry.email.lower() not in confirmed_addresses(account):
        return False
    taken = entry.event.entries.filter(person=account).exists()
    return not taken and not entry.event.officials.agreed().filter(person=account).exists()


def join_entry(*, by: Actor, entry: Entry) -> Entry:
    """Add an entry to the acting person's account, given its player link or its confirmed address."""
    event = entry.event
    with door("join-entry", by=by, event=event, on=entry) as writing:
        person = account_of(by)
        if entry.person_id == person.pk:
            return entry
        if entry.person_id is not None:
            raise Refused(_("This entry belongs to another account. Sign in with that account."))
        if other := event.entries.filter(person=person).first():
            raise Refused(_("You're already registered (entry %(number)d).") % {"number": other.number})
        if event.officials.agreed().filter(person=person).exists():
            raise Refused(_("You're an official of this event, so you can't play in it."))
        if not may_join(by, entry):
            raise Refused(NOT_PROVEN)
        writing.save(entry, person=person, email="", is_minor=entry.is_minor or person.is_minor)
        writing.says("added-to-account", name=entry.name)
    return entry


def decline_entry(*, by: Actor, entry: Entry) -> Entry:
    """Reject an entry under the actor's own confirmed address, removing the address from it."""
    with door("decline-entry", by=by, event=entry.event, on=entry) as writing:
        if entry.person_id is not None or entry.email.lower() not in confirmed_addresses(account_of(by)):
            raise Refused(NOT_YOURS)
        writing.save(entry, email="")
        writing.says("address-removed", name=entry.name)
    return entry
