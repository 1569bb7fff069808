"""Ten people (fifty in `make soak`) report, correct and pair at the same moment: nothing is lost, no one sits twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.databases import copied_postgresql
from tests.judging.machines import Machines

pytestmark = pytest.mark.django_db
PLAY = "from tests.events.many_at_once import main; main({}, {}, {})"


def run(folder: Path, database: str, players: int, scorekeepers: int, judges: int) -> dict:
    with Machines(folder) as machines:
        if not database:
            machines.migrated("hall")
        said = machines.run("hall", PLAY.format(players, scorekeepers, judges), url=database)
    return json.loads(said.splitlines()[-1])


def check(came: dict, players: int, clients: int) -> None:
    assert came["clients"] == clients
    assert came["faults"] == [], "every write knew the one before it"
    answers, record = came["answers"], came["record"]
    assert not [what for what in answers if what.split()[1].startswith("5")], (answers, came["errors"])
    for what, verb in (
        ("pair", "draft-round"),
        ("publish", "publish-round"),
        ("complete", "complete-round"),
        ("correct", "correct-result"),
        ("decide", "decide-result"),
        ("extend", "extend-table"),
        ("enter", "enter-result"),
        ("claim", "claim-result"),
    ):
        assert answers.get(f"{what} 302", 0) == record.get(verb, 0), f"{what}: what was acknowledged is in the record"
    assert record["draft-round"] == record["publish-round"] == record["complete-round"] == 2
    for row in came["rounds"]:
        assert (row["state"], row["open"]) == ("complete", 0)
        assert (row["matches"], row["seats"], row["seated"]) == (players // 2, [1], players)
        assert row["corrected"] == [1] * len(row["corrected"]), (
            "of all who corrected one table from one page, one was heard"
        )


def test_ten_at_once_on_sqlite(tmp_path):
    check(run(tmp_path, "", 6, 2, 2), 6, 10)


@pytest.mark.postgres
def test_ten_at_once_on_postgresql(tmp_path):
    check(run(tmp_path, copied_postgresql(), 6, 2, 2), 6, 10)


@pytest.mark.soak
def test_fifty_at_once_on_sqlite(tmp_path):
    check(run(tmp_path, "", 36, 7, 7), 36, 50)


@pytest.mark.soak
@pytest.mark.postgres
def test_fifty_at_once_on_postgresql(tmp_path):
    check(run(tmp_path, copied_postgresql(), 36, 7, 7), 36, 50)
