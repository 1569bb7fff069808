"""Facts noted for rulings during an action or a question: each appears where it should, and not elsewhere."""

import pytest

from rules.engine import adjudicate
from rules.engine.adjudicate import decide
from rules.engine.documents.position import read_position
from rules.engine.errors import Illegal
from rules.engine.met import KINDS, Met, Notes
from tests.rules.engine.dispute_documents import (
    close,
    dice,
    dispute,
    figure,
    flier,
    free,
    move,
    power,
    ranged,
    sentinel,
)
from tests.tables import every_row

NOBODY = [figure("b", "N14")]
AGENTS = {"g": "D5", "h": "F5"}
BIN = {"id": "bin", "kind": "heavy", "square": "F5"}
HELD = BIN | {"square": None}


def scenes(document):
    """Return the facts of each attack and character in a document's report."""
    return [seen for notes in decide(read_position(document).case).notes for seen in notes.cases()]


AROUND = ("present", "own", "target", "off", "beside", "facing", "apart", "figure")


def around(document):
    """Return all facts of a document's report, without topics and steps."""
    met = frozenset().union(*(seen.met for seen in scenes(document)))
    return {one for one in met if one in list(Met) or one.partition(":")[0] in AROUND}


ACTIONS = [
    (
        dispute(
            [figure("a", "E5", holding="bin")],
            [figure("b", "F5")],
            close("a", "b"),
            objects=[HELD],
            edition="core-modern",
        ),
        {"keeps-object"},
        {"target-holds-heavy", "beside-larger-base", "target-larger-base"},
    ),
    (
        dispute(
            [figure("a", "E5")], NOBODY, move("a", "F6", "G6"), edition="core-2014", hindering=["F5"], blocking=["E6"]
        ),
        {"corner-of-terrain"},
        {"leaves-water"},
    ),
    (
        dispute([figure("a", "E5")], NOBODY, move("a", "F6"), edition="core-2014", hindering=["F5"], walls=["E5|E6"]),
        {"corner-of-terrain"},
        {"leaves-water"},
    ),
    (
        dispute([figure("a", "E5")], NOBODY, move("a", "F5"), edition="core-modern", hindering=["F5"], water=["E5"]),
        {"leaves-water"},
        {"enters-water", "corner-of-terrain"},
    ),
    (
        dispute(
            [figure("a", "E5", "Mind Control")],
            [figure("b", "H5")],
            ranged("a", "b", using=("Mind Control",), then=[move("b", "I5")], rolls=dice(4, 5)),
        ),
        set(),
        {"controlled-before", "perplexed-twice", "changes-range"},
    ),
    (dispute([flier("a", "E5", flight="hovering")], NOBODY, move("a", "E6")), {"actor-hovering"}, {"changes-flight"}),
    (
        dispute([flier("a", "E5", flight="hovering")], NOBODY, move("a", "E6", flight="hovering")),
        {"actor-hovering"},
        {"changes-flight"},
    ),
    (
        dispute([flier("a", "E5", flight="hovering")], NOBODY, move("a", "E6", flight="soaring")),
        {"changes-flight"},
        {"actor-soaring"},
    ),
    (dispute([flier("a", "E5")], NOBODY, move("a", "E6", flight="hovering")), set(), {"changes-flight"}),
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
        {"declines-team"},
        {"waives-knock-back", "declines"},
    ),
    (
        dispute([figure("a", "E5")], NOBODY, close("a", "b", choose={"decline": ["toughness:b"]})),
        {"declines"},
        {"declines-team"},
    ),
    (
        dispute(
            [figure("a", "E5")],
            [figure("b", "F5")],
            close("a", "b", rolls=dice(5, 5), choose={"knock-back": False, "knock-back-direction": "E"}),
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
        set(),
        {"several-carried", "passenger-beside-opponent"},
    ),
    (
        dispute([flier("a", "E5"), figure("p", "E6"), figure("q", "F6")], NOBODY, move("a", "D5", carry=["p", "q"])),
        {"several-carried"},
        {"passenger-beside-opponent"},
    ),
    (
        dispute([figure("a", "E5")], [figure("b", "H5")], ranged("a", "b"), elevated=["H5"]),
        {"different-levels"},
        {"rooftop-hindering"},
    ),
    (dispute([figure("a", "E5")], [figure("b", "H5")], ranged("a", "b")), set(), {"different-levels"}),
    *(
        (dispute([figure("a", "E5")], [flier("b", square, flight="soaring")], move("a", "D5")), met, other)
        for square, met, other in (("F5", {"leaves-soarer"}, set()), ("G5", set(), {"leaves-soarer"}))
    ),
    *(
        (dispute([figure("a", "E5")], [flier("b", square)], move("a", "D5"), blocking=[square]), met, other)
        for square, met, other in (("F5", {"leaves-on-top"}, set()), ("G5", set(), {"leaves-on-top"}))
    ),
    (
        dispute([figure("a", "E5")], NOBODY, move("a", "F5"), elevated=["D4:H8"], hindering=["F5"]),
        {"rooftop-hindering", "enters-hindering"},
        {"rooftop-blocking", "starts-in-hindering", "changes-level"},
    ),
    (
        dispute([figure("a", "E5")], NOBODY, move("a", "F6"), markers=[{"kind": "barrier", "square": "F5"}]),
        {"cuts-corner"},
        {"corner-of-barrier"},
    ),
    (
        dispute(
            [figure("a", "E5")],
            NOBODY,
            move("a", "F6"),
            markers=[{"kind": "barrier", "square": "F5"}],
            blocking=["E6"],
        ),
        {"cuts-corner", "corner-of-barrier"},
        {"corner-of-wall", "enters-blocking"},
    ),
    (
        dispute(
            [figure("a", "E5", "Barrier")],
            NOBODY,
            move("a", using=("Barrier",), choose={"squares": ["G5", "G6"]}),
            blocking=["F5"],
        ),
        {"places-markers", "places-unseen"},
        {"on-terrain-feature"},
    ),
    (
        dispute(
            [figure("a", "E5", "Plasticity")],
            [figure("b", "F5", "Toughness")],
            close("a", "b", rolls=dice(5, 5)),
            elevated=["D4:F6"],
        ),
        {"over-the-edge", "own:plasticity", "target:toughness", "facing:toughness", "present:plasticity"},
        {"own:toughness", "target:plasticity", "different-levels"},
    ),
    (
        dispute([figure("a", "E5")], NOBODY, move("a", "F5", "G5"), blocking=["F5"], water=["G5"]),
        {"enters-blocking", "enters-water", "enters-hindering"},
        {"stairs-near", "starts-in-hindering"},
    ),
    (
        dispute(
            [figure("a", "E5", "Barrier")],
            NOBODY,
            move("a", using=("Barrier",), choose={"squares": ["G5", "??", 7]}),
            hindering=["G5"],
        ),
        {"places-markers", "on-terrain-feature"},
        {"aims-at-terrain"},
    ),
    (
        dispute(
            [figure("a", "E5", "Barrier")],
            NOBODY,
            move("a", using=("Barrier",), choose={"squares": ["G5"]}),
            objects=[BIN],
        ),
        {"places-markers"},
        {"on-terrain-feature"},
    ),
    (
        dispute([figure("a", "E5", "Barrier")], NOBODY, move("a", using=("Barrier",), choose={"squares": "G5"})),
        set(),
        {"places-markers"},
    ),
    (
        dispute([figure("a", "E5")], [figure("b", "F5")], close("a", "bin"), objects=[BIN]),
        {"object-under-opponent"},
        {"object-under-actor", "named-object", "held-by-somebody"},
    ),
    (
        dispute([figure("a", "E5")], [figure("b", "F5", holding="bin")], close("a", "bin"), objects=[HELD]),
        {"held-by-somebody"},
        {"object-under-opponent"},
    ),
    (
        dispute([figure("a", "E5", holding="bin")], [figure("b", "F5")], close("a", "b"), objects=[HELD]),
        set(),
        {"held-by-somebody"},
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
        {"within-action", "present:charge", "beside-opponent"},
        {"two-powers", "leaves-opponent", "crosses-figure"},
    ),
    (
        dispute(
            [flier("a", "E5"), figure("p", "E6")],
            NOBODY,
            move("a", "F5", carry=["p"], choose={"place": {"p": "F6"}}),
            hindering=["F6"],
        ),
        {"set-down-in-terrain"},
        {"passenger-beside-opponent", "enters-hindering"},
    ),
    (
        dispute(
            [figure("a", "E5"), *(figure(name, where, teams=["S.H.I.E.L.D."]) for name, where in AGENTS.items())],
            [figure("b", "E10")],
            ranged("a", "b", assist=[*AGENTS], rolls=dice(1, 2)),
            blocking=["F7"],
        ),
        {"several-help", "helper-sees-nothing"},
        {"crosses-blocking"},
    ),
    (
        dispute(
            [figure("a", "E5"), figure("g", "D5", teams=["S.H.I.E.L.D."])],
            [figure("b", "E10")],
            ranged("a", "b", assist=["g"], rolls=dice(1, 2)),
        ),
        {"targets-other"},
        {"several-help", "helper-sees-nothing"},
    ),
    (
        dispute(
            [figure("a", "E5", "Flurry")],
            [figure("b", "F5"), figure("c", "D5")],
            close("a", "b", "c", using=("Flurry",), rolls={"attack": [[1, 2], [1, 2]]}),
        ),
        {"another-target"},
        {"several-rolls", "alone-in-area"},
    ),
    (
        dispute([figure("a", "E5")], [figure("b", "F5")], power("a")),
        {"stays-beside-opponent"},
        {"leaves-opponent"},
    ),
]


