"""`doctor`: examine this installation, and say in plain words what is wrong and what to do."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from judging.doctor import Diagnosis, Examination, data, diagnoses, examined, folders, network, program


class Command(BaseCommand):
    """`doctor`; changes nothing."""

    help = "Check this installation and say what to fix. Exits with status 1 if anything is an error."
    requires_system_checks = []  # they are examined, too

    def add_arguments(self, parser: CommandParser) -> None:
        """Add options for what must be named to be examined, and for the report's format."""
        parser.add_argument("--json", action="store_true", help="print the report as JSON")
        parser.add_argument("--send-to", metavar="ADDRESS", default="", help="send a test e-mail to this address")
        parser.add_argument("--certificate", default="", help="the certificate (PEM) that `serve` is started with")
        parser.add_argument("--key", default="", help="the certificate's key (PEM), if it is a separate file")
        parser.add_argument(
            "--port", type=int, default=8000, help="the port that the site is served at (default: 8000)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Examine everything, print what was found, and end with 1 if anything is an error."""
        found = list(self._found(options))
        if options["json"]:
            self.stdout.write(diagnoses.as_json(found, str(settings.VERSION)))
        else:
            self.stdout.write(diagnoses.as_text(found, getattr(self.stdout, "encoding", None)))
        if not diagnoses.is_healthy(found):
            raise SystemExit(1)

    def _found(self, options: dict[str, Any]) -> Iterator[Diagnosis]:
        secrets = [settings.SECRET_KEY, settings.METRICS_TOKEN, getattr(settings, "EMAIL_HOST_PASSWORD", "")]
        secrets.append(str(settings.DATABASES["default"].get("PASSWORD") or ""))
        of_database = list(examined(data.DATABASE, data.database))
        for about, examine in examinations(options, of_database).items():
            for one in examined(about, examine):
                hidden = (diagnoses.without(secrets, text) for text in (one.sentence, one.advice))
                yield Diagnosis(one.about, one.level, *hidden)


def examinations(options: dict[str, Any], of_database: list[Diagnosis]) -> dict[str, Examination]:
    """Return the examinations in the report's order, only those that are possible if the database can't be read."""
    can_ask = diagnoses.is_healthy(of_database)
    return {
        program.FILES: program.files,
        program.SETTINGS: program.values,
        folders.FOLDER: folders.data_folder,
        folders.COPIES: folders.second_folder,
        data.DATABASE: lambda: of_database,
        **({data.MIGRATIONS: data.migrations} if can_ask else {}),
        folders.BACKUPS: functools.partial(folders.kept_backups, can_ask),
        data.CLOCK: functools.partial(data.clock, can_ask),
        network.NETWORK: network.address,
        network.SERVER: functools.partial(network.server, options["port"]),
        network.CERTIFICATE: functools.partial(network.certificate, options["certificate"], options["key"]),
        network.MAIL: functools.partial(network.mail, options["send_to"]),
    }
