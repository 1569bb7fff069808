"""Limits on the size of request bodies, by route, counted as bytes arrive and before Django stores any of them.

Forms are small; files and documents have their own limits. A body that is too large gets 413 with a sentence, as a page
or as JSON. Only a few large bodies are received at a time, at most half of them from one address. Signed-in users have
slots of their own, so strangers who send slowly can't keep an organiser from uploading a file.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import Error, close_old_connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.cookie import parse_cookie
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from config.sessions import SessionStore
from events.shares import Shares, address_of
from events.stream import Application, Message, Receive, Scope, Send
from rules import uploads
from rules.sizes import size_words

SMALL = 256 * 1024
"""Limit for forms and every route not named below."""
DOCUMENT = 1536 * 1024
"""Limit for a force or a position of 400,000 characters, form-encoded."""
LARGE = 1024 * 1024
"""Size from which a body takes one of the few slots for large ones."""
FRAME = 64 * 1024
"""Room for what surrounds a file in a multipart form."""
LIMITS: dict[str, int] = {
    "judging:event-import": uploads.LIMITS["event-file"].received + FRAME,
    "rules:imports": uploads.LIMITS["import"].received + FRAME,
    "events:rounds-import": 2 * uploads.LIMITS["players"].received + FRAME,
    "events:entries-import": 2 * uploads.LIMITS["players"].received + FRAME,
    "api:check_force": uploads.LIMITS["api"].received,
    "api:score_battle": uploads.LIMITS["api"].received,
    "api:adjudicate": uploads.LIMITS["api"].received,
    "api:read_force": DOCUMENT,  # reads and submits a force
    "events:forces-check": DOCUMENT,
    "events:force-change": DOCUMENT,
    "rules:board-change": DOCUMENT,
    "rules:board-file": DOCUMENT,
    "rules:dispute-new": DOCUMENT,
}
REFUSED = "headjudge.refused"
"""The scope key that makes Django refuse the request: its status, and the limit in bytes."""
COME_AGAIN = 20
UPLOADS = Shares(lambda: settings.UPLOADS)
"""Slots for large bodies from signed-in users."""
STRANGERS = Shares(lambda: settings.UPLOADS)
"""Slots for all other large bodies."""


class Route(NamedTuple):
    """The view that serves a path, and its name: Django's own match takes ten kilobytes."""

    view_name: str
    func: Callable[..., Any]


@functools.lru_cache(maxsize=4096)
def _route(path: str, _urls: str) -> Route | None:
    try:
        found = resolve(path)
    except Resolver404:
        return None
    return Route(found.view_name, found.func)


def route_of(path: str) -> Route | None:
    """Return the view that serves a path, or None."""
    return _route(path, settings.ROOT_URLCONF) if len(path) < 1000 else None


def limit_of(path: str) -> int:
    """Return how many bytes a request to this path may send."""
    route = route_of(path)
    return LIMITS.get(route.view_name, SMALL) if route is not None else SMALL


def announced(scope: Scope) -> int:
    """Return the request's Content-Length, or 0 without one."""
    said = [value for name, value in scope["headers"] if name == b"content-length"]
    return max((int(one) for one in said if one.isdigit() and len(one) < 20), default=0)


async def limited(site: Application, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a request whose body may be as large as its route allows; every route allows `SMALL`."""
    limit = SMALL if announced(scope) <= SMALL else limit_of(scope["path"])
    came, refused, place = 0, 413 if announced(scope) > limit else 0, ""
    places = STRANGERS

    async def counted() -> Message:
        nonlocal limit, came, refused, place, places
        message = await receive()
        came += len(message.get("body", b""))
        if came > limit == SMALL:
            limit = limit_of(scope["path"])
        if came > limit:
            refused = 413
        elif came > LARGE and not place:
            places = UPLOADS if await is_signed_in(scope) else STRANGERS
            place = f"{address_of(scope)} "
            refused = places.take(place)
            place = "" if refused else place
        return {"type": "http.disconnect"} if refused else message

    try:
        if not refused:
            await site(scope, counted, send)
    finally:
        if place:
            places.leave(place)
    if refused:
        await site(_without_body(scope) | {REFUSED: (refused, limit)}, nothing(), send)


async def is_signed_in(scope: Scope) -> bool:
    """Return whether a request carries a signed-in session; False while the database can't be read."""
    said = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
    key = parse_cookie(said.decode("latin-1")).get(settings.SESSION_COOKIE_NAME)
    return key is not None and await sync_to_async(_has_account, thread_sensitive=False)(key)


def _has_account(key: str) -> bool:
    try:
        return SESSION_KEY in SessionStore(key)
    except Error:
        return False
    finally:
        close_old_connections()


def _without_body(scope: Scope) -> dict:
    headers = [pair for pair in scope["headers"] if pair[0] not in (b"content-length", b"transfer-encoding")]
    return {**scope, "headers": headers}


def nothing() -> Receive:
    """Return a `receive` for a request without a body: one empty message, then silence."""
    told = False

    async def receive() -> Message:
        nonlocal told
        if told:
            await asyncio.Event().wait()
        told = True
        return {"type": "http.request", "body": b"", "more_body": False}

    return receive


class RefusedMiddleware:
    """Middleware that answers requests whose body was refused."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on unless its body was refused."""
        refused = getattr(request, "scope", {}).get(REFUSED)
        return self.get_response(request) if refused is None else _refusal(request, *refused)


def _refusal(request: HttpRequest, status: int, limit: int) -> HttpResponse:
    if status == 413:
        message = _("This form or file is too large. The limit is %(size)s.") % {"size": size_words(limit)}
    else:
        message = _("Too many large uploads at once. Wait a moment, then try again.")
    response: HttpResponse
    if request.path.startswith("/api/") or "application/json" in request.headers.get("Accept", ""):
        response = JsonResponse({"detail": message}, status=status)
    else:
        response = render(request, "parts/refused.html", {"message": message}, status=status)
    if status != 413:
        response["Retry-After"] = str(COME_AGAIN)
    return response
