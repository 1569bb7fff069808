"""Connections that go back to the pool."""

from .again import again

globals().update(again("tests.config.test_site"))
