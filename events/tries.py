"""Where a sign-in attempt comes from: the key for counting wrong passwords and codes.

Failures are counted for a login together with its origin: an IP address, or a device where this login has signed in
before. So no one can lock an account from elsewhere, and an attacker on a hall's network delays neither others in the
hall nor the owner's own phone.
"""

from __future__ import annotations

import secrets

from allauth.account.adapter import get_adapter
from allauth.core.internal.ratelimit import truncate_ip
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

KNOWN_DEVICE = "known_device"
MAX_MARK = 200
A_YEAR = 365 * 24 * 3600


def address_of(request: HttpRequest) -> str:
    """Return the client's IP address, or its network for IPv6, because a client has all of its addresses."""
    return truncate_ip(get_adapter().get_client_ip(request))


def known_device(request: HttpRequest, login: str) -> str:
    """Return the device's mark if this login has signed in on it before, else ""."""
    mark = mark_of(request)
    return mark.partition(".")[0] if is_mark_of(mark, login) else ""


def mark_of(request: HttpRequest) -> str:
    """Return the mark that the latest sign-in left on the device, or ""."""
    return request.COOKIES.get(KNOWN_DEVICE, "")[:MAX_MARK]


def is_mark_of(mark: str, login: str) -> bool:
    """Return whether this login left the mark. The mark reveals no name and signs no one in."""
    device, _dot, proof = mark.partition(".")
    return constant_time_compare(proof, _proof(device, login))


def who_tries(request: HttpRequest, login: str) -> str:
    """Return the key under which failures of a login are counted."""
    return f"{known_device(request, login) or address_of(request)} {login.lower()}"


def remember_device(response: HttpResponse, login: str) -> None:
    """Mark the device as one where this login has signed in."""
    device = secrets.token_urlsafe(12)
    response.set_cookie(
        KNOWN_DEVICE,
        f"{device}.{_proof(device, login)}",
        max_age=A_YEAR,
        secure=bool(settings.SESSION_COOKIE_SECURE),
        httponly=True,
        samesite="Lax",
    )


def _proof(device: str, login: str) -> str:
    return salted_hmac("events.known-device", f"{device} {login.lower()}", algorithm="sha256").hexdigest()
