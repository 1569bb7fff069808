"""The app as Django knows it."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    """Django's record of the app."""

    name = "events"

    def ready(self) -> None:
        """Let entries of the audit log be worded."""
        import events.audit_sentences  # noqa: F401
