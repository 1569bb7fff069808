"""Tournament files: what is accepted, and where each error is reported."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.pairing import pair_round, read_tournament
from rules.engine import BadInput, reports_on
from tests.examples import examples
from tests.tables import every_row

GOOD = {
    "id": "r4",
    "title": "Round 4",
    "note": "a note",
    "seed": 7,
    "players": [
        {"id": "p1", "points": 9, "byes": 0, "dropped": False, "club": "North", "rank": 1},
        {"id": "p2", "points": 6, "club": None, "rank": None},
        {"id": "p3", "points": 3},
    ],
    "rounds": [[["p1", "p2"], ["p3", None]]],
    "options": {"avoid_same_club": False, "allow_rematch": False},
}


def changed(path: str, value: object) -> dict[str, object]:
    document = copy.deepcopy(GOOD)
    at: object = document
    *way, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    for step in way:
        at = at[step]
    at[last] = value
    return document


def test_the_sample_is_read_and_byes_are_counted_where_they_are_not_given():
    tournament = read_tournament(GOOD)
    assert [player.byes for player in tournament.players] == [0, 0, 1]
    assert read_tournament(changed("players/2/byes", 0)).by_id["p3"].byes == 0
    assert pair_round(GOOD) == {
        "id": "r4",
        "pairings": [["p1", "p3"]],
        "bye": "p2",
        "awarded_byes": [],
        "rematches": 0,
        "cost": 36,
        "same_club": 0,
    }


def test_only_id_and_points_are_needed():
    report = pair_round({"players": [{"id": "a", "points": 1}, {"id": "b", "points": 1}]})
    assert report["pairings"] in ([["a", "b"]], [["b", "a"]])
    assert report["id"] is None


@every_row(
    ("path", "value", "where"),
    [
        ("seed", "7", "/seed"),
        ("seed", -1, "/seed"),
        ("seed", 1.5, "/seed"),
        ("seed", True, "/seed"),
        ("id", 7, "/id"),
        ("title", [], "/title"),
        ("players", {}, "/players"),
        ("players", None, "/players"),
        ("players/1", "p2", "/players/1"),
        ("players/1/id", "p1", "/players/1/id"),
        ("players/1/id", 2, "/players/1/id"),
        ("players/1/id", "\ud800", "/players/1/id"),
        ("players/0/points", -1, "/players/0/points"),
        ("players/0/points", "9", "/players/0/points"),
        ("players/0/points", True, "/players/0/points"),
        ("players/0/points", 10**30, "/players/0/points"),
        ("players/0/byes", None, "/players/0/byes"),
        ("players/0/dropped", 0, "/players/0/dropped"),
        ("players/0/club", 3, "/players/0/club"),
        ("players/0/rank", 0, "/players/0/rank"),
        ("players/0/a~/b", 0, "/players/0/a~0~1b"),
        ("rounds", None, "/rounds"),
        ("rounds/0", "p1", "/rounds/0"),
        ("rounds/0/0", ["p1"], "/rounds/0/0"),
        ("rounds/0/0", {"a": "p1"}, "/rounds/0/0"),
        ("rounds/0/0", ["p1", "p9"], "/rounds/0/0/1"),
        ("rounds/0/0", ["p1", "p1"], "/rounds/0/0/1"),
        ("rounds/0/0", ["p3", "p1"], "/rounds/0/1/0"),
        ("rounds/0/0", [None, "p1"], "/rounds/0/0/0"),
        ("rounds/0/0", [["p1"], "p2"], "/rounds/0/0/0"),
        ("options", [], "/options"),
        ("options/avoid_same_club", "yes", "/options/avoid_same_club"),
        ("options/allow_rematch", None, "/options/allow_rematch"),
        ("options/avoid_rematch", True, "/options/avoid_rematch"),
        ("unknown", 1, "/unknown"),
    ],
)
def test_a_fault_is_reported_with_its_place(path, value, where):
    if path == "players/0/a~/b":
        document = copy.deepcopy(GOOD)
        document["players"][0]["a~/b"] = value
    else:
        document = changed(path, value)
    with pytest.raises(BadInput) as fault:
        pair_round(document)
    assert fault.value.where == where
    assert fault.value.message


@every_row("key", ["id", "points"])
def test_a_missing_key_is_pointed_to_where_it_would_stand(key):
    document = copy.deepcopy(GOOD)
    del document["players"][1][key]
    with pytest.raises(BadInput) as fault:
        pair_round(document)
    assert fault.value.where == f"/players/1/{key}"


def test_no_players_at_all_is_a_fault_and_an_empty_list_is_not():
    with pytest.raises(BadInput) as fault:
        pair_round({"id": "x"})
    assert fault.value.where == "/players"
    assert pair_round({"players": []})["pairings"] == []


def test_the_document_is_left_as_it_was():
    document = copy.deepcopy(GOOD)
    pair_round(document)
    assert document == GOOD


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["id", "players", "rounds", "points", "options", "seed", "byes", "club", "rank", "x"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(JSON)
@examples(300)
def test_any_json_gives_a_report_or_bad_input(document):
    try:
        report = pair_round(document)
    except BadInput as bad:
        report = {"error": {"code": "no-pairing"}} if bad.where.startswith("/") or bad.where == "" else {}
    assert "pairings" in report or report["error"]["code"] == "no-pairing"


FAULTS = [
    ("/seed", -1),
    ("/note", 7),
    ("/players/0/points", "9"),
    ("/players/0/club", 3),
    ("/players/0/byes_awarded", [1, 0]),
    ("/players/1/dropped", 0),
    ("/players/1/luck", 1),
    ("/players/2/id", "p1"),
    ("/players/2/rank", 0),
    ("/rounds/0/0/1", "p9"),
    ("/options/avoid_same_club", "yes"),
    ("/options/x", True),
]
PLACED = {"/players/0/byes_awarded": "/players/0/byes_awarded/1"}


@given(st.lists(st.sampled_from(FAULTS), unique_by=lambda fault: fault[0]))
@examples(150)
def test_exactly_the_planted_faults_are_reported(faults):
    document = copy.deepcopy(GOOD) | {"rounds": [[["p1", "p2"]]]}
    for where, value in faults:
        *way, last = [int(step) if step.isdigit() else step for step in where.split("/")[1:]]
        at = document
        for step in way:
            at = at[step]
        at[last] = value
    [report] = reports_on(json.dumps(document), pair_round)
    first = report.get("error")
    found = [] if first is None else [one["where"] for one in (first, *first.get("more", []))]
    assert sorted(found) == sorted(PLACED.get(where, where) for where, _value in faults)
