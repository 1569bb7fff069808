"""Pages of the installation: the set-up, which only its one-time link opens, and the settings."""

from __future__ import annotations

from typing import Any

from allauth.account.utils import perform_login
from django.contrib import messages
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from events.actions import answer
from events.door import require
from events.forms.installation import InstallationForm, SetUpForm
from events.models import Installation
from events.places import likely_country
from events.roles import Actor
from events.services import installation as services
from events.setup_link import counts, digest_of, is_set_up
from rules.documents import BadFacts
from rules.services.library import load_library

from .access import form_version
from .people_office import for_the_office

SET_UP = "set_up"
"""Session key of the digest of the set-up link that the session followed."""


def _no_page(request: HttpRequest) -> HttpResponse:
    """Say that the link is invalid while a valid one can exist; after the set-up raise Http404."""
    if is_set_up():
        raise Http404
    return render(request, "events/installation/not_set_up.html", {"wrong": True}, status=404)


@never_cache
def set_up_link(request: HttpRequest, token: str) -> HttpResponse:
    """Let the session that followed the one-time link open the set-up, to keep the link out of later requests."""
    digest = digest_of(token)
    if counts(digest):
        request.session.cycle_key()
        request.session[SET_UP] = digest
        response: HttpResponse = redirect("events:set-up")
    else:
        response = _no_page(request)
    response["Referrer-Policy"] = "no-referrer"
    return response


@never_cache
@sensitive_post_parameters("password")
def set_up(request: HttpRequest) -> HttpResponse:
    """Create the administrator and, for a shop or a club, its approved venue; then go on to the first event."""
    if not counts(request.session.get(SET_UP, "")):
        return _no_page(request)
    form = SetUpForm(request.POST or None, initial=_proposed(request))
    if request.method != "POST" or not form.is_valid():
        return render(request, "events/installation/set_up.html", {"form": form})
    made = services.set_up(**form.parts)
    try:
        load_library(by="set-up")
    except (BadFacts, DatabaseError) as fault:  # what was set up stays; the command loads it later
        words = _("The catalogue of figures wasn't loaded. Run “headjudge load_catalogue”. (%(why)s)")
        messages.warning(request, words % {"why": fault})
    del request.session[SET_UP]
    onward = reverse("events:office")
    if made.venue is not None:
        onward = f"{reverse('events:create')}?venue={made.venue.pk}"
    return perform_login(request, made.administrator, email_verification="none", redirect_url=onward)


def _proposed(request: HttpRequest) -> dict[str, Any]:
    """Return the form's initial data; scripts replace time zone and country by the browser's."""
    here = Installation.here()
    country = likely_country(request.headers.get("Accept-Language", ""), here.time_zone)
    return {"time_zone": here.time_zone, "country": country, "language": get_language() or here.language}


@for_the_office
def settings(request: HttpRequest) -> HttpResponse:
    """Change the defaults for new events and venues."""
    actor = Actor.of(request)
    require(answer("change-installation", actor.roles()))
    form = InstallationForm(request.POST or None, instance=Installation.here())
    if request.method == "POST" and form.is_valid():
        services.change_installation(by=actor, facts=form.defaults, version=form_version(request))
        messages.success(request, _("Settings saved."))
        return redirect("events:installation")
    return render(request, "events/installation/settings.html", {"form": form, "here": Installation.here()})
