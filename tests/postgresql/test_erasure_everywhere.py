"""A person erased from all stored data."""

from .again import again

globals().update(
    again(
        "tests.judging.keeping.test_erasure_everywhere",
        but=(
            "test_paper_is_thrown_away_and_made_again_without_the_name",
            "test_a_damaged_snapshot_does_not_outlive_the_erasure",
            "test_the_pages_say_how_long_backups_hold_the_data",
        ),
    )
)
