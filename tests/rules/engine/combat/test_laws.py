"""Laws of every dispute: it gives a report, replays byte for byte, its numbers add up, and reducers only help.

`disputes` draws anything, most of which is refused; `fair_fight` draws attacks and moves that mostly happen.
"""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import EDITIONS, BadInput, adjudicate, written
from tests.examples import examples
from tests.rules.engine.documents.made import any_json, spoil
from tests.rules.engine.documents.test_laws import resolves

from ..drawn import fair_fight
from ..laws import check
from .test_examples_2002 import close, figure

SQUARES = st.sampled_from(["A1", "B1", "C1", "C2", "D4", "E5", "H8", "P16", "C1|D1", "object"])
IDS = st.sampled_from(["x", "y", "b", "c"])
POWERS = st.sampled_from(sorted({name for edition in EDITIONS.values() for name in edition.powers}))
DIE = st.integers(1, 6)
NAMES = st.sampled_from(
    ["attack", "break-away", "super-senses:b", "impervious:b", "damage", "support", "support-heal", "capture", "rescue"]
)
TWO = {"attack", "support", "capture", "rescue"}
ROLLS = st.dictionaries(NAMES, st.lists(st.tuples(DIE, DIE), max_size=3)).map(
    lambda rolls: {name: [list(dice) if name in TWO else [dice[0]] for dice in fell] for name, fell in rolls.items()}
)
PATHS = st.lists(st.sampled_from(["B1", "B2", "C2", "C3", "D3", "D4", "E4"]), max_size=4)
CHOICES = st.fixed_dictionaries(
    {},
    optional={
        "knock-back": st.booleans(),
        "knock-back-direction": st.sampled_from(["N", "E", "SE", "Q"]),
        "value": st.sampled_from(["attack", "defense", "luck"]),
        "by": st.sampled_from([1, -1, 2, "1"]),
        "counter": POWERS,
        "square": SQUARES,
        "squares": st.lists(SQUARES, max_size=4),
        "place": st.dictionaries(IDS, SQUARES),
        "mastermind:b": IDS,
        "reroll-by": st.one_of(IDS, st.just("nobody")),
    },
)


def actions(depth: int = 1) -> st.SearchStrategy[dict[str, Any]]:
    keys: dict[str, Any] = {
        "targets": st.lists(st.one_of(IDS, SQUARES), max_size=2),
        "using": st.lists(st.one_of(POWERS, st.sampled_from(["Capture", "Rescue", "Avengers", "X-Men"])), max_size=2),
        "path": PATHS,
        "rolls": ROLLS,
        "choose": CHOICES,
        "carry": st.lists(IDS, max_size=1),
        "assist": st.lists(IDS, max_size=1),
        "divide": st.dictionaries(IDS, st.integers(0, 3), max_size=2),
        "pick_up": st.just("object"),
        "with_object": st.just("object"),
        "flight": st.sampled_from(["hovering", "soaring"]),
    }
    if depth:
        keys["then"] = st.lists(actions(0), max_size=2)
    return st.fixed_dictionaries(
        {
            "action": st.sampled_from(["move", "close", "ranged", "power", "double-power", "free", "pass", "end-turn"]),
            "actor": IDS,
        },
        optional=keys,
    )


