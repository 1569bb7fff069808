"""Health and figures as the server gives them."""

from .again import again

globals().update(again("tests.config.test_watching"))
