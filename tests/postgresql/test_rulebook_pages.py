"""The rulebook's text searched."""

from .again import again

globals().update(again("tests.rules.rulebook.test_rulebook_pages"))
