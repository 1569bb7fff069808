"""Calendars of a person and of a venue, with conflicts shown in advance."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from events import policy
from events.actions import Text, answer
from events.address import full_address
from events.models import Entry, Event, Installation, Official, Person, PolicyOverride, Venue
from events.month import Item, calendar_file, first_of, month_of
from events.outside import begins_and_ends
from events.policy import Booked, PlannedEvent, PolicyViolation
from events.registration import Registration
from events.roles import Actor
from events.services import people as services
from events.services.policy import booked, duration, excepted_rules
from events.services.venues import registration_of
from rules.labels import labelled

from .access import visit
from .people import signed_in

COLLISIONS = frozenset({"four-hours", "club-month", "convention-requirements"})
SHOWN_RULES = COLLISIONS | {"head-judge", "registered-volunteer"}
BEFORE, AFTER = datetime.timedelta(days=90), datetime.timedelta(days=366)
AROUND = datetime.timedelta(days=9)
GONE = (Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED)


def _around(first: datetime.date) -> tuple[datetime.datetime, datetime.datetime]:
    """Return the start and end of everything that can appear in the month's grid, in any time zone."""
    begins = datetime.datetime.combine(first, datetime.time(), datetime.UTC)
    return begins - AROUND, begins + datetime.timedelta(days=31) + AROUND


def _heads(events: Sequence[Event]) -> dict[int, Official]:
    """Return the head judge of each event. One query."""
    rows = Official.objects.filter(event__in=events, role=Official.Role.HEAD_JUDGE)
    return {row.event_id: row for row in rows.select_related("person__volunteer")}


def _of_heads(
    heads: Iterable[Official], begins: datetime.datetime, ends: datetime.datetime
) -> dict[int, list[tuple[int, Booked]]]:
    """Return the other events of these head judges in that period, at any venue. One query."""
    rows = (
        Official.objects.agreed()
        .filter(
            person__in={row.person_id for row in heads},
            role=Official.Role.HEAD_JUDGE,
            event__is_practice=False,
            event__starts__gte=begins - datetime.timedelta(days=2),
            event__starts__lt=ends + datetime.timedelta(days=2),
        )
        .exclude(event__state=Event.State.CANCELLED)
    )
    found: dict[int, list[tuple[int, Booked]]] = defaultdict(list)
    for row in rows.select_related("event__venue"):
        found[row.person_id].append((row.event_id, booked(row.event)))
    return found


def collisions(
    events: Sequence[Event],
    begins: datetime.datetime,
    ends: datetime.datetime,
    registration: Registration | None = None,
) -> dict[int, tuple[PolicyViolation, ...]]:
    """Return each event's policy conflicts, by its key: of volunteers, a club's month, days.

    `registration` is the venue's, if all are at one. Three queries, however many events there are.
    """
    heads = _heads(events)
    elsewhere = _of_heads(heads.values(), begins, ends)
    overrides: dict[int, list[PolicyOverride]] = defaultdict(list)
    for row in PolicyOverride.objects.filter(event__in=events, withdrawn__isnull=True):
        overrides[row.event_id].append(row)
    here = [(event.pk, booked(event)) for event in events if not _is_free(event)]
    found = {}
    for event in events:
        if _is_free(event):
            continue
        head = heads.get(event.pk)
        plan = PlannedEvent(
            starts=event.starts,
            zone=event.venue.zone,
            ends=event.starts + duration(event),
            universe=event.universe,
            venue=event.venue.name,
            registration=registration,
            head_judge=str(head.person) if head is not None else "",
            head_judge_is_accepted=head is not None and head.accepted is not None,
            head_judge_has_agreed=head is not None and head.confirmed is not None,
            head_judge_is_approved=head is not None and getattr(getattr(head.person, "volunteer", None), "is_approved", False),
            of_volunteer=tuple(one for pk, one in elsewhere[head.person_id] if pk != event.pk) if head else (),
            of_venue=tuple(one for pk, one in here if pk != event.pk) if registration is not None else (),
        )  # fmt: skip
        against = policy.check_plan(plan, excepted=excepted_rules(overrides[event.pk], head.person if head else None))
        if event.state in (Event.State.FINISHED, Event.State.VERIFIED):
            against = [one for one in against if one.rule in ("four-hours", "club-month")]
        found[event.pk] = tuple(
            replace(one, warns=one.warns or one.rule not in COLLISIONS) for one in against if one.rule in SHOWN_RULES
        )
    return found


def _is_free(event: Event) -> bool:
    return event.is_practice or event.state == Event.State.CANCELLED


def _fee_and_prizes(event: Event) -> str:
    told = ((_("Fee"), event.fee), (_("Prizes"), event.prizes))
    return "\n".join(labelled(label, text) for label, text in told if text)


def _item(event: Event, role: Text = "", found: tuple[PolicyViolation, ...] = ()) -> Item:
    starts, ends = begins_and_ends(event)
    return Item(
        name=event.name,
        address=reverse("events:event", args=[event.public_id]),
        starts=starts,
        ends=ends,
        place=f"{event.venue.name}, {event.venue.city}",
        role=role,
        state=event.state,
        state_words=event.get_state_display(),
        uid=event.public_id,
        note=_fee_and_prizes(event),
        found=found,
    )


