"""Shared pages that a commit makes outdated."""

from .again import again

globals().update(again("tests.config.test_front"))
