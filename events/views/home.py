"""The home page: current events, and the visitor's next step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from events.models import Entry, Event, Match, Official, Person, Round, Venue, Volunteer, sits
from events.queries import with_event
from events.roles import LINKED_OFFICES, Actor
from events.services.offers import offers_of
from events.setup_link import is_set_up

SHOWN = 12
SHOWN_PAST = 6
OVER = (Event.State.VERIFIED, Event.State.CANCELLED)
GONE = (Entry.State.DROPPED, Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED)


def home(request: HttpRequest) -> HttpResponse:
    """Show running and coming events; for signed-in people, their own first."""
    seen = Event.objects.exclude(state__in=[Event.State.DRAFT, Event.State.CANCELLED]).select_related("venue")
    facts: dict[str, Any] = {
        "running": seen.filter(state=Event.State.RUNNING).order_by("starts"),
        "coming": seen.filter(state=Event.State.OPEN).order_by("starts"),
        "past": seen.filter(state__in=[Event.State.FINISHED, Event.State.VERIFIED]).order_by("-starts"),
        "now": timezone.now(),
    }
    if request.user.is_authenticated:
        person = request.user
        mine = list(
            Event.objects.filter(officials__in=Official.objects.at_work().filter(person=person))
            .exclude(state__in=OVER)
            .select_related("venue")
            .order_by("starts")[:SHOWN]
        )
        now = now_for(person, mine)
        shown = {
            item["event"].pk if "event" in item else item["entry"].event_id
            for item in now
            if item.keys() & {"event", "entry"}
        }
        facts |= {
            "now": now,
            "officiated": [item["event"] for item in now if "event" in item and item["event"] in mine],
            "running": facts["running"].exclude(pk__in=shown),
            "coming": facts["coming"].exclude(pk__in=[event.pk for event in mine]),
            "past": facts["past"].exclude(pk__in=[event.pk for event in mine]),
            "mine": [event for event in mine if event.pk not in shown],
            "officiates": bool(mine),
            "offers": offers_of(person),
            "creates": Venue.objects.managed_by(person).filter(state=Venue.State.APPROVED).exists(),
        }
    elif linked := request.session.get(LINKED_OFFICES):
        found = Event.objects.filter(pk__in=linked).select_related("venue").order_by("starts")
        facts["mine"] = [event for event in found if Actor.of(request, event).office is not None]
    elif not Event.objects.exists() and not is_set_up():
        return render(request, "events/installation/not_set_up.html")
    facts["running"], facts["coming"] = facts["running"][:SHOWN], facts["coming"][:SHOWN]
    facts["past"] = facts["past"][:SHOWN_PAST]
    return render(request, "home.html", facts)


def _matches_now(entries: list[Entry]) -> dict[int, Match]:
    """Return, by entry, the match that the player must go to now, with its table and opponent; one query."""
    playing = [Round.State.PUBLISHED, Round.State.RUNNING]
    found = Match.objects.filter(sits(*entries), round__state__in=playing)
    now: dict[int, Match] = {}
    for match in found.with_round().order_by("round__number"):
        for entry in entries:
            if entry.pk in match.entry_ids:
                with_event([match], entry.event)
                now[entry.pk] = match
    return now


def _opponents(entry: Entry, matches: Mapping[int, Match]) -> str:
    """Return the names of the others at the player's table."""
    match = matches.get(entry.pk)
    return ", ".join(other.public_name for other in match.opponents_of(entry)) if match is not None else ""


def now_for(person: Person, mine: list[Event]) -> list[dict[str, Any]]:
    """Return what a person does now: every running event to officiate or play; if none runs, the one next step."""
    now: list[dict[str, Any]] = [{"event": event} for event in mine if event.state == Event.State.RUNNING]
    entries = Entry.objects.filter(person=person).exclude(state__in=GONE).select_related("event__venue")
    played = list(entries.filter(event__state=Event.State.RUNNING).order_by("event__starts")[:SHOWN])
    matches = _matches_now(played) if played else {}
    now += [
        {"entry": entry, "match": matches.get(entry.pk), "opponents": _opponents(entry, matches)} for entry in played
    ]
    return now or [_next_for(person, mine, entries)]


def _next_for(person: Person, mine: list[Event], entries: QuerySet[Entry]) -> dict[str, Any]:
    """Return a person's next step while no event runs: decisions to make, an event to prepare, play or create."""
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
