"""Duties, found by dates, each noted once."""

from .again import again

globals().update(
    again(
        "tests.judging.test_reminders",
        "test_the_head_judge_is_reminded_of_the_report",
        "test_venue_and_office_are_reminded_of_an_overdue_report_and_not_a_day_before",
        "test_a_coming_event_without_a_head_judge",
        "test_an_event_that_no_one_played",
        "test_the_office_is_reminded_of_registrations_that_have_waited_for_a_day",
        "test_duties_are_found_in_a_fixed_number_of_queries[20]",
        "test_each_duty_is_mailed_once_however_often_the_command_runs",
        "test_a_run_beside_this_one_sends_nothing_twice",
    )
)
