"""Push messages on PostgreSQL: made once, claimed by one thread, forgotten with their device."""

from .again import again

globals().update(
    again(
        "tests.judging.test_pushes",
        "test_each_is_told_once_and_again_only_if_table_or_opponent_change",
        "test_a_browser_that_has_unsubscribed_is_forgotten",
        "test_a_push_service_that_does_not_answer_is_left_alone_for_a_moment",
    )
)
