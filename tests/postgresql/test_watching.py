"""Health and metrics from the server."""

from .again import again

globals().update(again("tests.config.test_watching"))
