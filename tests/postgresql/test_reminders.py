"""Duties, found by dates."""

from .again import again

globals().update(again("tests.judging.test_reminders"))
