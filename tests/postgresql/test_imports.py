"""The catalogue imported in bulk."""

from .again import again

globals().update(
    again(
        "tests.rules.catalogue.test_imports",
        "TestService",
    )
)
