"""The SQL of every page of an event, for three kinds of readers."""

from .again import again

globals().update(
    again(
        "tests.events.test_queries_of_every_page",
        "test_no_page_asks_more_for_more_players",
    )
)
