"""Every test of this folder runs on a PostgreSQL database of its worker."""

import pytest

from tests import databases

HERE = "tests/postgresql/"


def pytest_collection_modifyitems(items):
    """Mark every test of this folder."""
    for item in items:
        if item.nodeid.startswith(HERE):
            item.add_marker(pytest.mark.postgres)


@pytest.fixture(scope="session")
def database_of_this_worker(django_db_setup, django_db_blocker):
    """Return the settings of a migrated database on the run's server."""
    with django_db_blocker.unblock():
        return databases.server_settings(databases.copied_postgresql())


@pytest.fixture(scope="package", autouse=True)
def _on_postgresql(database_of_this_worker, django_db_blocker):
    """Let the tests of this folder have the server's database, all others SQLite's."""
    with django_db_blocker.unblock(), databases.switched(database_of_this_worker):
        yield
