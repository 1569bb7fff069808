"""Rows numbered within a file, written to another database."""

from .again import again

globals().update(
    again(
        "tests.judging.keeping.test_moving",
        "test_an_event_moved_to_another_machine_is_the_same_byte_for_byte",
        "test_the_audit_log_names_rows_by_their_keys_there",
        "test_people_and_venues_that_are_known_are_not_doubled",
        "test_there_and_back_what_was_done_there_comes_back_and_nothing_is_doubled",
        "test_an_older_copy_asks_shows_the_difference_and_keeps_the_audit_log",
        "test_copies_that_diverged_are_not_written_over_each_other",
        "test_a_file_that_contradicts_itself_is_not_half_read",
    )
)
