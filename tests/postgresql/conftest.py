"""Every test in this folder runs on its worker's PostgreSQL database."""

import pytest

from tests import databases
from tests.conftest import needs_database

HERE = "tests/postgresql/"


def _runs_again(item) -> bool:
    only = getattr(item.module, "ONLY", frozenset())
    names = {item.name, item.originalname, item.cls.__name__ if item.cls else item.name}
    but = getattr(item.module, "BUT", frozenset())
    return bool(names & only) if only else needs_database(item) and not names & but


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark every test in this folder; leave out those without a database."""
    left_out = []
    for item in items:
        if item.nodeid.startswith(HERE):
            item.add_marker(pytest.mark.postgres)
            if not _runs_again(item):
                left_out.append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


@pytest.fixture(scope="session")
def database_of_this_worker(django_db_setup, django_db_blocker):
    """Return the settings of a migrated database on the run's server."""
    with django_db_blocker.unblock():
        return databases.server_settings(databases.copied_postgresql())


@pytest.fixture(scope="package", autouse=True)
def _on_postgresql(database_of_this_worker, django_db_blocker):
    """Use the server's database for tests in this folder, and SQLite's for all others."""
    with django_db_blocker.unblock(), databases.switched(database_of_this_worker):
        yield
