"""The address on which `serve` listens: its first free port, and this machine's address on its network."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import socket

from django.core.management.base import CommandError

from rules.system import keep_port

TRIED = 20
LAST_PORT = 65_535
WAITING = 2048
"""The most connections that may wait to be accepted."""
ANYWHERE = "203.0.113.1"  # an address for examples (RFC 5737): nothing is sent, the system only says how it would route
EVERY_IPV6 = "::"


def listen(host: str, wanted: int) -> socket.socket:
    """Return a socket that listens at an address or a name of this machine, at the first free port from `wanted` on.

    Raises CommandError if this machine doesn't have the address, or no port of twenty can be used.
    """
    if not 0 < wanted <= LAST_PORT:
        raise CommandError(f"{wanted} isn't a port. Choose one from 1 to {LAST_PORT}.")
    family, address = _resolved(host)
    last = min(wanted + TRIED - 1, LAST_PORT)
    refused = 0
    for port in range(wanted, last + 1):
        try:
            return _listening(family, (address[0], port, *address[2:]))
        except PermissionError:  # Linux keeps low ports for administrators, Windows some ports for itself
            refused += 1
        except OSError as fault:
            if fault.errno != errno.EADDRINUSE:
                raise CommandError(
                    f"This machine doesn't have the address {host} (--host): {fault.strerror}."
                ) from fault
    if refused == last + 1 - wanted:
        raise CommandError(f"This account isn't allowed to use port {wanted}. Choose another, for example --port 8000.")
    raise CommandError(f"Other programs use ports {wanted} to {last}. Choose another with --port.")


def _resolved(host: str) -> tuple[socket.AddressFamily, tuple[str, int, *tuple[int, ...]]]:
    """Return an address or a name in the form that sockets need; IPv4 if a name has both."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as fault:
        raise CommandError(f"The host {host} (--host) doesn't exist.") from fault
    family, _kind, _protocol, _name, address = min(found, key=lambda one: one[0] != socket.AF_INET)
    return family, address  # type: ignore[return-value]


def _listening(family: socket.AddressFamily, address: tuple[str, int, *tuple[int, ...]]) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        keep_port(listener)
        if address[0] == EVERY_IPV6 and socket.has_dualstack_ipv6():
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(address)
        listener.listen(WAITING)
    except BaseException:
        listener.close()
        raise
    return listener


def network_address() -> str | None:
    """Return this machine's address on its local network, with or without internet access; None if it has none."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect((ANYWHERE, 9))
        found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError, UnicodeError):
        found += [str(one[4][0]) for one in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return next((one for one in found if not is_loopback(one)), None)


def is_loopback(host: str) -> bool:
    """Return whether an address or a name is reachable only from this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
