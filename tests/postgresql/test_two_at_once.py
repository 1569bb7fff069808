"""Races between threads with connections of their own."""

from .again import again

globals().update(again("tests.events.test_two_at_once"))
