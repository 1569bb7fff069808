"""Middleware that lets an API token act for its owner, at addresses of the API only.

A request with a token has no session and no cookies, whatever it sends: a browser can't be made to send a token, so it
needs no CSRF token. A token in an address is refused, because addresses are kept in logs and histories.
"""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from .models import ApiToken
from .services.tokens import BEGINS, note_use, token_of
from .token_rows import POWER, TokenPower

API = "/api/"


class NoSession(SessionBase):
    """The session of a request with a token: empty, and never stored."""

    @property
    def modified(self) -> bool:
        """Whether it must be stored: never."""
        return False

    @modified.setter
    def modified(self, value: bool) -> None:
        pass

    def load(self) -> dict[str, object]:
        """Return nothing."""
        return {}

    def exists(self, session_key: str) -> bool:
        """Return that no session is stored."""
        return False

    def create(self) -> None:
        """Store nothing."""

    def save(self, must_create: bool = False) -> None:
        """Store nothing."""

    def delete(self, session_key: str | None = None) -> None:
        """Delete nothing."""


class TokenMiddleware:
    """Makes the owner of a sent token the user of the request, with the power of the token alone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on, as its token's owner if it has one; refuse a token that doesn't work."""
        if not request.path.startswith(API):
            return self.get_response(request)
        if any(value.startswith(BEGINS) for values in request.GET.lists() for value in values[1]):
            said = _(
                "Never put a token in an address. Revoke this token, create a new one, and send that as "
                "“Authorization: Bearer …”."
            )
            return JsonResponse({"detail": said}, status=400)
        scheme, _space, sent = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return self.get_response(request)
        request.COOKIES.clear()
        request.session = NoSession()
        token = token_of(sent.strip())
        if token is None:
            request.has_wrong_token = True  # type: ignore[attr-defined]
            said = _(
                "This token doesn't work: it is mistyped, expired or revoked, or its owner changed their password. "
                "Check it, or create a new one."
            )
            return JsonResponse({"detail": said}, status=401, headers={"WWW-Authenticate": "Bearer"})
        request.user = token.person
        request.api_token = token  # type: ignore[attr-defined]
        note_use(token)
        held = POWER.set(TokenPower(token.event_id, frozenset(token.rows), token.name))
        try:
            response = self.get_response(request)
        finally:
            POWER.reset(held)
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response


def token_in(request: HttpRequest) -> ApiToken | None:
    """Return the token that the request sent, or None."""
    return getattr(request, "api_token", None)
