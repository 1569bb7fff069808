"""A document with several independent faults reports each of them, at its place, and no other."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import BadInput, adjudicate, check_force, every_fault, reports_on, score_battle
from tests.examples import examples
from tests.rules.engine.documents.test_position import whole
from tests.tables import every_row

GONE = object()
FORCE: dict[str, Any] = {
    "id": "f",
    "edition": "core-2014",
    "event": {"build_total": 300, "format": "constructed", "date": "2014-06-01", "tactics": ["feats", "resources"]},
    "force": {
        "characters": [
            {"ref": "a", "name": "A", "points": 50, "teams": ["X", "Y"], "dial": [{"speed": 8, "powers": ["P", "Q"]}]},
            {"ref": "b", "name": "B", "points": 1, "rank": "unique", "kind": "character"},
            {"ref": "c", "name": "C", "points": 9, "proxy": False},
        ],
        "feats": [
            {"name": "F", "points": 5, "assigned_to": ["a", "b"]},
            {"name": "G", "points": 5, "assigned_to": ["b"], "requires": {"values": {"speed": 8}}},
        ],
        "objects": [{"name": "O", "kind": "heavy"}, {"name": "P", "kind": "light"}],
        "resources": [{"name": "R", "points": 5, "assigned_to": ["a"]}],
        "sideline": [{"name": "S", "points": 3}],
        "sideline_allowed_by": ["a", "b"],
    },
}
BATTLE: dict[str, Any] = {
    "id": "b",
    "edition": "car-2002",
    "build_total": 200,
    "ended": "time",
    "turn": 4,
    "attacker": "A",
    "roll_off": {"A": 7, "B": 9},
    "sides": [
        {
            "player": "A",
            "characters": [
                {"ref": "a", "name": "A", "points": 5, "fate": "defeated", "by": "c"},
                {"ref": "b", "name": "B", "points": 5, "fate": "survived"},
            ],
            "objects": [{"points": 4, "fate": "removed"}],
        },
        {
            "player": "B",
            "points": 100,
            "characters": [
                {"ref": "c", "name": "C", "points": 5, "fate": "survived", "teams": ["X"]},
                {"ref": "d", "name": "D", "points": 5, "fate": "survived"},
            ],
            "feats": [{"name": "F", "points": 5, "assigned_to": ["c", "d"]}],
        },
    ],
}
POSITION: dict[str, Any] = whole() | {
    "actions": [
        {"action": "move", "actor": "bat", "path": ["D2", "D3"]},
        {"action": "close", "actor": "bat", "targets": ["mob"], "rolls": {"attack": [[3, 4]]}},
        {"action": "power", "actor": "bat", "then": [{"action": "close", "actor": "bat", "targets": ["mob"]}]},
    ],
    "ask": [
        {"ask": "line-of-fire", "from": "bat", "to": "H4"},
        {"ask": "value", "of": "bat", "value": "speed"},
        {"ask": "break-away", "of": "bat"},
    ],
    "judge": [{"before": {"of": "bat"}, "set": {"victory_points": {"A": 10}, "characters": {"bat": {"click": 1}}}}],
}
Faults = list[tuple[str, Any]]
FORCE_FAULTS: Faults = [
    ("/id", 7),
    ("/title", []),
    ("/x", 1),
    ("/event/build_total", "300"),
    ("/event/format", "best"),
    ("/event/date", "2014-06-31"),
    ("/event/tactics/1", "magic"),
    ("/force/characters/0/points", -22),
    ("/force/characters/0/teams/1", 7),
    ("/force/characters/0/dial/0/speed", "8"),
    ("/force/characters/0/dial/0/powers/0", None),
    ("/force/characters/1/points", GONE),
    ("/force/characters/1/rank", "gold"),
    ("/force/characters/1/kind", "Bystander"),
    ("/force/characters/2/ref", "a"),
    ("/force/characters/2/a~1b", 1),
    ("/force/characters/2/proxy", "no"),
    ("/force/feats/0/assigned_to/0", "nobody"),
    ("/force/feats/0/points", 1.5),
    ("/force/feats/1/requires/values/luck", 3),
    ("/force/objects/0/kind", "Heavy"),
    ("/force/objects/1/special", 0),
    ("/force/resources/0/assigned_to/0", "object-1"),
    ("/force/sideline/0/name", ""),
    ("/force/sideline_allowed_by/0", "ghost"),
]
BATTLE_FAULTS: Faults = [
    ("/build_total", None),
    ("/turn", "4"),
    ("/attacker", "nobody"),
    ("/roll_off/C", 7),
    ("/roll_off/A", 13),
    ("/sides/0/points", -1),
    ("/sides/0/characters/0/by", "nobody"),
    ("/sides/0/characters/0/cause", "boredom"),
    ("/sides/0/characters/1/fate", "dead"),
    ("/sides/0/characters/1/name", GONE),
    ("/sides/0/objects/0/fate", "defeated"),
    ("/sides/0/objects/0/by", "nobody"),
    ("/sides/1/points", "many"),
    ("/sides/1/characters/0/points", 1.5),
    ("/sides/1/characters/0/teams", "X"),
    ("/sides/1/characters/0/last_damaged_by", "C"),
    ("/sides/1/characters/1/order", -1),
    ("/sides/1/characters/1/replaces", "a"),
    ("/sides/1/characters/1/luck", 1),
    ("/sides/1/feats/0/assigned_to/1", "a"),
    ("/sides/1/feats/0/per_character", "yes"),
]
POSITION_FAULTS: Faults = [
    ("/build_total", -100),
    ("/map/kind", "underwater"),
    ("/map/terrain/0/level", 0),
    ("/map/walls", ["H1|I1"]),
    ("/map/markers/0/square", "A9"),
    ("/objects/0/square", "Z1"),
    ("/objects/0/special", "yes"),
    ("/sides/0/ttpc_used", "1"),
    ("/sides/0/characters/0/square", "I1"),
    ("/sides/0/characters/0/points", "80"),
    ("/sides/0/characters/0/dial/0/speed", -1),
    ("/sides/0/characters/0/symbols/attack/1", "claw"),
    ("/sides/0/characters/0/modifiers/0/value", "luck"),
    ("/sides/0/characters/0/last_damaged_by", "C"),
    ("/sides/1/characters/0/captured_by", "nobody"),
    ("/sides/1/characters/1/stack", 0),
    ("/sides/1/characters/1/wings", 2),
    ("/turn/active", "C"),
    ("/turn/number", 0),
    ("/actions/0/path/1", "Q1"),
    ("/actions/1/targets/0", "nobody"),
    ("/actions/1/rolls/attack/0", [3]),
    ("/actions/2/then/0/actor", "nobody"),
    ("/ask/0/from", "nobody"),
    ("/ask/0/to", "I4"),
    ("/ask/2/of", "D1"),
    ("/judge/0/before/of", "nobody"),
    ("/judge/0/set/victory_points/C", 5),
    ("/judge/0/set/characters/bat/square", "A9"),
]
KINDS = {
    "force": (check_force, FORCE, FORCE_FAULTS),
    "battle": (score_battle, BATTLE, BATTLE_FAULTS),
    "position": (adjudicate, POSITION, POSITION_FAULTS),
}


def planted(document: dict[str, Any], faults: Faults) -> dict[str, Any]:
    """Return the document with these faults."""
    made = copy.deepcopy(document)
    for where, value in faults:
        *path, last = [part.replace("~1", "/").replace("~0", "~") for part in where.split("/")[1:]]
        holder: Any = made
        for part in path:
            holder = holder[int(part)] if isinstance(holder, list) else holder[part]
        if value is GONE:
            del holder[last]
        elif isinstance(holder, list):
            holder[int(last)] = value
        else:
            holder[last] = value
    return made


def found(answer: Any, document: dict[str, Any]) -> list[str]:
    """Return the places of the faults that are reported, in order."""
    report = next(reports_on(json.dumps(document), answer))
    first = report.get("error")
    every = [] if first is None else [first, *first.get("more", [])]
    assert all(one["code"] == "bad-input" and one["message"] for one in every)
    assert all("more" not in one for one in every[1:])
    return [one["where"] for one in every]


@pytest.mark.parametrize("kind", KINDS)
@examples(200)
@given(st.data())
def test_exactly_the_planted_faults_are_reported(kind: str, data: st.DataObject) -> None:
    answer, document, faults = KINDS[kind]
    chosen = data.draw(st.lists(st.sampled_from(faults), max_size=8, unique_by=lambda fault: fault[0]))
    assert sorted(found(answer, planted(document, chosen))) == sorted(where for where, _value in chosen)


@every_row("kind", KINDS)
def test_each_fault_stands_alone(kind: str) -> None:
    answer, document, faults = KINDS[kind]
    assert found(answer, document) == []
    for where, value in faults:
        assert found(answer, planted(document, [(where, value)])) == [where]
    assert len(found(answer, planted(document, faults))) == 21


def test_of_many_faults_the_first_and_twenty_more_are_reported() -> None:
    wrong = FORCE | {"force": {"characters": [{"name": "A", "points": -1}] * 50}}
    assert found(check_force, wrong) == [f"/force/characters/{place}/points" for place in range(21)]


def test_a_document_with_one_fault_reports_it_as_before() -> None:
    report = next(reports_on(json.dumps(FORCE | {"x": 1}), check_force))
    assert report["error"].keys() == {"code", "where", "message"}


def test_faults_that_depend_on_a_name_are_not_told() -> None:
    unnamed = planted(POSITION, [("/sides/0/characters/0/id", 7)])
    assert found(adjudicate, unnamed) == ["/sides/0/characters/0/id"]
    without_edition = planted(BATTLE, [("/edition", "car-2003"), ("/turn", "4")])
    assert sorted(found(score_battle, without_edition)) == ["/edition", "/turn"]


def test_a_value_that_is_needed_goes_with_its_holder_before_its_place_is_tried_again() -> None:
    """Of five further readings, two are for a value's holder and three for a name behind it and the fault behind both."""

    @every_fault
    def read(document: dict[str, Any]) -> None:
        for where, is_faulty in (
            ("/card/cost", document.get("card", {"cost": 5}).get("cost") != 5),
            ("/name", document.get("name", "A") != "A"),
            ("/last", "last" in document),
        ):
            if is_faulty:
                raise BadInput(where, "This is wrong.")

    with pytest.raises(BadInput) as caught:
        read({"card": {"cost": 7}, "name": "B", "last": 1})
    assert [fault.where for fault in caught.value.every] == ["/card/cost", "/name", "/last"]


def test_actions_nested_beyond_what_can_be_read_are_one_fault() -> None:
    action: dict[str, Any] = {"action": "pass"}
    for _ in range(480):
        action = {"action": "pass", "then": [action]}
    with pytest.raises(BadInput) as caught:
        adjudicate(POSITION | {"actions": [action]})
    assert caught.value.where == ""
