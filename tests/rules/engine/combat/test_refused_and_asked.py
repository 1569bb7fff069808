"""Refusals and questions of attacks: objects not held, impossible directions, friends in a wave; by hand."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import clicks, done, fight, fighter, refused, state, walk
from tests.rules.engine.powers.test_speed_2002 import sentinel
from tests.tables import every_row

CAR, DC, NEW, MODERN = "car-2002", "dc-2005", "core-2014", "core-modern"
FAR = [fighter("z", "P16")]
SEVEN = {"rolls": {"attack": [[4, 3]]}}


@every_row(
    ("edition", "kind", "given", "why"),
    [
        (NEW, "ultra-heavy", done("ranged", "a", "b", with_object="o"), "Ultra-heavy objects can't be thrown"),
        (
            NEW,
            "ultra-light",
            done("close", "a", "b", with_object="o"),
            "An ultra light object can't be used in close combat",
        ),
        (CAR, "light", done("ranged", "a", "b", with_object="p"), "a doesn't hold that object"),
    ],
)
def test_what_is_not_used_as_a_weapon(edition: str, kind: str, given: dict[str, Any], why: str) -> None:
    mine = [fighter("a", "C3", powers=["Super Strength"], holding="o", points=150)]
    things = [{"id": "o", "kind": kind, "square": None}, {"id": "p", "kind": "light", "square": "H9"}]
    target = fighter("b", "D3" if given["action"] == "close" else "F3")
    assert why in refused(fight(edition, mine, [target], given, objects=things))


def test_an_ultra_light_object_stays_in_hand_in_close_combat() -> None:
    """Ultra Light: not used when making a close combat attack."""
    mine = [fighter("a", "C3", holding="o")]
    report = fight(
        NEW,
        mine,
        [fighter("b", "D3")],
        done("close", "a", "b", **SEVEN),
        objects=[{"id": "o", "kind": "ultra-light", "square": None}],
    )
    assert (clicks(report, "b"), state(report, "a")["holding"]) == ([4], "o")


def crooked(direction: str | None) -> dict[str, Any]:
    choose = {"knock-back-direction": direction} if direction else {}
    given = done("ranged", "a", "b", rolls={"attack": [[4, 4]]}, choose=choose)
    return fight(CAR, [fighter("a", "C3", range=8)], [fighter("b", "G5")], given)


@every_row(("direction", "square"), [("E", "J5"), ("SE", "J8")])
def test_off_the_straight_lines_the_attacker_chooses_the_direction(direction: str, square: str) -> None:
    """Knockback FAQ: if it isn't straight, the attacker chooses a line that is basically straight."""
    assert state(crooked(direction), "b")["square"] == square


def test_a_direction_is_asked_for_and_a_wrong_one_refused() -> None:
    waiting = crooked(None)["awaiting"]
    assert (waiting["choice"], set(waiting["options"]), waiting["player"]) == ("knock-back-direction", {"E", "SE"}, "A")
    assert "b can't be knocked back N" in refused(crooked("N"))


def test_mystics_spare_their_friends() -> None:
    """A Pulse Wave over a friendly Mystic: the blast doesn't hit an attacker on its own side."""
    mine = [fighter("a", "C3", powers=["Pulse Wave"], range=8), fighter("f", "C6", teams=["Mystics"])]
    given = done("ranged", "a", using=["Pulse Wave"], **SEVEN)
    report = fight(CAR, mine, [fighter("b", "F3")], given)
    assert clicks(report, "a", "f", "b") == [1, 2, 2]


def test_a_mystic_does_not_retaliate_against_a_figure_off_the_map() -> None:
    """Two Mystics in one explosion: the first blast knocks the attacker out, the second has no target."""
    mine = [fighter("a", "C3", powers=["Energy Explosion"], range=8, clicks=1), fighter("g", "A9")]
    theirs = [fighter("b", "G3", teams=["Mystics"]), fighter("c", "G4", teams=["Mystics"])]
    report = fight(CAR, mine, theirs, done("ranged", "a", "b", using=["Energy Explosion"], **SEVEN))
    assert (state(report, "a")["ko"], clicks(report, "b", "c")) == (True, [2, 2])


@every_row(("path", "gone"), [("D3", True), ("D3 E3 F3 G3", False)])
def test_a_sentinel_destroys_what_lies_under_it_where_it_stops(path: str, gone: bool) -> None:
    """Chapeau 2002-09-24: only objects under it at the end of its movement."""
    things = [{"id": "o", "kind": "light", "square": "E4"}]
    report = fight(CAR, [sentinel("s", "C3")], FAR, walk("s", path), objects=things)
    assert report["state"]["objects"]["o"]["removed"] is gone


def test_a_critical_hit_of_telekinesis_hurts_no_friend() -> None:
    """Two 6s in an attack without damage: 1 click for the opponent that is moved (2002)."""
    mine = [fighter("a", "C3", powers=["Telekinesis"])]
    given = done("close", "a", "b", using=["Telekinesis"], choose={"square": "H9"}, rolls={"attack": [[6, 6]]})
    assert clicks(fight(CAR, mine, [fighter("b", "D3")], given), "b") == [2]


@every_row("named", [True, False])
def test_the_steps_of_an_attack_are_about_the_powers_that_it_names(named: bool) -> None:
    given = done("close", "a", "b", using=["Steal Energy"] if named else [], **SEVEN)
    report = fight(CAR, [fighter("a", "C3", powers=["Steal Energy"])], [fighter("b", "D3")], given)
    rolled = next(step for step in report["steps"] if step["step"] == "attack-roll")
    assert ("steal-energy" in rolled["topics"]) is named
