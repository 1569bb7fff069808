"""Races of rulings and appeals."""

from .again import again

globals().update(again("tests.judging.test_rulings_at_once"))
