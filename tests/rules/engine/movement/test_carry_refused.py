"""Characters that can't be carried, with the reason, and breaking away without a roll or without room, by hand."""

from __future__ import annotations

from typing import Any

from rules.engine import adjudicate
from tests.rules.engine.boards import EDITIONS, character, position
from tests.tables import every_row

WING = {"speed_symbol": "wing"}
FLIGHTS = ("ic-2002", "car-2002", "dc-2005")


def answer(document: dict[str, Any], **question: Any) -> tuple[Any, str]:
    document["ask"] = [question]
    found = adjudicate(document)["answers"][0]
    return found["result"], found["because"][0]


def carries(document: dict[str, Any], carried: str = "b") -> tuple[Any, str]:
    return answer(document, ask="can-carry", of="a", carried=carried)


def pair(edition: str, mover: dict[str, Any], friend: dict[str, Any], squares: str = "a b .") -> dict[str, Any]:
    return position(edition, ". . .\n. . .", squares, who={"a": mover, "b": friend})


@every_row("edition", EDITIONS)
def test_no_one_off_the_map_carries_or_is_carried(edition: str) -> None:
    document = position(edition, ". .", "a .", who={"a": WING}, characters=[("A", character("b", None))])
    assert carries(document) == (False, "Only characters on the map can carry or be carried.")


@every_row("edition", EDITIONS)
def test_opponents_and_oneself_are_not_carried(edition: str) -> None:
    document = position(edition, ". .", "a B", who={"a": WING})
    assert carries(document, "B") == (False, "a can't carry B: B isn't friendly to a.")
    assert carries(document, "a")[0] is False


@every_row("edition", FLIGHTS)
def test_a_soaring_figure_must_hover_to_pick_anyone_up(edition: str) -> None:
    found, why = carries(pair(edition, WING | {"flight": "soaring"}, {}))
    assert found is False
    assert "must hover" in why


@every_row("edition", EDITIONS)
def test_a_figure_that_is_not_adjacent_is_not_carried(edition: str) -> None:
    assert carries(pair(edition, WING | ({"flight": "hovering"} if edition in FLIGHTS else {}), {}, "a . b")) == (
        False,
        "a and b aren't adjacent: their squares don't touch.",
    )


@every_row("edition", EDITIONS)
def test_a_figure_holding_an_object_is_not_carried(edition: str) -> None:
    document = pair(
        edition,
        WING | ({"flight": "hovering"} if edition in FLIGHTS else {}),
        {"powers": ["Super Strength"], "holding": "o"},
    )
    document["objects"] = [{"id": "o", "kind": "light", "square": None}]
    assert carries(document) == (False, "b holds an object and can't be carried.")


@every_row("edition", EDITIONS)
def test_battle_fury_is_not_carried(edition: str) -> None:
    mover = WING | ({"flight": "hovering"} if edition in FLIGHTS else {})
    assert carries(pair(edition, mover, {"powers": ["Battle Fury"]})) == (
        False,
        "b has Battle Fury, so it can't be carried.",
    )


@every_row(
    ("edition", "friend", "why"),
    [
        ("dc-2005", {"speed_symbol": "wing"}, "it has the wing symbol"),
        ("core-2014", {"speed_symbol": "transporter-boot"}, "it has a transporter symbol"),
        ("dc-2005", {"damage_symbol": "giant"}, "it is a giant"),
        ("core-2014", {"damage_symbol": "colossal"}, "it is a giant or colossal"),
        ("core-2014", {"kind": "horde", "stack": 2}, "it is a stack of horde tokens"),
        ("core-modern", {"keywords": ["Vehicle"], "damage_symbol": "tiny"}, "it is a vehicle."),
        ("core-modern", {}, "it isn't smaller than a (both standard)."),
    ],
)
def test_passengers_that_each_book_refuses(edition: str, friend: dict[str, Any], why: str) -> None:
    mover = WING | ({"flight": "hovering"} if edition in FLIGHTS else {})
    found, because = carries(pair(edition, mover, friend))
    assert found is False
    assert because.startswith(f"b can't be carried: {why}")


def test_a_base_of_two_squares_is_not_carried() -> None:
    wide = character("b", None, base="peanut")
    wide |= {"squares": ["B1", "C1"]}
    wide.pop("square")
    document = position("core-2014", ". . .", "a . .", who={"a": WING}, characters=[("A", wide)])
    assert carries(document) == (False, "b can't be carried: it has a larger base.")


@every_row("edition", EDITIONS)
def test_off_the_map_no_one_breaks_away(edition: str) -> None:
    document = position(edition, ". .", ". B", characters=[("A", character("a", None))])
    found, why = answer(document, ask="break-away", of="a")
    assert (found["needed"], why) == (False, "a isn't on the map.")


def test_two_with_plasticity_are_not_added_up() -> None:
    two = position("dc-2005", ". . .", "B a C", who={"B": {"powers": ["Plasticity"]}, "C": {"powers": ["Plasticity"]}})
    found, _ = answer(two, ask="break-away", of="a")
    assert found["succeeds_on"] == [6]
