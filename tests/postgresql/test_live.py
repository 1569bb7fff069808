"""The counter that each commit raises."""

from .again import again

globals().update(again("tests.events.test_live"))
