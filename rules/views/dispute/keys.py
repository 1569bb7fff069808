"""Permission to change a dispute, its addresses, and what its last form was told.

Anyone with the key (the link for judges) may change it; everyone else can read it.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.contrib.messages.storage.base import BaseStorage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from rules.models import SavedDispute
from rules.services import disputes as services

KEPT_FOR = 60 * 60 * 24 * 60
"""Seconds for which a browser remembers its right to change a dispute: sixty days."""


@dataclass(frozen=True, slots=True)
class DisputeView:
    """The view of a dispute: as `judge` (may change it), as `reader`, or `ready` made (not saved)."""

    kind: str
    slug: str

    def home(self) -> str:
        """Return the address of the newest step."""
        name = {"judge": "dispute", "reader": "dispute-read", "ready": "dispute-ready"}[self.kind]
        return reverse(f"rules:{name}", args=[self.slug])

    def step(self, number: int) -> str:
        """Return the address of a step, counted from 1; 0 is the position before the first."""
        name = {"judge": "dispute-step", "reader": "dispute-read-step", "ready": "dispute-ready-step"}[self.kind]
        return reverse(f"rules:{name}", args=[self.slug, number])


def to_judge(row: SavedDispute) -> HttpResponse:
    """Redirect to a dispute just begun, with the right to change it."""
    return _keeping_key(redirect("rules:dispute", row.public_id), row)


def _keeping_key(response: HttpResponse, row: SavedDispute) -> HttpResponse:
    response.set_cookie(
        _cookie(row.public_id),
        row.key,
        max_age=KEPT_FOR,
        path=reverse("rules:dispute", args=[row.public_id]),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def _cookie(slug: str) -> str:
    return f"dispute-{slug}"


def dispute_of(slug: str) -> SavedDispute:
    """Return the dispute with that public id. Raises Http404."""
    return get_object_or_404(SavedDispute, public_id=slug)


def holds_key(request: HttpRequest, row: SavedDispute) -> bool:
    """Return whether a request has the dispute's key, in its address or in a cookie."""
    given = request.GET.get("key") or request.COOKIES.get(_cookie(row.public_id), "")
    return services.may_change(row, given)


def keeps_key(request: HttpRequest, row: SavedDispute) -> HttpResponse | None:
    """Store the key from an address in a cookie and return a redirect to the page without it; None without a key."""
    if not request.GET.get("key"):
        return None
    rest = request.GET.copy()
    del rest["key"]
    return _keeping_key(redirect(f"{request.path}?{rest.urlencode()}" if rest else request.path), row)


def refused(request: HttpRequest) -> HttpResponse:
    """Return the page that says why a dispute can't be changed."""
    message = _("This link is read-only. To change the dispute, open the judges' link or make a copy.")
    return render(request, "parts/refused.html", {"message": message}, status=403)


def beside_fields(request: HttpRequest) -> dict[str, str]:
    """Return what is wrong with a field of the form just sent: field → sentences. The messages stay to be shown."""
    told = messages.get_messages(request)
    found: dict[str, str] = {}
    for one in told:
        if one.extra_tags:
            field = one.extra_tags.replace("-", "_")
            found[field] = f"{found[field]} {one}" if field in found else str(one)
    if isinstance(told, BaseStorage):
        told.used = False
    return found
