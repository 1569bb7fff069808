"""The site's own URL, as printed and mailed, and the page to go back to from another page."""

import functools
from contextvars import ContextVar

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme

ASKED: ContextVar[str] = ContextVar("the site's address as this request asked for it", default="")


def remember(request: HttpRequest) -> None:
    """Remember the URL this request used for the site, for papers printed after the request."""
    try:
        ASKED.set(f"{request.scheme}://{request.get_host()}")
    except DisallowedHost:
        ASKED.set("")


def site_address() -> str:
    """Return the site's URL: `SITE_URL`, else the one this request used, else ""."""
    return settings.SITE_URL or ASKED.get()


def full_address(request: HttpRequest, path: str) -> str:
    """Return the absolute URL of a path, under `SITE_URL` if the installation sets it."""
    return f"{settings.SITE_URL}{path}" if settings.SITE_URL else request.build_absolute_uri(path)


@functools.lru_cache(maxsize=4000, typed=True)
def path_to(name: str, *parts: int | str) -> str:
    """Return the path of a view, looked up once: finding it takes longer than the rest of a link."""
    return reverse(name, args=parts)


def page_above(path: str) -> str:
    """Return the nearest parent path that has a page, or the home page."""
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
    """Return the page of this site that the request came from (its Referer), or else the page above."""
    named = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(named, {request.get_host()}, require_https=request.is_secure()):
        return named
    return page_above(request.path)


def page_asked_for(request: HttpRequest, otherwise: str) -> str:
    """Return the page of this site that a form asks to go on to (its field `next`), or else `otherwise`."""
    named = request.POST.get("next", "")
    return named if url_has_allowed_host_and_scheme(named, {request.get_host()}, request.is_secure()) else otherwise
