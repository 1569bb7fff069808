"""Everyone's duties: results to verify and report, copies to receive, officials to name, forces to verify.

Reads only, in a fixed number of queries per person, however many events there are. `judging.services.reminders` mails
reminders, and the template tags of `judging_reminders` show them. Deadlines come from the sanctioning policy
(`events.policy`), which each reminder cites.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, Q
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.models import Entry, Event, Force, Official, Person, Venue, Volunteer
from events.policy import DAYS_TO_REPORT, due
from judging.models import ForceCheck, VerifiedReport

A_DAY = datetime.timedelta(days=1)
A_WEEK = 7 * A_DAY
AHEAD = 14 * A_DAY
SOON = 3 * A_DAY
DAYS_BEFORE = 5
MAX_SHOWN = 50
COMING = (Event.State.DRAFT, Event.State.OPEN)
ENDED = (Event.State.FINISHED, Event.State.VERIFIED)
PLAYING = (Entry.State.ENTERED, Entry.State.CHECKED_IN)


@dataclass(frozen=True)
class Duty:
    """A duty: its sentence, the page where it is done, and the policy's rule.

    `key` identifies the duty and how urgent it has become: a person is mailed each key once. `is_mailed`: it deserves a
    mail by now. `is_urgent`: it is overdue, or must be settled now.
    """

    key: str
    words: str
    address: str
    rule: str = ""
    is_urgent: bool = False
    is_mailed: bool = True
    event: Event | None = None
    venue: Venue | None = None
    for_office: bool = False


def duties_at(venue: Venue, now: datetime.datetime | None = None) -> list[Duty]:
    """Return the duties of a venue's managers, urgent ones first."""
    return sorted(_of_venues([venue], now or timezone.now()), key=lambda one: not one.is_urgent)


def duties_of(person: Person, now: datetime.datetime | None = None) -> list[Duty]:
    """Return a person's duties, urgent ones first."""
    now = now or timezone.now()
    found = [*_as_head_judge(person, now), *_as_judge(person, now), *_as_manager(person, now), *_as_volunteer(person)]
    if person.is_office:
        found += _as_office(now)
    return sorted(found, key=lambda one: not one.is_urgent)


# head judges


def _as_head_judge(person: Person, now: datetime.datetime) -> Iterator[Duty]:
    """Yield results to verify and report. One query."""
    events = Event.objects.filter(
        officials__in=Official.objects.at_work().filter(person=person, role=Official.Role.HEAD_JUDGE),
        is_practice=False,
        state__in=ENDED,
        reported_at__isnull=True,
        ended__isnull=False,
    )
    for event in events.select_related("venue").order_by("ended", "pk")[:MAX_SHOWN]:
        yield _to_report(event, now)


def _to_report(event: Event, now: datetime.datetime) -> Duty:
    assert event.ended is not None, "only events that ended are asked for"
    term = due(event.ended, now, event.venue.zone)
    facts = {"event": event.name, "day": formats.date_format(term.last_day, "l j F Y")}
    verified = event.state == Event.State.VERIFIED
    if term.is_late:
        stage = "tardy"
        words = (
            _("The report for %(event)s is overdue. It was due on %(day)s.")
            if verified
            else _("The results of %(event)s haven't been verified or reported. They were due on %(day)s.")
        )
    else:
        stage = "soon" if term.days_left <= DAYS_BEFORE else "unverified" if not verified else "verified"
        words = (
            _("Report the results of %(event)s to the sanctioning office by %(day)s.")
            if verified
            else _("Verify the results of %(event)s and report them by %(day)s.")
        )
    return Duty(
        key=f"report:{event.pk}:{stage}",
        words=words % facts,
        address=reverse("judging:finish", args=[event.public_id]),
        rule="reported-in-time",
        is_urgent=term.is_late,
        is_mailed=term.days_left <= DAYS_BEFORE or now - event.ended >= A_DAY,
        event=event,
        venue=event.venue,
    )


# judges


def _as_judge(person: Person, now: datetime.datetime) -> Iterator[Duty]:
    """Yield forces to verify at today's events. Two queries."""
    judging = Official.objects.at_work().filter(person=person, role__in=(Official.Role.HEAD_JUDGE, Official.Role.JUDGE))
    events = Event.objects.filter(
        pk__in=judging.values("event_id"),
        is_practice=False,
        state__in=(Event.State.OPEN, Event.State.RUNNING),
        starts__lte=now + A_DAY,
        starts__gte=now - A_WEEK,
    )
    passed = ForceCheck.objects.filter(outcome=ForceCheck.Outcome.PASSED)
    unseen = Force.objects.filter(entry__event__in=events, entry__state__in=PLAYING, state=Force.State.SUBMITTED)
    unseen = unseen.exclude(pk__in=passed.values("force_id"))
    counts = dict(unseen.values_list("entry__event").annotate(Count("pk")).order_by())
    for event in Event.objects.filter(pk__in=counts).select_related("venue").order_by("starts", "pk")[:MAX_SHOWN]:
        yield Duty(
            key=f"forces:{event.pk}",
            words=ngettext(
                "%(n)d force to verify at %(event)s",
                "%(n)d forces to verify at %(event)s",
                counts[event.pk],
            )
            % {"n": counts[event.pk], "event": event.name},
            address=reverse("judging:forces", args=[event.public_id]),
            is_mailed=False,
            event=event,
            venue=event.venue,
        )


