"""The notifications by which the server tells of changes."""

from .again import again

globals().update(again("tests.events.test_stream"))
