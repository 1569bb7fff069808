"""What stands around an action or a question: each circumstance where it is, and not where it is not."""

import pytest

from rules.engine.actions.circumstances import (
    CIRCUMSTANCES,
    KINDS,
    circumstances_asked,
    circumstances_awaited,
    circumstances_of,
)
from rules.engine.documents.position import read_position
from rules.engine.play import Play
from tests.rules.engine.dispute_documents import close, dispute, figure, flier, free, move, power, ranged, sentinel

NOBODY = [figure("b", "N14")]
BIN = {"id": "bin", "kind": "heavy", "square": "F5"}


def around(document):
    case = read_position(document).case
    play = Play(case.edition, case.position)
    if case.actions:
        return circumstances_of(play, case.actions[0])
    return circumstances_asked(play, case.questions[0])


ACTIONS = [
    (dispute([figure("a", "E5", range=0)], NOBODY, close("a", "b")), {"range-zero", "targets-other"}, {"namesakes"}),
    (
        dispute([figure("a", "E5", name="Robin")], [figure("b", "F5", name="Robin", tokens=2)], close("a", "b")),
        {"namesakes", "target-token", "target-two-tokens", "beside-opponent"},
        {"targets-friend", "target-100", "target-team"},
    ),
    (
        dispute([figure("a", "E5")], NOBODY, close("a", "b", choose={"decline": ["toughness:b", "defenders:b"]})),
        {"declines", "declines-team"},
        {"waives-knock-back"},
    ),
    (
        dispute([figure("a", "E5")], NOBODY, close("a", "b", choose={"decline": ["Justice Society:b"]})),
        {"declines", "declines-team"},
        {"waives-knock-back"},
    ),
    (
        dispute([figure("a", "E5")], NOBODY, close("a", "b", choose={"decline": ["toughness:b"]})),
        {"declines"},
        {"declines-team"},
    ),
    (
        dispute(
            [figure("a", "E5")], NOBODY, close("a", "b", choose={"knock-back": False, "knock-back-direction": "N"})
        ),
        {"waives-knock-back", "oblique"},
        set(),
    ),
    (
        dispute([flier("a", "E5"), figure("p", "E6")], [figure("b", "F7")], move("a", "D5", carry=["p"])),
        {"passenger-beside-opponent", "actor-hovering"},
        {"leaves-opponent", "several-carried"},
    ),
    (
        dispute([flier("a", "E5"), figure("p", "E6"), figure("q", "F6")], NOBODY, move("a", "D5", carry=["p"])),
        {"several-carried"},
        {"passenger-beside-opponent"},
    ),
    (
        dispute([figure("a", "E5")], NOBODY, move("a", "F5"), elevated=["D4:H8"], hindering=["F5"]),
        {"rooftop-hindering", "enters-hindering"},
        {"rooftop-blocking", "starts-in-hindering", "changes-level"},
    ),
    (
        dispute([figure("a", "E5")], NOBODY, move("a", "F6"), markers=[{"kind": "barrier", "square": "F5"}]),
        {"cuts-corner", "corner-of-barrier"},
        {"corner-of-wall", "enters-blocking"},
    ),
    (
        dispute([figure("a", "E5")], NOBODY, move("a", "F5", "G5"), blocking=["F5"], water=["G5"]),
        {"enters-blocking", "enters-water", "enters-hindering"},
        {"stairs-near", "starts-in-hindering"},
    ),
    (
        dispute(
            [figure("a", "E5", "Barrier")], NOBODY, move("a", choose={"squares": ["G5", "??", 7]}), hindering=["G5"]
        ),
        {"places-markers", "on-terrain-feature"},
        {"aims-at-terrain"},
    ),
    (
        dispute([figure("a", "E5", "Barrier")], NOBODY, move("a", choose={"squares": ["G5"]}), objects=[BIN]),
        {"places-markers"},
        {"on-terrain-feature"},
    ),
    (dispute([figure("a", "E5", "Barrier")], NOBODY, move("a", choose={"squares": "G5"})), set(), {"places-markers"}),
    (
        dispute([figure("a", "E5")], [figure("b", "F5")], close("a", "bin"), objects=[BIN]),
        {"object-under-opponent"},
        {"object-under-actor", "named-object", "held-by-somebody"},
    ),
    (
        dispute([figure("a", "E5")], NOBODY, close("a", "bin"), objects=[{**BIN, "name": "Dumpster"}]),
        {"named-object", "figure:dumpster"},
        {"object-under-opponent"},
    ),
    (
        dispute([figure("a", "E5")], NOBODY, close("a", "E5|F5"), elevated=["F4:F6"], walls=["E5|F5"]),
        {"aims-at-terrain", "wall-between-levels"},
        {"aims-at-barrier"},
    ),
    (
        dispute([figure("a", "E5")], [figure("b", "H5", symbols={"damage": "giant"})], ranged("a", "b")),
        {"other-sizes"},
        {"has-sentinel", "has-larger-base"},
    ),
    (
        dispute([sentinel("s", "E5")], NOBODY, move("s", "F5"), objects=[{**BIN, "square": "G6"}]),
        {"has-sentinel", "has-larger-base", "passes-object"},
        {"other-sizes", "walls-near"},
    ),
    (
        dispute([sentinel("s", "E5")], [figure("b", "J5")], ranged("s", "b")),
        {"has-sentinel"},
        {"crosses-figure"},
    ),
    (
        dispute(
            [figure("a", "E5", "Charge", "Outwit")],
            [figure("b", "H5", "Toughness")],
            move("a", "F5", "G5", using=("Charge",), then=[free("a", "b", using=("Outwit",)), close("a", "b")]),
        ),
        {"within-action", "present:charge", "present:toughness", "beside-opponent"},
        {"two-powers", "leaves-opponent", "crosses-figure"},
    ),
    (
        dispute([figure("a", "E5")], [figure("b", "F5")], power("a")),
        {"stays-beside-opponent"},
        {"leaves-opponent"},
    ),
]


