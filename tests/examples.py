"""How many examples a law is tried with: all of them by `make soak`, some by `make test`, a few by `make quick`.

A change is judged by the same examples as the one before it; only `make soak` searches among new ones.
"""

import os
from typing import Any

import hypothesis

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "steady")
SHARE = {"searching": 1.0, "steady": 0.4, "quick": 0.05}[PROFILE]
FEWEST = 5
USUAL = 100


def examples(number: int, **more: Any) -> hypothesis.settings:
    """Return settings with this share of so many examples, however long one takes."""
    return hypothesis.settings(max_examples=max(FEWEST, round(number * SHARE)), deadline=None, **more)


def load_profile() -> None:
    """Let laws that name no number have the same share of the usual number."""
    settings = examples(USUAL, derandomize=PROFILE != "searching")
    hypothesis.settings.register_profile(PROFILE, settings)
    hypothesis.settings.load_profile(PROFILE)
