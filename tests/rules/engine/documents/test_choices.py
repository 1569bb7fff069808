"""Players' choices, read once into values; the rule that needs a choice rejects one of the wrong kind."""

from __future__ import annotations

from rules.engine.choices import NO_CHOICES, Choices, ChosenPlace, Declined
from rules.engine.documents.actions import read_action
from rules.engine.position.squares import Square
from tests.tables import every_row

D2, E3 = Square(3, 1), Square(4, 2)
READ = [
    ({}, NO_CHOICES),
    ({"counter": None, "place": None, "luck": 7}, NO_CHOICES),
    ({"counter": "Toughness"}, Choices(counter="Toughness")),
    ({"value": "attack", "by": -1}, Choices(value="attack", by=-1)),
    ({"by": "1"}, Choices(by=0)),
    ({"by": True}, Choices(by=0)),
    ({"square": "D2"}, Choices(square=ChosenPlace("D2", (D2,)))),
    ({"square": "here"}, Choices(square=ChosenPlace("here"))),
    ({"squares": ["D2", "here", 7, "E3"]}, Choices(squares=(D2, None, None, E3))),
    ({"squares": "D2"}, Choices(squares=())),
    ({"place": {"a": "D2", "c": None}}, Choices(places={"a": ChosenPlace("D2", (D2,))})),
    ({"place": {"a": ["D2", "E3"]}}, Choices(places={"a": ChosenPlace("['D2', 'E3']", (D2, E3))})),
    ({"place": "D2"}, Choices()),
    ({"knock-back": False}, Choices(knock_back=False)),
    ({"knock-back": "no"}, Choices(knock_back="unclear")),
    ({"knock-back-direction": "N", "knock-back-direction:b": "E"}, Choices(direction="N", directions={"b": "E"})),
    ({"mastermind:a": "b", "mastermind:c": None}, Choices(masterminds={"a": "b", "c": None})),
    ({"reroll-by": "a"}, Choices(reroll_by="a")),
    ({"relic": 5.0}, Choices(relic=0)),
    ({"unstack": True}, Choices(unstack=True)),
    ({"unstack": "t2"}, Choices(unstack="t2")),
    ({"unstack": 0}, Choices()),
    ({"decline": ["willpower:bat", "x"]}, Choices(declined=(Declined("willpower", "bat"), Declined("x")))),
    ({"decline": "willpower:bat"}, Choices(declined=(Declined(""),))),
]  # fmt: skip


@every_row(("given", "read"), READ)
def test_a_choice_is_read_into_values(given, read):
    assert read_action({"action": "free", "choose": given}).choose == read


def test_the_granted_action_chooses_first():
    outer = Choices(
        counter="Toughness", direction="N", directions={"a": "E", "b": "S"}, places={"a": ChosenPlace("D2")}
    )
    inner = Choices(direction="W", directions={"b": "N"}, knock_back=False, by=0)
    assert outer.with_those_of(NO_CHOICES) is outer
    assert outer.with_those_of(inner) == Choices(
        counter="Toughness",
        direction="W",
        directions={"a": "E", "b": "N"},
        places=outer.places,
        knock_back=False,
        by=0,
    )