@every_row(("document", "there", "not_there"), ACTIONS)
def test_facts_around_an_action(document, there, not_there):
    found = around(document)
    assert there <= found, there - found
    assert not not_there & found


def asked(ours, theirs, question, **ground):
    return dispute(ours, theirs, ask=[question], **ground)


QUESTIONS = [
    (
        asked([figure("a", "E5")], [figure("b", None)], {"ask": "line-of-fire", "from": "b", "to": "H6"}),
        set(),
        {"corner-of-terrain"},
    ),
    (
        asked(
            [figure("a", "E5")],
            [figure("b", "G7")],
            {"ask": "line-of-fire", "from": "a", "to": "b"},
            markers=[{"kind": "barrier", "square": "F5"}],
            walls=["E6|F6"],
        ),
        {"corner-of-barrier", "corner-of-wall", "corner-of-terrain"},
        {"crosses-barrier", "corner-of-figures"},
    ),
    (
        asked([figure("a", "E5")], NOBODY, {"ask": "line-of-fire", "from": "a", "to": "H5"}, blocking=["F5"]),
        {"crosses-blocking"},
        {"crosses-figure", "corner-of-terrain"},
    ),
    (
        asked([figure("a", "E5")], NOBODY, {"ask": "line-of-fire", "from": "E5", "to": "F6"}, hindering=["E6"]),
        {"corner-of-terrain"},
        {"corner-closed"},
    ),
    (
        asked([figure("a", "F5")], NOBODY, {"ask": "line-of-fire", "from": "E5", "to": "F6"}, hindering=["E6"]),
        {"corner-of-terrain", "corner-closed"},
        {"corner-of-figures"},
    ),
    (
        asked([figure("a", "E5")], [figure("b", "H5")], {"ask": "knock-back", "of": "b", "from": "a", "clicks": 2}),
        set(),
        {"over-the-edge"},
    ),
    (
        asked(
            [figure("a", "E5")],
            [figure("b", "H5")],
            {"ask": "knock-back", "of": "b", "from": "a", "clicks": 2},
            elevated=["H5"],
        ),
        {"over-the-edge"},
        set(),
    ),
    (
        asked([figure("a", "E5")], [figure("b", "F5", "Plasticity")], {"ask": "break-away", "of": "a"}),
        {"facing:plasticity", "beside-opponent"},
        {"own:plasticity"},
    ),
    (
        asked([figure("a", "E5")], NOBODY, {"ask": "line-of-fire", "from": "C3", "to": "E5"}, elevated=["E5"]),
        {"different-levels"},
        {"corner-of-terrain", "beside-the-rim"},
    ),
    (
        asked([figure("a", "E5")], NOBODY, {"ask": "line-of-fire", "from": "D4", "to": "E5"}, elevated=["E5"]),
        {"different-levels", "beside-the-rim"},
        set(),
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


@every_row(("document", "there", "not_there"), QUESTIONS)
def test_facts_around_a_question(document, there, not_there):
    found = around(document)
    assert there <= found, there - found
    assert not not_there & found


def test_facts_of_an_awaited_roll():
    shot = dispute([figure("a", "E5")], [figure("b", "F5", "Super Senses")], close("a", "b", rolls=dice(5, 5)))
    assert any("awaits:super-senses" in seen.met for seen in scenes(shot))
    shot["actions"][0]["rolls"] = {}
    assert any("awaits:attack" in seen.met for seen in scenes(shot))


def test_facts_of_two_targets_are_not_joined():
    theirs = [figure("b", "H5", tokens=1), flier("c", "H8", flight="hovering")]
    shot = dispute([figure("a", "E5", bolts=2)], theirs, ranged("a", "b", "c", rolls=dice(1, 2)), hindering=["H5"])
    of = {seen.of: seen.met for seen in scenes(shot)}
    assert Met.TARGET_TOKEN in of["b"]
    assert Met.TARGET_HOVERING in of["c"]
    assert not of["b"] & {Met.TARGET_HOVERING, "figure:c"}
    assert not of["c"] & {Met.TARGET_TOKEN, "figure:b", "hindering-terrain"}
    assert "hindering-terrain" in of["b"]
    assert all(Met.SEVERAL_TARGETS in met for met in of.values())


def test_facts_of_two_attacks_are_not_joined():
    flurry = close("a", "b", "c", using=("Flurry",), rolls={"attack": [[6, 6], [1, 1]]})
    fight = dispute([figure("a", "E5", "Flurry")], [figure("b", "F5"), figure("c", "D5")], flurry)
    met = [seen.met for seen in scenes(fight)]
    assert any("critical-hit" in one for one in met)
    assert any("critical-miss" in one for one in met)
    assert not any({"critical-hit", "critical-miss"} <= one for one in met)
    assert all("flurry" in one for one in met)


def test_the_target_of_one_attack_has_no_part_in_the_next():
    """Two 6s against one target are no matter for the Super Senses of the other."""
    flurry = close("a", "b", "c", using=("Flurry",), rolls={"attack": [[1, 2], [6, 6]]})
    fight = dispute([figure("a", "E5", "Flurry")], [figure("b", "F5", "Super Senses"), figure("c", "D5")], flurry)
    assert not any({"present:super-senses", "critical-hit"} <= seen.met for seen in scenes(fight))
    shown = {one["id"] for one in adjudicate(fight)["rulings"]}
    assert "steenbock-2002-05-16-super-senses-critical" not in shown


def test_what_a_controlled_character_rolls_is_no_matter_of_the_mind_control_attack():
    """The knock back of the attack it then makes isn't one of the Mind Control attack."""
    fight = dispute(
        [figure("a", "E5", "Mind Control")],
        [figure("b", "H5"), figure("c", "I5")],
        ranged("a", "b", using=("Mind Control",), then=[close("b", "c")], rolls={"attack": [[4, 5], [4, 4]]}),
    )
    shown = {one["id"] for one in adjudicate(fight)["rulings"]}
    assert not shown & {"faq-mind-control-damage-first", "faq-mind-control-critical-immediate"}


def test_facts_of_two_actions_are_not_joined():
    rolls = dice(5, 6)
    fight = dispute(
        [figure("a", "E5"), flier("d", "E8", flight="soaring")],
        [figure("b", "F5")],
        close("a", "b", rolls=rolls),
        move("d", "F8"),
    )
    assert not any({Met.BESIDE_OPPONENT, Met.ACTOR_SOARING} <= seen.met for seen in scenes(fight))


def test_the_part_around_is_seen_by_what_it_grants_and_not_by_what_it_has_granted():
    notes = Notes()
    notes.add(("move",))
    notes.add_of_actor(("soars",))
    with notes.within():
        notes.add(("first",), "b")
    with notes.within():
        notes.add_of_actor(("walks",))
        notes.add(("second",))
    notes.add(("end",))
    assert [(seen.stage, seen.of, seen.met) for seen in notes.cases()] == [
        ((0,), "b", {"move", "soars", "first", "end"}),
        ((1,), None, {"move", "walks", "second", "end"}),
    ]
    first = notes.cases()[0]
    assert first.has((), None)
    assert first.has((0,), "b")
    assert not first.has((0,), "c")
    assert not first.has((1,), None)


@every_row(("document", "there", "not_there"), [*ACTIONS, *QUESTIONS])
def test_the_list_is_closed(document, there, not_there):
    for found in around(document) | there | not_there:
        assert found in list(Met) or found.partition(":")[0] in KINDS, found


def test_what_follows_a_stop_belongs_to_the_inmost_part_that_was_stopped():
    notes = Notes()
    with pytest.raises(Illegal), notes.within(), notes.within():
        raise Illegal("It isn't allowed.", ("actions",))
    notes.resume()
    notes.add(("refused",))
    assert [(seen.stage, seen.met) for seen in notes.cases()] == [((0, 0), {"refused"})]
