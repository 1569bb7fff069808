"""What is left to the judge is announced for everyone whom an action reaches, named in it or not: once, and in time."""

import pytest

from ..fights import done, fight, fighter

GUST = {"name": "Wing Gust", "kind": "trait", "text": "Only at night.", "effects": [{"do": "by-hand"}]}
FRIENDS = {"side": "friends", "within": 6}
SHELTER = {"name": "Shelter", "kind": "trait", "effects": [{"do": "can-use", "powers": ["Haven"], "to": FRIENDS}]}
FOES = {"moment": "end-of-turn", "to": {"side": "opponents", "within": 6}}
HIT = {"attack": [[6, 5]]}


def storm(**effect):
    return fighter("a", "C3", cards=[{"name": "Storm", "kind": "trait", "effects": [effect | FOES]}])


def with_power(name, square, **keys):
    return fighter("a", square, powers=[name], **keys)


@pytest.mark.pure
@pytest.mark.parametrize(
    ("mine", "action", "reached"),
    [
        (with_power("Poison", "C3"), done("free", "a", using=["Poison"]), "b takes 1"),
        (with_power("Quake", "C3"), done("close", "a", using=["Quake"], rolls=HIT), "against b's"),
        (with_power("Pulse Wave", "A3", range=6), done("ranged", "a", using=["Pulse Wave"], rolls=HIT), "against b's"),
        (
            with_power("Energy Explosion", "A3", range=8),
            done("ranged", "a", "c", using=["Energy Explosion"], rolls=HIT),
            "against b's",
        ),
        (storm(do="deal", damage=1), {"action": "end-turn"}, "b takes 1"),
        (storm(do="token", name="Web", by=1), {"action": "end-turn"}, "b gets 1 Web"),
        (storm(do="ko"), {"action": "end-turn"}, "KO's b"),
    ],
    ids=["poison", "quake", "pulse-wave", "explosion", "damage-by-a-card", "token-by-a-card", "ko-by-a-card"],
)
@pytest.mark.parametrize(
    ("b", "c", "text"),
    [
        ({"cards": [GUST]}, {}, "b's Wing Gust isn't adjudicated: decide by its card. It says: “Only at night.”"),
        ({}, {"cards": [SHELTER]}, "b's Haven isn't adjudicated: decide by its card."),
        ({"powers": ["Haven"]}, {}, "b's Haven isn't adjudicated: decide by its card."),
    ],
    ids=["its-card", "a-friends-card", "its-power"],
)
def test_whom_an_action_reaches_is_announced_once_though_not_named(mine, action, reached, b, c, text):
    theirs = [fighter("b", "D3", **b), fighter("c", "D4", **c), fighter("d", "E4")]
    report = fight("core-modern", [mine], theirs, action)
    said = [step["text"] for step in report["steps"]]
    assert said.count(text) == 1
    assert said.index(text) < next(number for number, one in enumerate(said) if reached in one)


@pytest.mark.pure
def test_what_was_announced_in_one_action_is_announced_again_in_the_next():
    poison = done("free", "a", using=["Poison"])
    mine = [with_power("Poison", "C3"), fighter("e", "E3", powers=["Poison"])]
    report = fight("core-modern", mine, [fighter("b", "D3", cards=[GUST])], poison, poison | {"actor": "e"})
    assert [step["action"] for step in report["steps"] if step["step"] == "ruling"] == [0, 1]
