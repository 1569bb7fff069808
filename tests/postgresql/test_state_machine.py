"""Every verb in random order, then everything undone."""

from .again import again

globals().update(
    again(
        "tests.events.test_state_machine",
        "test_an_evening_at_random",
    )
)
