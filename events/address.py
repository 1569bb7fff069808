"""The address of the site as it stands on paper and in mails; the page above an address, or before a form."""

from contextvars import ContextVar

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme

ASKED: ContextVar[str] = ContextVar("the site's address as this request asked for it", default="")


def remember(request: HttpRequest) -> None:
    """Keep under which address the site was asked, for paper that is made after the request."""
    try:
        ASKED.set(f"{request.scheme}://{request.get_host()}")
    except DisallowedHost:
        ASKED.set("")


def site_address() -> str:
    """Return the address of the site: `SITE_URL`, else as this request asked for it, else nothing."""
    return settings.SITE_URL or ASKED.get()


def full_address(request: HttpRequest, path: str) -> str:
    """Return the whole address of a path: under `SITE_URL` where the installation names it, else as it was asked."""
    return f"{settings.SITE_URL}{path}" if settings.SITE_URL else request.build_absolute_uri(path)


def page_above(path: str) -> str:
    """Return the nearest page that an address lies under; the first page where there is none."""
    parts = path.strip("/").split("/")
    while len(parts) > 1:
        parts.pop()
        above = f"/{'/'.join(parts)}/"
        try:
            resolve(above)
        except Resolver404:
            continue
        return above
    return reverse("home")


def page_before(request: HttpRequest) -> str:
    """Return the page of this site that a form was sent from, as the browser names it; else the page above."""
    named = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(named, {request.get_host()}, require_https=request.is_secure()):
        return named
    return page_above(request.path)
