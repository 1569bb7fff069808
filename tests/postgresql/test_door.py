"""Locks, versions and the audit log of every write."""

from .again import again

globals().update(again("tests.events.test_door"))
