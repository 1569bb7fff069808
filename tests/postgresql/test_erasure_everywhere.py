"""A person taken out of everything that is kept."""

from .again import again

globals().update(again("tests.judging.keeping.test_erasure_everywhere"))
