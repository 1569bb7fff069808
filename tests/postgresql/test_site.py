"""Connections that go back to the pool."""

from .again import again

globals().update(
    again("tests.config.test_site", but=("test_a_connection_stays_open_as_long_as_the_settings_say[600]",))
)
