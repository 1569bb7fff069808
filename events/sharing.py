"""Pages that are the same for everyone without a session: their views are marked, and each response is checked.

The front keeps a page only if both hold: it made the request itself, from the page's key alone (`config/front.py`); and
Django confirms here that the view is marked and that the request had no session, account or form token.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from . import preferences

View = TypeVar("View", bound=Callable[..., HttpResponse])
MARK = "public_parameters"
FRESH_FOR = 10.0
"""Seconds after which what readers share is rendered again even if the audit log shows no change."""


def public(*parameters: str) -> Callable[[View], View]:
    """Mark a view whose page may be shared among people without a session.

    `parameters` are those of the query string that the page may depend on; requests with others aren't shared.
    """

    def mark(view: View) -> View:
        setattr(view, MARK, frozenset(parameters))
        return view

    return mark


def parameters_of(view: Any) -> frozenset[str] | None:
    """Return the parameters of a marked view, or None for other views."""
    return getattr(view, MARK, None)


def may_be_shared(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return whether a response comes from a marked view that used nothing about the reader."""
    match = request.resolver_match
    if match is None or parameters_of(match.func) is None:
        return False
    session = request.session
    return (
        request.COOKIES.keys() <= {preferences.COOKIE}
        and "HTTP_AUTHORIZATION" not in request.META
        and session.session_key is None
        and session.is_empty()
        and not session.modified
        and not request.user.is_authenticated
        and not response.cookies
        and not request.META.get("CSRF_COOKIE_NEEDS_UPDATE")
    )
