"""Rows restored under their old keys, whatever refers to them."""

from .again import again

globals().update(
    again(
        "tests.events.test_undo",
        "test_undoing_everything_returns_the_beginning_and_every_standings_on_the_way",
        "test_later_actions_are_undone_first_and_in_order",
        "test_extra_time_entries_and_officials_are_undone",
        "test_a_removed_official_comes_back_under_the_same_key",
        "test_a_manual_swap_and_reseated_tables_are_undone",
        "test_the_audit_log_is_append_only",
    )
)
