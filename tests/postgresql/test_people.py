"""Addresses that differ in case only."""

from .again import again

globals().update(again("tests.events.test_people"))
