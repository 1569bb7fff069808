"""Limited places (live streams, large uploads, connections), of which one address may hold no more than half."""

from __future__ import annotations

import contextlib
import ipaddress
from collections import Counter
from collections.abc import Callable, MutableMapping
from typing import Any

from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest

from rules.system import open_files

MAX_FILES = 65_536
KEPT_BACK = 200
"""File descriptors reserved for the database, the log and papers, however many connections are open."""
NETWORK = 64
"""The length of the IPv6 prefix assigned to a household or phone, which chooses the remaining bits."""


class Shares:
    """Counter of the places that each address holds in this process, `most()` in all."""

    def __init__(self, most: Callable[[], int]) -> None:
        self.most = most
        self.held: Counter[str] = Counter()
        self.total = 0

    def take(self, address: str) -> int:
        """Take a place and return 0; otherwise the status to refuse with: 503 if all are taken, 429 if half, here."""
        most = self.most()
        if self.total >= most:
            return 503
        if self.held[address] >= max(1, most // 2):
            return 429
        self.held[address] += 1
        self.total += 1
        return 0

    def leave(self, address: str) -> None:
        """Give up a place."""
        self.total -= 1
        self.held[address] -= 1
        if self.held[address] <= 0:
            del self.held[address]


def most_connections() -> int:
    """Return how many connections this process can hold: the system's limit less its own needs."""
    most = min(open_files() or MAX_FILES, MAX_FILES)
    return max(most - KEPT_BACK, most // 2)


def network_of(address: str) -> str:
    """Return the key of one household: an IPv4 address, or the network of an IPv6 address."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, NETWORK), strict=False))
    return str(found)


def address_of(scope: MutableMapping[str, Any]) -> str:
    """Return the address that a connection counts for: the client's, as reported by the trusted proxies."""
    request = HttpRequest()
    if scope.get("client"):
        request.META["REMOTE_ADDR"] = scope["client"][0]
    forwarded = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    if forwarded:
        request.META["HTTP_X_FORWARDED_FOR"] = ",".join(forwarded)
    with contextlib.suppress(PermissionDenied, ImproperlyConfigured):
        return network_of(get_adapter().get_client_ip(request))
    return ""
