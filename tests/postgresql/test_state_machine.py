"""Every verb in any order, and all of it undone."""

from .again import again

globals().update(
    again(
        "tests.events.test_state_machine",
        "test_an_evening_at_random",
    )
)
