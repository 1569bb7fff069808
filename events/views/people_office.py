"""Pages of the sanctioning office: decisions to make, and everyone to look up."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from events.actions import answer
from events.door import require
from events.eligibility import FURTHER_NOTICE
from events.forms.people import DecisionForm, SuspensionForm
from events.models import AuditEntry, Entry, Event, Official, Person, Venue, Volunteer
from events.paging import paged
from events.registration import check_approval
from events.roles import Actor
from events.services import offers, people, venues
from events.services.policy import reported
from events.tables.people import PersonFilter, PersonTable, PlayerFilter, PlayerTable, VolunteerFilter, VolunteerTable
from events.tables.venues import OfficeVenueFilter, OfficeVenueTable

from .access import form_reason, form_version

WORDS = {
    ("pending", "approved"): gettext_lazy("Approve"),
    ("pending", "refused"): gettext_lazy("Reject"),
    ("approved", "suspended"): gettext_lazy("Suspend"),
    ("suspended", "approved"): gettext_lazy("Reinstate"),
    ("refused", "approved"): gettext_lazy("Approve"),
}


def for_the_office(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Restrict a view to the sanctioning office; others read why not."""

    @wraps(view)
    @login_required
    def only(request: HttpRequest, *given: Any, **named: Any) -> HttpResponse:
        require(answer("decide-venue", Actor.of(request).roles()))
        return view(request, *given, **named)

    return only


def listed(request: HttpRequest, rows: Any, filter_class: Any, table_class: Any, **named: Any) -> dict[str, Any]:
    """Return a filtered list for a page: its table, never counted, and its search form."""
    found = filter_class(request.GET, queryset=rows)
    table = table_class(found.qs, **named)
    paged(request, table)
    first, *more = found.form.fields
    narrowed = any(request.GET.get(name) for name in more)
    if narrowed or request.GET.get(first):
        table.empty_text = _("Nothing found. Remove a filter or try fewer words.")
    return {"table": table, "filter": found, "narrowed": narrowed}


@for_the_office
def office(request: HttpRequest) -> HttpResponse:
    """Show volunteers and venues awaiting a decision, longest waiting first."""
    volunteers = Volunteer.objects.filter(state=Volunteer.State.PENDING).select_related("person").order_by("registered")
    waiting = Venue.objects.filter(state=Venue.State.PENDING).order_by("registered", "pk")
    counts = {"volunteers": volunteers.count(), "venues": waiting.count()}
    of_venues, of_people = list(waiting[:50]), list(volunteers[:50])
    venue_table = OfficeVenueTable(of_venues, exclude=("state",), orderable=False)
    venue_table.caption = gettext_lazy("Venues waiting for approval")
    venue_table.caption_hidden = False
    volunteer_table = VolunteerTable(of_people, exclude=("state",), orderable=False)
    volunteer_table.caption = gettext_lazy("Volunteers waiting for approval")
    volunteer_table.caption_hidden = False
    first = [(row.registered, str(row), reverse("events:office-venue", args=[row.pk])) for row in of_venues[:1]]
    first += [(row.registered, str(row), reverse("events:office-volunteer", args=[row.pk])) for row in of_people[:1]]
    return render(
        request,
        "events/people/office.html",
        {
            "counts": counts,
            "volunteers": volunteer_table,
            "venues": venue_table,
            "first": min(first)[1:] if first else None,
            "suspended": Person.objects.filter(suspended_until__gte=timezone.localdate()).count(),
        },
    )


@for_the_office
def volunteers(request: HttpRequest) -> HttpResponse:
    """List all volunteers."""
    rows = Volunteer.objects.select_related("person")
    facts = listed(request, rows, VolunteerFilter, VolunteerTable)
    return render(request, "events/people/office_list.html", facts | {"heading": _("Volunteers")})


@for_the_office
def office_venues(request: HttpRequest) -> HttpResponse:
    """List all venues."""
    facts = listed(request, Venue.objects.all(), OfficeVenueFilter, OfficeVenueTable)
    return render(request, "events/people/office_list.html", facts | {"heading": _("Venues")})


@for_the_office
def office_people(request: HttpRequest) -> HttpResponse:
    """Search all people."""
    facts = listed(request, Person.objects.all(), PersonFilter, PersonTable)
    return render(request, "events/people/office_list.html", facts | {"heading": _("People")})


@for_the_office
def office_players(request: HttpRequest) -> HttpResponse:
    """Search all entries, with or without an account."""
    rows = Entry.objects.select_related("event", "person").order_by("name", "pk")
    facts = listed(request, rows, PlayerFilter, PlayerTable)
    return render(request, "events/people/office_list.html", facts | {"heading": _("Players at events")})


