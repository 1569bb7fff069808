"""Pages of venues: the public list and page; for managers registration, details, managers, members, halls."""

from __future__ import annotations

import copy

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from events.actions import answer
from events.door import require
from events.forms.venues import HallForm, ManagerForm, MembersForm, VenueForm
from events.models import ClubMember, Event, Hall, Role, Venue, VenueManager
from events.paging import paged
from events.registration import check_approval
from events.roles import Actor
from events.services import offers
from events.services import venues as services
from events.tables.setup import VenueEventTable
from events.tables.venues import VenueFilter, VenueTable

from .access import form_reason, form_version
from .people import signed_in
from .people_office import listed

SHOWN_SERIES = 5


def venues(request: HttpRequest) -> HttpResponse:
    """List the approved venues."""
    rows = Venue.objects.filter(state=Venue.State.APPROVED)
    return render(request, "events/venues/list.html", listed(request, rows, VenueFilter, VenueTable))


def venue(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a venue and its events; before approval only to its managers and administrators."""
    shown = get_object_or_404(Venue.objects.select_related("registered_volunteer__person"), pk=pk)
    roles = Actor.of(request).roles(venue=shown)
    manages = bool(answer("change-venue", roles))
    if shown.state not in (Venue.State.APPROVED, Venue.State.SUSPENDED) and not manages:
        raise Http404
    rows = shown.events.all() if manages else shown.events.exclude(state=Event.State.DRAFT)
    table = VenueEventTable(rows.select_related("venue").order_by("-starts", "-pk"), orderable=False)
    paged(request, table, per_page=25)
    series = list(shown.series.all()[: SHOWN_SERIES + 1])
    last = shown.events.exclude(state=Event.State.CANCELLED).order_by("-starts").first() if manages else None
    return render(
        request,
        "events/venues/venue.html",
        {
            "venue": shown,
            "roles": roles,
            "manages": manages,
            "may_create": Role.VENUE in roles and shown.is_approved,
            "table": table,
            "series": series[:SHOWN_SERIES],
            "more_series": len(series) > SHOWN_SERIES,
            "last": last,
            "halls": shown.halls.all() if manages else (),
            "findings": check_approval(services.registration_of(shown)) if manages else (),
        },
    )


@login_required
def venue_register(request: HttpRequest) -> HttpResponse:
    """Register a venue."""
    form = VenueForm(request.POST or None, person=signed_in(request))
    if request.method == "POST" and form.is_valid():
        made = services.register_venue(
            by=Actor.of(request), facts=form.facts, members=form.cleaned_data.get("members") or ()
        )
        messages.success(
            request, _("%(venue)s is registered and waiting for approval by the sanctioning office.") % {"venue": made}
        )
        return redirect("events:venue", made.pk)
    return render(request, "events/venues/register.html", {"form": form})


def _managed(request: HttpRequest, pk: int, verb: str) -> tuple[Venue, Actor]:
    found = get_object_or_404(Venue.objects.select_related("registered_volunteer__person"), pk=pk)
    actor = Actor.of(request)
    require(answer(verb, actor.roles(venue=found)))
    return found, actor


@login_required
def venue_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a venue's details."""
    shown, actor = _managed(request, pk, "change-venue")
    form = VenueForm(request.POST or None, instance=copy.copy(shown), person=signed_in(request))
    if request.method == "POST" and form.is_valid():
        services.change_venue(by=actor, venue=shown, facts=form.facts, version=form_version(request))
        messages.success(request, _("%(venue)s's details saved.") % {"venue": shown})
        return redirect("events:venue", pk)
    return render(request, "events/venues/edit.html", {"form": form, "venue": shown})


@login_required
def venue_managers(request: HttpRequest, pk: int) -> HttpResponse:
    """Add a manager of the venue."""
    shown, actor = _managed(request, pk, "change-venue-managers")
    form = ManagerForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        person = form.cleaned_data["email"]
        made = services.add_manager(by=actor, venue=shown, person=person)
        words = (
            _("%(name)s is now a manager of %(venue)s.")
            if made.confirmed
            else _("%(email)s will manage %(venue)s once they accept. The offer is on their home page.")
        )
        messages.success(request, words % {"name": person, "email": person.email, "venue": shown})
        return redirect("events:venue-managers", pk)
    managers = list(shown.management.select_related("person").order_by("since"))
    facts = {"managers": managers, "at_work": sum(row.confirmed is not None for row in managers)}
    roles = actor.roles(venue=shown)
    facts["may_confirm"] = bool(answer("confirm-manager", roles))
    facts["may_accept_for"] = bool(answer("accept-management-for", roles))
    return render(request, "events/venues/managers.html", {"form": form, "venue": shown} | facts)


def _manager(shown: Venue, pk: int) -> VenueManager:
    row = get_object_or_404(VenueManager.objects.select_related("person"), pk=pk, venue=shown)
    row.venue = shown
    return row


@require_POST
@login_required
def venue_manager_confirm(request: HttpRequest, pk: int, manager: int) -> HttpResponse:
    """Confirm that the account that accepted is the right person."""
    shown, actor = _managed(request, pk, "confirm-manager")
    row = offers.confirm_manager(by=actor, manager=_manager(shown, manager))
    messages.success(request, _("%(name)s is now a manager of %(venue)s.") % {"name": row.person, "venue": shown})
    return redirect("events:venue-managers", pk)


@require_POST
@login_required
def venue_manager_accept_for(request: HttpRequest, pk: int, manager: int) -> HttpResponse:
    """Accept on behalf of a manager who can't be reached, as administrator."""
    shown, actor = _managed(request, pk, "accept-management-for")
    row = offers.accept_management_for(by=actor, manager=_manager(shown, manager), **form_reason(request))
    messages.success(request, _("%(name)s is now a manager of %(venue)s.") % {"name": row.person, "venue": shown})
    return redirect("events:venue-managers", pk)


@require_POST
@login_required
def venue_manager_remove(request: HttpRequest, pk: int, manager: int) -> HttpResponse:
    """Remove a manager of the venue."""
    shown, actor = _managed(request, pk, "change-venue-managers")
    row = _manager(shown, manager)
    services.remove_manager(by=actor, venue=shown, manager=row, confirmed=form_reason(request)["confirmed"])
    messages.success(request, _("%(name)s removed as manager of %(venue)s.") % {"name": row.called, "venue": shown})
    if row.person == request.user and not request.user.is_office:
        return redirect("events:me")
    return redirect("events:venue-managers", pk)


@login_required
def venue_members(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a club's list of members, and add to it."""
    shown, actor = _managed(request, pk, "change-venue")
    if shown.kind != Venue.Kind.CLUB:
        raise Http404
    form = MembersForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        added = services.add_members(by=actor, venue=shown, members=form.cleaned_data["members"])
        messages.success(
            request, ngettext("%(count)d member added.", "%(count)d members added.", len(added)) % {"count": len(added)}
        )
        return redirect("events:venue-members", pk)
    return render(
        request,
        "events/venues/members.html",
        {
            "form": form,
            "venue": shown,
            "members": shown.members.all(),
            "findings": check_approval(services.registration_of(shown)),
        },
    )


@require_POST
@login_required
def venue_member_remove(request: HttpRequest, pk: int, member: int) -> HttpResponse:
    """Remove a person from a club's list of members."""
    shown, actor = _managed(request, pk, "change-venue")
    row = get_object_or_404(ClubMember, pk=member, venue=shown)
    services.remove_member(by=actor, venue=shown, member=row, confirmed=form_reason(request)["confirmed"])
    messages.success(request, _("%(name)s removed as a member of %(venue)s.") % {"name": row.name, "venue": shown})
    return redirect("events:venue-members", pk)


@login_required
def venue_halls(request: HttpRequest, pk: int, hall: int | None = None) -> HttpResponse:
    """Show, add and change a venue's halls."""
    shown, actor = _managed(request, pk, "change-halls")
    row = get_object_or_404(Hall, pk=hall, venue=shown) if hall is not None else None
    form = HallForm(request.POST or None, instance=copy.copy(row) if row is not None else None)
    if request.method == "POST" and form.is_valid():
        services.save_hall(by=actor, venue=shown, hall=row, **form.cleaned_data)
        messages.success(request, _("Hall “%(hall)s” saved.") % {"hall": form.cleaned_data["name"]})
        return redirect("events:venue-halls", pk)
    return render(
        request, "events/venues/halls.html", {"form": form, "venue": shown, "halls": shown.halls.all(), "changed": row}
    )


@require_POST
@login_required
def venue_hall_remove(request: HttpRequest, pk: int, hall: int) -> HttpResponse:
    """Remove a hall."""
    shown, actor = _managed(request, pk, "change-halls")
    row = get_object_or_404(Hall, pk=hall, venue=shown)
    services.remove_hall(by=actor, venue=shown, hall=row, confirmed=form_reason(request)["confirmed"])
    messages.success(request, _("Hall “%(name)s” removed.") % {"name": row.name})
    return redirect("events:venue-halls", pk)
