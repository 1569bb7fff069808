"""Snapshots between verbs in random order."""

from .again import again

globals().update(
    again(
        "tests.judging.keeping.test_restore_at_random",
        "test_an_evening_with_snapshots_at_random",
    )
)