def _choices(state: str, decisions: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(decision, str(WORDS[(state, decision)])) for decision in decisions[state]]


def _audit_log_of(row: Any) -> list[AuditEntry]:
    found = AuditEntry.objects.filter(subject_model=row._meta.label, subject_id=row.pk)
    return list(found.select_related("by_person")[:20])


@for_the_office
def office_volunteer(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one volunteer, and decide."""
    volunteer = get_object_or_404(Volunteer.objects.select_related("person"), pk=pk)
    form = DecisionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        people.decide_volunteer(
            by=Actor.of(request), volunteer=volunteer, version=form_version(request), **form.cleaned_data
        )
        messages.success(
            request,
            _("%(name)s is now %(state)s.") % {"name": volunteer.person, "state": volunteer.get_state_display()},
        )
        return redirect("events:office")
    as_head_judge = Official.objects.at_work().filter(person=volunteer.person, role=Official.Role.HEAD_JUDGE)
    judged = volunteer.person.offices.at_work().values("event__state").annotate(count=Count("pk"))
    return render(
        request,
        "events/people/office_volunteer.html",
        {
            "volunteer": volunteer,
            "form": form,
            "choices": _choices(volunteer.state, people.VOLUNTEER_DECISIONS),
            "to_judge": Event.objects.filter(
                officials__in=as_head_judge,
                is_practice=False,
                state__in=(Event.State.DRAFT, Event.State.OPEN, Event.State.RUNNING),
            ).order_by("starts", "pk")[:20],
            "judged": sum(row["count"] for row in judged),
            "reported": reported(Event.objects.filter(officials__in=as_head_judge)),
            "record": _audit_log_of(volunteer),
        },
    )


@for_the_office
def office_venue(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one venue with its private data and unmet requirements, and decide."""
    venue = get_object_or_404(Venue.objects.select_related("registered_volunteer__person"), pk=pk)
    form = DecisionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        venues.decide_venue(by=Actor.of(request), venue=venue, version=form_version(request), **form.cleaned_data)
        messages.success(request, _("%(name)s is now %(state)s.") % {"name": venue, "state": venue.get_state_display()})
        return redirect("events:office")
    return render(
        request,
        "events/people/office_venue.html",
        {
            "venue": venue,
            "form": form,
            "choices": _choices(venue.state, venues.VENUE_DECISIONS),
            "findings": check_approval(venues.registration_of(venue)),
            "managers": venue.management.select_related("person"),
            "members": venue.members.all(),
            "reported": reported(venue.events.all()),
            "record": _audit_log_of(venue),
        },
    )


@require_POST
@for_the_office
def office_venue_accept_for(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept on behalf of a club's registered volunteer who can't be reached."""
    venue = get_object_or_404(Venue, pk=pk)
    offers.accept_volunteering_for(by=Actor.of(request), venue=venue, **form_reason(request))
    words = _("%(name)s is now %(venue)s's registered volunteer.")
    messages.success(request, words % {"name": venue.registered_volunteer, "venue": venue})
    return redirect("events:office-venue", pk)


@for_the_office
def office_person(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one person; suspend them until a date or further notice, or change the suspension."""
    person = get_object_or_404(Person, pk=pk)
    open_ended = person.suspended_until == FURTHER_NOTICE
    until = None if open_ended else person.suspended_until
    initial = {"until": until, "open_ended": open_ended, "reason": person.suspension_reason} if person.suspended else {}
    form = SuspensionForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        facts = {"until": form.last_day, "reason": form.cleaned_data["reason"]}
        people.suspend_person(by=Actor.of(request), person=person, version=form_version(request), **facts)
        words = _("%(name)s is suspended until %(until)s.") % {"name": person, "until": person.suspended}
        messages.success(request, words)
        return redirect("events:office-person", pk)
    return render(
        request,
        "events/people/office_person.html",
        {
            "person": person,
            "form": form,
            "volunteer": Volunteer.objects.filter(person=person).first(),
            "venues": Venue.objects.managed_by(person),
            "entries": person.entries.select_related("event")[:20],
            "offices": person.offices.agreed().select_related("event").order_by("-event__starts")[:20],
            "record": _audit_log_of(person),
        },
    )


@require_POST
@for_the_office
def lift_suspension(request: HttpRequest, pk: int) -> HttpResponse:
    """Lift a player's suspension."""
    person = people.lift_suspension(
        by=Actor.of(request), person=get_object_or_404(Person, pk=pk), **form_reason(request)
    )
    messages.success(request, _("%(name)s's suspension lifted.") % {"name": person})
    return redirect("events:office-person", pk)
