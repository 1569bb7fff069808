"""Lists of forces, whose lines mean the same."""

from .again import again

globals().update(again("tests.rules.catalogue.test_force_lists"))
