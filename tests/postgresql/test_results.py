"""Results that two players report, corrected and reopened."""

from .again import again

globals().update(again("tests.events.test_results"))
