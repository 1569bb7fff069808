"""Every verb by requests, before, in and after an event."""

from .again import again

globals().update(
    again(
        "tests.events.test_action_table",
        "test_the_cells[open-no round]",
        "test_the_cells[running-running]",
        "test_the_cells[finished-complete]",
    )
)