def _items_of(person: Person, begins: datetime.datetime, ends: datetime.datetime) -> list[Item]:
    offices = list(
        Official.objects.agreed()
        .filter(person=person, event__starts__gte=begins, event__starts__lt=ends)
        .exclude(event__state=Event.State.CANCELLED)
        .select_related("event__venue")
    )
    judged = [row.event for row in offices if row.role == Official.Role.HEAD_JUDGE]
    against = collisions(judged, begins, ends)
    items = [
        _item(
            row.event,
            row.get_role_display(),
            tuple(one for one in against.get(row.event_id, ()) if one.rule in ("four-hours", "registered-volunteer")),
        )
        for row in offices
    ]
    entries = Entry.objects.filter(person=person, event__starts__gte=begins, event__starts__lt=ends)
    playing = entries.exclude(state__in=GONE).exclude(event__state=Event.State.CANCELLED)
    return [*items, *(_item(row.event, _("player")) for row in playing.select_related("event__venue"))]


@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """Show a month of the signed-in person: where they judge and play, with conflicts."""
    today = timezone.localdate()
    first = first_of(request.GET.get("month", ""), today)
    person = signed_in(request)
    month = month_of(first, _items_of(person, *_around(first)), today)
    token = services.calendar_token(person)
    return render(
        request,
        "events/calendar/page.html",
        {
            "month": month,
            "heading": _("My calendar"),
            "file": reverse("events:calendar-file"),
            "subscription": full_address(request, reverse("events:calendar-read", args=[token])) if token else "",
            "collides": [item for item in month.items if item.found],
        },
    )


def _venue(request: HttpRequest, pk: int) -> tuple[Venue, bool]:
    shown = get_object_or_404(Venue.objects.select_related("registered_volunteer__person__volunteer"), pk=pk)
    manages = bool(answer("change-venue", Actor.of(request).roles(venue=shown)))
    if shown.state not in (Venue.State.APPROVED, Venue.State.SUSPENDED) and not manages:
        raise Http404
    return shown, manages


def _venue_events(venue: Venue, begins: datetime.datetime, ends: datetime.datetime, *, drafts: bool) -> list[Event]:
    rows = venue.events.filter(starts__gte=begins, starts__lt=ends)
    rows = rows.exclude(state=Event.State.CANCELLED) if drafts else rows.exclude(state=Event.State.DRAFT)
    found = list(rows.order_by("starts", "pk"))
    for event in found:
        event.venue = venue
    return found


@require_safe
def of_venue(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a month of a venue; its managers and administrators see drafts and conflicts."""
    venue, manages = _venue(request, pk)
    today = timezone.now().astimezone(venue.zone).date()
    first = first_of(request.GET.get("month", ""), today)
    begins, ends = _around(first)
    events = _venue_events(venue, begins, ends, drafts=manages)
    against = collisions(events, begins, ends, registration_of(venue)) if manages else {}
    month = month_of(first, [_item(event, "", against.get(event.pk, ())) for event in events], today)
    return render(
        request,
        "events/calendar/page.html",
        {
            "venue": venue,
            "month": month,
            "heading": _("Venue calendar: %(venue)s") % {"venue": venue},
            "file": reverse("events:venue-calendar-file", args=[venue.pk]),
            "subscription": full_address(request, reverse("events:venue-calendar-file", args=[venue.pk])),
            "collides": [item for item in month.items if item.found],
            "creates": manages and venue.is_approved,
        },
    )


def _as_file(request: HttpRequest, title: str, items: list[Item], name: str, note: Text = "") -> HttpResponse:
    whole = [replace(item, address=full_address(request, item.address)) for item in items]
    response = HttpResponse(
        calendar_file(title, whole, timezone.now(), note), content_type="text/calendar; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{name}.ics"'
    return response


def _year() -> tuple[datetime.datetime, datetime.datetime]:
    return timezone.now() - BEFORE, timezone.now() + AFTER


@login_required
@require_safe
def my_file(request: HttpRequest) -> HttpResponse:
    """Return the signed-in person's calendar as a file."""
    return _as_file(request, _("My calendar"), _items_of(signed_in(request), *_year()), "headjudge")


@login_required
@require_POST
@reauthentication_required
def change_address(request: HttpRequest) -> HttpResponse:
    """Make or replace the address under which other programs read the calendar (`on=1`), or turn it off."""
    on = request.POST.get("on") == "1"
    services.change_calendar_address(by=Actor.of(request), on=on)
    messages.success(
        request, _("Your calendar has a new address.") if on else _("The address of your calendar no longer works.")
    )
    return redirect("events:calendar")


@require_safe
def read_by_others(request: HttpRequest, token: str) -> HttpResponse:
    """Return a person's calendar to a program that knows its address, in the person's language."""
    person = services.person_of_calendar(token)
    if person is None:
        raise Http404
    with translation.override(person.language or Installation.here().language):
        return _as_file(request, _("My calendar"), _items_of(person, *_year()), "headjudge")


@require_safe
def event_file(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return one event as a calendar file."""
    event = visit(request, public_id).event
    return _as_file(request, event.name, [_item(event)], f"headjudge-{public_id}")


@require_safe
def venue_file(request: HttpRequest, pk: int) -> HttpResponse:
    """Return a venue's published events as a calendar file."""
    venue, _manages = _venue(request, pk)
    events = _venue_events(venue, *_year(), drafts=False)
    items = [_item(event) for event in events]
    return _as_file(
        request, venue.name, items, f"headjudge-venue-{venue.pk}", _("This calendar doesn't include draft events.")
    )
