"""Of the same file elsewhere, on PostgreSQL."""

from .again import again

globals().update(again("tests.judging.test_calls_at_once"))
