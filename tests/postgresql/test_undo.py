"""Rows restored under their old keys."""

from .again import again

globals().update(again("tests.events.test_undo"))
