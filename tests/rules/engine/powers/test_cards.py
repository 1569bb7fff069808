"""What stands on cards: golden disputes with invented figures, worked out by hand, and the properties of all cards.

Figures have speed 8, attack 10, defense 16 and damage 3, and stand beside each other (C3, D3) unless it says otherwise.
The sums follow the modern Core Rulebook: Combat Values (replace, then modify), Damage (only the strongest reduction),
Evade, Pushing, Knock Back, and the Golden Rule that "can't" beats "can".
"""

import json
import re
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine import adjudicate
from rules.engine.documents.cards import KINDS, read_cards, write_cards
from rules.engine.documents.position import read_position, write_position
from rules.engine.errors import BadInput

from ..fights import battle, done, fight, fighter, state

FORMATS = Path(__file__).parents[4] / "docs" / "formats.md"
CHAPTER = FORMATS.read_text("utf-8").split("### Cards\n")[1].split("\n### ")[0]
EXAMPLES = [json.loads(found) for found in re.findall(r"```json\n(.*?)```", CHAPTER, re.DOTALL)]
STANDARD = [
    "Blades/Claws/Fangs",
    "Super Strength",
    "Willpower",
    "Combat Reflexes",
    "Toughness",
    "Energy Shield/Deflection",
]


def card(*effects, name="Wing Gust", kind="trait", **keys):
    return {"name": name, "kind": kind, "effects": list(effects)} | keys


def value(of, which, mine, theirs=None, attack=None, **parts):
    """Return a value as answered: the number, and its parts as (amount, why, topic)."""
    asked = {"ask": "value", "of": of, "value": which} | (attack or {})
    report = adjudicate(battle("core-modern", mine, theirs or [fighter("b", "D3")], ask=[asked], **parts))
    assert "error" not in report, report
    answer = report["answers"][0]
    return answer["result"], [(part["amount"], part["why"], part["topic"]) for part in answer["parts"][1:]]


def on_a(effect, which, *, attack=None, friend=None, foe=None, **keys):
    """Return the value of figure `a` that bears the card, with a friend in C4 and an opponent in D3."""
    mine = [fighter("a", "C3", cards=[card(effect)], **keys), fighter("f", "C4", **(friend or {}))]
    return value("a", which, mine, [fighter("b", "D3", **(foe or {}))], attack)


CLOSE = {"attack": "close", "from": "a", "to": "b"}
RANGED = {"attack": "ranged", "from": "a", "to": "b"}
AGAINST = {"attack": "close", "from": "b", "to": "a"}
UP = {"do": "modify", "value": "attack", "by": 1}


@pytest.mark.pure
@pytest.mark.parametrize(
    ("effect", "facts", "attack", "total"),
    [
        (UP, {}, None, 11),
        (UP | {"by": -2}, {}, None, 8),
        (UP | {"by": 5}, {}, None, 13),  # Rule of Three
        (UP | {"when": {"attack": "close"}}, {}, CLOSE, 11),
        (UP | {"when": {"attack": "ranged"}}, {}, CLOSE, 10),
        (UP | {"when": {"attack": "any", "target": {"keyword": ["Brute"]}}}, {}, CLOSE, 10),
        (UP | {"when": {"target": {"keyword": ["brute"]}}}, {"foe": {"keywords": ["Brute"]}}, CLOSE, 11),
        (UP | {"when": {"target": {"size": "larger"}}}, {"foe": {"damage_symbol": "giant"}}, CLOSE, 11),
        (UP | {"when": {"tokens": [1]}}, {"tokens": 1}, None, 11),
        (UP | {"when": {"tokens": [1]}}, {}, None, 10),
        (UP | {"when": {"clicks": [2, 3]}}, {"click": 3}, None, 11),
        (UP | {"when": {"adjacent_to": {"side": "friends"}}}, {}, None, 11),
        (UP | {"when": {"adjacent_to": {"side": "friends", "name": ["Nobody"]}}}, {}, None, 10),
        (UP | {"when": {"none_near": {"side": "opponents", "within": 3}}}, {}, None, 10),
        (UP | {"when": {"not": {"turn": "opponents"}}}, {}, None, 11),
        (UP | {"when": {"any": [{"turn": "opponents"}, {"terrain": ["water"]}]}}, {}, None, 10),
        (UP | {"each": {"side": "all", "within": 2}}, {}, None, 12),
        (UP | {"each": {"side": "all", "within": 2}, "most": 1}, {}, None, 11),
        ({"do": "set", "value": "attack", "set": 12}, {}, None, 12),
        ({"do": "set", "value": "attack", "set": "halve"}, {}, None, 5),
        ({"do": "most", "value": "attack", "at": 9}, {}, None, 9),
        ({"do": "least", "value": "attack", "at": 9}, {}, None, 10),
    ],
)
def test_a_value_is_what_its_card_makes_it(effect, facts, attack, total):
    found, parts = on_a(effect, "attack", attack=attack, **facts)
    assert found == total
    made = [part for part in parts if "rule" not in (part[2] or "")]
    assert all(why == "Wing Gust, trait" and topic is None for _, why, topic in made)
    assert bool(made) == (total != 10)


