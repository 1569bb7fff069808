"""Entries searched, filtered and read from lists."""

from .again import again

globals().update(again("tests.events.test_entries_pages"))