# venues


def _as_manager(person: Person, now: datetime.datetime) -> Iterator[Duty]:
    """Yield the duties of a venue manager. Six queries."""
    yield from _of_venues(list(Venue.objects.managed_by(person).order_by("name", "pk")), now)


def _of_venues(venues: list[Venue], now: datetime.datetime) -> Iterator[Duty]:
    """Yield the duties of managers of these venues: officials, copies, events without a judge. Five queries."""
    for venue in venues:
        if venue.state in (Venue.State.REFUSED, Venue.State.SUSPENDED):
            yield Duty(
                key=f"venue:{venue.pk}:{venue.state}:{venue.version}",
                words=(
                    _("%(venue)s is suspended: %(reason)s")
                    if venue.state == Venue.State.SUSPENDED
                    else _("%(venue)s's registration was rejected: %(reason)s")
                )
                % {"venue": venue.name, "reason": venue.decision_reason or "–"},
                address=reverse("events:venue", args=[venue.pk]),
                is_urgent=venue.state == Venue.State.SUSPENDED,
                venue=venue,
            )
    if not venues:
        return
    yield from _officials_asked(venues)
    yield from _without_head_judge(venues, now)
    yield from _copies(venues, now)
    yield from _never_played(venues, now)
    late = Event.objects.filter(venue__in=venues, is_practice=False, state__in=ENDED, reported_at__isnull=True)
    late = late.filter(ended__lt=now - DAYS_TO_REPORT * A_DAY).select_related("venue").order_by("ended", "pk")
    for event in late[:MAX_SHOWN]:
        found = _to_report(event, now)
        if found.is_urgent:
            yield Duty(
                key=f"venue-report:{event.pk}:tardy",
                words=_("%(what)s Remind the head judge.") % {"what": found.words},
                address=found.address,
                rule=found.rule,
                is_urgent=True,
                event=event,
                venue=event.venue,
            )


def _officials_asked(venues: list[Venue]) -> Iterator[Duty]:
    asked = Official.objects.filter(event__venue__in=venues, accepted__isnull=True).exclude(
        event__state__in=(Event.State.VERIFIED, Event.State.CANCELLED)
    )
    for row in asked.select_related("person", "event__venue").order_by("event__starts", "pk")[:MAX_SHOWN]:
        yield Duty(
            key=f"accept:{row.pk}:{row.role}",
            words=_("%(name)s is waiting to be accepted as %(role)s at %(event)s.")
            % {"name": row.person, "role": row.get_role_display(), "event": row.event.name},
            address=reverse("events:officials", args=[row.event.public_id]),
            rule="head-judge",
            event=row.event,
            venue=row.event.venue,
        )


def _without_head_judge(venues: list[Venue], now: datetime.datetime) -> Iterator[Duty]:
    accepted = Official.objects.at_work().filter(role=Official.Role.HEAD_JUDGE)
    approved = accepted.filter(person__volunteer__state=Volunteer.State.APPROVED)
    coming = Q(state__in=COMING, starts__lte=now + AHEAD, starts__gte=now - A_DAY)
    found = Event.objects.filter(coming | Q(state=Event.State.RUNNING), venue__in=venues)
    found = found.exclude(pk__in=approved.values("event_id"))
    found = found.exclude(is_practice=True, pk__in=accepted.values("event_id"))
    for event in found.select_related("venue").order_by("starts", "pk")[:MAX_SHOWN]:
        running = event.state == Event.State.RUNNING
        stage = "running" if running else "days" if event.starts <= now + SOON else "fortnight"
        yield Duty(
            key=f"head-judge:{event.pk}:{stage}",
            words=(
                _("%(event)s is running without an approved volunteer as head judge.")
                if running
                else _("%(event)s starts on %(day)s without an approved volunteer as head judge.")
            )
            % {
                "event": event.name,
                "day": formats.date_format(event.starts.astimezone(event.venue.zone), "l j F Y, H:i"),
            },
            address=reverse("events:officials", args=[event.public_id]),
            rule="registered-volunteer",
            is_urgent=event.starts <= now,
            event=event,
            venue=event.venue,
        )


