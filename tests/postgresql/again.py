"""Tests of elsewhere, taken into a module of this folder so that they run on PostgreSQL too."""

import importlib
from typing import Any


def again(name: str, *only: str) -> dict[str, Any]:
    """Return what stands in a module of tests, for the globals of a module here.

    `only` names the tests (or classes of them, or a test with its parameters in brackets) that run here; without it
    all do that need a database.
    """
    found = {key: value for key, value in vars(importlib.import_module(name)).items() if not key.startswith("__")}
    missing = {test.partition("[")[0] for test in only} - set(found)
    assert not missing, (
        f"{name} has no {sorted(missing)}: correct their names in tests/postgresql/{name.rsplit('.', maxsplit=1)[-1]}.py"
    )
    return found | {"ONLY": frozenset(only)}
