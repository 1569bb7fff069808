"""The audit log, searched in the language of its reader."""

from .again import again

globals().update(again("tests.events.test_audit_words", "test_the_log_is_searched_in_the_language_of_the_reader"))
