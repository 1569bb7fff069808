"""The app as Django knows it."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    """Django's record of the app."""

    name = "judging"

    def ready(self) -> None:
        """Let a snapshot be taken before each step that is hard to take back."""
        from events import door
        from judging.keeping.snapshots import before_verb

        door.BEFORE.append(before_verb)
