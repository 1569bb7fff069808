"""Races of judges for one call."""

from .again import again

globals().update(again("tests.judging.test_calls_at_once"))
