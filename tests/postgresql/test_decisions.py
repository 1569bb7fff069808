"""Rulings searched."""

from .again import again

globals().update(
    again(
        "tests.judging.test_decisions",
        "test_the_list_is_filtered",
    )
)
