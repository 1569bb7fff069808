"""Addresses that differ in case only."""

from .again import again

globals().update(again("tests.events.test_people", but=("test_the_lists_ask_as_often_for_many_as_for_few",)))
