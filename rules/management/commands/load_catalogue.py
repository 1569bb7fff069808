"""`manage.py load_catalogue`: the shipped figures, feats, objects and cards, and the book's figure corrections."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rules.documents import BadFacts
from rules.services.library import load_library


class Command(BaseCommand):
    """Load the library, leaving existing elements as they are."""

    help = "Load the catalogue and corrections that ship with Headjudge. You can run it as often as you like."

    def handle(self, *args: Any, **options: Any) -> None:
        """Load the library and report what is new."""
        try:
            loaded = load_library(by="load_catalogue")
        except BadFacts as bad:
            raise CommandError(f"The library couldn't be loaded. {bad}") from bad
        if options["verbosity"]:
            self.stdout.write(
                f"{loaded.sets} sets; {len(loaded.elements.added)} elements added, "
                f"{len(loaded.elements.changed)} changed, {len(loaded.elements.unchanged)} unchanged; "
                f"{loaded.corrections} corrections added"
            )
