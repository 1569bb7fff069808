"""The search of the rules: any question gets a page. That answers are the same is in `test_full_text`."""

from .again import again

globals().update(again("tests.rules.search.test_search_pages", "test_any_question_gets_a_clear_page"))