@pytest.mark.pure
def test_an_attack_on_the_bearer_counts_its_defense():
    up = {"do": "modify", "value": "defense", "by": 1, "when": {"attacked": "close"}}
    assert on_a(up, "defense", attack=AGAINST)[0] == 17
    assert on_a(up, "defense")[0] == 16


@pytest.mark.pure
def test_effects_reach_friends_and_opponents_by_distance_and_name_their_bearer():
    aura = card(
        UP | {"to": {"side": "friends", "within": 2}}, UP | {"by": -1, "to": {"side": "opponents", "within": 2}}
    )
    mine = [fighter("a", "C3", cards=[aura]), fighter("f", "C5"), fighter("g", "C9")]
    theirs = [fighter("b", "D3"), fighter("h", "H9")]
    assert value("f", "attack", mine, theirs) == (11, [(1, "a's Wing Gust, trait", None)])
    assert [value(of, "attack", mine, theirs)[0] for of in ("a", "g", "b", "h")] == [10, 10, 9, 10]


@pytest.mark.pure
def test_cards_of_a_side_the_battle_and_a_held_object():
    mine, theirs = [fighter("a", "C3")], [fighter("b", "D3")]
    up = [card(UP, kind="condition")]
    assert [value(of, "attack", mine, theirs, cards=up)[0] for of in ("a", "b")] == [11, 11]
    assert [value(of, "attack", mine, theirs, side={"cards": up})[0] for of in ("a", "b")] == [11, 10]
    held = [{"id": "o", "kind": "light", "square": None, "cards": up}]
    assert value("a", "attack", [fighter("a", "C3", holding="o")], theirs, objects=held)[0] == 11


@pytest.mark.pure
def test_minima_overrule_maxima_and_locks_overrule_both():
    both = [
        card({"do": "most", "value": "attack", "at": 8}),
        card({"do": "least", "value": "attack", "at": 9}, name="Grit"),
    ]
    assert value("a", "attack", [fighter("a", "C3", cards=both)])[0] == 9
    lock = card({"do": "set", "value": "attack", "set": 12, "locked": True}, name="Lock")
    assert value("a", "attack", [fighter("a", "C3", cards=[*both, lock])])[0] == 12


def struck(mine=(), theirs=(), dice=(4, 3), **rolls):
    """Return the report of a's close attack on b."""
    attack = done("close", "a", "b", rolls={"attack": [list(dice)]} | rolls)
    return fight(
        "core-modern", [fighter("a", "C3", cards=list(mine))], [fighter("b", "D3", cards=list(theirs))], attack
    )


@pytest.mark.pure
def test_damage_is_reduced_once_evaded_on_a_roll_and_the_card_is_named():
    hide = [card({"do": "reduce", "by": 1}, name="Hide"), card({"do": "reduce", "by": 2}, name="Bone")]
    report = struck(theirs=hide)
    assert state(report, "b")["click"] == 2  # 3 damage less 2: only the strongest reduction counts
    assert any(step["text"].startswith("Bone, trait reduces") for step in report["steps"])
    lucky = [card({"do": "evade", "on": [5, 6]})]
    assert state(struck(theirs=lucky, **{"wing-gust:b": [[5]]}), "b")["click"] == 1
    assert state(struck(theirs=lucky, **{"wing-gust:b": [[4]]}), "b")["click"] == 4
    assert struck(theirs=lucky)["awaiting"]["roll"] == "wing-gust:b"


