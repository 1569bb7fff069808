"""The app as Django knows it."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    """Django's record of the app."""

    name = "judging"

    def ready(self) -> None:
        """Let entries of the audit log be worded, and a snapshot be taken before each step that is hard to take back."""
        import judging.audit_sentences  # noqa: F401
        from events import door
        from judging.keeping.snapshots import before_verb

        door.BEFORE.append(before_verb)
