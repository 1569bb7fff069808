"""Breaking away and carrying, by hand from each book."""

from __future__ import annotations

from typing import Any

from rules.engine import adjudicate
from tests.rules.engine.boards import EDITIONS, character, position
from tests.tables import every_row

FLIGHTS = ("ic-2002", "car-2002", "dc-2005")


def ask(document: dict[str, Any], **question: Any) -> Any:
    document["ask"] = [question]
    answer = adjudicate(document)["answers"][0]
    assert answer["because"]
    assert answer["citations"]
    return answer["result"]


def beside(edition: str, mover: dict[str, Any], *others: dict[str, Any]) -> dict[str, Any]:
    squares = ["C3", "A1", "C1"]
    foes = [("B", character(f"f{n}", squares[n], **keys)) for n, keys in enumerate(others)]
    return position(edition, ". . . .\n" * 4, characters=[("A", character("a", "B2", **mover)), *foes])


@every_row("edition", EDITIONS)
@every_row(
    ("mover", "foe", "succeeds"),
    [
        ([], [], [4, 5, 6]),
        (["Plasticity"], [], [2, 3, 4, 5, 6]),
        ([], ["Plasticity"], [6]),
        (["Plasticity"], ["Plasticity"], [4, 5, 6]),
        (["Leap/Climb"], [], None),
        (["Phasing"], [], None),
        (["Hypersonic Speed"], [], None),
        (["Charge"], [], [4, 5, 6]),
    ],
)
def test_powers(edition: str, mover: list[str], foe: list[str], succeeds: list[int] | None) -> None:
    found = ask(beside(edition, {"powers": mover}, {"powers": foe}), ask="break-away", of="a")
    assert found["needed"] is (succeeds is not None)
    assert found["succeeds_on"] == (succeeds or [])
    assert found["from"] == ["f0"]


@every_row(
    ("sizes", "succeeds", "held_by"),
    [
        (("giant", "standard"), [3, 4, 5, 6], ["f0"]),
        (("colossal", "standard"), [], []),
        (("colossal", "giant"), [3, 4, 5, 6], ["f0"]),
        (("standard", "tiny"), [3, 4, 5, 6], ["f0"]),
        (("standard", "giant"), [4, 5, 6], ["f0"]),
        (("giant", "standard", "giant"), [4, 5, 6], ["f0", "f1"]),
        (("giant", "standard", "tiny"), [3, 4, 5, 6], ["f0"]),
    ],
)
def test_sizes_of_the_2020s(sizes: tuple[str, ...], succeeds: list[int], held_by: list[str]) -> None:
    mover, *foes = ({"damage_symbol": size} for size in sizes)
    found = ask(beside("core-modern", mover, *foes), ask="break-away", of="a")
    assert found == {"needed": bool(succeeds), "succeeds_on": succeeds, "from": held_by}


def test_giants_of_2005_mind_no_plasticity() -> None:
    document = beside("dc-2005", {"damage_symbol": "giant"}, {"powers": ["Plasticity"]})
    assert ask(document, ask="break-away", of="a")["succeeds_on"] == [3, 4, 5, 6]


def test_sentinels_always_break_away() -> None:
    sentinel = character("s", None, base="2x2", squares=["A1", "B1", "A2", "B2"], damage_symbol="sentinel")
    del sentinel["square"]
    document = position("car-2002", ". . .\n. . .", characters=[("A", sentinel), ("B", character("b", "C1"))])
    assert ask(document, ask="break-away", of="s")["needed"] is False
    assert ask(document, ask="break-away", of="b") == {"needed": True, "succeeds_on": [4, 5, 6], "from": ["s"]}


def wing(**keys: Any) -> dict[str, Any]:
    return {"speed_symbol": "wing"} | keys


CARRY = [
    # edition, carrier, passenger, carried
    ("ic-2002", wing(), {}, True),
    ("ic-2002", {}, {}, False),
    ("ic-2002", wing(flight="soaring"), {}, False),
    ("car-2002", wing(), wing(), True),
    ("car-2002", wing(), {"powers": ["Battle Fury"]}, False),
    ("dc-2005", wing(), {}, True),
    ("dc-2005", wing(), wing(), False),
    ("dc-2005", {"speed_symbol": "transporter-boot"}, {"speed_symbol": "dolphin"}, True),
    ("dc-2005", wing(), {"damage_symbol": "giant"}, False),
    ("core-2014", wing(), {}, True),
    ("core-2014", {"speed_symbol": "transporter-dolphin"}, {}, True),
    ("core-2014", wing(), {"speed_symbol": "transporter-boot"}, False),
    ("core-2014", wing(), {"kind": "horde", "stack": 3, "stack_max": 4}, False),
    ("core-modern", {}, {"damage_symbol": "tiny"}, True),
    ("core-modern", {}, {}, False),
    ("core-modern", wing(), {}, False),
    ("core-modern", {"damage_symbol": "giant"}, {}, True),
    ("core-modern", {"damage_symbol": "giant"}, {"keywords": ["Vehicle"]}, False),
]


@every_row(("edition", "carrier", "passenger", "carried"), CARRY)
def test_carrying(edition: str, carrier: dict[str, Any], passenger: dict[str, Any], carried: bool) -> None:
    people = [("A", character("a", "A1", **carrier)), ("A", character("b", "B1", **passenger))]
    document = position(edition, ". . .", characters=[*people, ("B", character("X", "C1"))])
    assert ask(document, ask="can-carry", of="a", carried="b") is carried
    assert ask(document, ask="can-carry", of="a", carried="X") is False
    assert ask(document, ask="can-carry", of="a", carried="a") is False


@every_row("edition", EDITIONS)
def test_a_figure_holding_an_object_is_not_carried(edition: str) -> None:
    big = wing(damage_symbol="giant") if edition == "core-modern" else wing()
    people = [("A", character("a", "A1", **big)), ("A", character("b", "B1", holding="bin"))]
    document = position(edition, ". .", characters=people, objects=[{"id": "bin", "kind": "light", "square": None}])
    assert ask(document, ask="can-carry", of="a", carried="b") is False
    document["sides"][0]["characters"][1]["holding"] = None
    assert ask(document, ask="can-carry", of="a", carried="b") is True


@every_row("edition", FLIGHTS)
def test_from_the_ground_no_one_breaks_away_from_a_soaring_character(edition: str) -> None:
    document = beside(edition, {}, wing(flight="soaring"))
    assert ask(document, ask="break-away", of="a")["needed"] is False
    document = beside(edition, wing(flight="soaring"), wing(flight="soaring"))
    assert ask(document, ask="break-away", of="a")["needed"] is True
