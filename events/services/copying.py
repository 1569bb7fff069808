"""Copying an event: once, or weekly until a day."""

from __future__ import annotations

import datetime

from django.utils import formats, timezone
from django.utils.translation import gettext as _

from events import policy
from events.door import NeedsConfirmation, Refused, Writing, door
from events.models import Event, Official, Venue
from events.models.events import new_seed
from events.roles import Actor

from .policy import plan_of, refuse
from .setup import refusal

A_WEEK = datetime.timedelta(days=7)
A_YEAR = datetime.timedelta(days=366)
NOT_COPIED = frozenset(
    {"id", "public_id", "state", "ended", "seed", "copied_from", "created", "verified_at", "verified_by"}
    | {
        "reported_at",
        "version",
        "starts",
        "entries_close",
        "forces_close",
        "name",
        "link_secret",
        "away",
        "next_round_at",
    }
)


def next_copy_starts(event: Event) -> datetime.datetime:
    """Return when a copy starts: on the same weekday and at the same time, the first week that is still to come."""
    starts = _same_clock_time(event.starts, A_WEEK, event.venue)
    while starts < timezone.now():
        starts = _same_clock_time(starts, A_WEEK, event.venue)
    return starts


def copy_event(
    *, by: Actor, event: Event, until: datetime.date | None = None, confirmed: bool = False, **_unused: object
) -> list[Event]:
    """Return drafts copied from this event: one for the next week still to come, or one a week through `until`.

    Officials and halls are copied, entries and results aren't. Officials have accepted this event only, so everyone but
    the acting person is asked again; an offer that was never accepted isn't repeated, because it was made to an address
    that may no longer be the account's.

    A week that already has a copy is skipped in a series; a single copy of it must be confirmed. Raise Refused if
    `until` is before the first copy or more than a year away.
    """
    venue = event.venue
    with door("create-event", by=by, venue=venue) as writing:
        refuse(policy.check_house(plan_of(Event(venue=venue, starts=event.starts)), but=policy.BEFORE_OPENING))
        starts = next_copy_starts(event)
        copied = Event.objects.filter(copied_from=event).exclude(state=Event.State.CANCELLED)
        taken = set(copied.values_list("starts", flat=True))
        if until is None:
            if starts in taken and not confirmed:
                said = _(
                    "%(event)s has already been copied to %(day)s. If you continue, you'll make another copy for "
                    "that day."
                )
                day = formats.date_format(starts.astimezone(venue.zone), "l j F Y")
                raise NeedsConfirmation(_("Copy event again"), [said % {"event": event, "day": day}])
            wanted = [starts]
        else:
            if not starts.astimezone(venue.zone).date() <= until <= timezone.localdate() + A_YEAR:
                raise Refused(_("Choose a day from the date of the first copy to one year from today."))
            wanted = []
            while starts.astimezone(venue.zone).date() <= until:
                wanted += [starts] if starts not in taken else []
                starts = _same_clock_time(starts, A_WEEK, venue)
            if not wanted:
                raise Refused(_("Every week until that day already has a copy. Choose a later day."))
        made = [_copy(writing, event, by, starts) for starts in wanted]
        last = made[-1].starts.astimezone(venue.zone).date()
        if len(made) == 1:
            writing.says("event-copied", event=event, date=last)
        else:
            writing.says("event-repeated", event=event, n=len(made), date=last)
    return made


def _copy(writing: Writing, event: Event, by: Actor, starts: datetime.datetime) -> Event:
    """Create one draft copied from the event, with the officials who may work then."""
    shift = starts.astimezone(event.venue.zone).date() - event.starts.astimezone(event.venue.zone).date()
    facts = {
        column.name: getattr(event, column.name)
        for column in Event._meta.concrete_fields
        if column.name not in NOT_COPIED
    }
    moved = {
        name: _same_clock_time(moment, shift, event.venue) if (moment := getattr(event, name)) is not None else None
        for name in ("starts", "entries_close", "forces_close")
    }
    made = writing.create(Event, **facts, **moved, name=event.name, copied_from=event, seed=new_seed())
    for official in event.officials.agreed().select_related("person", "person__volunteer"):
        if refusal(made, official.person, official.role) is None:
            writing.create(
                Official,
                event=made,
                person=official.person,
                role=official.role,
                accepted=official.accepted,
                confirmed=writing.at if by.account == official.person else None,
            )
    return made


def _same_clock_time(moment: datetime.datetime, shift: datetime.timedelta, venue: Venue) -> datetime.datetime:
    """Return the same time of day in the venue's zone that many days later, whatever summer time does."""
    local = moment.astimezone(venue.zone).replace(tzinfo=None) + shift
    return local.replace(tzinfo=venue.zone)
