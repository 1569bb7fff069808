"""Django's configuration of the `judging` app."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    """Django's configuration of the `judging` app."""

    name = "judging"

    def ready(self) -> None:
        """Register the audit log's sentences, snapshots before each step that is hard to reverse, and game losses."""
        import judging.audit_sentences  # noqa: F401
        from events import door
        from events.services import results
        from judging.keeping.snapshots import before_verb
        from judging.services.penalties import losers_at

        door.BEFORE.append(before_verb)
        results.LOSERS.append(losers_at)
