"""The app as Django knows it."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    """Django's record of the app."""

    name = "events"
