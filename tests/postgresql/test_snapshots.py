"""Snapshots and restoring them: rows replaced, servers that race, notifications between them."""

from .again import again

globals().update(
    again(
        "tests.judging.keeping.test_snapshots",
        "test_one_is_taken_before_each_publishing_completing_and_verifying",
        "test_two_servers_that_look_at_once_keep_one_snapshot_and_one_file",
        "test_going_back_restores_everything_as_a_new_entry_after_showing_what_changes",
        "test_later_entries_stay_withdrawn_with_their_force",
        "test_paper_begun_by_a_process_that_is_gone_is_taken_up",
        "test_the_thread_makes_paper_and_a_snapshot_after_a_notification",
        "test_the_page_asks_no_more_for_more_snapshots",
        "test_once_a_minute_what_holds_only_itself_is_let_go",
    )
)
