"""My forces: the named forces that the signed-in person keeps across events."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from events import building
from events.door import Refused
from events.models import SavedForce
from events.roles import Actor
from events.services import saved_forces as services

from .access import form_reason
from .forces_free import keep_free_force


@login_required
@require_safe
def my_forces(request: HttpRequest) -> HttpResponse:
    """List the signed-in person's saved forces."""
    actor = Actor.of(request)
    facts = {"saved": services.saved_forces(actor), "entries": services.entries_to_build_for(actor)}
    return render(request, "events/forces/my_forces.html", facts)


@login_required
@require_POST
def my_force_act(request: HttpRequest, pk: int) -> HttpResponse:
    """Rename or delete a saved force, or copy it to the free check."""
    actor, act, given = Actor.of(request), request.POST.get("act"), form_reason(request)
    saved = get_object_or_404(SavedForce, pk=pk, person=actor.account)
    if act == "open":
        keep_free_force(request, building.whole(saved.bench), dict(saved.terms))
        return redirect("events:forces-check")
    if act == "rename":
        name, version = request.POST.get("name", ""), given["version"]
        services.rename_saved_force(by=actor, saved=saved, name=name, version=version)
        messages.success(request, _("Saved force renamed."))
    elif act == "delete":
        version, confirmed = given["version"], given["confirmed"]
        services.delete_saved_force(by=actor, saved=saved, version=version, confirmed=confirmed)
        messages.success(request, _("Saved force deleted."))
    else:
        raise Refused(_("That change isn't possible. Reload the page and try again."))
    return redirect("events:my-forces")
