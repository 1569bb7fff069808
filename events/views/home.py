"""The home page: current events, and the visitor's next step."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from events.models import Entry, Event, Match, Official, Person, Round, Venue, Volunteer
from events.queries import with_event
from events.roles import LINKED_OFFICES, Actor
from events.services.offers import offers_of
from events.setup_link import is_set_up

SHOWN = 12
OVER = (Event.State.VERIFIED, Event.State.CANCELLED)
GONE = (Entry.State.DROPPED, Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED)


def home(request: HttpRequest) -> HttpResponse:
    """Show running and coming events; for signed-in people, their own first."""
    seen = Event.objects.exclude(state__in=[Event.State.DRAFT, Event.State.CANCELLED]).select_related("venue")
    facts: dict[str, Any] = {
        "running": seen.filter(state=Event.State.RUNNING).order_by("starts")[:SHOWN],
        "coming": seen.filter(state=Event.State.OPEN).order_by("starts")[:SHOWN],
        "past": seen.filter(state__in=[Event.State.FINISHED, Event.State.VERIFIED]).order_by("-starts")[:6],
        "now": timezone.now(),
    }
    if request.user.is_authenticated:
        mine = list(
            Event.objects.filter(officials__in=Official.objects.at_work().filter(person=request.user))
            .exclude(state__in=OVER)
            .select_related("venue")
            .order_by("starts")[:SHOWN]
        )
        facts |= {"mine": mine, "next": next_for(request.user, mine), "offers": offers_of(request.user)}
    elif linked := request.session.get(LINKED_OFFICES):
        found = Event.objects.filter(pk__in=linked).select_related("venue").order_by("starts")
        facts["mine"] = [event for event in found if Actor.of(request, event).office is not None]
    elif not Event.objects.exists() and not is_set_up():
        return render(request, "events/installation/not_set_up.html")
    return render(request, "home.html", facts)


def _match_now(entry: Entry) -> Match | None:
    """Return the match that the player must go to now, with its table and opponent, or None."""
    playing = [Round.State.PUBLISHED, Round.State.RUNNING]
    found = Match.objects.filter(Q(a=entry) | Q(b=entry), round__event=entry.event_id, round__state__in=playing)
    match = found.with_round().order_by("-round__number").first()
    if match is not None:
        with_event([match], entry.event)
    return match


def next_for(person: Person, mine: list[Event]) -> dict[str, Any]:
    """Return a person's next step: an event to run, a table to go to, decisions to make, or an event to create."""
    running = next((event for event in mine if event.state == Event.State.RUNNING), None)
    if running is not None:
        return {"event": running}
    entries = Entry.objects.filter(person=person).exclude(state__in=GONE).select_related("event__venue")
    now = entries.filter(event__state=Event.State.RUNNING).first()
    if now is not None:
        return {"entry": now, "match": _match_now(now)}
    if person.is_office:
        waiting = Venue.objects.filter(state=Venue.State.PENDING).count()
        waiting += Volunteer.objects.filter(state=Volunteer.State.PENDING).count()
        if waiting:
            return {"waiting": waiting}
    if mine:
        return {"event": mine[0]}
    coming = entries.filter(event__state=Event.State.OPEN).order_by("event__starts").first()
    if coming is not None:
        return {"entry": coming}
    managed = Venue.objects.managed_by(person)
    held = Event.objects.filter(venue__in=managed, state__in=[Event.State.RUNNING, Event.State.DRAFT])
    here = held.select_related("venue").order_by("-state", "starts").first()
    if here is not None:
        return {"event": here}
    venue = managed.filter(state=Venue.State.APPROVED).order_by("name").first()
    return {"venue": venue} if venue is not None else {}
