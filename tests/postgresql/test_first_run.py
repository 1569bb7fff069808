"""Two set-ups at the same instant, on a database that lets both in."""

from .again import again

globals().update(
    again("tests.events.test_first_run", "test_two_at_once_make_one_administrator", "test_any_account_ends_it")
)
