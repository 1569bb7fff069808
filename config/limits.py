"""Rate limits per minute, so that no one can guess links or flood a busy event.

`LIMITS` in the settings has a number per person or device and one per address. Five hundred phones in a hall share one
address, so an address's limits are far above what they need. Signing in, sign-in codes and the board have their own
limits (`ACCOUNT_RATE_LIMITS`). Requests are counted in the cache, by minutes of the clock.

The cache holds 100,000 counters and evicts the least recently used. No address can create more counters than the
requests it may make, so none can evict its own.
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
"""The action that posting to a view counts as."""
WRONG = {"events:entry-link": "entry_link_wrong", "events:set-up-link": "set_up_link_wrong"}
"""Views where only requests with a forged or expired link count, after the link was checked."""


def spent(request: HttpRequest, action: str) -> bool:
    """Count a request, and return whether it exceeds the limit of this minute.

    A device over its limit doesn't use up the limit of its address.
    """
    limits, at = settings.LIMITS[action], f"at {address_of(request)}"
    if "address" in limits and asked(at, action, "address", count=False) >= limits["address"]:
        return True
    who = {"device": lambda: whose(request), "address": lambda: at}
    return any(asked(one(), action, per) > limits[per] for per, one in who.items() if per in limits)


def asked(who: str, action: str, per: str, *, count: bool = True) -> int:
    """Return how many requests a device or an address made this minute, including this one if `count`."""
    minute = int(time.time() // MINUTE)
    key = f"limits:{action}:{per}:{minute}:{hashlib.sha256(who.encode()).hexdigest()[:32]}"
    if not count:
        return int(cache.get(key, 0))
    try:
        return cache.incr(key)
    except ValueError:
        return 1 if cache.add(key, 1, timeout=2 * MINUTE) else cache.incr(key)


class LimitsMiddleware:
    """Middleware that answers 429 to clients over their limit."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on, and count it if it led nowhere: valid links always open."""
        response = self.get_response(request)
        if getattr(request, "has_wrong_token", False):
            return too_often(request) if spent(request, "token_wrong") else response
        match = request.resolver_match
        if match is not None and response.status_code == 404 and (action := WRONG.get(match.view_name)):
            return too_often(request) if spent(request, action) else response
        return response

    def process_view(self, request: HttpRequest, _view: Any, _given: Any, _named: Any) -> HttpResponse | None:
        """Return the refusal of a request over its limit, else None."""
        match = request.resolver_match
        name = match.view_name if match is not None else ""
        action = self.action_of(request, name)
        return too_often(request) if action is not None and spent(request, action) else None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer 413 if the request asks too much of the rules; leave other exceptions alone."""
        if isinstance(exception, TookTooLong):
            return render(request, "parts/refused.html", {"message": exception.message}, status=413)
        return None

    @staticmethod
    def action_of(request: HttpRequest, name: str) -> str | None:
        """Return the action a request counts as, or None if it isn't limited."""
        is_write = request.method not in ("GET", "HEAD", "OPTIONS")
        if name.startswith("api:") or name == "api":
            return "api_write" if is_write else "api"
        return POSTED.get(name) if is_write else None


def whose(request: HttpRequest) -> str:
    """Return the key of a person or device: the account, else the session of a player link, else the address."""
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