@pytest.mark.pure
def test_protected_from_pushing_and_knock_back():
    rooted = [card({"do": "protected", "from": ["knock-back", "pushing"]})]
    pushed = [fighter("a", "C3", tokens=1, cards=rooted)]
    report = fight("core-modern", pushed, [fighter("b", "D3")], done("close", "a", "b", rolls={"attack": [[4, 3]]}))
    assert (state(report, "a")["click"], state(report, "a")["tokens"]) == (1, 2)
    report = struck(theirs=rooted, dice=(4, 4))
    assert (state(report, "b")["square"], report.get("awaiting")) == ("D3", None)


@pytest.mark.pure
def test_improved_movement_and_targeting_by_card():
    board = {"terrain": [{"type": "hindering", "squares": ["D3"]}]}
    eyes = [card({"do": "ignore", "moving": ["hindering"], "targeting": ["hindering"]})]
    for cards, result, goes in (([], "hindered", False), (eyes, "clear", True)):
        mine = [fighter("a", "C3", range=8, cards=cards)]
        asked = {"ask": "line-of-fire", "from": "a", "to": "b"}
        walk = done("move", "a", path=["D3", "E3"])
        report = adjudicate(battle("core-modern", mine, [fighter("b", "G3")], walk, board=board, ask=[asked]))
        assert (report["answers"][0]["result"], report["legal"]) == (result, goes)


@pytest.mark.pure
def test_what_cannot_be_used_overrides_what_can():
    grant = card({"do": "can-use", "powers": ["Super Senses"]})
    taken = card(
        {"do": "cannot-use", "powers": ["Super Senses"], "to": {"side": "opponents", "within": 6}}, name="Glare"
    )
    assert struck(theirs=[grant])["awaiting"]["roll"] == "super-senses:b"
    assert state(struck([taken], [grant]), "b")["click"] == 4
    assert state(struck([taken | {"clicks": [2]}], [grant], **{"super-senses:b": [[6]]}), "b")["click"] == 1


@pytest.mark.pure
def test_a_special_power_counts_where_the_dial_shows_it_unless_it_is_countered():
    special = card({"do": "can-use", "powers": ["Super Senses"]}, kind="special-power", slot="defense")
    mine, theirs = [fighter("a", "C3")], [fighter("b", "D3", cards=[special])]
    attack = done("close", "a", "b", rolls={"attack": [[4, 3]]})
    assert fight("core-modern", mine, theirs, attack)["awaiting"] is None
    theirs[0]["dial"][0] = theirs[0]["dial"][0] | {"powers": ["Wing Gust"]}
    report = fight("core-modern", mine, theirs, attack)
    assert report["awaiting"]["roll"] == "super-senses:b"
    assert not [step for step in report["steps"] if "by its card" in step["text"]]
    assert fight("core-modern", mine, [theirs[0] | {"countered": ["Wing Gust"]}], attack)["awaiting"] is None


@pytest.mark.pure
@pytest.mark.parametrize(
    "effect",
    [
        {"do": "heal", "clicks": 1, "moment": "end-of-turn"},
        UP | {"limit": "turn"},
        UP | {"may": True},
        UP | {"when": {"not": {"moved_this_turn": True}}},
        {"do": "can-use", "powers": ["Flurry"], "action": "free"},
        {"do": "reduce", "by": 1, "when": {"attacked": "close"}},
        {"do": "set", "value": "attack", "as_of": {"side": "friends"}},
        {"do": "protected", "from": ["Outwit"]},
    ],
)
def test_what_is_not_adjudicated_is_announced_with_its_text_and_changes_nothing(effect):
    plain, told = struck(), struck([card(effect, text="Once, at night.")])
    said = [step for step in told["steps"] if step["step"] == "ruling"]
    assert [step["text"] for step in said] == [
        "a's Wing Gust isn't adjudicated: decide by its card. It says: “Once, at night.”"
    ]
    assert told["state"] == plain["state"]


@pytest.mark.pure
def test_what_reaches_others_by_hand_is_announced_once_as_its_bearers():
    curse = [card({"do": "deal", "damage": 1, "to": {"side": "opponents", "within": 6}}, text="Ouch.")]
    for mine, theirs, owners in ((curse, (), "a"), ((), curse, "b"), (curse, curse, "ab")):
        said = [step["text"] for step in struck(mine, theirs)["steps"] if step["step"] == "ruling"]
        announced = "'s Wing Gust isn't adjudicated: decide by its card. It says: “Ouch.”"
        assert said == [owner + announced for owner in owners]


