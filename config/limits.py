"""How often something may be asked within a minute, so that nobody guesses links or floods a hall.

The numbers stand in the settings (`LIMITS`), for one person or device and for one address. A hall of five hundred
telephones asks from one address: what an address may is far above what a hall does. Signing in, sign-in codes and the
board have limits of their own (`ACCOUNT_RATE_LIMITS`). Counted in the cache, by minutes of the clock.

The cache has room for 100,000 counters, and the least recently used give way. No address can make more counters than it
may ask, so none can flush its own.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from events.tries import address_of
from rules.engine import TookTooLong

MINUTE = 60
POSTED = {
    "events:claim": "claim",
    "events:claim-withdraw": "claim",
    "judging:event-import": "read_event",
    "events:sign-in-code": "make_code",
}
"""The action that a form's address counts as, where it is posted."""
WRONG = {"events:entry-link": "entry_link_wrong"}
"""Addresses of which only forged ones are counted, once their signature has been looked at."""


def spent(request: HttpRequest, action: str) -> bool:
    """Count a request and tell whether it is more than may be asked within this minute.

    A device that asks too often uses up nothing of what its address may ask.
    """
    limits = settings.LIMITS[action]
    if "address" in limits and asked(request, action, "address", count=False) >= limits["address"]:
        return True
    return any(asked(request, action, per) > limits[per] for per in ("device", "address") if per in limits)


def asked(request: HttpRequest, action: str, per: str, *, count: bool = True) -> int:
    """Return how often a device or an address asked within this minute, with this request where it counts."""
    who = whose(request) if per == "device" else f"at {address_of(request)}"
    minute = int(time.time() // MINUTE)
    key = f"limits:{action}:{per}:{minute}:{hashlib.sha256(who.encode()).hexdigest()[:32]}"
    if not count:
        return int(cache.get(key, 0))
    cache.add(key, 0, timeout=2 * MINUTE)
    try:
        return cache.incr(key)
    except ValueError:  # it ran out between the two
        return 0


class LimitsMiddleware:
    """Answers 429 to whoever asks too often."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Let the request through, and count it afterwards where it led nowhere: what is valid always opens."""
        response = self.get_response(request)
        match = request.resolver_match
        if match is not None and response.status_code == 404 and (action := WRONG.get(match.view_name)):
            return too_often(request) if spent(request, action) else response
        return response

    def process_view(self, request: HttpRequest, _view: Any, _given: Any, _named: Any) -> HttpResponse | None:
        """Refuse what is asked too often."""
        match = request.resolver_match
        name = match.view_name if match is not None else ""
        action = self.action_of(request, name)
        return too_often(request) if action is not None and spent(request, action) else None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Say that a page asks too much of the rules; anything else is not ours."""
        if isinstance(exception, TookTooLong):
            return render(request, "parts/refused.html", {"message": exception.message}, status=413)
        return None

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
    session = request.session.session_key
    return f"session {session}" if session else f"at {address_of(request)}"


def too_often(request: HttpRequest) -> HttpResponse:
    """Return the page (or JSON) that says to wait."""
    message = _("Too many attempts. Wait a minute, then try again.")
    response: HttpResponse
    if request.path.startswith("/api/") or "application/json" in request.headers.get("Accept", ""):
        response = JsonResponse({"detail": message}, status=429)
    else:
        response = render(request, "parts/refused.html", {"message": message}, status=429)
    response["Retry-After"] = str(MINUTE)
    return response
