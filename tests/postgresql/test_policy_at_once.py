"""Races for one volunteer."""

from .again import again

globals().update(again("tests.events.test_policy_at_once"))
