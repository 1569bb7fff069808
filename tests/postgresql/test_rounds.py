"""Rounds drafted, published and taken back."""

from .again import again

globals().update(again("tests.events.test_rounds"))
