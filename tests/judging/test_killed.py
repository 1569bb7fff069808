"""A process is killed at random moments of a simulated event: nothing acknowledged is lost, nothing is half done."""

import json
import os
import random
import signal
import time

import pytest
from django.db import connection

from tests.databases import copied_postgresql

from .machines import Machines

own_databases = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="these processes have databases of their own: once is enough"
)
SET_UP = "from tests.judging.killed import set_up; set_up()"
PLAY = "from tests.judging.killed import play; play({seed})"
LOOK = "import json; from tests.judging.killed import look; print(json.dumps(look(json.loads({acts!r}))))"


def kill_again_and_again(machines: Machines, times: int, *, url: str = "", seed: int = 2002) -> int:
    """Kill the playing process this often at random moments; return the number of acknowledged actions."""
    chance = random.Random(seed)
    if not url:
        machines.migrated("hall")
    machines.run("hall", SET_UP, url=url)
    acts: list[dict] = []
    for number in range(times):
        pid = machines.start("hall", PLAY.format(seed=number), url=url)
        while machines.said("hall").count("\n") < 2:  # it has begun to play
            time.sleep(0.005)
        time.sleep(chance.uniform(0.0, 1.0))
        os.kill(pid, signal.SIGKILL)
        assert machines.wait(pid) == -signal.SIGKILL, machines.said("hall")[-3000:]
        lines = machines.said("hall").splitlines(keepends=True)
        acts += [json.loads(line) for line in lines if line.endswith("\n")]
        acts = [act for act in acts if act["act"] != "began"]
        if number % 10 == 9 or number == times - 1 or times <= 10:
            faults = json.loads(machines.run("hall", LOOK.format(acts=json.dumps(acts)), url=url))
            assert faults == [], (number, faults[:10])
    return len(acts)


@pytest.fixture
def machines(tmp_path):
    with Machines(tmp_path) as found:
        yield found


@own_databases
def test_five_kills_on_sqlite_lose_nothing(machines):
    assert kill_again_and_again(machines, 5) > 5


@own_databases
@pytest.mark.postgres
def test_five_kills_on_postgresql_lose_nothing(machines):
    assert kill_again_and_again(machines, 5, url=copied_postgresql()) > 5


@own_databases
@pytest.mark.soak
def test_a_hundred_kills_on_sqlite_lose_nothing(machines):
    assert kill_again_and_again(machines, 100) > 200


@own_databases
@pytest.mark.soak
@pytest.mark.postgres
def test_a_hundred_kills_on_postgresql_lose_nothing(machines):
    assert kill_again_and_again(machines, 100, url=copied_postgresql()) > 200
