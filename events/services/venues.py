"""Verbs about venues: registration, decisions, managers, members of clubs, halls."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from events.door import NeedsConfirmation, Refused, Writing, door
from events.models import ClubMember, Hall, Person, Venue, VenueManager, Volunteer
from events.registration import Registration, check_approval
from events.roles import Actor

from .mails import notify
from .people import SAY_WHY, account_of, office_people

State = Venue.State
VENUE_DECISIONS: dict[str, tuple[str, ...]] = {
    State.PENDING: (State.APPROVED, State.REFUSED),
    State.APPROVED: (State.SUSPENDED,),
    State.SUSPENDED: (State.APPROVED,),
    State.REFUSED: (State.APPROVED,),
}
NEEDS_REASON = frozenset({State.REFUSED, State.SUSPENDED})
Member = tuple[str, str]


def registration_of(venue: Venue, members: Iterable[Member] | None = None) -> Registration:
    """Return a venue's registration as the policy's checks take it."""
    listed = [(row.name, row.email) for row in venue.members.all()] if members is None and venue.pk else members or ()
    return registration(
        {name: getattr(venue, name) for name in REGISTERED},
        tuple(listed),
        volunteer=venue.registered_volunteer,
        agreed=venue.volunteer_agreed is not None,
    )


REGISTERED = ("kind", "public_location", "city", "shipping_address", "telephone", "tax_number", "opens", "closes")
DAYS = ("opens", "closes")


def registration(
    facts: dict[str, Any], members: Iterable[Member], *, volunteer: Volunteer | None, agreed: bool
) -> Registration:
    """Return a registration from a form's values, finding the volunteer among the members by address or, once agreed,
    name.

    The name of a volunteer who hasn't agreed isn't used, or a club could find out the names of accounts.
    """
    members = tuple(members)
    known = {name.strip().casefold() for name, _email in members} | {email.strip().lower() for _name, email in members}
    person = volunteer.person if volunteer is not None else None
    called = person.name if person is not None and agreed else ""
    told: dict[str, Any] = {name: facts.get(name) or ("" if name not in DAYS else None) for name in REGISTERED}
    return Registration(
        **told,
        members=tuple(f"{name} {email}" for name, email in members),
        volunteer="" if person is None else str(person) if agreed else person.email,
        volunteer_is_member=person is not None and bool({called.casefold(), person.email.lower()} & (known - {""})),
        volunteer_has_agreed=agreed and person is not None,
        volunteer_is_approved=volunteer is not None and volunteer.is_approved,
    )


def register_venue(*, by: Actor, facts: dict[str, Any], members: Iterable[Member] = ()) -> Venue:
    """Register a venue, with the acting person as its manager, awaiting the sanctioning office's decision."""
    manager = account_of(by)
    with door("register-venue", by=by) as writing:
        venue = writing.create(Venue, **facts, volunteer_agreed=agreed_at(writing, facts, by))
        writing.create(VenueManager, venue=venue, person=manager, confirmed=writing.at)
        _add_members(writing, venue, members)
        writing.says("venue-registered", venue=venue, kind=venue.kind)
        _tell_office(venue)
    return venue


def change_venue(*, by: Actor, venue: Venue, facts: dict[str, Any], version: int | None = None) -> Venue:
    """Change a venue's details; a refused venue awaits the sanctioning office again."""
    with door("change-venue", by=by, venue=venue, on=venue, version=version) as writing:
        again = {"state": State.PENDING, "decision_reason": ""} if venue.state == State.REFUSED else {}
        writing.save(venue, **facts, **again, volunteer_agreed=agreed_at(writing, facts, by, venue))
        writing.says("venue-changed", venue=venue)
        if again:
            _tell_office(venue)
    return venue


def _tell_office(venue: Venue) -> None:
    notify(
        office_people(),
        gettext_lazy("Venue to approve: %(venue)s"),
        gettext_lazy("%(venue)s has applied to register as a venue. Approve or reject the registration:"),
        path=reverse("events:office-venue", args=[venue.pk]),
        venue=venue,
    )


def agreed_at(
    writing: Writing, facts: dict[str, Any], by: Actor, venue: Venue | None = None
) -> datetime.datetime | None:
    """Return when the registered volunteer agreed: earlier, now if they name themselves, or None."""
    named: Volunteer | None = facts.get("registered_volunteer", venue.registered_volunteer if venue else None)
    if named is None:
        return None
    before = venue.volunteer_agreed if venue is not None and venue.registered_volunteer_id == named.pk else None
    return before or (writing.at if by.account == named.person else None)


