"""Django app configuration."""

from django.apps import AppConfig


class RulesConfig(AppConfig):
    """Configuration of the app."""

    name = "rules"
