"""The catalogue's search, which answers alike."""

from .again import again

globals().update(again("tests.rules.catalogue.test_finding"))
