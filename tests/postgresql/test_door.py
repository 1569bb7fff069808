"""Of the same file elsewhere, on PostgreSQL."""

from .again import again

globals().update(again("tests.events.test_door"))
