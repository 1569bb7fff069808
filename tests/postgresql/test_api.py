"""The API's reads and writes."""

from .again import again

globals().update(
    again(
        "tests.events.test_api",
        "test_events_are_listed_without_drafts",
        "test_two_players_report_the_same_and_it_counts",
        "test_the_standings_are_those_of_the_page",
        "test_rounds_cost_the_same_number_of_queries_however_many_tables",
    )
)
