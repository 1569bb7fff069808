"""Snapshots and restoring them."""

from .again import again

globals().update(
    again(
        "tests.judging.keeping.test_snapshots",
        but=(
            "test_a_damaged_snapshot_is_told_and_used_for_nothing",
            "test_the_paper_of_a_published_round_is_made_and_kept",
            "test_paper_that_is_missing_or_damaged_is_made_when_somebody_asks",
            "test_tables_that_were_put_right_have_new_paper",
            "test_paper_that_fails_is_told_and_tried_again",
            "test_a_kept_file_is_whole_or_not_there",
        ),
    )
)
