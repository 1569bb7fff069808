"""Two who rule, appeal, answer or close at the same instant: each decision has its number, each act happens once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from . import two_rulings

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def came(transactional_db, tmp_path):
    """Run the races: on SQLite in a process with a database file of its own, on a server in the test's database."""
    if connection.vendor != "sqlite":
        return json.loads(json.dumps(two_rulings.race()))
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, str(Path(two_rulings.__file__))]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_of_two_at_once_each_has_a_number_and_one_comes_first(came):
    assert (came["ruling"], came["numbers"]) == (["done", "done"], [1, 2])
    assert came["appealing"] == ["Refused", "done"]
    assert (came["answering"], came["answered"]) == (["Refused", "done"], 1)
    assert (came["closing"], came["extensions"], came["decisions"]) == (["Refused", "done"], [240], 1)
    assert (came["opening"], came["ways_back"]) == (["done", "done"], ["1", "2"])
    assert (came["taking_back"], came["withdrawn"], came["table_is"]) == (["Refused", "done"], True, "open")
