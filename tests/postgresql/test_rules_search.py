"""The search of the rules: any question gets a page."""

from .again import again

globals().update(again("tests.rules.search.test_search_pages", "test_any_question_gets_a_clear_page"))
