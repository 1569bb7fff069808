"""What stands on cards: golden disputes with invented figures, worked out by hand, and the properties of all cards.

Figures have speed 8, attack 10, defense 16 and damage 3, and stand beside each other (C3, D3) unless it says otherwise.
The sums follow the modern Core Rulebook: Combat Values (replace, then modify), Damage (only the strongest reduction),
Evade, Pushing, Knock Back, and the Golden Rule that "can't" beats "can".
"""

import json
import re
from copy import deepcopy
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine import adjudicate
from rules.engine.documents.cards import KINDS, read_cards, write_cards
from rules.engine.documents.position import read_position, write_position
from rules.engine.editions import EDITIONS
from rules.engine.errors import BadInput
from rules.engine.powers.card_effects import with_tokens

from ..fights import battle, done, fight, fighter, state
from ..golden import golden

FORMATS = Path(__file__).parents[4] / "docs" / "formats.md"
CHAPTER = FORMATS.read_text("utf-8").split("### Cards\n")[1].split("\n### ")[0]
EXAMPLES = [json.loads(found) for found in re.findall(r"```json\n(.*?)```", CHAPTER, re.DOTALL)]


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
        ({"do": "most", "value": "attack", "at": 10}, {}, None, 10),
        ({"do": "least", "value": "attack", "at": 10}, {}, None, 10),
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


HIDE = {"do": "reduce", "by": 1}
LUCK = {"do": "evade", "on": [4, 5, 6]}


@pytest.mark.pure
@pytest.mark.parametrize(
    ("effect", "click"),
    [
        (HIDE | {"when": {"attacked": "close"}}, 3),  # 3 damage less 1
        (HIDE | {"when": {"attacked": "ranged"}}, 4),
        (HIDE | {"when": {"attack": "close"}}, 4),  # it doesn't attack
        (HIDE | {"when": {"any": [{"attacked": "ranged"}, {"turn": "opponents"}]}}, 3),
        (HIDE | {"when": {"not": {"attacked": "close"}}}, 4),
        (HIDE | {"when": {"tokens": [0], "adjacent_to": {"side": "opponents"}}}, 3),
        (LUCK | {"when": {"attacked": "close"}}, 1),
        (LUCK | {"when": {"attacked": "ranged"}}, 4),
        ({"do": "can-use", "powers": ["Toughness"], "when": {"attacked": "close"}}, 3),
        ({"do": "can-use", "powers": ["Toughness"], "when": {"attacked": "ranged"}}, 4),
    ],
)
def test_effects_on_attacks_count_only_in_such_attacks(effect, click):
    rolls = {"wing-gust:b": [[6]]} if click == 1 else {}
    assert state(struck(theirs=[card(effect)], **rolls), "b")["click"] == click


@pytest.mark.pure
def test_conditions_on_the_action_and_on_this_turn():
    """A power granted for close attacks can be named in one; a move adds 1 only after it, an attack only before it."""
    claws = card({"do": "can-use", "powers": ["Blades/Claws/Fangs"], "when": {"attack": "close"}})
    used = {"using": ["Blades/Claws/Fangs"], "rolls": {"attack": [[4, 3]], "damage": [[6]]}}
    report = fight(
        "core-modern", [fighter("a", "C3", cards=[claws])], [fighter("b", "D3")], done("close", "a", "b", **used)
    )
    assert state(report, "b")["click"] == 7  # the die replaces 3 damage
    for condition, total in (
        ({"moved_this_turn": True}, 11),
        ({"moved_this_turn": False}, 10),
        ({"action": ["move"]}, 10),
    ):
        walked = done("move", "a", path=["B4"])
        asked = {"ask": "value", "of": "a", "value": "attack"}
        mine = [fighter("a", "A3", cards=[card(UP | {"when": condition})])]
        report = adjudicate(battle("core-modern", mine, [fighter("b", "D3")], walked, ask=[asked]))
        assert report["answers"][0]["result"] == total
    swift = card({"do": "modify", "value": "speed", "by": 2, "when": {"action": ["move"]}})
    far = done("move", "a", path=[f"{column}1" for column in "BCDEFGHIJK"])
    report = adjudicate(battle("core-modern", [fighter("a", "A1", cards=[swift])], [fighter("b", "D9")], far))
    assert report["legal"]  # 8 + 2 squares
    tired = card(UP | {"when": {"attacked_this_turn": True}})
    assert on_a(tired["effects"][0], "attack", attacks_made=1)[0] == 11
    assert on_a(tired["effects"][0], "attack")[0] == 10


