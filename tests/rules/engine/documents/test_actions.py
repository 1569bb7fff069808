"""Actions in position files: errors point to their place, valid ones are read completely."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine import BadInput, adjudicate
from tests.rules.engine.fights import battle, done, fighter
from tests.tables import every_row


def fault(*given: Any, **parts: Any) -> tuple[str, str]:
    document = battle("car-2002", [fighter("a", "C3")], [fighter("b", "D3")], **parts)
    document["actions"] = list(given)
    with pytest.raises(BadInput) as caught:
        adjudicate(document)
    return caught.value.where, caught.value.message


BLOW = done("close", "a", "b")
WRONG: list[Any] = [
    (BLOW | {"action": "jump"}, "/actions/0/action", "must be one of move, close"),
    (BLOW | {"action": 3}, "/actions/0/action", "must be one of"),
    ({"actor": "a"}, "/actions/0/action", '"action" is required'),
    ({"action": "close", "targets": ["b"]}, "/actions/0/actor", '"actor" is required'),
    (BLOW | {"actor": "nobody"}, "/actions/0/actor", "No character has the id"),
    (BLOW | {"targets": ["nobody"]}, "/actions/0/targets/0", "isn't a character, object, square or edge"),
    (BLOW | {"targets": ["Z99"]}, "/actions/0/targets/0", "isn't a character, object, square or edge"),
    (BLOW | {"targets": ["P16|P17"]}, "/actions/0/targets/0", "isn't a character, object, square or edge"),
    (BLOW | {"targets": "b"}, "/actions/0/targets", "list"),
    (BLOW | {"carry": ["nobody"]}, "/actions/0/carry/0", "No character has the id"),
    (BLOW | {"assist": ["b", "nobody"]}, "/actions/0/assist/1", "No character has the id"),
    (BLOW | {"with_object": "rock"}, "/actions/0/with_object", "No object has the id"),
    (BLOW | {"pick_up": "rock"}, "/actions/0/pick_up", "No object has the id"),
    (BLOW | {"path": ["C3", "Q1"]}, "/actions/0/path/1", "Q1 isn't on the map"),
    (BLOW | {"path": ["here"]}, "/actions/0/path/0", "must be a square such as D4"),
    (BLOW | {"put_down": "A17"}, "/actions/0/put_down", "A17 isn't on the map"),
    (BLOW | {"at": "A17"}, "/actions/0/at", "A17 isn't on the map"),
    (BLOW | {"flight": "floating"}, "/actions/0/flight", "must be hovering or soaring"),
    (BLOW | {"choose": []}, "/actions/0/choose", "must be an object"),
    (BLOW | {"divide": {"b": -1}}, "/actions/0/divide/b", ""),
    (BLOW | {"divide": {"b": 1.5}}, "/actions/0/divide/b", ""),
    (BLOW | {"attacks": -1}, "/actions/0/attacks", ""),
    (BLOW | {"rolls": {"attack": [[7, 1]]}}, "/actions/0/rolls/attack/0/0", ""),
    (BLOW | {"rolls": {"attack": [[3]]}}, "/actions/0/rolls/attack/0", "This roll needs 2 dice, not 1"),
    (
        BLOW | {"rolls": {"super-senses:b": [[3, 4]]}},
        "/actions/0/rolls/super-senses:b/0",
        "This roll needs 1 die, not 2",
    ),
    (BLOW | {"rolls": {"attack/reroll": [[3]]}}, "/actions/0/rolls/attack~1reroll/0", "needs 2 dice"),
    (BLOW | {"rolls": {"attack": [3, 4]}}, "/actions/0/rolls/attack/0", "list"),
    (BLOW | {"luck": 1}, "/actions/0/luck", ""),
    (BLOW | {"then": [BLOW, BLOW | {"actor": "nobody"}]}, "/actions/0/then/1/actor", "No character has the id"),
    ("close", "/actions/0", "must be an object"),
]


@every_row(("given", "where", "message"), WRONG)
def test_errors_point_to_their_place(given: Any, where: str, message: str) -> None:
    found, why = fault(given)
    assert found == where
    assert message in why


def test_the_second_action_is_pointed_to() -> None:
    assert fault(BLOW, BLOW | {"actor": "nobody"})[0] == "/actions/1/actor"


def test_actions_do_not_grant_each_other_without_end() -> None:
    deep = BLOW
    for _ in range(12):
        deep = BLOW | {"then": [deep]}
    where, why = fault(deep)
    assert "too deeply" in why
    assert where.startswith("/actions/0/then")


def test_everything_that_may_be_null_and_notes_are_read() -> None:
    given = BLOW | dict.fromkeys(
        (
            "path",
            "using",
            "choose",
            "assist",
            "divide",
            "carry",
            "pick_up",
            "put_down",
            "with_object",
            "flight",
            "then",
            "attacks",
            "at",
        )
    )
    given |= {"note": {"said": "by both"}, "by": 3, "rolls": {"attack": [[4, 3]], "super-senses:b": [[1]]}}
    report = adjudicate(battle("car-2002", [fighter("a", "C3")], [fighter("b", "D3")], given))
    assert report["state"]["characters"]["b"]["click"] == 4
    assert report["unused"] == ["super-senses:b"]


def test_an_edge_and_a_square_of_the_map_may_be_targets() -> None:
    document = battle(
        "car-2002", [fighter("a", "C3")], [fighter("b", "H3")], done("close", "a", "C3|C4"), board={"walls": ["C3|C4"]}
    )
    assert adjudicate(document)["state"]["walls_destroyed"] == ["C3|C4"]
