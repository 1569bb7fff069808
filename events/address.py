"""The address of the site as it stands on paper and in mails."""

from django.conf import settings
from django.http import HttpRequest


def full_address(request: HttpRequest, path: str) -> str:
    """Return the whole address of a path: under `SITE_URL` where the installation names it, else as it was asked."""
    return f"{settings.SITE_URL}{path}" if settings.SITE_URL else request.build_absolute_uri(path)
