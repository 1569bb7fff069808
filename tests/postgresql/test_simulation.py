"""Whole events through requests."""

from .again import again

globals().update(
    again(
        "tests.events.test_simulation",
        "test_a_random_event_is_played_to_its_end[5]",
    )
)
