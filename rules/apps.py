"""Django app configuration."""

from django.apps import AppConfig
from django.core import checks


class RulesConfig(AppConfig):
    """Configuration of the app."""

    name = "rules"

    def ready(self) -> None:
        """Register the check of the database's full text."""
        from .full_text import check

        checks.register(check)
