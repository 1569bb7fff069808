"""How often something may be asked within a minute, so that nobody guesses links or floods a hall.

The numbers stand in the settings (`LIMITS`), for one person or device and for one address. A hall of five hundred
telephones asks from one address: what an address may is far above what a hall does. Signing in, one-time codes and the
board have limits of their own (`ACCOUNT_RATE_LIMITS`). Counted in the cache, by minutes of the clock.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

MINUTE = 60
POSTED = {
    "events:claim": "claim",
    "events:claim-withdraw": "claim",
    "judging:event-import": "read_event",
    "events:sign-in-code": "make_code",
}
"""The action that a form's address counts as, where it is posted."""
WRONG = {"events:entry-link": "entry_link_wrong"}
"""Addresses of which only those that lead nowhere are counted."""


def spent(request: HttpRequest, action: str, *, count: bool = True) -> bool:
    """Count a request (or only look) and tell whether it is more than may be asked within this minute."""
    for per, most in settings.LIMITS[action].items():
        who = whose(request) if per == "device" else f"at {get_adapter().get_client_ip(request)}"
        minute = int(time.time() // MINUTE)
        key = f"limits:{action}:{per}:{minute}:{hashlib.sha256(who.encode()).hexdigest()[:32]}"
        if not count:
            if cache.get(key, 0) >= most:
                return True
            continue
        cache.add(key, 0, timeout=2 * MINUTE)
        try:
            asked = cache.incr(key)
        except ValueError:  # it ran out between the two
            continue
        if asked > most:
            return True
    return False


class LimitsMiddleware:
    """Answers 429 to whoever asks too often."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Let the request through, and count it afterwards where it led nowhere."""
        response = self.get_response(request)
        match = request.resolver_match
        if match is not None and response.status_code == 404 and (action := WRONG.get(match.view_name)):
            spent(request, action)
        return response

    def process_view(self, request: HttpRequest, _view: Any, _given: Any, _named: Any) -> HttpResponse | None:
        """Refuse what is asked too often."""
        match = request.resolver_match
        name = match.view_name if match is not None else ""
        if wrong := WRONG.get(name):
            return too_often(request) if spent(request, wrong, count=False) else None
        action = self.action_of(request, name)
        return too_often(request) if action is not None and spent(request, action) else None

    @staticmethod
    def action_of(request: HttpRequest, name: str) -> str | None:
        """Return what a request counts as, None where it is not counted."""
        is_write = request.method not in ("GET", "HEAD", "OPTIONS")
        if name.startswith("api:") or name == "api":
            return "api_write" if is_write else "api"
        return POSTED.get(name) if is_write else None


def whose(request: HttpRequest) -> str:
    """Return what stands for one person or device: the account, the session of a linked entry, else the address."""
    if request.user.is_authenticated:
        return f"user {request.user.pk}"
    return (
        f"session {request.session.session_key}"
        if request.session.session_key
        else f"at {request.META.get('REMOTE_ADDR')}"
    )


def too_often(request: HttpRequest) -> HttpResponse:
    """Return the page (or JSON) that says to wait."""
    message = _("That was too often within a minute: wait a little, then try again.")
    response: HttpResponse
    if request.path.startswith("/api/") or "application/json" in request.headers.get("Accept", ""):
        response = JsonResponse({"detail": message}, status=429)
    else:
        response = render(request, "parts/refused.html", {"message": message}, status=429)
    response["Retry-After"] = str(MINUTE)
    return response
