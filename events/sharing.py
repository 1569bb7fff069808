"""Pages that are the same for everyone without a session: their views bear a mark, and each answer is checked.

What stands before Django keeps a page only if both hold: it made the request itself, from nothing but what tells one
public page from another (`config/front.py`), and Django says here that the view is marked and that the request it saw
had no session, no account and no form token.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from . import look

View = TypeVar("View", bound=Callable[..., HttpResponse])
MARK = "public_parameters"


def public(*parameters: str) -> Callable[[View], View]:
    """Mark a view whose page may be shared among people without a session.

    `parameters` are those of the query string that the page may depend on: a page asked for with others isn't shared.
    """

    def mark(view: View) -> View:
        setattr(view, MARK, frozenset(parameters))
        return view

    return mark


def parameters_of(view: Any) -> frozenset[str] | None:
    """Return the parameters of a marked view; None for a view without the mark."""
    return getattr(view, MARK, None)


def may_be_shared(request: HttpRequest, response: HttpResponseBase) -> bool:
    """True if an answer comes from a marked view and nothing about the person who asked was there to be used."""
    match = request.resolver_match
    if match is None or parameters_of(match.func) is None:
        return False
    session = request.session
    return (
        request.COOKIES.keys() <= {look.COOKIE}
        and "HTTP_AUTHORIZATION" not in request.META
        and session.session_key is None
        and session.is_empty()
        and not session.modified
        and not request.user.is_authenticated
        and not response.cookies
        and not request.META.get("CSRF_COOKIE_NEEDS_UPDATE")
    )