def _copies(venues: list[Venue], now: datetime.datetime) -> Iterator[Duty]:
    waiting = VerifiedReport.objects.filter(
        event__venue__in=venues, event__is_practice=False, withdrawn=False, received__isnull=True
    )
    for report in waiting.select_related("event__venue").defer("document").order_by("made", "pk")[:MAX_SHOWN]:
        yield Duty(
            key=f"copy:{report.pk}",
            words=_("Download your verified copy of the results of %(event)s and keep it for a year.")
            % {"event": report.event.name},
            address=reverse("judging:finish", args=[report.event.public_id]),
            rule="verified-copy",
            is_mailed=now - report.made >= A_WEEK,
            event=report.event,
            venue=report.event.venue,
        )


def _never_played(venues: list[Venue], now: datetime.datetime) -> Iterator[Duty]:
    old = Event.objects.filter(venue__in=venues, state__in=COMING, starts__lt=now - A_DAY)
    for event in old.select_related("venue").order_by("starts", "pk")[:MAX_SHOWN]:
        yield Duty(
            key=f"not-played:{event.pk}",
            words=_("%(event)s was due to start on %(day)s. Start it, reschedule it or cancel it.")
            % {"event": event.name, "day": formats.date_format(event.starts.astimezone(event.venue.zone), "l j F Y")},
            address=reverse("events:event", args=[event.public_id]),
            is_urgent=True,
            event=event,
            venue=event.venue,
        )


# volunteers


def _as_volunteer(person: Person) -> Iterator[Duty]:
    """Yield the sanctioning office's decision on a registration, if the person must act on it. One query."""
    row = Volunteer.objects.filter(person=person).first()
    if row is None or row.state not in (Volunteer.State.REFUSED, Volunteer.State.SUSPENDED):
        return
    yield Duty(
        key=f"volunteer:{row.pk}:{row.state}:{row.version}",
        words=(
            _("You're suspended as a volunteer: %(reason)s")
            if row.state == Volunteer.State.SUSPENDED
            else _("Your registration as a volunteer was rejected: %(reason)s")
        )
        % {"reason": row.decision_reason or "–"},
        address=reverse("events:volunteer-register"),
        rule="registered-volunteer",
        is_urgent=row.state == Volunteer.State.SUSPENDED,
    )


# the sanctioning office


def overdue(now: datetime.datetime) -> list[Event]:
    """Return the sanctioned events whose results are overdue, oldest first. One query."""
    found = Event.objects.filter(
        is_practice=False, state__in=ENDED, reported_at__isnull=True, ended__lt=now - DAYS_TO_REPORT * A_DAY
    )
    rows = found.select_related("venue").order_by("ended", "pk")[:MAX_SHOWN]
    return [event for event in rows if event.ended and due(event.ended, now, event.venue.zone).is_late]


def _as_office(now: datetime.datetime) -> Iterator[Duty]:
    """Yield registrations to decide, whose first e-mail was sent when they were made, and overdue results. Three queries."""
    for volunteer in Volunteer.objects.filter(state=Volunteer.State.PENDING).select_related("person")[:MAX_SHOWN]:
        yield Duty(
            key=f"office:volunteer:{volunteer.pk}:{volunteer.version}",
            words=_("%(name)s has applied to register as a volunteer.") % {"name": volunteer.person},
            address=reverse("events:office-volunteer", args=[volunteer.pk]),
            rule="registered-volunteer",
            is_mailed=volunteer.registered <= now - A_DAY,
            for_office=True,
        )
    for venue in Venue.objects.filter(state=Venue.State.PENDING).order_by("registered", "pk")[:MAX_SHOWN]:
        yield Duty(
            key=f"office:venue:{venue.pk}:{venue.version}",
            words=_("%(venue)s has applied to register as a venue.") % {"venue": venue.name},
            address=reverse("events:office-venue", args=[venue.pk]),
            rule="registered-venue",
            is_mailed=venue.registered <= now - A_DAY,
            for_office=True,
        )
    yield from of_the_office(now)


def of_the_office(now: datetime.datetime | None = None) -> Iterator[Duty]:
    """Yield the overdue results that the sanctioning office asks for or penalises. One query."""
    for event in overdue(now or timezone.now()):
        yield Duty(
            key=f"office:report:{event.pk}:tardy",
            words=_("The results of %(event)s at %(venue)s are overdue.")
            % {"event": event.name, "venue": event.venue.name},
            address=reverse("judging:finish", args=[event.public_id]),
            rule="penalties-to-status",
            is_urgent=True,
            event=event,
            for_office=True,
        )
