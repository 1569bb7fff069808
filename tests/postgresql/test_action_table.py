"""Every verb by requests, in a round and after the event."""

from .again import again

globals().update(
    again(
        "tests.events.test_action_table",
        "test_the_cells[running-running]",
        "test_the_cells[finished-complete]",
    )
)
