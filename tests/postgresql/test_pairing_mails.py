"""E-mails about pairings, each claimed by one process."""

from .again import again

globals().update(
    again(
        "tests.judging.test_pairing_mails",
        "test_only_those_whose_table_or_opponent_changed_get_another",
        "test_a_mail_server_that_fails_gets_the_mails_later_and_each_once",
        "test_two_processes_mail_each_person_once",
    )
)
