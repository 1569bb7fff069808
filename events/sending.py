"""Sending a webhook's message: one POST to an address outside the server's own network, in limited time.

The host is looked up once, and the connection goes to an address that was checked; so a name that leads inside, now or
on the second look, reaches nothing. Redirects aren't followed, no proxy is used, and of the answer only the status is
read. Signatures follow the Standard Webhooks specification (standardwebhooks.com).
"""

from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import hmac
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from events.models import WebhookMessage

Fault = WebhookMessage.Fault
SECONDS = 10.0
"""The longest that one try may take, however slowly the receiver answers."""
MAX_ADDRESSES = 4
PORTS = {"http": 80, "https": 443}
SECRET_BEGINS = "whsec_"
OTHERS_INSIDE = frozenset({ipaddress.ip_address("168.63.129.16")})
"""Addresses of a provider's services for its own machines that lie among the world's."""
NAT64 = ipaddress.ip_network("64:ff9b::/96")
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class NotSentError(Exception):
    """No answer came; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.value)
        self.fault = fault


def split_address(address: str) -> SplitResult:
    """Return the parts of a receiver's address. Raise ValidationError if it isn't one that messages can be sent to."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise ValidationError(_("This isn't a valid address.")) from None
    if parts.scheme not in PORTS or not parts.hostname or not address.isascii() or not address.isprintable():
        raise ValidationError(_("Enter an address that begins with https:// or http://."))
    if " " in address or port == 0 or len(address) > 500:
        raise ValidationError(_("This isn't a valid address."))
    if "@" in parts.netloc:
        raise ValidationError(
            _(
                "Remove the user name and password from the address. To check that a message comes from this "
                "site, verify its signature."
            )
        )
    literal = _literal(parts.hostname)
    if literal is not None and not may_be_reached(literal):
        raise ValidationError(
            _("This address is inside the server's network. Enter an address that can be reached from the internet.")
        )
    return parts


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_inside(address: Address) -> bool:
    """Return whether an address is the machine's own, of a private network, or none of the world's at all."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None or address in NAT64:
            return is_inside(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        carried = (address.sixtofour, *(address.teredo or ()))
        if address.is_site_local or address.scope_id or any(one is not None and is_inside(one) for one in carried):
            return True
    return not address.is_global or address.is_multicast or address.is_reserved or address in OTHERS_INSIDE


def may_be_reached(address: Address) -> bool:
    """Return whether messages may be sent to an address."""
    return settings.WEBHOOKS_INSIDE or not is_inside(address)


def post(address: str, body: bytes, headers: Mapping[str, str], *, seconds: float = SECONDS) -> int:
    """Send a POST request and return the status of the answer. Raise NotSentError if none comes in time."""
    try:
        parts = split_address(address)
    except ValidationError:
        raise NotSentError(Fault.INSIDE) from None
    trial = _Trial(parts, seconds)
    try:
        return trial.post(body, headers)
    except NotSentError:
        raise
    except ssl.SSLCertVerificationError:
        raise NotSentError(Fault.NOT_TRUSTED) from None
    except (OSError, http.client.HTTPException, ValueError) as fault:
        if trial.is_over or isinstance(fault, TimeoutError):
            raise NotSentError(Fault.TOO_SLOW) from None
        is_answer = isinstance(fault, (http.client.HTTPException, ValueError)) and not isinstance(fault, OSError)
        raise NotSentError(Fault.NO_HTTP if is_answer else Fault.NO_CONNECTION) from None
    finally:
        trial.close()


class _Trial:
    """One try: its connection, which ends when its time is over, even if the receiver still sends."""

    def __init__(self, parts: SplitResult, seconds: float) -> None:
        self.parts, self.seconds = parts, seconds
        self.host = parts.hostname or ""
        self.port = parts.port or PORTS[parts.scheme]
        self.socket: socket.socket | None = None
        self.is_over = False
        self.timer = threading.Timer(seconds, self._end)
        self.timer.daemon = True

    def post(self, body: bytes, headers: Mapping[str, str]) -> int:
        """Send the request and return the answer's status."""
        is_safe = self.parts.scheme == "https"
        kind = (
            functools.partial(http.client.HTTPSConnection, context=_trusted())
            if is_safe
            else http.client.HTTPConnection
        )
        connection = kind(self.host, self.port, timeout=self.seconds)
        found = self._addresses()
        self.timer.start()
        connection.sock = self._connected(found)
        if self.is_over:
            raise TimeoutError
        path = (self.parts.path or "/") + (f"?{self.parts.query}" if self.parts.query else "")
        connection.request("POST", path, body=body, headers=dict(headers))
        return connection.getresponse().status

    def close(self) -> None:
        """Close what is open."""
        self.timer.cancel()
        if self.socket is not None:
            self.socket.close()

    def _addresses(self) -> list[tuple[int, tuple[Any, ...]]]:
        """Look the host up, once; return those of its addresses that may be reached, with their families."""
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise NotSentError(Fault.NO_HOST) from None
        reached: list[tuple[int, tuple[Any, ...]]] = [
            (family, place) for family, _kind, _number, _name, place in found if _may(place)
        ]
        if not reached:
            raise NotSentError(Fault.INSIDE)
        return reached[:MAX_ADDRESSES]

    def _connected(self, found: list[tuple[int, tuple[Any, ...]]]) -> socket.socket:
        """Return a connection to the first address that answers."""
        fault: OSError = OSError()
        for family, place in found:
            self.socket = one = socket.socket(family, socket.SOCK_STREAM)
            one.settimeout(self.seconds / len(found))
            try:
                one.connect(place)
            except OSError as refused:
                one.close()
                if self.is_over:
                    raise
                fault = refused
                continue
            if not _may(one.getpeername()) or (
                one.getpeername()[0] == one.getsockname()[0] and not settings.WEBHOOKS_INSIDE
            ):
                raise NotSentError(Fault.INSIDE)  # the machine's own address, if it is one of the world's
            one.settimeout(self.seconds)
            if self.parts.scheme == "https":
                self.socket = safe = _trusted().wrap_socket(
                    one, server_hostname=self.host, do_handshake_on_connect=False
                )
                safe.do_handshake()
                return safe
            return one
        raise fault

    def _end(self) -> None:
        self.is_over = True
        if self.socket is not None:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self.socket, socket.SHUT_RDWR)  # what reads or writes it fails at once


@functools.cache
def _trusted() -> ssl.SSLContext:
    return ssl.create_default_context()


def _may(place: tuple[Any, ...]) -> bool:
    literal = _literal(place[0])
    return literal is not None and may_be_reached(literal)


def signature(secret: str, key: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a message, as its header has it."""
    raw = base64.b64decode(secret.removeprefix(SECRET_BEGINS))
    signed = f"{key}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(raw, signed, hashlib.sha256).digest()).decode()
