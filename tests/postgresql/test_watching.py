"""Health and metrics from the server."""

from .again import again

globals().update(
    again(
        "tests.config.test_watching",
        "test_figures_count_what_was_answered",
        "test_metrics_include_the_findings",
    )
)
