"""Snapshots written by a process beside the server."""

import os
from urllib.parse import quote

import pytest
from django.db import connection

from .again import again

globals().update(again("tests.judging.keeping.test_snapshots_beside"))


@pytest.fixture(scope="module", autouse=True)
def _named_to_processes(_on_postgresql):
    """Name this worker's database in the environment, from which processes of their own read the settings."""
    told = connection.settings_dict
    with pytest.MonkeyPatch.context() as patch:
        user = f"{quote(told['USER'])}:{quote(told['PASSWORD'])}"
        host = f"{quote(told['HOST'], safe='')}:{told['PORT']}"
        patch.setitem(os.environ, "DATABASE_URL", f"postgres://{user}@{host}/{told['NAME']}")
        yield
