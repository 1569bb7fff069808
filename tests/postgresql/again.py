"""Tests of elsewhere, taken into a module of this folder so that they run on PostgreSQL too."""

import importlib
from typing import Any


def again(name: str, *only: str) -> dict[str, Any]:
    """Return what stands in a module of tests; of its tests only those named, where any are."""
    found = {key: value for key, value in vars(importlib.import_module(name)).items() if not key.startswith("__")}
    missing = set(only) - set(found)
    assert not missing, f"{name} has no {sorted(missing)}: mend the file of this name in tests/postgresql"
    return {key: value for key, value in found.items() if not (only and key.startswith("test_")) or key in only}
