"""A person erased from all stored data."""

from .again import again

globals().update(again("tests.judging.keeping.test_erasure_everywhere"))
