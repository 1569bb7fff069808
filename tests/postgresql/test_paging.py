"""Long lists cut by keys: how a server sorts."""

from .again import again

globals().update(again("tests.events.test_paging"))
