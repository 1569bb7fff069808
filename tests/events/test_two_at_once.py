"""Two people press at the same instant: one is heard, the other is told, nothing is done twice."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from . import two_at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def came(transactional_db, tmp_path):
    """Run the races: on SQLite in a process with a database file of its own, on a server in the test's database."""
    if connection.vendor != "sqlite":
        return json.loads(json.dumps(two_at_once.race()))
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, str(Path(two_at_once.__file__))]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_one_is_heard_and_the_other_is_told(came):
    assert came["entering"] == ["done"] * 7
    assert came["states"] == {"entered": 4, "waiting": 3}
    assert came["numbers"] == list(range(1, 16))
    assert came["drafting"] == ["Refused", "Refused", "done"]
    assert (came["rounds"], came["matches"]) == (1, 4)
    assert came["swapping"] == ["Stale", "done"]
    assert came["publishing"] == ["Refused", "done"]
    assert came["seated"] == [1] * 8
    assert came["dropping"] == ["Refused", "done"]
