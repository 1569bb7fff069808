"""Shared pages that a commit makes outdated."""

from .again import again

globals().update(
    again(
        "tests.config.test_front",
        but=(
            "test_pages_with_a_form_or_a_redirect_are_never_shared",
            "test_an_event_that_is_not_there_is_the_sites_own_answer",
            "test_stylesheets_and_scripts_come_compressed_and_are_read_once",
            "test_each_look_and_language_has_its_page",
        ),
    )
)
