"""The app as Django knows it."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    """Django's record of the app."""

    name = "judging"
