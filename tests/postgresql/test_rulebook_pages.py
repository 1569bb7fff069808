"""The rulebook's text searched."""

from .again import again

globals().update(
    again(
        "tests.rules.rulebook.test_rulebook_pages",
        "test_a_loaded_book_opens_its_passage",
        "test_search_finds_rulings_topics_sections_and_own_words",
        "test_exact_matches_come_first",
        "test_search_with_nothing_to_find",
        "test_a_figure_is_found",
        "test_query_count_of_a_search",
    )
)
