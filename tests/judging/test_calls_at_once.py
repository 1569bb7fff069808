"""Two judges press at the same instant: one has the call, the others are told; time is given once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from . import two_judges

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def came(transactional_db, tmp_path):
    """Run the races: on SQLite in a process with a database file of its own, on a server in the test's database."""
    if connection.vendor != "sqlite":
        return json.loads(json.dumps(two_judges.race()))
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, str(Path(two_judges.__file__))]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_one_judge_has_the_call_and_the_others_are_told(came):
    assert (came["raising"], came["calls"]) == (["done", "done"], 1)
    assert came["taking"] == ["Refused", "Refused", "done"]
    assert came["holder_is_a_judge"]
    assert came["taken_in_the_record"] == 1
    assert came["closing"] == ["Refused", "done"]
    assert came["extensions"] == [240]
