"""Django's configuration of the `judging` app."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    """Django's configuration of the `judging` app."""

    name = "judging"

    def ready(self) -> None:
        """Register the audit log's sentences, and take a snapshot before each step that is hard to reverse."""
        import judging.audit_sentences  # noqa: F401
        from events import door
        from judging.keeping.snapshots import before_verb

        door.BEFORE.append(before_verb)
