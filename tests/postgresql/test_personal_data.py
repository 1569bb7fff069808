"""A person's data gathered from all tables."""

from .again import again

globals().update(again("tests.judging.keeping.test_personal_data"))
