"""Shared pages that a commit makes old."""

from .again import again

globals().update(again("tests.config.test_front"))
