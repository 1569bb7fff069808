"""Questions about entries that come before a write, and who may write about which."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events import policy
from events.actions import Text
from events.door import Refused
from events.eligibility import Candidate
from events.models import Entry, Event, Match, Person, PolicyOverride, Round, sits
from events.policy import PolicyViolation
from events.roles import OFFICIALS, Actor

from ..policy import excepted_rules, overrides_of

SEATED = (Entry.State.ENTERED, Entry.State.CHECKED_IN)
STATES: dict[str, Text] = {
    Entry.State.WAITING: gettext_lazy("%(name)s is on the waiting list."),
    Entry.State.ENTERED: gettext_lazy("%(name)s is registered."),
    Entry.State.CHECKED_IN: gettext_lazy("%(name)s is checked in."),
    Entry.State.DROPPED: gettext_lazy("%(name)s has dropped."),
    Entry.State.WITHDRAWN: gettext_lazy("%(name)s has withdrawn."),
    Entry.State.DISQUALIFIED: gettext_lazy("%(name)s has been disqualified."),
}
NO_REGISTRATION: dict[str, Text] = {
    Event.State.DRAFT: gettext_lazy("Registration isn't open yet."),
    Event.State.FINISHED: gettext_lazy("The event is over."),
    Event.State.VERIFIED: gettext_lazy("The event is over."),
    Event.State.CANCELLED: gettext_lazy("The event is cancelled."),
}
"""Why no one can register, by state; registration can also close while the event is open."""


def hindrances_of(
    event: Event,
    person: Person | None,
    *,
    declares: bool = True,
    offices: dict[int, str] | None = None,
    managers: set[int] | None = None,
    overrides: list[PolicyOverride] | None = None,
) -> list[PolicyViolation]:
    """Return why the policy doesn't let this person play, apart from granted exceptions.

    `offices`, `managers` and `overrides` save queries when checking many people.
    """
    office, manages = "", False
    if person is not None:
        if offices is None:
            offices = {o.person_id: o.get_role_display() for o in event.officials.agreed().filter(person=person)}
        if managers is None:
            managing = event.venue.management.at_work().filter(person=person)
            managers = set(managing.values_list("person_id", flat=True))
        office, manages = offices.get(person.pk, ""), person.pk in managers
    known = overrides_of(event) if overrides is None and not event.is_practice else overrides
    return policy.check_player(
        Candidate(
            on=timezone.localtime(event.starts, event.venue.zone).date(),
            is_sanctioned=not event.is_practice,
            office=office,
            manages_venue=manages,
            publisher_family=bool(person and person.publisher_family),
            suspended_until=person.suspended_until if person else None,
            declares=declares,
        ),
        excepted=excepted_rules(known or (), person),
    )


def known_player(entry: Entry) -> Person | None:
    """Return the account whose eligibility is checked: the entry's own, else the one with its address, or None."""
    if entry.person is not None or not entry.email:
        return entry.person
    return Person.objects.filter(email__iexact=entry.email).first()


def hindered(event: Event, entries: list[Entry], overrides: list[PolicyOverride]) -> dict[int, list[PolicyViolation]]:
    """Return why players aren't eligible, as known now, by the entry's primary key; a fixed number of queries.

    Load `person` with the entries.
    """
    offices = {row.person_id: row.get_role_display() for row in event.officials.agreed()}
    managers = set(event.venue.management.at_work().values_list("person_id", flat=True))
    addresses = [entry.email.lower() for entry in entries if entry.email]
    known = {person.email.lower(): person for person in Person.objects.filter(email__in=addresses)}
    found: dict[int, list[PolicyViolation]] = {}
    for entry in entries:
        if person := entry.person or known.get(entry.email.lower()):
            against = hindrances_of(event, person, offices=offices, managers=managers, overrides=overrides)
            found |= {entry.pk: against} if against else {}
    return found


