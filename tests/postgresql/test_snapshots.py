"""Snapshots and restoring them."""

from .again import again

globals().update(
    again(
        "tests.judging.keeping.test_snapshots",
        but=(
            "test_a_damaged_snapshot_is_reported_and_not_used",
            "test_the_paper_of_a_published_round_is_made_and_kept",
            "test_missing_or_damaged_paper_is_made_on_demand",
            "test_reseated_tables_have_new_paper",
            "test_failed_paper_is_reported_and_tried_again",
            "test_a_kept_file_is_whole_or_not_there",
        ),
    )
)
