"""A judge's overrides: they are shown as a `ruling`, without a book, and the dispute continues."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine import BadInput, adjudicate
from tests.tables import every_row

from .fights import battle, clicks, fight, fighter, refused, state, steps

CLOSE = {"action": "close", "actor": "a", "targets": ["b"]}


def by_hand(step: str | None = None, **rest: Any) -> dict[str, Any]:
    before: dict[str, Any] = {"action": 0}
    for key in ("of", "time", "action"):
        if key in rest:
            before[key] = rest.pop(key)
    if step is not None:
        before["step"] = step
    return {"before": before, "text": "as agreed at the table", "by": "Ms. Judge", **rest}


def struck(hand: dict[str, Any], *, dice: tuple[int, int] = (5, 4), mine: Any = None, theirs: Any = None, **rolls: Any):
    action = CLOSE | {"rolls": {"attack": [list(dice)], **rolls}}
    mine = mine or fighter("a", "E5")
    theirs = theirs or fighter("b", "E6")
    return fight("car-2002", [mine], [theirs], action, judge=[hand])


def test_a_hit_becomes_a_miss() -> None:
    report = struck(by_hand("hit", set={"hit": False}))
    assert "ruling" in steps(report)
    assert "miss" in steps(report)
    assert "hit" not in steps(report)
    assert steps(report).index("ruling") < steps(report).index("miss")
    assert clicks(report, "b") == [1]
    ruling = next(step for step in report["steps"] if step["step"] == "ruling")
    assert ruling["citations"] == []
    assert ruling["rulings"] == []
    assert ruling["numbers"]["by"] == "Ms. Judge"
    assert "as agreed at the table" in ruling["text"]
    assert report["unused"] == []


def test_a_miss_becomes_a_hit_whichever_of_the_two_is_named() -> None:
    for step in ("hit", "miss"):
        assert clicks(struck(by_hand(step, set={"hit": True}), dice=(1, 2)), "b") == [4]


def test_a_modifier_is_in_the_numbers_of_the_roll_and_cites_no_book() -> None:
    report = struck(by_hand("attack-roll", modifiers=[{"of": "a", "value": "attack", "by": 2}]), dice=(1, 3))
    roll = next(step for step in report["steps"] if step["step"] == "attack-roll")
    assert roll["numbers"]["total"] == 16
    assert roll["numbers"]["attack"] == 12
    assert "+2 as the judge ruled" in roll["numbers"]["because"]
    assert "" not in roll["topics"]
    assert "modifiers" not in roll["topics"]
    assert clicks(report, "b") == [4]


def test_a_replacement_takes_the_place_of_the_damage_value() -> None:
    report = struck(by_hand("damage-dealt", replacements=[{"of": "a", "value": "damage", "set": 1, "locked": True}]))
    assert clicks(report, "b") == [2]
    dealt = next(step for step in report["steps"] if step["step"] == "damage-dealt")
    assert any("as the judge ruled" in line for line in dealt["numbers"]["because"])


def test_a_total_the_damage_dealt_and_the_damage_taken_are_decided() -> None:
    assert clicks(struck(by_hand("attack-roll", set={"total": 15})), "b") == [1]
    assert clicks(struck(by_hand("damage-dealt", set={"damage": 5})), "b") == [6]
    tough = fighter("b", "E6", powers=["Toughness"])
    report = struck(by_hand("damage-taken", set={"damage": 3}), theirs=tough)
    assert clicks(report, "b") == [4]


def test_an_evasion_and_a_shape_change_are_decided_without_their_dice() -> None:
    senses = fighter("b", "E6", powers=["Super Senses"])
    report = struck(by_hand("evade", set={"succeeds": True}), theirs=senses)
    assert report["awaiting"] is None
    assert clicks(report, "b") == [1]
    assert clicks(struck(by_hand("evade", set={"succeeds": False}), theirs=senses), "b") == [4]
    shape = fighter("b", "E6", powers=["Shape Change"])
    report = struck(by_hand("shape-change", set={"succeeds": True}), theirs=shape)
    assert clicks(report, "b") == [1]
    assert state(report, "a")["tokens"] == 0
    assert clicks(struck(by_hand("shape-change", set={"succeeds": False}), theirs=shape), "b") == [4]


def test_knock_back_is_withheld_or_added() -> None:
    report = struck(by_hand("knock-back", set={"knock-back": False}), dice=(4, 4))
    assert state(report, "b")["square"] == "E6"
    assert "knock-back" not in steps(report)
    report = struck(by_hand("knock-back", set={"squares": 2}))
    assert state(report, "b")["square"] == "E8"
    report = struck(by_hand("knock-back", set={"knock-back": True}))
    assert state(report, "b")["square"] == "E9"


def test_breaking_away_and_a_move_are_decided() -> None:
    action = {"action": "move", "actor": "a", "path": ["E4", "E3"]}
    mine, theirs = [fighter("a", "E5")], [fighter("b", "E6")]
    report = fight("car-2002", mine, theirs, action, judge=[by_hand("break-away", set={"succeeds": True})])
    assert state(report, "a")["square"] == "E3"
    assert report["awaiting"] is None
    report = fight("car-2002", mine, theirs, action, judge=[by_hand("break-away", set={"succeeds": False})])
    assert state(report, "a")["square"] == "E5"
    assert state(report, "a")["tokens"] == 1
    wall = {"walls": ["E4|E5"]}
    alone = [fighter("b", "P16")]
    assert refused(fight("car-2002", mine, alone, action, board=wall))
    report = fight("car-2002", mine, alone, action, board=wall, judge=[by_hand("move", set={"legal": True})])
    assert state(report, "a")["square"] == "E3"


def test_a_judge_may_allow_refused_actions_and_refuse_allowed_ones() -> None:
    mine, theirs = [fighter("a", "E5", acted=True, tokens=1)], [fighter("b", "E6")]
    action = CLOSE | {"rolls": {"attack": [[5, 4]]}}
    assert refused(fight("car-2002", mine, theirs, action))
    for step in ("declare", "illegal"):
        report = fight("car-2002", mine, theirs, action, judge=[by_hand(step, set={"legal": True})])
        assert report["legal"]
        assert clicks(report, "b") == [4]
    report = struck(by_hand("attack-roll", set={"legal": False}))
    assert not report["legal"]
    assert steps(report) == ["ruling", "illegal"]
    assert report["steps"][-1]["citations"] == []
    assert clicks(report, "b") == [1]
    far = fighter("b", "E9")
    report = struck(by_hand("targets", set={"legal": True}), theirs=far)
    assert clicks(report, "b") == [4]


def test_a_line_of_fire_is_seen_as_the_judge_sees_it() -> None:
    mine, theirs = [fighter("a", "E5", range=8)], [fighter("b", "E9")]
    shot = {"action": "ranged", "actor": "a", "targets": ["b"], "rolls": {"attack": [[2, 4]]}}
    hindered = by_hand("line-of-fire", set={"line": "hindered"})
    report = fight("car-2002", mine, theirs, shot, judge=[hindered])
    assert "miss" in steps(report)
    assert clicks(report, "b") == [1]
    assert clicks(fight("car-2002", mine, theirs, shot), "b") == [4]
    report = fight("car-2002", mine, theirs, shot, judge=[by_hand("line-of-fire", set={"line": "blocked"})])
    assert not report["legal"]


def test_pushing_and_healing_are_decided() -> None:
    report = fight(
        "car-2002",
        [fighter("a", "E5", tokens=1)],
        [fighter("b", "E9")],
        {"action": "move", "actor": "a", "path": ["E4"]},
        judge=[by_hand("push", set={"damage": 0})],
    )
    assert clicks(report, "a") == [1]
    assert state(report, "a")["tokens"] == 2
    tough = [fighter("a", "E5", tokens=1, powers=["Toughness"])]
    walk = {"action": "move", "actor": "a", "path": ["E4"]}
    report = fight("car-2002", tough, [fighter("b", "E9")], walk, judge=[by_hand("push", set={"damage": 2})])
    assert clicks(report, "a") == [3], "pushing damage isn't reduced"
    healer = fighter("a", "E5", click=5, powers=["Regeneration"])
    report = fight(
        "car-2002",
        [healer],
        [fighter("b", "E9")],
        {"action": "move", "actor": "a", "using": ["Regeneration"], "rolls": {"regeneration": [[6]]}},
        judge=[by_hand("heal", set={"clicks": 1})],
    )
    assert clicks(report, "a") == [4]


def test_characters_are_set_and_the_later_of_two_steps_is_meant() -> None:
    hand = by_hand(set={"characters": {"b": {"click": 3, "tokens": 1, "square": "F6"}}})
    report = struck(hand)
    assert state(report, "b") | {"holding": None} == {
        "square": "F6",
        "click": 6,
        "tokens": 1,
        "ko": False,
        "holding": None,
    }
    ruling = report["steps"][0]
    assert ruling["step"] == "ruling"
    assert ruling["changes"]["characters"]["b"]["click"] == 3
    swift = fighter("a", "E5", powers=["Flurry"])
    twice = {"action": "close", "actor": "a", "using": ["Flurry"], "targets": ["b", "b"]}
    twice["rolls"] = {"attack": [[5, 4], [5, 4]]}
    report = fight("car-2002", [swift], [fighter("b", "E6")], twice, judge=[by_hand("hit", time=2, set={"hit": False})])
    assert clicks(report, "b") == [4]
    assert steps(report).count("miss") == 1


def test_a_decision_that_never_came_up_is_reported() -> None:
    report = struck(by_hand("hit", set={"hit": True}, action=3))
    assert report["unused"] == ["judge/0"]
    report = adjudicate(
        battle(
            "car-2002",
            [fighter("a", "E5")],
            [fighter("b", "E6")],
            judge=[by_hand(modifiers=[{"of": "a", "value": "speed", "by": -2}])],
            ask=[{"ask": "value", "of": "a", "value": "speed"}],
        )
    )
    assert report["answers"][0]["result"] == 6
    assert report["unused"] == []


@every_row(
    ("hand", "where"),
    [
        ({"before": {"step": "hit"}, "set": {"clicks": 2}}, "/judge/0/set/clicks"),
        ({"before": {"step": "nothing"}}, "/judge/0/before/step"),
        ({"before": {"of": "nobody"}}, "/judge/0/before/of"),
        ({"set": {"luck": 1}}, "/judge/0/set/luck"),
        ({"set": {"characters": {"zz": {"click": 1}}}}, "/judge/0/set/characters/zz"),
        ({"set": {"characters": {"a": {"square": "Z99"}}}}, "/judge/0/set/characters/a/square"),
        ({"set": {"characters": {"a": {"squares": ["A1", "A2"]}}}}, "/judge/0/set/characters/a/squares"),
        ({"set": {"characters": {"a": {"square": 3}}}}, "/judge/0/set/characters/a/square"),
        ({"set": {"characters": {"a": {"square": "?"}}}}, "/judge/0/set/characters/a/square"),
        ({"set": {"characters": []}}, "/judge/0/set/characters"),
        ({"set": {"line": "wavy"}}, "/judge/0/set/line"),
        ({"modifiers": [{"of": "nobody", "value": "attack", "by": 1}]}, "/judge/0/modifiers/0/of"),
        ({"modifiers": [{"of": "a", "value": "attack"}]}, "/judge/0/modifiers/0/by"),
        ({"replacements": [{"of": "a", "value": "attack", "set": "much"}]}, "/judge/0/replacements/0/set"),
        ({"replacements": [{"of": "a", "value": "attack", "set": -1}]}, "/judge/0/replacements/0/set"),
        ("no", "/judge/0"),
    ],
)
def test_a_decision_that_cannot_be_read_is_pointed_to(hand: Any, where: str) -> None:
    with pytest.raises(BadInput) as fault:
        fight("car-2002", [fighter("a", "E5")], [fighter("b", "E6")], CLOSE, judge=[hand])
    assert fault.value.where == where


def test_a_decision_at_the_wrong_moment_says_when_it_can_be_made() -> None:
    with pytest.raises(BadInput) as fault:
        struck(by_hand("hit", set={"clicks": 2}))
    assert fault.value.message.endswith("can be set only before heal, not before hit.")


def test_an_unknown_power_of_anyone_concerned_is_named_and_a_judge_completes_it() -> None:
    odd = fighter("b", "E6", powers=["Cosmic Nuisance", "Toughness"])
    bystanding = fighter("c", "P1", powers=["Unheard Of"])
    action = CLOSE | {"rolls": {"attack": [[5, 4]]}}
    report = fight("core-2014", [fighter("a", "E5")], [odd, bystanding], action)
    told = [step["text"] for step in report["steps"] if step["step"] == "ruling"]
    assert len(told) == 1
    assert told[0].startswith("b's Cosmic Nuisance isn't adjudicated: decide by its card.")
    assert clicks(report, "b") == [3]
    hand = by_hand("damage-taken", set={"damage": 0})
    report = fight("core-2014", [fighter("a", "E5")], [odd, bystanding], action, judge=[hand])
    assert clicks(report, "b") == [1]


def test_a_feat_that_is_named_stands_on_its_card_where_the_book_has_cards() -> None:
    action = CLOSE | {"using": ["Slippery"], "rolls": {"attack": [[5, 4]]}}
    for edition, told in (("dc-2005", True), ("core-2014", True), ("car-2002", False)):
        report = fight(edition, [fighter("a", "E5")], [fighter("b", "E6")], action)
        assert report["legal"] is told, edition
        if told:
            assert "Slippery isn't adjudicated: decide by its card." in report["steps"][1]["text"]
            assert clicks(report, "b") == [4]
    missing = CLOSE | {"using": ["Quake"], "rolls": {"attack": [[5, 4]]}}
    assert refused(fight("core-2014", [fighter("a", "E5")], [fighter("b", "E6")], missing))


def test_a_position_with_only_questions_has_nothing_to_forbid() -> None:
    hand = by_hand(set={"legal": False})
    report = fight("car-2002", [fighter("a", "E5")], [fighter("b", "E6")], judge=[hand])
    assert report["legal"] is True
    assert steps(report) == ["ruling"]


def test_a_move_that_is_allowed_still_ends_upon_no_one() -> None:
    walk = {"action": "move", "actor": "a", "path": ["E8"]}
    hand = by_hand("move", set={"legal": True})
    report = fight("car-2002", [fighter("a", "E5")], [fighter("b", "E8")], walk, judge=[hand])
    assert "occupies E8" in refused(report)
    large = fighter("a", None, base="2x2", squares=["E5", "F5", "E6", "F6"])
    del large["square"]
    walk = walk | {"path": ["E9"]}
    report = fight("core-2014", [large], [fighter("b", "P16")], walk, judge=[hand])
    assert state(report, "a")["squares"] == ["E9", "F9", "E10", "F10"]


def test_a_value_is_halved_or_doubled_and_a_base_is_put_elsewhere_whole() -> None:
    doubled = by_hand("damage-dealt", replacements=[{"of": "a", "value": "damage", "set": "double"}])
    assert clicks(struck(doubled), "b") == [7]
    large = fighter("b", None, base="2x2", squares=["E6", "F6", "E7", "F7"])
    del large["square"]
    put = by_hand(set={"characters": {"b": {"squares": ["H6", "I6", "H7", "I7"], "flight": None}}})
    report = fight("core-2014", [fighter("a", "E5")], [large], {"action": "pass"}, judge=[put])
    assert state(report, "b")["squares"] == ["H6", "I6", "H7", "I7"]
    off = by_hand(set={"characters": {"b": {"squares": []}}})
    report = fight("core-2014", [fighter("a", "E5")], [large], {"action": "pass"}, judge=[off])
    assert state(report, "b")["square"] is None


def test_victory_points_are_set_and_counted_on_from_there() -> None:
    weak = fighter("b", "E6", clicks=3, points=40)
    report = struck(by_hand(set={"victory_points": {"A": 100, "B": 7}}), theirs=weak)
    assert report["state"]["victory_points"] == {"A": 140, "B": 7}
    assert report["steps"][0]["changes"]["victory_points"] == {"A": 100, "B": 7}
    for points, where in (({"C": 1}, "/judge/0/set/victory_points/C"), ({"A": -1}, "/judge/0/set/victory_points/A")):
        with pytest.raises(BadInput) as fault:
            struck(by_hand(set={"victory_points": points}))
        assert fault.value.where == where
    with pytest.raises(BadInput):
        struck(by_hand(set={"victory_points": 3}))


def test_a_friend_that_a_judge_lets_be_attacked_does_not_evade() -> None:
    """Super Senses evades the attacks of opponents."""
    mine = [fighter("a", "E5"), fighter("f", "E6", powers=["Super Senses"])]
    hit = CLOSE | {"targets": ["f"], "rolls": {"attack": [[5, 4]]}}
    report = fight("car-2002", mine, [fighter("b", "P16")], hit, judge=[by_hand("targets", set={"legal": True})])
    assert clicks(report, "f") == [4]
