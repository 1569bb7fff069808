"""Rows numbered within a file, written to another database."""

from .again import again

globals().update(
    again(
        "tests.judging.keeping.test_moving",
        but=(
            "test_every_event_of_the_demo_moves_without_loss",
            "test_an_older_copy_is_known_again_where_many_entries_bear_one_moment",
            "test_a_damaged_file_is_refused_and_changes_nothing",
            "test_only_those_who_run_the_event_get_the_file",
            "test_an_upload_that_is_too_large_or_of_another_kind_is_refused",
        ),
    )
)
