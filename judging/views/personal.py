"""A person's own data: download everything the site stores; erase it, as the person or as an administrator."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from events.models import Person
from events.roles import Actor
from events.views.access import form_version
from events.views.people_office import for_the_office
from judging.keeping import erasure
from judging.keeping.personal import records_of


def _file(person: Person) -> HttpResponse:
    response = JsonResponse(records_of(person), json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="headjudge-data-{person.pk}.json"'
    response["Cache-Control"] = "no-store"
    return response


def _told(person: Person) -> dict[str, Any]:
    return {
        "person": person,
        "why_not": erasure.why_not(person),
        "new_name": erasure.new_name(person),
        "backups_kept": settings.BACKUPS_KEPT,
    }


@login_required
@never_cache
@require_safe
@reauthentication_required
def my_data_file(request: HttpRequest) -> HttpResponse:
    """Return everything the site stores about the signed-in person, as JSON."""
    return _file(get_object_or_404(Person, pk=request.user.pk))


@login_required
@never_cache
@reauthentication_required(allow_get=True)
def my_data(request: HttpRequest) -> HttpResponse:
    """Show what would become of the person's data, and erase them after the password is entered."""
    person = get_object_or_404(Person, pk=request.user.pk)
    if request.method == "POST":
        erasure.erase_person(by=Actor.of(request), person=person, version=form_version(request), confirmed=True)
        logout(request)
        messages.success(request, _("Your data has been erased and your account closed."))
        return redirect("home")
    return render(request, "judging/personal/mine.html", _told(person))


@for_the_office
@never_cache
@reauthentication_required
def erase(request: HttpRequest, pk: int) -> HttpResponse:
    """Let an administrator erase or download the data of a person who asked for it."""
    person = get_object_or_404(Person, pk=pk)
    if request.GET.get("as") == "file":
        return _file(person)
    if request.method == "POST":
        erasure.erase_person(
            by=Actor.of(request),
            person=person,
            version=form_version(request),
            confirmed=True,
            reason=request.POST.get("reason", ""),
        )
        messages.success(request, _("Data erased."))
        return redirect("events:office-person", pk)
    return render(request, "judging/personal/erase.html", _told(person))
