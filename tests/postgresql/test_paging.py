"""Long lists cut by keys: how a server sorts."""

from .again import again

globals().update(
    again(
        "tests.events.test_paging",
        but=(
            "test_a_mark_that_leads_nowhere_shows_the_first_page",
            "test_beyond_the_last_row_is_the_first_page",
            "test_a_season_to_try_lists_on",
        ),
    )
)
