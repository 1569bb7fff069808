"""The passages of loaded books, searched."""

from .again import again

globals().update(
    again(
        "tests.rules.rulebook.test_load_rulebook",
        "test_passages_are_searched_whatever_case_accents_and_endings",
        "test_a_book_loaded_again_is_searched_anew",
    )
)
