"""Hypersonic Speed against walls (Blocking Terrain, FAQ of 2002), and a chain of attacks that ends with a miss."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import clicks, fight, fighter, refused, state, steps

WALL = {"walls": ["E5|E6"]}


def rush(*dice: list[int], target: str = "E5|E6", **parts: Any) -> dict[str, Any]:
    keys = {"attacks": parts.pop("attacks")} if "attacks" in parts else {}
    given = {"action": "close", "actor": "a", "using": ["Hypersonic Speed"], "targets": [target], **keys}
    given["rolls"] = {"attack": list(dice)}
    mine = [fighter("a", "E5", powers=["Hypersonic Speed"])]
    return fight("car-2002", mine, [fighter("b", parts.pop("at", "P16"))], given, **parts)


def test_three_rolls_that_are_no_critical_miss_bring_a_wall_down() -> None:
    report = rush([2, 3], [1, 2], [4, 4], board=WALL)
    assert report["state"]["walls_destroyed"] == ["E5|E6"]
    assert report["unused"] == []
    assert clicks(report, "a") == [1]


def test_two_1s_end_it_and_hurt() -> None:
    report = rush([2, 3], [1, 1], board=WALL)
    assert report["state"]["walls_destroyed"] == []
    assert clicks(report, "a") == [2]


def test_the_next_die_is_awaited_and_fewer_attacks_leave_it_standing() -> None:
    assert rush([2, 3], board=WALL)["awaiting"]["roll"] == "attack"
    report = rush([2, 3], [2, 3], attacks=2, board=WALL)
    assert report["awaiting"] is None
    assert report["state"]["walls_destroyed"] == []


def test_a_wall_that_is_not_there_is_no_target() -> None:
    assert "No wall" in refused(rush([2, 3], [2, 3], [2, 3]))


def test_doubles_that_miss_knock_no_one_back() -> None:
    """7 on 10 hits 16; then double 2s give 14 against 17: the miss ends the chain; 1 click, no knockback."""
    report = rush([4, 3], [2, 2], target="b", at="E6")
    assert "knock-back" not in steps(report)
    assert clicks(report, "b") == [2]
    assert state(report, "b")["square"] == "E6"


def test_outwit_makes_super_strength_drop_its_object_and_restores_what_a_countered_outwit_held() -> None:
    lift = [{"id": "o", "kind": "heavy", "square": None}]
    free = {"action": "free", "using": ["Outwit"]}
    sly = fighter("a", "E5", powers=["Outwit"])
    strong = fighter("b", "E7", powers=["Super Strength"], holding="o")
    given = free | {"actor": "a", "targets": ["b"], "choose": {"counter": "Super Strength"}}
    for edition, held in (("car-2002", False), ("dc-2005", False), ("core-2014", False), ("core-modern", True)):
        report = fight(edition, [sly], [strong], given, objects=lift)
        assert (state(report, "b")["holding"] == "o") is held, edition
    crafty = fighter("b", "E7", powers=["Outwit"])
    target = fighter("c", "H7", powers=["Toughness"])
    first = free | {"actor": "b", "targets": ["c"], "choose": {"counter": "Toughness"}}
    second = free | {"actor": "a", "targets": ["b"], "choose": {"counter": "Outwit"}}
    report = fight(
        "car-2002", [sly, target], [crafty], first, {"action": "end-turn"}, second, turn={"active": "B", "number": 4}
    )
    assert "countered" not in state(report, "c")
    assert state(report, "b")["countered"] == ["Outwit"]
