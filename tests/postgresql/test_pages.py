"""The catalogue's pages, sorted by each column."""

from .again import again

globals().update(
    again(
        "tests.rules.catalogue.test_pages",
        "TestSearch",
    )
)