@pytest.mark.pure
@given(st.sampled_from(STANDARD), st.sampled_from("ab"), st.tuples(st.integers(1, 6), st.integers(1, 6)))
@settings(max_examples=40, deadline=None)
def test_a_granted_power_equals_the_power_and_a_card_that_does_not_matter_changes_nothing(power, who, dice):
    def played(dial=(), cards=()):
        figures = {"a": fighter("a", "C3"), "b": fighter("b", "D3")}
        figures[who]["dial"] = [click | {"powers": list(dial)} for click in figures[who]["dial"]]
        figures[who]["cards"] = list(cards)
        attack = done("close", "a", "b", rolls={"attack": [list(dice)], "blades-claws-fangs": [[4]]})
        return adjudicate(battle("core-modern", [figures["a"]], [figures["b"]], attack))

    assert played(cards=[card({"do": "can-use", "powers": [power]})]) == played(dial=[power])
    idle = [card({"do": "can-use", "powers": [power], "when": {"clicks": [9]}}), card(UP | {"when": {"tokens": [9]}})]
    assert played(cards=idle) == played()


@pytest.mark.pure
def test_cards_are_written_as_they_are_read():
    for written in EXAMPLES:
        assert write_cards(read_cards(written)) == written
    kinds = {effect["do"] for cards in EXAMPLES for one in cards for effect in one["effects"]}
    assert len(EXAMPLES) == 2
    assert kinds <= KINDS.keys()
    assert [kind for kind in KINDS if f"`{kind}`" not in CHAPTER] == []
    document = battle("core-modern", [fighter("a", "C3", cards=EXAMPLES[1])], [fighter("b", "D3")], cards=EXAMPLES[0])
    file = read_position(document)
    assert read_position(write_position(file)) == file


def nested(depth):
    condition = {"turn": "own"}
    for _ in range(depth):
        condition = {"not": condition}
    return condition


@pytest.mark.pure
@pytest.mark.parametrize(
    ("effects", "where"),
    [
        ([{"do": "fly"}], "/effects/0/do"),
        ([{"value": "attack"}], "/effects/0/do"),
        ([UP | {"power": "Charge"}], "/effects/0/power"),
        ([UP | {"by": 0}], "/effects/0/by"),
        ([UP | {"most": 1}], "/effects/0/most"),
        ([{"do": "can-use"}], "/effects/0/powers"),
        ([{"do": "lost"}], "/effects/0/when"),
        ([UP | {"when": {}}], "/effects/0/when"),
        ([UP | {"when": {"attack": "any", "attacked": "any"}}], "/effects/0/when/attacked"),
        ([UP | {"when": {"near": {"side": "friends"}}}], "/effects/0/when/near/within"),
        ([UP | {"to": {"side": "self", "within": 2}}], "/effects/0/to"),
        ([{"do": "can-use", "powers": ["A"]}, {"do": "cannot-use", "powers": ["A"]}], "/effects/1/powers"),
        ([{"do": "set", "value": "speed", "set": 1}, {"do": "set", "value": "speed", "set": 2}], "/effects/1"),
        ([{"do": "most", "value": "speed", "at": 1}, {"do": "least", "value": "speed", "at": 2}], "/effects/1/at"),
        ([{"do": "on-roll", "outcomes": [{"on": [7], "effects": [UP]}]}], "/effects/0/outcomes/0/on/0"),
        ([UP | {"when": nested(8)}], "/effects/0/when" + "/not" * 8),
        ([UP | {"when": nested(900)}], "/effects/0/when" + "/not" * 8),
        ([UP] * 10_000, "/effects"),
    ],
)
def test_unknown_contradictory_and_boundless_cards_are_faults_at_their_place(effects, where):
    with pytest.raises(BadInput) as fault:
        read_cards([card(*effects)])
    assert [one.where for one in fault.value.every] == ["/0" + where]


@pytest.mark.pure
def test_all_cards_together_are_bounded_and_grants_in_a_circle_end():
    many = [card(*[UP] * 100, name=f"Card {number}") for number in range(11)]
    with pytest.raises(BadInput, match="/cards: All cards together can have at most 1,000 effects, not 1,100"):
        read_position(battle("core-modern", [fighter("a", "C3", cards=many)], [fighter("b", "D3")]))
    circle = [
        card(
            {"do": "can-use", "powers": [grants], "to": {"side": "all", "power": [needs], "also_self": True}},
            name=grants,
        )
        for grants, needs in (("Super Senses", "Toughness"), ("Toughness", "Super Senses"))
    ]
    assert state(struck(circle, deepcopy(circle)), "b")["click"] == 4
