"""The first page: what is on, and what is next for whoever looks."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from events.models import Event

SHOWN = 12


def home(request: HttpRequest) -> HttpResponse:
    """Show running and coming events; to somebody signed in, their own first."""
    seen = Event.objects.exclude(state__in=[Event.State.DRAFT, Event.State.CANCELLED]).select_related("venue")
    running = seen.filter(state=Event.State.RUNNING).order_by("starts")[:SHOWN]
    coming = seen.filter(state=Event.State.OPEN).order_by("starts")[:SHOWN]
    past = seen.filter(state__in=[Event.State.FINISHED, Event.State.VERIFIED]).order_by("-starts")[:SHOWN]
    mine: list[Event] = []
    if request.user.is_authenticated:
        mine = list(
            Event.objects.filter(officials__person=request.user)
            .exclude(state__in=[Event.State.VERIFIED, Event.State.CANCELLED])
            .select_related("venue")
            .order_by("starts")[:SHOWN]
        )
    return render(
        request, "home.html", {"running": running, "coming": coming, "past": past, "mine": mine, "now": timezone.now()}
    )
