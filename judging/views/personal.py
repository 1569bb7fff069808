"""One's own data: what the site keeps, as a file; and their erasure, one's own or (the office) somebody's who asked."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from events.models import Person
from events.roles import Actor
from events.views.access import form_version
from events.views.people_office import for_the_office
from judging.personal import records_of
from judging.services import erasure


class PasswordForm(forms.Form):
    """The password once more, before what cannot be undone."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *given: object, person: Person, **named: object) -> None:
        super().__init__(*given, **named)  # type: ignore[arg-type]
        self.person = person

    def clean_password(self) -> str:
        """Refuse another password than the account's."""
        typed: str = self.cleaned_data["password"]
        if not self.person.check_password(typed):
            raise forms.ValidationError(_("That is not your password."))
        return typed


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
def my_data_file(request: HttpRequest) -> HttpResponse:
    """Give everything the site keeps about whoever is signed in, as JSON."""
    return _file(get_object_or_404(Person, pk=request.user.pk))


@login_required
@never_cache
@sensitive_post_parameters("password")
def my_data(request: HttpRequest) -> HttpResponse:
    """Show what becomes of one's data, and erase them when the password is given."""
    person = get_object_or_404(Person, pk=request.user.pk)
    form = PasswordForm(request.POST or None, person=person)
    if request.method == "POST" and form.is_valid():
        erasure.erase_person(by=Actor.of(request), person=person, version=form_version(request), confirmed=True)
        logout(request)
        messages.success(request, _("Your data are erased, and your account is closed."))
        return redirect("home")
    return render(
        request,
        "judging/personal/mine.html",
        {"form": form} | _told(person),
        status=400 if form.errors else 200,
    )


@for_the_office
@never_cache
def erase(request: HttpRequest, pk: int) -> HttpResponse:
    """Let the office erase the data of somebody who asked for it, or give them as a file."""
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
        messages.success(request, _("The data are erased."))
        return redirect("events:office-person", pk)
    return render(
        request,
        "judging/personal/erase.html",
        _told(person),
    )
