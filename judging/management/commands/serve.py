"""`serve`: serve the site on this machine or a shop's network with an ASGI server, at the first free port."""

import contextlib
import socket
from pathlib import Path
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from judging import refused
from judging.management.codes import code_of
from judging.management.first_run import begin
from judging.management.listening import is_loopback, listen, network_address
from judging.management.readiness import what_is_missing
from rules.system import allow_open_files, stay_on_one_core, use_heaps

MAX_FILES = 65_536
SECONDS_TO_END = 3
HEAPS = 2
DEMO = (
    "This is the demo: anyone can look up its passwords, even the administrator's. For your own events, name an empty "
    "folder in DATA_DIR."
)


def serve_until_stopped(config: uvicorn.Config, listener: socket.socket) -> None:
    """Serve what is asked at this socket until Ctrl-C."""
    config.load()  # the site looks at its database first, which Django refuses in an event loop
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


def demo_is_there() -> bool:
    """Return whether the people of the demo can sign in here."""
    from judging import demo  # what makes it isn't needed to serve

    return demo.is_there()


class Command(BaseCommand):
    """Serve until Ctrl-C."""

    help = "Serve the site on this machine, or with --lan to every phone on the same network."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the address, the port, the network and the certificate."""
        parser.add_argument("--host", help="the address to listen on (default: this machine only)")
        parser.add_argument("--port", type=int, default=8000, help="the first port to try (default: 8000)")
        parser.add_argument(
            "--lan", action="store_true", help="serve to the local network; shows its address as a QR code"
        )
        parser.add_argument("--certificate", help="a certificate (PEM); the site is then served over HTTPS")
        parser.add_argument("--key", help="the certificate's key (PEM), if it is a separate file")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print where the site is, and serve it."""
        if why := refused.why_database_refused():
            raise CommandError(why)
        secure = self._certificate(options)
        host = (options["host"] or ("0.0.0.0" if options["lan"] else "127.0.0.1")).strip("[]")
        with listen(host, options["port"]) as listener:
            port = listener.getsockname()[1]
            if port != options["port"]:
                self.stdout.write(f"Another program uses port {options['port']}, so Headjudge uses port {port}.")
            shown = host if host not in ("0.0.0.0", "::") else network_address() or "127.0.0.1"
            named = f"[{shown}]" if ":" in shown else shown
            if secure:
                settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
            if named not in settings.ALLOWED_HOSTS and "*" not in settings.ALLOWED_HOSTS:
                settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, named]
            self._say_where_site_is(f"{'https' if secure else 'http'}://{named}:{port}", shown, is_lan=options["lan"])
            allow_open_files(MAX_FILES)
            use_heaps(HEAPS)
            stay_on_one_core()
            config = uvicorn.Config(
                "config.asgi:application",
                log_config=None,  # the settings configure logging, and remove links and codes from it
                log_level="warning",
                lifespan="off",
                http="config.connections:Connection",
                ws="none",
                proxy_headers=settings.SECURE_PROXY_SSL_HEADER is not None,
                timeout_graceful_shutdown=SECONDS_TO_END,
                **secure,
            )
            serve_until_stopped(config, listener)

    def _say_where_site_is(self, address: str, shown: str, *, is_lan: bool) -> None:
        """Print the site's address and what is missing; on a network also its QR code."""
        ends = "press Ctrl-C to stop it"
        self.stdout.write(self.style.SUCCESS(f"\nHeadjudge is at {settings.SITE_URL or address}/ ({ends})\n"))
        self.say_where_data_is()
        if is_lan:
            settings.SITE_URL = settings.SITE_URL or address
        is_new = begin(self.stdout, settings.SITE_URL or address)
        if is_lan and not is_new:
            self._show_code(settings.SITE_URL, shown)
        self.stdout.flush()
        if missing := what_is_missing():
            self.stderr.write(self.style.ERROR(missing))
        elif is_lan and demo_is_there():
            self.stderr.write(self.style.WARNING(DEMO))

    def say_where_data_is(self) -> None:
        """Print the folder of the database, the key, paper, snapshots, backups and logs: what has to be backed up."""
        self.stdout.write(f"Its data is in {settings.DATA_DIR}\n")

    def _certificate(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return uvicorn's options for HTTPS; raise CommandError if a file is missing."""
        if options["key"] and not options["certificate"]:
            raise CommandError("--key needs --certificate: name the certificate too.")
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
        if is_loopback(shown):
            self.stdout.write(self.style.WARNING("This machine isn't on a network: only it can open the site."))
            return
        self.stdout.write("Players and judges on the same network scan this, or type the address:\n")
        self.stdout.write(code_of(f"{address}/", self.stdout))  # at once: each write ends with a line break
        self.stdout.write(f"The page {address}/here/ shows it on a projector.\n")
