"""How a request to the API says who makes it: with an API token, or with the session of an account and its CSRF token."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja.security import HttpBearer, django_auth

from events.models import ApiToken
from events.tokens import token_in


class ByToken(HttpBearer):
    """An API token, sent as `Authorization: Bearer …`; the middleware has read it already."""

    def __call__(self, request: HttpRequest) -> ApiToken | None:
        """Return the request's token, or None."""
        return token_in(request)

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        """Return the request's token, or None."""
        return token_in(request)


by_token = ByToken()
SIGNED_IN: list[Any] = [by_token, django_auth]
