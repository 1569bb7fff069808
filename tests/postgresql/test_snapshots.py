"""Snapshots and restoring them."""

from .again import again

globals().update(again("tests.judging.keeping.test_snapshots"))
