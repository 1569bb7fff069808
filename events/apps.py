"""Django's configuration of the app."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    """The app's configuration."""

    name = "events"

    def ready(self) -> None:
        """Load the sentences of the audit log, and let Django build queries quickly."""
        import events.audit_sentences  # noqa: F401
        from events.prepared import hash_columns_quickly

        hash_columns_quickly()
