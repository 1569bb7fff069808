"""The engine is pure: its tests leave nothing in the site's memory."""

import pytest


@pytest.fixture(autouse=True)
def _nothing_remembered():
    """Spare the engine's tests what the site's tests do before and after each."""
