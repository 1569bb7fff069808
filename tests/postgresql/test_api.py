"""The API's reads and writes."""

from .again import again

globals().update(again("tests.events.test_api"))
