"""Disputes saved and found again."""

from .again import again

globals().update(again("tests.rules.test_disputes_saved"))
