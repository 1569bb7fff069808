"""Races between threads with separate connections."""

from .again import again

globals().update(again("tests.events.test_two_at_once"))
