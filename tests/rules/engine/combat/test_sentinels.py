"""Sentinels (Compiled and Annotated Rulebook): their lines, their targets, their neighbours."""

from __future__ import annotations

from typing import Any

from rules.engine import adjudicate, line_of_fire, reachable
from tests.rules.engine.boards import character, position
from tests.tables import every_row


def sentinel(id: str, corner: str, **keys: Any) -> dict[str, Any]:
    column, row = ord(corner[0]), int(corner[1:])
    squares = [f"{chr(column + x)}{row + y}" for y in (0, 1) for x in (0, 1)]
    made = character(id, None, base="2x2", squares=squares, damage_symbol="sentinel", points=100, **keys)
    del made["square"]
    return made


def board(*people: tuple[str, dict[str, Any]], drawing: str = "", **parts: Any) -> dict[str, Any]:
    return position("car-2002", drawing or ". . . . . . . . . .\n" * 5, characters=list(people), **parts)


def result(document: dict[str, Any], **question: Any) -> Any:
    document["ask"] = [question]
    return adjudicate(document)["answers"][0]["result"]


def test_standard_figures_do_not_block_and_sentinels_do() -> None:
    people = [("A", character("a", "A1")), ("B", character("b", "C1")), ("B", sentinel("s", "E1"))]
    assert line_of_fire(board(*people), "a", "s")["result"] == "clear"
    assert line_of_fire(board(*people), "s", "a")["result"] == "clear"
    behind = [*people, ("B", character("c", "H1"))]
    assert line_of_fire(board(*behind), "a", "c")["result"] == "blocked"
    two = [("A", sentinel("s", "A1")), ("B", sentinel("t", "D1")), ("B", sentinel("u", "G1"))]
    assert line_of_fire(board(*two), "s", "u")["result"] == "blocked"


def test_with_a_roof_it_is_as_if_both_stood_on_one_level() -> None:
    roofs = ". . . . 2 2 2 . . .\n. . + . 2 2 2 . . .\n. . . . 2 2 2 . . .\n. . . . . . . . . .\n. . . . . . . . . ."
    people = [("A", sentinel("s", "A1")), ("B", character("b", "F2")), ("B", character("c", "H2"))]
    assert line_of_fire(board(*people, drawing=roofs), "s", "b")["result"] == "clear"
    assert line_of_fire(board(*people, drawing=roofs), "s", "c")["result"] == "blocked"


def test_it_shoots_and_is_shot_at_beside_opponents() -> None:
    people = [("A", sentinel("s", "B2")), ("B", character("b", "D2")), ("B", character("c", "I4"))]
    document = board(*people)
    assert result(document, ask="can-target", attack="ranged", **{"from": "s", "to": "c"})
    assert result(document, ask="can-target", attack="ranged", **{"from": "s", "to": "b"})
    assert result(document, ask="can-target", attack="ranged", **{"from": "b", "to": "s"})
    assert result(document, ask="can-target", attack="close", **{"from": "b", "to": "s"})
    assert not result(document, ask="can-target", attack="close", **{"from": "c", "to": "s"})


def test_twelve_squares_are_adjacent() -> None:
    document = board(("A", sentinel("s", "D2")))
    beside = 0
    for column in "ABCDEFGH":
        for row in range(1, 6):
            beside += (
                result(
                    board(("A", sentinel("s", "D2")), ("B", character("b", f"{column}{row}"))),
                    ask="adjacent",
                    a="s",
                    b="b",
                )
                if f"{column}{row}" not in document["sides"][0]["characters"][0]["squares"]
                else 0
            )
    assert beside == 12


@every_row("level", [2, 3])
def test_on_the_roof_beside_it_a_figure_can_fight_it(level: int) -> None:
    roofs = f". . {level} .\n. . . .\n. . . ."
    document = board(("A", sentinel("s", "A1")), ("B", character("b", "C1")), drawing=roofs)
    assert result(document, ask="can-target", attack="close", **{"from": "b", "to": "s"})
    assert result(document, ask="can-target", attack="close", **{"from": "s", "to": "b"})
    assert result(document, ask="break-away", of="b")["needed"] is False


def test_it_is_not_knocked_back_and_may_carry_friends_but_no_sentinel() -> None:
    people = [
        ("A", sentinel("s", "B2")),
        ("A", character("a", "D2")),
        ("A", sentinel("t", "B4")),
        ("B", character("b", "H1")),
    ]
    document = board(*people)
    assert result(document, ask="knock-back", of="s", clicks=2, **{"from": "b"})["damage"] == 0
    assert result(document, ask="can-carry", of="s", carried="a") is True
    assert result(document, ask="can-carry", of="s", carried="t") is False
    assert result(document, ask="can-carry", of="a", carried="s") is False


def test_hindering_terrain_does_not_slow_it_and_a_ledge_does_not_hold_it() -> None:
    rough = "+ + + + 2 .\n+ + + + 2 .\n. . . . . ."
    found = reachable(board(("A", sentinel("s", "A1", speed=3)), drawing=rough), "s")
    assert set(found) == {"A1", "B1", "C1", "A2", "B2", "C2"}


@every_row(("terrain", "between"), [("+", "hindered"), ("#", "blocked")])
def test_it_and_a_figure_on_a_roof_see_each_other_as_if_on_one_elevation(terrain: str, between: str) -> None:
    """Sentinels Rules: terrain on the ground between them is below the line; it isn't for a figure of common size."""
    ground = f". . . {terrain} . . 2\n. . . {terrain} . . 2"
    roof = ("B", character("b", "G1"))
    tall = board(("A", sentinel("s", "A1")), roof, drawing=ground)
    common = board(("A", character("s", "B1")), roof, drawing=ground)
    for one, other in (("s", "b"), ("b", "s")):
        assert result(tall, ask="line-of-fire", **{"from": one, "to": other}) == "clear"
    assert result(common, ask="line-of-fire", **{"from": "s", "to": "b"}) == between
