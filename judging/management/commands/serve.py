"""`serve`: the site on this machine, by an ASGI server, at the first free port."""

import socket
from typing import Any

import uvicorn
from django.core.management.base import BaseCommand, CommandError, CommandParser

TRIED = 20


def free_port(host: str, wanted: int) -> int:
    """Return the first free port from the wanted one on; raise CommandError where twenty are taken."""
    for port in range(wanted, wanted + TRIED):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise CommandError(f"Ports {wanted} to {wanted + TRIED - 1} are all taken: name another with --port.")


class Command(BaseCommand):
    """Serve until Ctrl-C."""

    help = "Serve the site on this machine by an ASGI server."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address and the port."""
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine only)")
        parser.add_argument("--port", type=int, default=8000, help="the first port to try (default: 8000)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say where the site is and serve it."""
        port = free_port(options["host"], options["port"])
        self.stdout.write(self.style.SUCCESS(f"\nHeadjudge is at http://{options['host']}:{port}/ — Ctrl-C ends it.\n"))
        self.stdout.flush()
        uvicorn.run("config.asgi:application", host=options["host"], port=port, log_level="warning", lifespan="off")