def decide_venue(
    *, by: Actor, venue: Venue, decision: str, reason: str = "", version: int | None = None, **_unused: object
) -> Venue:
    """Approve, refuse, suspend or reinstate a venue; approval requires everything the policy asks for."""
    with door("decide-venue", by=by, venue=venue, on=venue, version=version, reason=reason) as writing:
        if decision not in VENUE_DECISIONS[venue.state]:
            raise Refused(
                _("%(venue)s is now %(state)s. Reload the page, then decide again.")
                % {"venue": venue, "state": venue.get_state_display()}
            )
        if decision in NEEDS_REASON and not reason.strip():
            raise Refused(SAY_WHY)
        missing = check_approval(registration_of(venue)) if decision == State.APPROVED else []
        if missing:
            raise Refused(
                _("%(venue)s doesn't meet the sanctioning policy yet: %(what)s")
                % {"venue": venue, "what": " ".join(str(finding.message) for finding in missing)}
            )
        writing.save(venue, state=decision, decided=writing.at, decision_reason=reason.strip()[:300])
        writing.says("venue-decided", venue=venue, state=venue.state)
        notify(
            Person.objects.filter(managing__in=venue.management.at_work()),
            gettext_lazy("%(venue)s: %(state)s"),
            gettext_lazy("%(venue)s's registration is now %(state)s. %(reason)s"),
            path=reverse("events:venue", args=[venue.pk]),
            venue=venue,
            state=State(venue.state).label,
            reason=venue.decision_reason,
        )
    return venue


# managers


def add_manager(*, by: Actor, venue: Venue, person: Person) -> VenueManager:
    """Offer a person with an account to act for the venue, which they can once they accept."""
    with door("change-venue-managers", by=by, venue=venue) as writing:
        if venue.management.filter(person=person).exists():
            raise Refused(
                _("%(name)s is already on %(venue)s's list of managers.") % {"name": person.email, "venue": venue}
            )
        is_self = by.account == person
        made = writing.create(VenueManager, venue=venue, person=person, confirmed=writing.at if is_self else None)
        if is_self:
            writing.says("manager-added", name=person, venue=venue)
        else:
            writing.says("manager-asked", name=person.email, venue=venue)
    return made


def remove_manager(*, by: Actor, venue: Venue, manager: VenueManager, confirmed: bool = False) -> None:
    """Remove a manager of the venue, asking first unless they have yet to accept; at least one always remains."""
    with door("change-venue-managers", by=by, venue=venue, on=manager) as writing:
        if not venue.management.at_work().exclude(pk=manager.pk).exists():
            raise Refused(_("A venue needs at least one manager. Add another manager first."))
        if manager.confirmed and not confirmed:
            raise NeedsConfirmation(
                _("Remove manager"), [_("%(name)s won't be able to manage this venue.") % {"name": manager.called}]
            )
        writing.says("manager-removed", name=manager.called, venue=venue)
        writing.delete(manager)


# members of a game club


def _add_members(writing: Writing, venue: Venue, members: Iterable[Member]) -> list[ClubMember]:
    there = {(row.name.casefold(), row.email.lower()) for row in venue.members.all()}
    fresh: list[ClubMember] = []
    for name, email in members:
        if (name.casefold(), email.lower()) not in there:
            there.add((name.casefold(), email.lower()))
            fresh.append(ClubMember(venue=venue, name=name, email=email.lower()))
    return writing.create_many(ClubMember, fresh)


def add_members(*, by: Actor, venue: Venue, members: Iterable[Member]) -> list[ClubMember]:
    """Add people to a club's list of members, skipping those already on it."""
    with door("change-venue", by=by, venue=venue) as writing:
        if venue.kind != Venue.Kind.CLUB:
            raise Refused(_("Only game clubs have a list of members."))
        added = _add_members(writing, venue, members)
        writing.says("members-added", count=len(added), venue=venue)
    return added


def remove_member(*, by: Actor, venue: Venue, member: ClubMember, confirmed: bool = False) -> None:
    """Remove a person from a club's list of members; ask first, as it can't be undone."""
    with door("change-venue", by=by, venue=venue, on=member) as writing:
        if not confirmed:
            left = venue.members.count() - 1
            raise NeedsConfirmation(
                _("Remove member"),
                [ngettext("The list will have %(n)d member.", "The list will have %(n)d members.", left) % {"n": left}],
            )
        writing.says("member-removed", name=member, venue=venue)
        writing.delete(member)


# halls


def save_hall(*, by: Actor, venue: Venue, hall: Hall | None, name: str, tables: int) -> Hall:
    """Add a hall to a venue, or change one."""
    with door("change-halls", by=by, venue=venue, on=hall) as writing:
        same = venue.halls.filter(name__iexact=name)
        if (same.exclude(pk=hall.pk) if hall is not None else same).exists():
            raise Refused(_("%(venue)s already has a hall called “%(name)s”.") % {"venue": venue, "name": name})
        writing.says("hall-saved", name=name, venue=venue, tables=tables)
        if hall is None:
            return writing.create(Hall, venue=venue, name=name, tables=tables)
        return writing.save(hall, name=name, tables=tables)


def remove_hall(*, by: Actor, venue: Venue, hall: Hall, confirmed: bool = False) -> None:
    """Remove a hall in which no event was ever held, asking first."""
    with door("change-halls", by=by, venue=venue, on=hall) as writing:
        if hall.events.exists():
            raise Refused(
                _("Events use %(name)s, so you can't remove the hall. You can rename it instead.") % {"name": hall}
            )
        if not confirmed:
            raise NeedsConfirmation(_("Remove hall"), [])
        writing.says("hall-removed", name=hall, venue=venue)
        writing.delete(hall)
