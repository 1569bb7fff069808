"""Import tests into a module of this folder, so that they also run on PostgreSQL."""

import importlib.util
from typing import Any


def again(name: str, *only: str, but: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the contents of a test module, for the globals of a module here.

    `only` names the tests (or classes of them, or a test with its parameters in brackets) that run here; without it all
    run that need a database, except those named in `but`. Fixtures of the module's folder are included.
    """
    module = importlib.import_module(name)
    shared = f"{module.__package__}.conftest"
    modules = [importlib.import_module(shared), module] if importlib.util.find_spec(shared) else [module]
    found = {key: value for one in modules for key, value in vars(one).items() if not key.startswith("__")}
    missing = {test.partition("[")[0] for test in (*only, *but)} - set(found)
    assert not missing, (
        f"{name} has no {sorted(missing)}: correct their names in tests/postgresql/{name.rsplit('.', maxsplit=1)[-1]}.py"
    )
    return found | {"ONLY": frozenset(only), "BUT": frozenset(but)}
