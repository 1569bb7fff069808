"""The full text, which finds the same rows in the same order."""

from .again import again

globals().update(again("tests.rules.test_full_text", but=("test_a_sqlite_without_full_text_is_a_sentence",)))
