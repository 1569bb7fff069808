"""Questions about figures off the map and empty squares, and what is said of pushed and unpushed figures."""

from __future__ import annotations

from typing import Any

from rules.engine import adjudicate
from tests.rules.engine.boards import EDITIONS, character, position
from tests.tables import every_row


def asked(edition: str, **question: Any) -> tuple[Any, str]:
    document = position(edition, ". . . .", "a . B .", characters=[("A", character("g", None))])
    document["ask"] = [question]
    found = adjudicate(document)["answers"][0]
    return found["result"], " ".join(found["because"])


@every_row("edition", EDITIONS)
@every_row(
    ("question", "result", "why"),
    [
        ({"ask": "distance", "from": "a", "to": "g"}, None, "isn't on the map"),
        ({"ask": "line-of-fire", "from": "a", "to": "g"}, "blocked", "g isn't on the map"),
        ({"ask": "can-target", "attack": "close", "from": "a", "to": "D1"}, False, "No character is in that square"),
        ({"ask": "can-target", "attack": "close", "from": "a", "to": "g"}, False, "g isn't on the map"),
        ({"ask": "can-target", "attack": "ranged", "from": "g", "to": "B"}, False, "g isn't on the map"),
        ({"ask": "reachable", "of": "g"}, [], "g isn't on the map"),
        ({"ask": "adjacent", "a": "a", "b": "g"}, False, "off the map is adjacent to no one"),
        ({"ask": "break-away", "of": "g"}, {"needed": False, "succeeds_on": [], "from": []}, "g isn't on the map"),
    ],
)
def test_who_is_not_there(edition: str, question: dict[str, Any], result: Any, why: str) -> None:
    found, because = asked(edition, **question)
    assert found == result
    assert why in because


@every_row("edition", EDITIONS)
def test_a_square_means_the_figure_in_it(edition: str) -> None:
    by_square = asked(edition, ask="can-target", attack="ranged", **{"from": "A1", "to": "C1"})
    by_name = asked(edition, ask="can-target", attack="ranged", **{"from": "a", "to": "B"})
    assert by_square == by_name
    assert by_square[0] is True


@every_row("edition", EDITIONS)
def test_knock_back_of_no_one(edition: str) -> None:
    found, why = asked(edition, ask="knock-back", of="g", clicks=2, **{"from": "a"})
    assert found == {"ends": None, "damage": 0}
    assert "g isn't on the map" in why
