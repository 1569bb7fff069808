"""Disputes of 2002, worked out by hand from the book's examples and its FAQ, with the book's numbers.

Test names give the book's section. A fight is two sides on an open board of 16 by 16.
"""

from __future__ import annotations

from typing import Any

from rules.engine import adjudicate
from tests.tables import every_row

CAR, IC = "car-2002", "ic-2002"
BOTH = (CAR, IC)


def figure(id: str, square: str, *powers: str, **keys: Any) -> dict[str, Any]:
    """Return a figure with ten identical clicks: 8, 10, 16, 3."""
    values = {"speed": 8, "attack": 10, "defense": 16, "damage": 3}
    values |= {key: keys.pop(key) for key in tuple(keys) if key in values}
    dial = [{**values, "powers": list(powers)}] * keys.pop("clicks", 10)
    return {"id": id, "name": id.title(), "square": square, "points": 50, "dial": dial} | keys


def fight(
    edition: str, mine: list[dict[str, Any]], theirs: list[dict[str, Any]], *actions: dict[str, Any], **more: Any
) -> dict[str, Any]:
    """Return the report on what A did to B."""
    sides = [{"player": "A", "characters": mine}, {"player": "B", "characters": theirs}]
    board = {"width": 16, "height": 16} | more.pop("board", {})
    document = {"edition": edition, "build_total": 300, "map": board, "sides": sides, "actions": list(actions)}
    return adjudicate(document | more)


def after(report: dict[str, Any], id: str) -> tuple[Any, int, int]:
    """Return a figure's final square, click and tokens."""
    found = report["state"]["characters"][id]
    return found["square"], found["click"], found["tokens"]


def names(report: dict[str, Any]) -> list[str]:
    """Return the steps' names."""
    return [step["step"] for step in report["steps"]]


def close(actor: str, *targets: str, **more: Any) -> dict[str, Any]:
    return {"action": "close", "actor": actor, "targets": list(targets)} | more


def shot(actor: str, *targets: str, **more: Any) -> dict[str, Any]:
    return {"action": "ranged", "actor": actor, "targets": list(targets)} | more


@every_row("edition", BOTH)
def test_multiple_ranged_combat_targets_cyclops(edition: str) -> None:
    """Kevin rolls 7: 17 misses Boomerang's 18 and hits Blizzard's 15 for 1 click."""
    cyclops = figure("cyclops", "A1", range=8, bolts=2)
    theirs = [figure("boomerang", "A6", defense=18), figure("blizzard", "F1", defense=15)]
    report = fight(edition, [cyclops], theirs, shot("cyclops", "boomerang", "blizzard", rolls={"attack": [[3, 4]]}))
    assert (after(report, "boomerang")[1], after(report, "blizzard")[1]) == (1, 2)
    assert after(report, "cyclops") == ("A1", 1, 1)


def test_multiple_ranged_combat_targets_nightwing() -> None:
    """Kevin rolls 5: 15 misses Bane's 16 and hits the Riddler's 13 for 1 click."""
    nightwing = figure("nightwing", "A1", range=8, bolts=2)
    theirs = [figure("bane", "A6", defense=16), figure("riddler", "F1", defense=13)]
    report = fight(CAR, [nightwing], theirs, shot("nightwing", "bane", "riddler", rolls={"attack": [[2, 3]]}))
    assert (after(report, "bane")[1], after(report, "riddler")[1]) == (1, 2)


def test_knockback_double_fives_superman() -> None:
    """4 clicks; knocked back 2 squares against a wall, 1 click more."""
    superman, doomsday = figure("superman", "C3", damage=4), figure("doomsday", "D3")
    report = fight(
        CAR,
        [superman],
        [doomsday],
        close("superman", "doomsday", rolls={"attack": [[5, 5]]}),
        board={"walls": ["F3|G3"]},
    )
    assert after(report, "doomsday")[:2] == ("F3", 6)
    assert [step for step in names(report) if step.startswith("knock-back")] == ["knock-back", "knock-back-damage"]


def test_knockback_double_fives_wolverine() -> None:
    """Blades roll 4: 4 clicks; the wall is reached and costs 1 more."""
    wolverine, hulk = figure("wolverine", "C3", "Blades/Claws/Fangs", damage=1), figure("hulk", "D3")
    given = close("wolverine", "hulk", using=["Blades/Claws/Fangs"], rolls={"attack": [[5, 5]], "damage": [[4]]})
    report = fight(CAR, [wolverine], [hulk], given, board={"walls": ["F3|G3"]})
    assert after(report, "hulk")[:2] == ("F3", 6)


