"""The question `actions`: what a character may be given now, and why not; what it may do by what it is."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import fight, fighter


def offered(edition: str, mine: list[Any], theirs: list[Any], **parts: Any) -> dict[tuple[str, str], dict[str, Any]]:
    report = fight(edition, mine, theirs, ask=[{"ask": "actions", "of": "a"}], **parts)
    return {(one["action"], " ".join(one.get("using", ()))): one for one in report["answers"][0]["result"]}


def sentinel() -> dict[str, Any]:
    made = fighter("a", None, base="2x2", squares=["E5", "F5", "E6", "F6"], symbols={"damage": "sentinel"}, range=8)
    del made["square"]
    return made


def test_a_sentinel_captures_and_attacks_twice_until_it_holds_somebody() -> None:
    free = offered("car-2002", [sentinel()], [fighter("b", "G5"), fighter("c", "K5")])
    assert free["close", "Capture"]["targets"] == ["b"]
    assert free["power", "Multi-Attack"]["legal"] is True
    assert ("move", "Release") not in free
    holding = offered("car-2002", [sentinel()], [fighter("b", "G5"), fighter("c", None, captured_by="a")])
    assert holding["move", "Release"]["because"] == ["a's whole base must be within A's starting area."]
    home = {"terrain": [{"type": "starting-area", "player": "A", "squares": ["A5:P6"]}]}
    there = offered("car-2002", [sentinel()], [fighter("b", "G5"), fighter("c", None, captured_by="a")], board=home)
    assert there["move", "Release"]["legal"] is True
    assert ("power", "Multi-Attack") not in holding
    assert ("close", "Capture") not in offered("car-2002", [fighter("a", "E5")], [fighter("b", "E6")])


def test_a_captor_that_is_no_sentinel_releases_nobody_in_2002() -> None:
    held = fighter("c", None, captured_by="a")
    assert ("move", "Release") not in offered("car-2002", [fighter("a", "E5")], [fighter("b", "G5"), held])
    assert ("power", "Release") in offered("core-2014", [fighter("a", "E5")], [fighter("b", "G5"), held])


def test_a_sentinel_with_two_captives_only_shoots() -> None:
    """Sentinels Rules › Capturing."""
    held = [fighter(name, None, captured_by="a") for name in ("c", "d")]
    full = offered("car-2002", [sentinel()], [fighter("b", "G5"), *held])
    assert full["ranged", ""]["targets"] == ["b"]
    why = ["a holds 2 captives and makes no close attacks."]
    assert full["close", ""]["because"] == full["close", "Capture"]["because"] == why


def test_no_sentinel_is_offered_for_capture_and_none_without_a_friend_for_a_rescue() -> None:
    other = sentinel() | {"id": "s", "squares": ["G5", "H5", "G6", "H6"]}
    assert offered("car-2002", [sentinel()], [other])["close", "Capture"]["legal"] is False
    third = sentinel() | {"id": "t", "squares": ["E3", "F3", "E4", "F4"]}
    mine = [fighter("a", "G4"), fighter("c", None, captured_by="s")]
    assert offered("car-2002", mine, [other, third])["close", "Rescue"]["targets"] == ["s"]


def test_a_pass_is_given_on_the_own_turn_to_who_is_there() -> None:
    away = offered("car-2002", [fighter("a", None), fighter("b", "C3")], [fighter("z", "E6")])
    assert away["pass", ""]["because"] == ["a is not on the map."]
    theirs = offered("car-2002", [fighter("a", "C3")], [fighter("z", "E6")], turn={"active": "B", "number": 4})
    assert theirs["pass", ""]["because"] == ["It is B's turn."]
    tired = offered("car-2002", [sentinel() | {"acted": True, "tokens": 1}], [fighter("z", "P16")])
    assert tired["pass", ""]["legal"] is False


def test_who_has_a_friend_in_captivity_may_rescue() -> None:
    captor = sentinel() | {"id": "s"}
    mine = [fighter("a", "G5"), fighter("c", None, captured_by="s")]
    assert offered("car-2002", mine, [captor])["close", "Rescue"]["targets"] == ["s"]


def test_no_action_left_leaves_what_costs_none() -> None:
    mine = [fighter("a", "E5", teams=["Avengers"], powers=["Outwit"]), fighter("c", "A1", acted=True, tokens=1)]
    found = offered("car-2002", mine, [fighter("b", "E6")], build_total=100)
    assert found["move", ""]["because"] == ["A has given 1 of 1 actions this turn."]
    assert found["move", "Avengers"]["legal"] is True
    assert found["free", "Outwit"]["legal"] is True


def test_what_has_been_used_or_comes_at_the_beginning_is_not_offered_again() -> None:
    mine = [fighter("a", "E5", powers=["Outwit", "Poison"], used=["Outwit"]), fighter("c", "A1", acted=True, tokens=1)]
    found = offered("car-2002", mine, [fighter("b", "E6")])
    assert found["free", "Outwit"]["because"] == ["a has used Outwit this turn already."]
    assert "beginning of the turn" in found["free", "Poison"]["because"][0]
    waiting = offered("car-2002", mine[:1], [fighter("b", "E6")], turn={"active": "B", "number": 4})
    assert "It is B's turn." in waiting["free", "Outwit"]["because"]
    gone = offered("car-2002", [fighter("a", None, powers=["Outwit"])], [fighter("b", "E6")])
    assert gone["free", "Outwit"]["because"] == ["a is not on the map."]


def test_a_relic_is_rolled_for_where_it_lies() -> None:
    thing = [{"id": "o", "kind": "immobile", "special": True, "square": "E5"}]
    assert ("power", "Relic") in offered("core-2014", [fighter("a", "E5")], [fighter("b", "P16")], objects=thing)
    assert ("power", "Relic") not in offered("core-2014", [fighter("a", "E6")], [fighter("b", "P16")], objects=thing)