@pytest.mark.pure
def test_a_card_is_lost_when_it_says_so_and_one_that_is_fixed_is_not_countered():
    brief = card(UP, {"do": "lost", "when": {"tokens": [2]}})
    assert [value("a", "attack", [fighter("a", "C3", cards=[brief], tokens=number)])[0] for number in (1, 2)] == [
        11,
        10,
    ]
    fixed = card(UP, {"do": "fixed", "against": ["counter"]})
    both = [fighter("a", "C3", cards=[one], countered=["Wing Gust"]) for one in (fixed, card(UP))]
    assert [value("a", "attack", [one])[0] for one in both] == [11, 10]


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
        {"do": "heal", "clicks": 1},
        UP | {"limit": "turn"},
        {"do": "can-use", "powers": ["Flurry"], "change": "three attacks"},
        {"do": "can-use", "powers": ["Barrier"], "change": "range 9"},
        {"do": "can-use", "powers": ["Charge"], "change": "range 10"},
        {"do": "can-use", "powers": ["Flurry"], "change": "doesn't halve speed"},
        {"do": "protected", "from": ["Blades/Claws/Fangs"]},
        {"do": "damage", "as": "penetrating", "amount": 2},
        {"do": "carry", "regardless": ["wings"]},
        {"do": "free-action", "action": "power"},
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
@pytest.mark.parametrize(
    "when", [{"moment": "after-hit", "to": {"side": "opponents", "hit": True}, "until": "next-turn"}, {"costs": "free"}]
)
def test_a_power_granted_at_a_moment_or_by_an_action_is_not_had_at_once(when):
    """Battle Fury forbids ranged attacks: the bearer of a card that gives it to those hit may still make one."""
    cry = card({"do": "can-use", "powers": ["Battle Fury"]} | when, text="War cry.")
    shot = done("ranged", "a", "b", rolls={"attack": [[4, 3]]})
    assert fight("core-modern", [fighter("a", "C3", range=8, cards=[cry])], [fighter("b", "G3")], shot)["legal"]


@pytest.mark.pure
def test_a_stop_for_opponents_attacks_stops_no_other_damage():
    halt = {"name": "Halt", "kind": "trait", "clicks": [3]}
    halt["effects"] = [{"do": "stop", "when": {"attacked": "any", "by": {"side": "opponents"}}}]
    storm = card({"do": "deal", "damage": 3, "moment": "end-of-turn", "to": {"side": "opponents", "within": 6}})
    mine, theirs = [fighter("a", "C3", cards=[storm])], [fighter("b", "D3", cards=[halt])]
    hit = done("close", "a", "b", rolls={"attack": [[4, 3]]})
    assert state(fight("core-modern", mine, theirs, hit), "b")["click"] == 3
    assert state(fight("core-modern", mine, theirs, {"action": "end-turn"}), "b")["click"] == 4


@pytest.mark.pure
def test_what_reaches_others_by_hand_is_announced_once_as_its_bearers():
    curse = [card({"do": "deal", "damage": 1, "to": {"side": "opponents", "within": 6}}, text="Ouch.")]
    for mine, theirs, owners in ((curse, (), "a"), ((), curse, "b"), (curse, curse, "ab")):
        said = [step["text"] for step in struck(mine, theirs)["steps"] if step["step"] == "ruling"]
        announced = "'s Wing Gust isn't adjudicated: decide by its card. It says: “Ouch.”"
        assert sorted(said) == [owner + announced for owner in owners]


POWERS = sorted(EDITIONS["core-modern"].powers)
IDLE = [
    *({"do": do, **keys} for do, keys in (("reduce", {"by": 2}), ("prevent", {}), ("raise", {"by": 2}))),
    *({"do": "cannot", "what": [what]} for what in ("move", "attack", "heal", "be-targeted")),
    *({"do": "modify", "value": value, "by": 2} for value in ("speed", "attack", "defense", "damage")),
    {"do": "can-use", "powers": ["Super Senses", "Shape Change"]},
    {"do": "cannot-use", "powers": ["Toughness"], "to": {"side": "all"}},
    {"do": "evade", "on": [1, 2, 3, 4, 5, 6]},
    {"do": "deal", "damage": 1, "moment": "when-hit", "to": {"side": "all"}},
    {"do": "most-damage", "at": 0},
]


