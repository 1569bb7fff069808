"""The app as Django knows it."""

from django.apps import AppConfig


class RulesConfig(AppConfig):
    """Django's record of the app."""

    name = "rules"
