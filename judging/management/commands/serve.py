"""`serve`: serve the site on this machine or a shop's network with an ASGI server, at the first free port."""

import contextlib
import errno
import io
import ipaddress
import socket
from pathlib import Path
from typing import Any

import segno
import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from judging import refused
from judging.management.readiness import what_is_missing
from rules.system import allow_open_files, use_heaps

TRIED = 20
LAST_PORT = 65_535
MAX_FILES = 65_536
SECONDS_TO_END = 3
HEAPS = 2
ANYWHERE = "203.0.113.1"  # an address for examples (RFC 5737): nothing is sent, the system only says how it would route


def free_port(host: str, wanted: int) -> int:
    """Return the first free port from `wanted` on.

    Raises CommandError if twenty ports in a row are taken, or this machine doesn't have the address.
    """
    if not 0 < wanted <= LAST_PORT:
        raise CommandError(f"Ports go from 1 to {LAST_PORT}: {wanted} is none.")
    for port in range(wanted, min(wanted + TRIED, LAST_PORT + 1)):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as fault:
                if fault.errno in (errno.EADDRINUSE, errno.EACCES):
                    continue
                raise CommandError(f"{host} is no address of this machine (--host): {fault.strerror}") from fault
            return port
    raise CommandError(f"Ports {wanted} to {wanted + TRIED - 1} are all taken: name another with --port.")


def network_address() -> str | None:
    """Return this machine's address on its local network, with or without internet access; None if it has none."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect((ANYWHERE, 9))
        found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        found += [str(one[4][0]) for one in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return next((one for one in found if not ipaddress.ip_address(one).is_loopback), None)


class Command(BaseCommand):
    """Serve until Ctrl-C."""

    help = "Serve the site by an ASGI server: on this machine, or with --lan to every phone on the same network."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the address, the port, the network and the certificate."""
        parser.add_argument("--host", help="the address to listen on (default: this machine only)")
        parser.add_argument("--port", type=int, default=8000, help="the first port to try (default: 8000)")
        parser.add_argument(
            "--lan", action="store_true", help="serve to the local network; shows its address as a QR code"
        )
        parser.add_argument("--certificate", help="a certificate (PEM): the site is then served by HTTPS")
        parser.add_argument("--key", help="the certificate's key (PEM), where it is a file of its own")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print where the site is, and serve it."""
        if why := refused.why_database_refused():
            raise CommandError(why)
        secure = self._certificate(options)
        scheme = "https" if secure else "http"
        host = options["host"] or ("0.0.0.0" if options["lan"] else "127.0.0.1")
        port = free_port(host, options["port"])
        shown = host if host not in ("0.0.0.0", "::") else network_address() or "127.0.0.1"
        address = f"{scheme}://{f'[{shown}]' if ':' in shown else shown}:{port}"
        if secure:
            settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
        if shown not in settings.ALLOWED_HOSTS and "*" not in settings.ALLOWED_HOSTS:
            settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, shown]
        self.stdout.write(self.style.SUCCESS(f"\nHeadjudge is at {settings.SITE_URL or address}/ — Ctrl-C ends it.\n"))
        self.say_where_data_is()
        if options["lan"]:
            settings.SITE_URL = settings.SITE_URL or address
            self._show_code(settings.SITE_URL, shown)
        self.stdout.flush()
        if missing := what_is_missing():
            self.stderr.write(self.style.ERROR(missing))
        allow_open_files(MAX_FILES)
        use_heaps(HEAPS)
        uvicorn.run(
            "config.asgi:application",
            host=host,
            port=port,
            log_config=None,  # the settings configure logging, and remove links and codes from it
            log_level="warning",
            lifespan="off",
            http="config.connections:Connection",
            ws="none",
            proxy_headers=settings.SECURE_PROXY_SSL_HEADER is not None,
            timeout_graceful_shutdown=SECONDS_TO_END,
            **secure,
        )

    def say_where_data_is(self) -> None:
        """Print the folder of the database, the key, paper, snapshots, backups and logs: what has to be backed up."""
        self.stdout.write(f"Its data is in {settings.DATA_DIR}\n")

    def _certificate(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return uvicorn's options for HTTPS; raise CommandError if a file is missing."""
        if options["key"] and not options["certificate"]:
            raise CommandError("--key goes with --certificate: name the certificate too.")
        for name in ("certificate", "key"):
            if options[name] and not Path(options[name]).is_file():
                raise CommandError(f"There is no file {options[name]} (--{name}).")
        found = {}
        if options["certificate"]:
            found["ssl_certfile"] = options["certificate"]
        if options["key"]:
            found["ssl_keyfile"] = options["key"]
        return found

    def _show_code(self, address: str, shown: str) -> None:
        """Print the address as a QR code for the phones of players and judges."""
        if ipaddress.ip_address(shown).is_loopback:
            self.stdout.write(self.style.WARNING("This machine is on no network: only it can open the site."))
            return
        self.stdout.write("Players and judges on the same network scan this, or type the address:\n")
        drawn = io.StringIO()
        segno.make(f"{address}/", error="m").terminal(drawn, compact=True)
        self.stdout.write(drawn.getvalue())  # at once: each write ends with a line break
        self.stdout.write(f"The page {address}/here/ shows it on a projector.\n")
