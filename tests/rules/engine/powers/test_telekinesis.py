"""Telekinesis: what it may move, where to, and how it fires an object; worked out by hand from the books."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import clicks, fight, fighter, refused, state, steps
from tests.tables import every_row

CAR, DC, NEW, MODERN = "car-2002", "dc-2005", "core-2014", "core-modern"
LATER = (DC, NEW, MODERN)
LIGHT = [{"id": "o", "kind": "light", "square": "E6"}]
SEVEN = {"rolls": {"attack": [[4, 3]]}, "choose": {"knock-back": False}}


def lifter(**keys: Any) -> dict[str, Any]:
    return fighter("a", "E5", powers=["Telekinesis"], **keys)


def moves(edition: str, target: str, square: str, **parts: Any) -> dict[str, Any]:
    kind = "close" if edition == CAR else "power"
    given = {"action": kind, "actor": "a", "using": ["Telekinesis"], "targets": [target], "choose": {"square": square}}
    mine = parts.pop("mine", [lifter()])
    return fight(edition, mine, parts.pop("theirs", [fighter("z", "P16")]), given, **parts)


def fires(edition: str, at: str, *, mine: Any = None, objects: Any = None, more: Any = (), **parts: Any):
    kind = "ranged" if edition == CAR else "power"
    given = {"action": kind, "actor": "a", "using": ["Telekinesis"], "targets": ["b"], "with_object": "o", **SEVEN}
    given |= parts.pop("given", {})
    enemy = fighter("b", at, **parts.pop("enemy", {}))
    return fight(edition, mine or [lifter()], [enemy, *more], given, objects=objects or LIGHT, **parts)


HINDERING = {"terrain": [{"type": "hindering", "squares": ["E9"]}]}


def test_an_object_is_put_into_clear_terrain_in_2002_and_into_hindering_terrain_too_later() -> None:
    assert "clear terrain" in refused(moves(CAR, "o", "E9", objects=LIGHT, board=HINDERING))
    for edition in LATER:
        report = moves(edition, "o", "E9", objects=LIGHT, board=HINDERING)
        assert report["state"]["objects"]["o"]["square"] == "E9"
    water = {"terrain": [{"type": "water", "squares": ["E9"]}]}
    for edition in (CAR, *LATER):
        assert refused(moves(edition, "o", "E9", objects=LIGHT, board=water))


@every_row("edition", [CAR, *LATER])
def test_an_object_goes_10_squares_and_no_further(edition: str) -> None:
    assert moves(edition, "o", "E16", objects=LIGHT)["state"]["objects"]["o"]["square"] == "E16"
    assert "nothing farther than 10 squares" in refused(moves(edition, "o", "P6", objects=LIGHT))


def test_agents_and_enhancement_help_a_fired_object_in_2002() -> None:
    """A light object deals 2; a S.H.I.E.L.D. agent adds 1 and Enhancement 1 (Steenbock, 2002-05-07)."""
    mine = [lifter(), fighter("s", "D5", teams=["S.H.I.E.L.D."]), fighter("e", "D4", powers=["Enhancement"])]
    report = fires(CAR, "E9", mine=mine, given={"assist": ["s"]})
    assert clicks(report, "b") == [5]
    assert state(report, "s")["tokens"] == 1


@every_row("edition", [CAR, *LATER])
def test_the_fired_object_does_not_hinder_its_own_line_of_fire(edition: str) -> None:
    """10 + 6 is exactly the defense of 16: the object in E6 gives the target nothing."""
    report = fires(edition, "E9", given={"rolls": {"attack": [[4, 2]]}})
    assert "hit" in steps(report)
    assert report["state"]["objects"]["o"]["removed"] is True


def test_a_way_around_walls_counts_in_2002_only() -> None:
    """The target stands behind a long wall: 4 squares in a straight line, more than 10 around it."""
    wall = {"walls": [f"{letter}6|{letter}7" for letter in "ABCDEFGHIJKLMN"]}
    objects = [{"id": "o", "kind": "light", "square": "D5"}]
    assert fires(CAR, "E9", objects=objects)["legal"] is True
    assert refused(fires(CAR, "E9", objects=objects, board=wall))


def test_elevated_targets_cost_one_square_more_in_2002() -> None:
    """The object in E5 beside the figure in E4: 10 squares to E15; one more on a rooftop."""
    objects = [{"id": "o", "kind": "light", "square": "E5"}]
    roof = {"terrain": [{"type": "elevated", "squares": ["E15"]}]}
    for edition, legal in ((CAR, False), (DC, True)):
        report = fires(edition, "E15", mine=[fighter("a", "E4", powers=["Telekinesis"])], objects=objects, board=roof)
        assert report["legal"] is legal, edition
    flat = fires(CAR, "E15", mine=[fighter("a", "E4", powers=["Telekinesis"])], objects=objects)
    assert flat["legal"] is True


def test_fliers_may_fire_past_an_adjacent_opponent_in_2005() -> None:
    near = fighter("c", "D5")
    winged = lifter(symbols={"speed": "wing"})
    assert refused(fires(DC, "E9", more=[near]))
    assert refused(fires(CAR, "E9", mine=[winged], more=[near]))
    assert fires(DC, "E9", mine=[winged], more=[near])["legal"] is True


def test_soaring_figures_lift_only_soaring_ones() -> None:
    winged = lifter(symbols={"speed": "wing"}, flight="soaring")
    for edition in (CAR, DC):
        assert "soaring" in refused(moves(edition, "o", "E9", mine=[winged], objects=LIGHT))
        friend = fighter("f", "E6", symbols={"speed": "wing"}, flight="soaring")
        report = moves(edition, "f", "E9", mine=[winged, friend])
        assert state(report, "f")["square"] == "E9"


@every_row(("kind", "damage"), [("light", 2), ("heavy", 3), ("ultra-light", 1)])
def test_what_a_fired_object_deals_in_2014(kind: str, damage: int) -> None:
    report = fires(NEW, "E9", objects=[{"id": "o", "kind": kind, "square": "E6"}])
    assert clicks(report, "b") == [1 + damage]
