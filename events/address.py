"""The address of the site as it stands on paper and in mails."""

from contextvars import ContextVar

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

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
