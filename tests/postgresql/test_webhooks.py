"""Messages made and sent once, in order, whatever several processes do at once."""

from .again import again

globals().update(
    again(
        "tests.judging.test_webhooks",
        "test_a_day_is_told_in_order_with_what_the_public_pages_show",
        "test_a_receiver_that_fails_for_an_hour_gets_each_message_once_and_in_order",
        "test_no_transaction_is_open_while_something_is_sent",
        "test_while_one_process_sends_another_does_not",
        "test_two_processes_make_the_same_messages_once",
        "test_an_event_that_was_played_elsewhere_comes_back_silently",
    )
)
