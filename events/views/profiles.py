"""Public profiles: a person's own page about it, and the page that everyone sees."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from events.forms.people import ProfileForm
from events.models import Entry, Event, Force, PublicProfile
from events.outside import Sections, with_sections
from events.queries import final_place
from events.roles import Actor
from events.services import profiles as services
from events.services.forces import may_see

from .access import form_version
from .entries import posted
from .people import signed_in

PER_PAGE = 10


@dataclass(frozen=True)
class PlayedEvent:
    """An event of a profile: the place with the number of players, and the forces with their sections."""

    event: Event
    place: dict[str, int] | None
    forces: list[tuple[Force, Sections]]


@login_required
@never_cache
def my_profile(request: HttpRequest) -> HttpResponse:
    """Turn the signed-in person's public profile on or off, and choose what it shows."""
    person = signed_in(request)
    profile = services.profile_of(person)
    form = ProfileForm(posted(request), instance=services.profile_of(person))
    if request.method == "POST" and form.is_valid():
        try:
            made = services.change_profile(by=Actor.of(request), version=form_version(request), **form.cleaned_data)
        except ValidationError as wrong:
            form.add_error(None, wrong)
        else:
            gone = profile.is_on and not made.is_on
            messages.success(request, _("Your profile is no longer public.") if gone else _("Changes saved."))
            return redirect("events:my-profile")
    facts = {"form": form, "profile": profile, "person": person}
    return render(request, "events/people/my_profile.html", facts, status=400 if form.errors else 200)


@require_safe
@never_cache
def profile(request: HttpRequest, key: str) -> HttpResponse:
    """Show a public profile; 404 as soon as it's turned off."""
    shown = get_object_or_404(PublicProfile.objects.shown().select_related("person"), key=key)
    entries = Entry.objects.filter(
        person=shown.person, is_minor=False, state__in=services.PLAYED, event__state__in=services.OVER
    )
    rows = entries.select_related("event__venue").order_by("-event__starts", "-pk")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    played = [
        PlayedEvent(
            row.event,
            final_place(row.event, row) if shown.shows_events else None,
            _forces(row) if shown.shows_forces else [],
        )
        for row in page
    ]
    response = render(request, "events/people/profile.html", {"profile": shown, "page": page, "played": played})
    response["X-Robots-Tag"] = "noindex"
    response["Referrer-Policy"] = "same-origin"
    return response


def _forces(row: Entry) -> list[tuple[Force, Sections]]:
    found = list(Force.objects.filter(entry=row, state=Force.State.SUBMITTED).order_by("from_round"))
    for force in found:
        force.entry = row
    return with_sections(force for force in found if may_see(row.event, force, frozenset(), mine=False))