def mind_control(edition: str, target: dict[str, Any], range_: int = 8) -> dict[str, Any]:
    controller = figure("x", "A1", "Mind Control", range=range_)
    run = {"action": "move", "actor": target["id"], "path": ["E2", "E3"]}
    given = shot("x", target["id"], using=["Mind Control"], then=[run], rolls={"attack": [[4, 5]]})
    return fight(edition, [controller], [target, figure("friend", "P16")], given)


@every_row("edition", BOTH)
def test_mind_control_example_1_batman(edition: str) -> None:
    """Brainiac's 9 + 10 hits; Batman, at 103 points, runs away; 1 click for each full 100 points, a token for each."""
    report = mind_control(edition, figure("batman", "E1", points=103))
    assert after(report, "batman") == ("E3", 1, 1)
    assert after(report, "x") == ("A1", 2, 1)
    assert report["state"]["characters"].keys() == {"x", "batman", "friend"}


def test_mind_control_example_3_with_a_token_is_pushed() -> None:
    """With an earlier token the controlled figure ends with two and takes a click for pushing."""
    report = mind_control(CAR, figure("spider", "E1", points=99, tokens=1))
    assert after(report, "spider") == ("E3", 2, 2)
    assert after(report, "x") == ("A1", 1, 1)


def test_mind_control_examples_2_and_4_the_dumpster() -> None:
    """Puppet Master's Hulk hits Bullseye with a dumpster: 3 and 2 clicks; the second action knocks Bullseye out."""
    master, wolverine = figure("master", "A1", "Mind Control", range=8), figure("wolverine", "G2")
    hulk = figure("hulk", "E1", "Super Strength", holding="dumpster", points=150)
    bullseye = figure("bullseye", "F1", clicks=8)
    report = fight(
        CAR,
        [master, wolverine],
        [hulk, bullseye],
        shot(
            "master",
            "hulk",
            using=["Mind Control"],
            then=[close("hulk", "bullseye")],
            rolls={"attack": [[4, 5], [4, 3]]},
        ),
        close("wolverine", "bullseye", rolls={"attack": [[4, 3]]}),
        build_total=200,
        objects=[{"id": "dumpster", "kind": "heavy", "square": None}],
    )
    assert report["state"]["characters"]["bullseye"]["ko"] is True
    assert report["state"]["objects"]["dumpster"]["removed"] is True
    assert (after(report, "hulk")[2], after(report, "master")[1], after(report, "wolverine")[2]) == (1, 2, 1)
    assert report["state"]["victory_points"] == {"A": 50, "B": 0}


@every_row(("dice", "clicks"), [([5, 6], [2, 2, 2]), ([4, 3], [2, 2, 1]), ([4, 2], [1, 1, 1])])
def test_energy_explosion_example(dice: list[int], clicks: list[int]) -> None:
    """A 17, B 16, C 18: a total of 18 or more hits all, 17 hits A and B, 16 misses A and so everyone."""
    attacker = figure("x", "A1", "Energy Explosion", range=8)
    theirs = [figure("a", "E1", defense=17), figure("b", "E2", defense=16), figure("c", "F1", defense=18)]
    given = shot("x", "a", using=["Energy Explosion"], rolls={"attack": [dice]})
    report = fight(CAR, [attacker], theirs, given)
    assert [after(report, id)[1] for id in "abc"] == clicks


def test_energy_explosion_with_shield_agent_example() -> None:
    """Two adjacent targets, 1 + 1 each for the target and for the splash: 4 clicks each."""
    mine = [figure("x", "A1", "Energy Explosion", range=8, bolts=2), figure("agent", "A2", teams=["S.H.I.E.L.D."])]
    given = shot("x", "a", "b", using=["Energy Explosion"], assist=["agent"], rolls={"attack": [[4, 3]]})
    report = fight(CAR, mine, [figure("a", "E1"), figure("b", "E2")], given)
    assert [after(report, id)[1] for id in ("a", "b")] == [5, 5]
    assert after(report, "agent")[2] == 1


def test_x_men_three_adjacent() -> None:
    """B and C each take a click and a token, A is healed twice; one pair does so once a turn."""
    team = [figure(id, square, teams=["X-Men"], click=5) for id, square in (("a", "A1"), ("b", "A2"), ("c", "B1"))]
    gift = [{"action": "move", "actor": id, "using": ["X-Men"], "targets": ["a"]} for id in ("b", "c")]
    report = fight(CAR, team, [figure("d", "P16")], *gift)
    assert [after(report, id)[1:] for id in "abc"] == [(3, 0), (6, 1), (6, 1)]


