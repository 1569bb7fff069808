"""Calls of several events in one order."""

from .again import again

globals().update(again("tests.judging.test_calls_of_a_hall"))