@st.composite
def disputes(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a position of four figures with some powers, and up to three actions."""
    made = [
        figure(id, square, *draw(st.lists(POWERS, max_size=3, unique=True)), range=draw(st.sampled_from([0, 6])))
        for id, square in (("x", "B2"), ("y", "C3"), ("b", "C2"), ("c", "D2"))
    ]
    for one in made:
        one["tokens"] = draw(st.integers(0, 2))
        one["click"] = draw(st.integers(1, 11))
        one["symbols"] = {"speed": draw(st.sampled_from(["boot", "wing"]))}
        one["teams"] = draw(
            st.lists(st.sampled_from(["Avengers", "X-Men", "Mystics", "Skrulls", "Spider-Man"]), max_size=2)
        )
    return {
        "edition": draw(st.sampled_from(sorted(EDITIONS))),
        "build_total": draw(st.sampled_from([100, 300])),
        "map": {"width": 16, "height": 16, "walls": ["C1|D1"]},
        "objects": [{"id": "object", "kind": "heavy", "square": "B3"}],
        "sides": [{"player": "A", "characters": made[:2]}, {"player": "B", "characters": made[2:]}],
        "actions": draw(st.lists(actions(), max_size=3)),
    }


FIGHTS = st.integers(0, 10**9).map(fair_fight)


def reported(document: Any, place: str = "/") -> dict[str, Any] | None:
    """Return the report on a document, or None if it isn't valid; then the error must point to a place in it."""
    where = "nowhere"
    try:
        return adjudicate(copy.deepcopy(document))
    except BadInput as fault:
        where = fault.where
    assert where.startswith(place)
    return None


@given(st.one_of(FIGHTS, FIGHTS, FIGHTS, disputes()))
@examples(300)
def test_any_dispute_replays_and_its_report_keeps_the_laws(document: dict[str, Any]) -> None:
    report = reported(document)
    if report is None:
        return
    check(document, report)
    assert json.dumps(report) == json.dumps(adjudicate(copy.deepcopy(document)))
    assert report["legal"] or "characters" not in report["steps"][-1]["changes"]


@given(FIGHTS)
@examples(150)
def test_exactly_the_dice_reported_as_unused_are_not_used(document: dict[str, Any]) -> None:
    """Without the rolls reported as unused the report is the same; without any other one it isn't."""
    document = document | {"actions": document["actions"][:1]}
    report = reported(document)
    if report is None or not report["legal"] or report["awaiting"] is not None:
        return
    lean = copy.deepcopy(document)
    left = list(report["unused"])
    for action in lean["actions"]:
        for name, fell in list(action.get("rolls", {}).items()):
            while name in left and fell:
                left.remove(name)
                fell.pop()
            if not fell:
                del action["rolls"][name]
    assert left == []
    bare = adjudicate(copy.deepcopy(lean))
    assert bare["unused"] == []
    assert json.dumps(bare | {"unused": 0}) == json.dumps(report | {"unused": 0})
    for number, action in enumerate(lean["actions"]):
        for name in action.get("rolls", {}):
            less = copy.deepcopy(lean)
            less["actions"][number]["rolls"][name].pop()
            short = adjudicate(less)
            assert short["awaiting"] is not None or json.dumps(short) != json.dumps(bare)
            if short["awaiting"] is not None:
                assert short["awaiting"].get("roll", name) == name


REDUCERS = ("Toughness", "Invulnerability", "Impervious", "Invincible")


@given(FIGHTS, st.sampled_from(REDUCERS), st.sampled_from(["b", "c", "d"]))
@examples(250)
def test_more_reducers_never_mean_more_damage(document: dict[str, Any], reducer: str, id: str) -> None:
    """A figure with one reducer more takes no more clicks from the first attack, and neither does anyone else."""
    document = document | {"actions": document["actions"][:1]}
    if reducer not in EDITIONS[document["edition"]].powers:
        return
    less = reported(document)
    more = copy.deepcopy(document)
    defender = next(one for one in more["sides"][1]["characters"] if one["id"] == id)
    defender["dial"] = [{**click, "powers": [*click["powers"], reducer]} for click in defender["dial"]]
    report = reported(more)
    if less is None or report is None:
        return
    attacks = [[step["step"] for step in one["steps"]].count("attack-roll") for one in (less, report)]
    if not (less["legal"] and report["legal"]) or less["awaiting"] or report["awaiting"] or attacks != [1, 1]:
        return
    clicks = [one["state"]["characters"][id]["click"] for one in (less, report)]
    assert clicks[1] <= clicks[0]


@given(st.sampled_from(sorted(EDITIONS)), DIE, DIE, st.integers(0, 4))
@examples(100)
def test_a_rolled_die_counts(edition: str, one: int, other: int, defense: int) -> None:
    """Each step's attack total is the attack value plus exactly these dice."""
    target = figure("b", "H7", defense=14 + defense)
    document = {
        "edition": edition,
        "map": {"width": 16, "height": 16},
        "sides": [{"player": "A", "characters": [figure("x", "H8")]}, {"player": "B", "characters": [target]}],
        "actions": [close("x", "b", rolls={"attack": [[one, other]]}, choose={"knock-back": False})],
    }
    report = adjudicate(document)
    rolled = next(step for step in report["steps"] if step["step"] == "attack-roll")
    assert rolled["numbers"]["dice"] == [one, other]
    assert rolled["numbers"]["total"] == 10 + one + other
    hit = (one, other) != (1, 1) and (10 + one + other >= 14 + defense or (one, other) == (6, 6))
    assert ("hit" in [step["step"] for step in report["steps"]]) is hit


@given(FIGHTS, st.randoms(use_true_random=False))
@examples(200)
def test_a_spoilt_dispute_gives_a_report_or_a_pointed_error(document: dict[str, Any], chance: random.Random) -> None:
    """A few places changed, added, doubled or removed: a report, or an error whose pointer leads to a place in it."""
    spoilt = spoil(document, chance)
    fault = None
    try:
        report = adjudicate(spoilt)
    except BadInput as bad:
        fault = bad
    if fault is not None:
        assert resolves(fault.where, spoilt), fault.where
        assert fault.message.endswith(".")
    else:
        assert json.loads(written(report)) == report


@given(any_json)
@examples(100)
def test_any_other_json_is_refused_as_no_dispute(document: Any) -> None:
    assert reported(document, "") is None


def test_shared_cases_keep_the_laws() -> None:
    """The acceptance cases next to the checkout, if they exist: their reports satisfy the laws."""
    folder = Path(__file__).parents[5] / "shared" / "cases"
    if not folder.is_dir():
        pytest.skip("No shared cases beside this checkout.")
    told = 0
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            given_ = case.get("input")
            for document in given_ if isinstance(given_, list) else [given_]:
                if isinstance(document, dict) and "map" in document and (report := answered(document)) is not None:
                    check(document, report)
                    told += 1
    assert told > 700


def answered(document: dict[str, Any]) -> dict[str, Any] | None:
    try:
        return adjudicate(copy.deepcopy(document))
    except BadInput:
        return None
