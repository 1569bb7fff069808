"""Entries searched, filtered and read from lists."""

from .again import again

globals().update(
    again(
        "tests.events.test_entries_pages",
        "test_a_list_is_looked_at_first_and_then_entered_whole",
        "test_errors_of_a_list_are_reported_by_line_and_no_one_is_entered",
        "test_a_list_shows_waiting_players_and_duplicate_names",
        "test_everyone_else_is_checked_in_after_one_question",
        "test_check_in_filters_and_shows_missing_players",
        "test_a_list_of_two_hundred_is_entered_in_a_fixed_number_of_queries",
    )
)