def test_defend_is_passed_on() -> None:
    """A shares 18 with B, and B passes it on to C: 17 misses C, whose own defense is 15."""
    theirs = [
        figure("a", "E1", "Defend", defense=18),
        figure("b", "E2", "Defend", defense=17),
        figure("c", "E3", defense=15),
    ]
    report = fight(CAR, [figure("x", "E4")], theirs, close("x", "c", rolls={"attack": [[3, 4]]}))
    assert after(report, "c")[1] == 1


def test_knockback_is_not_reduced_again_by_toughness() -> None:
    """Magister 2002-07-16: 3 less 1 is 2 clicks and 2 squares; the wall's click is part of the same attack."""
    report = fight(
        CAR,
        [figure("x", "C3")],
        [figure("t", "D3", "Toughness")],
        close("x", "t", rolls={"attack": [[4, 4]]}),
        board={"walls": ["E3|F3"]},
    )
    assert after(report, "t")[:2] == ("E3", 4)


def test_skrull_and_then_a_pass() -> None:
    """A figure fooled by a Skrull keeps its action and its tokens; a pass costs nothing."""
    mine = [figure("x", "C3"), figure("y", "A1")]
    skrull = figure("s", "D3", teams=["Skrulls"])
    report = fight(CAR, mine, [skrull], close("x", "s", rolls={"skrull:s": [[6]]}), {"action": "pass", "actor": "x"})
    assert report["legal"] is True
    assert after(report, "x")[2] == 0
    assert "attack-roll" not in names(report)


def test_sentinel_release_of_an_archenemy_scores_three_times() -> None:
    """A captive of the X-Men released in the Sentinel's starting area is worth 3 x 50."""
    sentinel = figure("s", "A1", base="2x2", symbols={"damage": "sentinel"}, points=200)
    sentinel["squares"], sentinel["square"] = ["A1", "B1", "A2", "B2"], None
    captive = figure("wolverine", "A1", teams=["X-Men"], captured_by="s") | {"square": None}
    home = {"terrain": [{"type": "starting-area", "player": "A", "squares": ["A1:D4"]}]}
    given = {"action": "move", "actor": "s", "using": ["Release"], "targets": ["wolverine"]}
    report = fight(CAR, [sentinel], [captive, figure("b", "P16")], given, board=home)
    assert report["legal"] is True
    assert report["state"]["victory_points"] == {"A": 150, "B": 0}


def test_an_unknown_power_is_named() -> None:
    """A power without a row is named, and the steps around it are still shown."""
    report = fight(
        CAR,
        [figure("x", "C3", "Cosmic Awareness")],
        [figure("b", "D3")],
        close("x", "b", using=["Cosmic Awareness"], rolls={"attack": [[4, 3]]}),
    )
    assert any("decide by its card" in step["text"] for step in report["steps"])
    assert after(report, "b")[1] == 4


def test_a_missing_die_and_an_illegal_act() -> None:
    """The missing roll is named with its player; an illegal action leaves the state as before."""
    fighters = [figure("x", "C3")], [figure("b", "D3", "Super Senses")]
    waiting = fight(CAR, *fighters, close("x", "b", rolls={"attack": [[4, 3]]}))
    assert waiting["awaiting"]["roll"] == "super-senses:b"
    assert waiting["awaiting"]["player"] == "B"
    wrong = fight(
        CAR, *fighters, {"action": "move", "actor": "x", "path": ["C4", "C6"], "rolls": {"break-away": [[6]]}}
    )
    assert wrong["legal"] is False
    assert names(wrong) == ["illegal"]
    assert after(wrong, "x") == ("C3", 1, 0)


@every_row(("edition", "click"), [(IC, 1), (CAR, 2)])
def test_two_sixes_of_mind_control_hurt_by_the_faq_alone(edition: str, click: int) -> None:
    """Rolling 2 and 12: the extra click is for attacks that deal damage; the FAQ extends it to those that deal none."""
    given = {
        "action": "close",
        "actor": "a",
        "targets": ["b"],
        "using": ["Mind Control"],
        "rolls": {"attack": [[6, 6]]},
    }
    report = fight(edition, [figure("a", "D4", "Mind Control")], [figure("b", "E4")], given)
    assert after(report, "b")[1] == click


@every_row(("edition", "click"), [(IC, 4), (CAR, 5)])
def test_impervious_takes_knock_back_damage_off_a_second_time_in_the_first_booklet(edition: str, click: int) -> None:
    """Knockback: powers that reduce damage reduce knockback damage too; Magister, 2002-07-16: it is one attack."""
    given = {"action": "close", "actor": "a", "targets": ["b"], "rolls": {"attack": [[4, 4]], "impervious:b": [[3]]}}
    target = figure("b", "E4", "Impervious")
    report = fight(edition, [figure("a", "D4", damage=5)], [target], given, board={"walls": ["E4|F4"]})
    assert after(report, "b")[1] == click