@pytest.mark.parametrize(("document", "there", "not_there"), ACTIONS)
def test_what_stands_around_an_action(document, there, not_there):
    found = around(document)
    assert there <= found, there - found
    assert not not_there & found


def asked(ours, theirs, question, **ground):
    return dispute(ours, theirs, ask=[question], **ground)


QUESTIONS = [
    (
        asked(
            [figure("a", "E5")],
            [figure("b", "G7")],
            {"ask": "line-of-fire", "from": "a", "to": "b"},
            markers=[{"kind": "barrier", "square": "F5"}],
            walls=["E6|F6"],
        ),
        {"line-through-corner", "corner-of-barrier", "corner-of-wall", "corner-of-terrain"},
        {"crosses-barrier", "corner-of-figures"},
    ),
    (
        asked([figure("a", "E5")], NOBODY, {"ask": "line-of-fire", "from": "a", "to": "H5"}, blocking=["F5"]),
        {"crosses-blocking"},
        {"crosses-figure", "line-through-corner"},
    ),
    (
        asked([figure("a", "E5")], NOBODY, {"ask": "line-of-fire", "from": "C3", "to": "E5"}),
        {"line-through-corner"},
        {"corner-of-terrain"},
    ),
    (
        asked([flier("a", "E5", flight="hovering")], NOBODY, {"ask": "reachable", "of": "a", "flight": "soaring"}),
        {"changes-flight", "actor-hovering"},
        {"leaves-opponent"},
    ),
    (
        asked([figure("a", "E5")], [figure("b", "H6")], {"ask": "knock-back", "of": "b", "from": "a", "clicks": 2}),
        {"oblique"},
        set(),
    ),
    (
        asked([figure("a", "E5")], [figure("b", "H5")], {"ask": "knock-back", "of": "b", "from": "E5", "clicks": 2}),
        set(),
        {"oblique"},
    ),
    (
        asked([figure("a", "E5")], [figure("b", "F5")], {"ask": "break-away", "of": "a"}, hindering=["E5"]),
        {"leaves-opponent", "starts-in-hindering"},
        {"leaves-soarer"},
    ),
    (asked([figure("a", "E5")], NOBODY, {"ask": "action-total", "player": "A"}, kind="indoor"), {"indoors"}, set()),
    (asked([figure("a", "E5")], NOBODY, {"ask": "adjacent", "a": "a", "b": "b"}), {"asks-adjacent"}, set()),
    (
        asked([figure("a", "E5")], [figure("b", "F5", clicks=1, click=2)], {"ask": "break-away", "of": "b"}),
        set(),
        {"leaves-opponent"},
    ),
]


@pytest.mark.parametrize(("document", "there", "not_there"), QUESTIONS)
def test_what_stands_around_a_question(document, there, not_there):
    found = around(document)
    assert there <= found, there - found
    assert not not_there & found


def test_what_is_waited_for():
    assert circumstances_awaited("super-senses:joker") == {"awaits:super-senses"}
    assert circumstances_awaited("attack/reroll") == {"awaits:attack"}
    assert circumstances_awaited("knock-back-direction") == {"awaits:knock-back-direction", "oblique"}


@pytest.mark.parametrize(("document", "there", "not_there"), [*ACTIONS, *QUESTIONS])
def test_the_list_is_closed(document, there, not_there):
    for found in around(document) | there | not_there:
        assert found in CIRCUMSTANCES or found.partition(":")[0] in KINDS, found
