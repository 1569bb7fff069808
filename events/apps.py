"""Django's configuration of the app."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    """The app's configuration."""

    name = "events"

    def ready(self) -> None:
        """Load the sentences of the audit log."""
        import events.audit_sentences  # noqa: F401