def suspended_namesakes(event: Event, names: Iterable[str]) -> list[str]:
    """Return in words which of these players without an account have the name of a suspended person.

    A name alone keeps no one out. Two queries, or one if no one is suspended.
    """
    day = timezone.localtime(event.starts, event.venue.zone).date()
    suspended = Person.objects.filter(is_active=True, suspended_until__gte=day).values_list("name", flat=True)
    known = set() if event.is_practice else {name.casefold() for name in suspended}
    if not known or "suspended" in excepted_rules(overrides_of(event)):
        return []
    words = _(
        "A suspended player has the same name as %(name)s. Make sure that they aren't the same person (%(section)s)."
    )
    found = sorted({name for name in names if name.casefold() in known})
    return [words % {"name": name, "section": policy.ELIGIBILITY} for name in found]


def seats_free(event: Event) -> int:
    """Return the number of free seats, at least 0."""
    return max(0, event.seats - event.entries.filter(state__in=SEATED).count())


def may_enter_now(event: Event) -> str:
    """Return why online registration isn't possible now, or ""."""
    if event.state in NO_REGISTRATION:
        return str(NO_REGISTRATION[event.state])
    if event.state == Event.State.RUNNING or (event.entries_close and event.entries_close <= timezone.now()):
        return _("Registration is closed. Ask at the judges' table; officials can still add players.")
    return ""


def may_check_in_self(event: Event, entry: Entry) -> str:
    """Return why a player can't check in without an official now, or ""."""
    if not event.self_check_in:
        return _("Check in at the judges' table.")
    if event.state != Event.State.OPEN:
        return _("The event has started. Check in at the judges' table.")
    if entry.state != Entry.State.ENTERED:
        return state_in_words(entry)
    return ""


def state_in_words(entry: Entry) -> str:
    """Return an entry's state as a sentence."""
    return STATES[entry.state] % {"name": entry.name}


def cannot_play(name: str, reasons: Iterable[PolicyViolation]) -> str:
    """Return in words why a person can't play, with the sections."""
    found = list(reasons)
    sections = sorted({citation["section"] for reason in found for citation in reason.citations})
    return _("%(name)s can't play: %(reasons)s (%(section)s).") % {
        "name": name,
        "reasons": "; ".join(str(reason.message) for reason in found),
        "section": ", ".join(sections),
    }


def state_for_new(event: Event) -> str:
    """Return the state of a new entry: entered while a seat is free, otherwise waiting."""
    return Entry.State.ENTERED if seats_free(event) else Entry.State.WAITING


def is_desk(by: Actor, event: Event) -> bool:
    """Return whether the actor is an official of the event."""
    return bool(by.roles(event=event) & OFFICIALS)


def must_be_own(by: Actor, event: Event, entry: Entry) -> None:
    """Raise Refused if a player acts for another player's entry."""
    if is_desk(by, event):
        return
    mine = by.entry_at(event)
    if mine is None or mine.pk != entry.pk:
        raise Refused(_("This entry belongs to another player. Ask at the judges' table."))


def must_not_be_anothers(by: Actor, event: Event, entry: Entry) -> None:
    """Raise Refused for another player before the door would show them how the row has changed."""
    if by.plays_at(event):
        must_be_own(by, event, entry)


def must_allow_late_entry(event: Event, begun: int) -> None:
    """Raise Refused if no one can join any more: a schedule is fixed, a bracket is drawn, or the cut is made."""
    if not begun:
        return
    if event.pairing_style == Event.Style.ROUND_ROBIN:
        raise Refused(_("No player can join now: the schedule of a round robin is fixed once round 1 is paired."))
    if event.pairing_style == Event.Style.ELIMINATION:
        raise Refused(_("No player can join now: the bracket was drawn when round 1 was paired."))
    if event.rounds.filter(stage=Round.Stage.CUT).exclude(state=Round.State.DRAFT).exists():
        raise Refused(_("No player can join now: the cut has been made."))


def open_match(entry: Entry) -> Match | None:
    """Return the match that the player has to finish, or None."""
    of_entry = sits(entry)
    open_rounds = (Round.State.PUBLISHED, Round.State.RUNNING)
    return (
        Match.objects.filter(of_entry, kind=Match.Kind.GAME, round__state__in=open_rounds)
        .exclude(state=Match.State.CONFIRMED)
        .select_related("round")
        .first()
    )