@pytest.mark.pure
@given(st.sampled_from(golden("cards")), st.lists(st.sampled_from(IDLE), min_size=1, max_size=4), st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_card_that_does_not_matter_changes_nothing(case, effects, everywhere):
    """Neither on click 99, nor under a condition that doesn't hold."""
    idle = [one if everywhere else one | {"when": {"clicks": [99]}} for one in effects]
    added = card(*idle, name="Elsewhere", **({"clicks": [99]} if everywhere else {}))

    def played(*more):
        sides = ([fighter(**one | {"cards": [*one.get("cards", ()), *more]}) for one in case[who]] for who in SIDES)
        rest = {key: part for key, part in case.items() if key not in NOT_OF_THE_DOCUMENT}
        return adjudicate(battle("core-modern", *sides, *case.get("actions", ()), **deepcopy(rest)))

    assert played(added) == played()


SIDES = ("mine", "theirs")
NOT_OF_THE_DOCUMENT = ("id", "why", "expect", "actions", *SIDES)


@pytest.mark.pure
@given(st.sampled_from(POWERS), st.sampled_from("ab"), st.sampled_from(("close", "ranged", "move", "free", "power")))
@settings(max_examples=60, deadline=None)
def test_a_granted_power_equals_the_power(power, who, kind):
    """Used by the attacker or the target, named or not, legally or not: the reports are the same."""

    def played(dial=(), cards=()):
        figures = {"a": fighter("a", "C3", range=8), "b": fighter("b", "D3" if kind == "close" else "F3")}
        figures[who]["dial"] = [click | {"powers": list(dial)} for click in figures[who]["dial"]]
        figures[who]["cards"] = list(cards)
        rolls = {"attack": [[4, 3]], "damage": [[4]], "super-senses:b": [[2]], "shape-change:b": [[2]]}
        given = done(kind, "a", *(() if kind == "move" else "b"), rolls=rolls)
        if who == "a":
            given["using"] = [power]
        if kind == "move":
            given["path"] = ["C4", "C5"]
        return adjudicate(battle("core-modern", [figures["a"]], [figures["b"]], given))

    assert played(cards=[card({"do": "can-use", "powers": [power]})]) == played(dial=[power])


@pytest.mark.pure
@pytest.mark.parametrize("who", ["a", "b"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_granted_team_ability_equals_that_of_the_team(edition, who):
    """A wild card by a card uses its friends' team abilities, one at a time, as one by its symbol does."""
    teams = EDITIONS[edition].team_abilities
    hindering = {"terrain": [{"type": "hindering", "squares": ["D4", "E3"]}]}

    def played(team, kind, **keys):
        away = "D3" if kind == "close" else "G3"
        a, b = fighter("a", "C3", range=8), fighter("b", away)
        other = "Mystics" if "Mystics" in teams else "Batman Ally"
        beside = "C2" if who == "a" else away.replace("3", "2")
        friends = [fighter("f", beside, attack=12, defense=18, teams=[team]), fighter("g", "P16", teams=[other])]
        mine, theirs = ([a | keys, *friends], [b]) if who == "a" else ([a], [b | keys, *friends])
        given = done(kind, "a", *(() if kind == "move" else "b"), rolls={"attack": [[4, 5]], "skrull:b": [[2]]})
        given |= {"path": ["C4", "D4", "E4"]} if kind == "move" else {}
        report = adjudicate(battle(edition, mine, theirs, given, board=hindering))
        return [(one["text"], one["numbers"], one["topics"]) for one in report["steps"]], report["state"]

    for wild in EDITIONS[edition].wild_cards & {*teams}:
        granted = [card({"do": "can-use", "teams": [wild]})]
        for team in teams:
            for kind in ("close", "ranged", "move"):
                assert played(team, kind, cards=granted) == played(team, kind, teams=[wild]), (wild, team, kind)


@pytest.mark.pure
@pytest.mark.parametrize(("when", "before"), [({}, True), ({"after": "resolutions"}, False)])
def test_what_the_judge_decides_after_resolutions_is_announced_after_the_token(when, before):
    text = {"do": "by-hand", "text": "Ask a riddle.", "moment": "after-hit"} | when
    mine = [fighter("a", "C3", cards=[card(text)])]
    attack = {"action": "close", "actor": "a", "targets": ["b"], "rolls": {"attack": [[4, 3]]}}
    steps = adjudicate(battle("core-modern", mine, [fighter("b", "D3")], attack))["steps"]
    told = [step["step"] for step in steps if step["step"] == "token" or "riddle" in step["text"]]
    assert told == (["ruling", "token"] if before else ["token", "ruling"])


@pytest.mark.pure
def test_effects_that_set_each_other_off_end():
    """Each click lets it take 1 more and heal 1: after 30 effects the rest is the judge's."""
    circle = card(
        {"do": "heal", "clicks": 1, "moment": "when-clicked"},
        {"do": "deal", "damage": 1, "as": "unavoidable", "moment": "when-clicked"},
    )
    report = struck(theirs=[circle])
    said = [step["text"] for step in report["steps"] if step["step"] == "ruling"]
    assert said == ["More than 30 effects of cards follow one another here: the judge decides the rest."]


@pytest.mark.pure
def test_a_thousand_effects_by_lines_of_fire_take_little_time():
    """Each effect of forty figures looks for someone in a line of fire, and reaches all that it sees."""
    seen = {"side": "all", "within": 9, "line_of_fire": True}
    gaze = card(*[UP | {"when": {"near": seen | {"keyword": ["Brute"]}}, "to": seen}] * 25)

    def side(letter, columns):
        squares = [f"{column}{row}" for column in columns for row in range(1, 11)]
        return [fighter(f"{letter}{number}", at, cards=[gaze], range=8) for number, at in enumerate(squares)]

    shot = done("ranged", "a10", "b3", rolls={"attack": [[4, 3]]})
    began = process_time()
    assert adjudicate(battle("core-modern", side("a", "AB"), side("b", "FG"), shot))["legal"]
    assert process_time() - began < 10


@pytest.mark.pure
def test_lines_of_fire_that_decide_whom_effects_reach_end():
    """Two friends and two opponents, each lending Stealth and improved targeting to all it sees."""
    seen = {"side": "all", "within": 9, "line_of_fire": True, "also_self": True}
    mutual = card(
        {"do": "can-use", "powers": ["Stealth"], "to": seen},
        {"do": "ignore", "targeting": ["hindering"], "to": seen},
        UP | {"when": {"near": seen}, "to": seen},
    )
    mine = [fighter("a", "C3", range=8, cards=[mutual]), fighter("f", "C5", cards=[mutual])]
    theirs = [fighter("b", "G3", cards=[mutual]), fighter("c", "G5", cards=[mutual])]
    board = {"terrain": [{"type": "hindering", "squares": ["E3", "E4", "E5"]}]}
    assert value("a", "attack", mine, theirs, board=board)[0] == 13


@pytest.mark.pure
def test_cards_are_written_as_they_are_read():
    for written in EXAMPLES:
        assert write_cards(read_cards(written)) == written
    kinds = {effect["do"] for cards in EXAMPLES for one in cards for effect in one["effects"]}
    assert len(EXAMPLES) == 2
    assert kinds <= KINDS.keys()
    assert [kind for kind in KINDS if f"`{kind}`" not in CHAPTER] == []
    history = {"moved": True, "named_tokens": {"Web": 2}, "used": ["Wing Gust, once a game"]}
    document = battle(
        "core-modern", [fighter("a", "C3", cards=EXAMPLES[1], **history)], [fighter("b", "D3")], cards=EXAMPLES[0]
    )
    file = read_position(document)
    assert read_position(write_position(file)) == file
    assert write_position(file)["sides"][0]["characters"][0].items() >= history.items()


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
        ([UP | {"each_token": "Web", "each": {"side": "friends"}}], "/effects/0/each_token"),
        ([UP | {"tokens_of": "target"}], "/effects/0/tokens_of"),
        ([UP | {"when": {"stack": "half"}}], "/effects/0/when/stack"),
        ([{"do": "place", "within": "range"}], "/effects/0/within"),
        ([{"do": "heal", "clicks": 1, "moment": "when-ko", "to": {"rolled_for": True}}], "/effects/0/to/rolled_for"),
        (
            [
                {
                    "do": "on-roll",
                    "moment": "when-ko",
                    "outcomes": [{"on": [1], "effects": [{"do": "heal", "clicks": 1, "to": {"rolled_for": True}}]}],
                }
            ],
            "/effects/0/outcomes/0/effects/0/to/rolled_for",
        ),
        ([{"do": "deal", "damage": 1, "moment": "after-hit", "to": {"targeted": True}}], "/effects/0/to/targeted"),
        ([{"do": "heal", "clicks": 1, "costs": "triple-power"}], "/effects/0/costs"),
        ([{"do": "heal", "clicks": 1, "moment": "after-hit", "part": 2}], "/effects/0/part"),
        ([{"do": "heal", "clicks": 1, "costs": "free", "after": "resolutions"}], "/effects/0/after"),
        ([{"do": "heal", "clicks": 1, "moment": "after-hit", "after": "action"}], "/effects/0/after"),
        ([{"do": "can-use"}], "/effects/0/powers"),
        ([{"do": "lost"}], "/effects/0/when"),
        ([UP | {"when": {}}], "/effects/0/when"),
        ([UP | {"when": {"attack": "any", "attacked": "any"}}], "/effects/0/when/attacked"),
        ([UP | {"when": {"near": {"side": "friends"}}}], "/effects/0/when/near/within"),
        ([UP | {"to": {"side": "self", "within": 2}}], "/effects/0/to"),
        ([{"do": "can-use", "powers": ["A"]}, {"do": "cannot-use", "powers": ["A"]}], "/effects/1/powers"),
        ([{"do": "set", "value": "speed", "set": 1}, {"do": "set", "value": "speed", "set": 2}], "/effects/1"),
        ([{"do": "most", "value": "speed", "at": 1}, {"do": "least", "value": "speed", "at": 2}], "/effects/1/at"),
        ([{"do": "evade", "on": [6, 7]}], "/effects/0/on"),
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
@pytest.mark.parametrize(
    ("made", "least", "most"),
    [
        (lambda number: UP | {"by": number}, -99, 99),
        (lambda number: UP | {"each": {"side": "all"}, "most": number}, 0, 99),
        (lambda number: {"do": "set", "value": "attack", "set": number}, 0, 99),
        (lambda number: {"do": "heal", "clicks": number}, 1, 99),
        (lambda number: {"do": "on-roll", "dice": number, "outcomes": [{"on": [5], "effects": [UP]}]}, 1, 2),
        (lambda number: {"do": "on-roll", "outcomes": [{"on": [number], "effects": [UP]}]}, 1, 6),
        (lambda number: {"do": "on-roll", "dice": 2, "outcomes": [{"on": [number], "effects": [UP]}]}, 2, 12),
        (lambda number: {"do": "evade", "on": [number]}, 1, 6),
        (lambda number: {"do": "starting-line", "points": number, "clicks": [1]}, 0, 10_000),
        (lambda number: {"do": "starting-line", "points": 50, "clicks": [number]}, 1, 100),
        (lambda number: UP | {"to": {"within": number}}, 1, 99),
        (lambda number: UP | {"to": {"points_at_most": number}}, 0, 10_000),
        (lambda number: UP | {"to": {"points_at_least": number}}, 0, 10_000),
        (lambda number: UP | {"to": {"tokens": [number]}}, 0, 9),
        (lambda number: UP | {"to": {"choose": number}, "moment": "start-of-turn"}, 1, 99),
        (lambda number: UP | {"when": {"moved_at_most": number}}, 0, 99),
        (lambda number: UP | {"when": {"started_at": number}}, 0, 10_000),
        (lambda number: UP | {"when": {"listed_on_map": number}}, 1, 99),
        (lambda number: UP | {"when": {"using": [f"Power {one}" for one in range(number)]}}, 1, 50),
        (lambda number: UP | {"when": {"clicks": [*range(1, number + 1)]}}, 1, 100),
    ],
)
def test_numbers_on_cards_are_read_up_to_their_bounds(made, least, most):
    for number in (least, most):
        assert read_cards([card(made(number))])
    for number in (least - 1, most + 1):
        with pytest.raises(BadInput):
            read_cards([card(made(number))])


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


def equipment(**keys):
    return {"id": "o", "kind": "light", "square": "C3", "name": "Shield", "equip": "any"} | keys


@pytest.mark.pure
@pytest.mark.parametrize(
    ("edition", "objects", "where"),
    [
        ("core-modern", [equipment(player="C")], "/objects/0/player"),
        ("core-modern", [equipment(equip="friendly")], "/objects/0/player"),
        ("core-modern", [equipment(equip="all")], "/objects/0/equip"),
        ("core-modern", [equipment(unequip="keep")], "/objects/0/unequip"),
        ("core-modern", [equipment(assigned_to="a")], "/objects/0/assigned_to"),
        ("core-modern", [equipment(square=None, assigned_to="z")], "/objects/0/assigned_to"),
        (
            "core-modern",
            [equipment(square=None, assigned_to="a"), equipment(id="p", square=None, assigned_to="a")],
            "/objects/1/assigned_to",
        ),
        ("core-2014", [equipment()], "/objects/0/equip"),
        ("core-2014", [{"id": "o", "kind": "light", "square": "C3", "relic": 4}], "/objects/0/relic"),
        ("core-2014", [{"id": "o", "kind": "immobile", "special": True, "relic": 7}], "/objects/0/relic"),
        ("core-modern", [{"id": "o", "kind": "immobile", "special": True, "relic": 4}], "/objects/0/relic"),
        ("car-2002", [{"id": "o", "kind": "light", "square": "C4", "marker": True}], "/objects/0/marker"),
        ("core-modern", [equipment(indestructible="yes")], "/objects/0/indestructible"),
    ],
)
def test_objects_that_cannot_be_are_refused_at_their_place(edition, objects, where):
    with pytest.raises(BadInput) as refused:
        adjudicate(battle(edition, [fighter("a", "C3")], [fighter("b", "D3")], objects=objects))
    assert [fault.where for fault in refused.value.every] == [where]


@pytest.mark.pure
@pytest.mark.parametrize(
    ("figure", "where"),
    [
        ({"generated_by": "z"}, "generated_by"),
        ({"replaces": "a"}, "replaces"),
        ({"dials": [[]]}, "dials/0"),
        ({"dials": [[{"speed": 1, "attack": 1, "defense": 1}]]}, "dials/0/0/damage"),
        ({"named_tokens": {"Web": {"a": -1}}}, "named_tokens/Web/a"),
        ({"named_tokens": {"Web": {"z": 1}}}, "named_tokens/Web"),
        ({"copies": 3}, "copies"),
        ({"left": "no"}, "left"),
        ({"cards": [{"name": "Mud", "kind": "terrain", "squares": ["B2"]}]}, "cards/0/squares"),
        ({"cards": [{"name": "Mud", "kind": "trait", "points": 3}]}, "cards/0/points"),
        ({"cards": [{"name": "Aim", "kind": "feat", "requires": {"power": []}}]}, "cards/0/requires/power"),
        ({"cards": [{"name": "Aim", "kind": "feat", "requires": {"values": {"size": 1}}}]}, "cards/0/requires/values"),
    ],
)
def test_figures_that_cannot_be_are_refused_at_their_place(figure, where):
    with pytest.raises(BadInput) as refused:
        adjudicate(battle("core-2014", [fighter("a", "C3") | figure], [fighter("b", "D3")]))
    assert [fault.where for fault in refused.value.every] == [f"/sides/0/characters/0/{where}"]


@pytest.mark.pure
@pytest.mark.parametrize(
    ("edition", "keys", "where"),
    [
        ("core-modern", {"scenario": "stand-aside"}, "/scenario"),
        ("ic-2002", {"scenario": "raid-on-star-labs"}, "/scenario"),
        ("car-2002", {"scenario": "raid"}, "/scenario"),
        ("core-modern", {"cards": [{"name": "Mud", "kind": "terrain", "squares": ["Z99"]}]}, "/cards/0/squares"),
        ("core-modern", {"cards": [{"name": "Mud", "kind": "terrain", "squares": []}]}, "/cards/0/squares"),
    ],
)
def test_battles_that_cannot_be_are_refused_at_their_place(edition, keys, where):
    with pytest.raises(BadInput) as refused:
        adjudicate(battle(edition, [fighter("a", "C3")], [fighter("b", "D3")], **keys))
    assert [fault.where for fault in refused.value.every] == [where]


@pytest.mark.pure
def test_nobody_replaces_itself_through_others():
    mine = [fighter("a", "C3", replaces="c"), fighter("c", None, replaces="d"), fighter("d", None, replaces="a")]
    with pytest.raises(BadInput) as refused:
        adjudicate(battle("core-modern", mine, [fighter("b", "D3")]))
    assert [fault.where for fault in refused.value.every] == [f"/sides/0/characters/{n}/replaces" for n in range(3)]


@pytest.mark.pure
def test_a_replaced_character_may_come_back_and_scores_once():
    def turns_into(name):
        effects = [{"do": "becomes", "name": name, "costs": "free"}]
        return [{"name": "Two Faces", "kind": "trait", "effects": effects}]

    mine = [fighter("a", "C3", click=8, cards=turns_into("c")), fighter("c", None, cards=turns_into("a"), points=70)]
    use = {"action": "free", "using": ["Two Faces"]}
    blow = {"action": "close", "actor": "b", "targets": ["a"], "rolls": {"attack": [[5, 4]]}}
    back = [use | {"actor": "a"}, use | {"actor": "c"}, {"action": "end-turn"}, blow]
    report = adjudicate(battle("core-modern", mine, [fighter("b", "D3")], *back))
    assert report["legal"]
    state = report["state"]
    assert state["characters"]["a"]["ko"]
    assert state["characters"]["c"]["replaces"] == "a"
    assert "replaces" not in state["characters"]["a"]
    assert state["victory_points"] == {"A": 0, "B": 50}


@pytest.mark.pure
def test_a_position_with_everything_the_books_add_is_written_as_it_is_read():
    more = {"dials": [fighter("x", None)["dial"]], "generated_by": "c", "replaces": "d", "copies": ""}
    mine = [
        fighter("a", "C3", named_tokens={"Web": {"b": 2}, "Ice": 1}, **more),
        fighter("c", "A1"),
        fighter("d", None),
    ]
    shield = equipment(square=None, assigned_to="a", player="A", points=5, unequip="drop", indestructible=True)
    feat = {"name": "Aim", "kind": "feat", "points": 5, "requires": {"powers": ["Charge"], "values": {"speed": 8}}}
    mine[1]["cards"] = [feat]
    mud = {"name": "Mud", "kind": "terrain", "squares": ["D4", "E4"]}
    file = read_position(battle("core-modern", mine, [fighter("b", "D3")], objects=[shield], cards=[mud]))
    assert read_position(write_position(file)) == file
    written = write_position(file)
    assert written["objects"][0].items() >= shield.items()
    assert written["sides"][0]["characters"][0]["named_tokens"] == {"Web": {"b": 2}, "Ice": 1}
    assert written["cards"][0]["squares"] == ["D4", "E4"]
    artifact = {"id": "o", "kind": "light", "square": "C4", "marker": True}
    keys = {"objects": [artifact], "scenario": "winner-takes-all"}
    file = read_position(battle("car-2002", [fighter("a", "C3", left=False)], [fighter("b", "D3")], **keys))
    assert read_position(write_position(file)) == file
    assert write_position(file)["scenario"] == "winner-takes-all"


@pytest.mark.pure
@pytest.mark.parametrize(
    ("giver", "by", "left"),
    [
        ("b", -1, {"a": 2, "b": 1}),
        ("a", -1, {"a": 1, "b": 2}),
        ("a", -3, {"b": 1}),
        ("c", -1, {"a": 1, "b": 2}),
        ("a", 1, {"a": 3, "b": 2}),
    ],
)
def test_named_tokens_of_the_giver_go_first(giver, by, left):
    mine = [fighter("a", "C3", named_tokens={"Web": {"a": 2, "b": 2}})]
    case = read_position(battle("core-modern", mine, [fighter("b", "D3"), fighter("c", "E3")])).case
    found = with_tokens(case.position.character("a"), "Web", by, giver)
    assert {one.by: one.number for one in found} == left


@pytest.mark.pure
def test_what_the_books_add_is_offered_among_the_actions():
    def offered(edition, mine, **keys):
        document = battle(edition, mine, [fighter("b", "P16")], ask=[{"ask": "actions", "of": "a"}], **keys)
        answers = adjudicate(document)["answers"][0]["result"]
        return {(one["action"], *one.get("using", ()), *one.get("targets", ())) for one in answers if one["legal"]}

    card = [{"name": "Roar", "kind": "trait", "effects": [{"do": "heal", "clicks": 1, "costs": "double-power"}]}]
    assert ("double-power", "Roar, trait") in {
        one[:2] for one in offered("core-modern", [fighter("a", "C3", cards=card)])
    }
    tired = offered("core-modern", [fighter("a", "C3", cards=card, tokens=1)])
    assert "double-power" not in {one[0] for one in tired}
    assert ("power", "Equip") in offered("core-modern", [fighter("a", "C3")], objects=[equipment()])
    assert "Equip" not in str(offered("core-modern", [fighter("a", "C4")], objects=[equipment()]))
    wild = [fighter("a", "C3", teams=["Spider-Man"], copies=""), fighter("c", "D9", teams=["Batman Ally"])]
    assert ("free", "Wild Card") in {one[:2] for one in offered("core-2014", wild)}


@pytest.mark.pure
def test_a_power_that_cannot_be_ignored_is_not_said_to_be_ignored():
    """A STOP click that grants Toughness counts against Pulse Wave; of two powers only the other one doesn't help."""
    kept = card({"do": "can-use", "powers": ["Toughness"]}, {"do": "fixed", "against": ["counter", "ignore"]})
    mine = [fighter("a", "C3", powers=["Pulse Wave"], range=8)]
    theirs = [fighter("b", "E3", powers=["Super Senses"], cards=[kept])]
    shot = done("ranged", "a", "b", using=["Pulse Wave"], rolls={"attack": [[4, 3]]})
    report = fight("core-modern", mine, theirs, shot)
    said = [step["text"] for step in report["steps"]]
    assert "Super Senses doesn't help b: the attack ignores it." in said
    assert not any("Toughness doesn't help" in text for text in said)
    assert "Toughness reduces the damage to b from 3 to 2." in said


def test_actions_list_a_power_of_which_the_judge_decides_something():
    """Outwit, limited by its card in words nobody reads, is listed with its targets; Barrier without any."""
    limited = {"do": "can-use", "powers": ["Outwit"], "change": "can only counter defense powers"}
    fewer = {"do": "can-use", "powers": ["Barrier"], "action": "free", "change": "only to generate 2 markers"}
    mine = [fighter("a", "C3", cards=[card(limited, fewer)])]
    theirs = [fighter("b", "D3", powers=["Toughness"])]
    report = adjudicate(battle("core-modern", mine, theirs, ask=[{"ask": "actions", "of": "a"}]))
    found = {tuple(one.get("using", ())): one for one in report["answers"][0]["result"]}
    why = ["What Wing Gust, trait, says about it isn't adjudicated: decide by the card."]
    assert found["Outwit",] == {"action": "free", "using": ["Outwit"], "targets": ["b"], "legal": True, "because": why}
    assert found["Barrier",] == {"action": "free", "using": ["Barrier"], "legal": True, "because": why}


def test_actions_list_no_attack_by_a_character_that_cannot_attack():
    still = card({"do": "cannot", "what": ["attack"], "when": {"tokens": [1]}})
    for tokens, legal in ((0, True), (1, False)):
        mine = [fighter("a", "C3", tokens=tokens, cards=[still])]
        report = adjudicate(battle("core-modern", mine, [fighter("b", "D3")], ask=[{"ask": "actions", "of": "a"}]))
        close = next(one for one in report["answers"][0]["result"] if one["action"] == "close")
        assert (close["legal"], "a can't attack: Wing Gust, trait." in close.get("because", [])) == (legal, not legal)


def test_a_refused_action_is_announced_with_what_its_cards_leave_open():
    far = {"do": "ignore", "targeting": ["blocking"], "limit": "game", "when": {"attack": "close"}}
    report = fight(
        "core-modern", [fighter("a", "C3", cards=[card(far)])], [fighter("b", "G3")], done("close", "a", "b")
    )
    assert [step["step"] for step in report["steps"]] == ["ruling", "illegal"]
    assert "Wing Gust isn't adjudicated" in report["steps"][0]["text"]


@pytest.mark.parametrize(("target", "judged"), [("D3", False), ("L3", True)])
def test_actions_list_a_power_as_adjudicated_where_it_can_be_used_so(target, judged):
    """Outwit of the dial is listed as usual; beyond its range the card that changes it has the say."""
    changed = card({"do": "can-use", "powers": ["Outwit"], "change": "range 9, only to counter red powers"})
    mine = [fighter("a", "C3", powers=["Outwit"], cards=[changed])]
    report = adjudicate(
        battle("core-modern", mine, [fighter("b", target, powers=["Toughness"])], ask=[{"ask": "actions", "of": "a"}])
    )
    found = [one for one in report["answers"][0]["result"] if one.get("using") == ["Outwit"]]
    assert [(one["legal"], "because" in one) for one in found] == [(True, judged)]
