"""Corrections that count from their day."""

from .again import again

globals().update(again("tests.rules.catalogue.test_corrections"))
