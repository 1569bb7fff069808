"""Rows numbered within a file, written to another database."""

from .again import again

globals().update(
    again(
        "tests.judging.keeping.test_moving",
        but=(
            "test_every_event_of_the_demo_moves_without_loss",
            "test_an_older_copy_is_known_again_where_many_entries_bear_one_moment",
        ),
    )
)
