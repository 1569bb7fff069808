"""The number of examples per law: all in `make soak`, some in `make test`, a few in `make quick`.

Every change is tested with the same examples; only `make soak` searches for new ones.
"""

import os
from typing import Any

import hypothesis

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "steady")
SHARE = {"searching": 1.0, "steady": 0.2, "quick": 0.05}[PROFILE]
FEWEST = 5
USUAL = 100


def examples(number: int, **more: Any) -> hypothesis.settings:
    """Return settings with this run's share of so many examples, and no time limit per example."""
    return hypothesis.settings(max_examples=max(FEWEST, round(number * SHARE)), deadline=None, **more)


def load_profile() -> None:
    """Load a profile that gives other laws the same share of the default number."""
    settings = examples(USUAL, derandomize=PROFILE != "searching")
    hypothesis.settings.register_profile(PROFILE, settings)
    hypothesis.settings.load_profile(PROFILE)
