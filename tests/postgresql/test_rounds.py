"""Rounds drafted, published and unpublished."""

from .again import again

globals().update(again("tests.events.test_rounds", but=("test_random_events_keep_their_promises",)))
