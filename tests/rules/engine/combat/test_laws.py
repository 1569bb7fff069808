"""Laws of every dispute: it gives a report, it replays byte for byte, its numbers add up, and reducers only help."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine import EDITIONS, BadInput, adjudicate

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


@given(disputes())
@settings(max_examples=300, deadline=None)
def test_any_dispute_gives_a_report_or_a_pointed_error_and_replays(document: dict[str, Any]) -> None:
    where = ""
    try:
        report = adjudicate(copy.deepcopy(document))
    except BadInput as fault:
        where = fault.where
        report = {}
    if not report:
        assert where.startswith("/")
        return
    assert json.dumps(report) == json.dumps(adjudicate(copy.deepcopy(document)))
    assert report["legal"] is (not any(step["step"] == "illegal" for step in report["steps"]))
    uncited = {"declare", "resolve", "roll", "ruling", "turn"}
    assert all(step["citations"] for step in report["steps"] if step["step"] not in uncited)
    assert all(len(step["rulings"]) <= 12 for step in report["steps"])


@given(disputes())
@settings(max_examples=150, deadline=None)
def test_the_changes_of_the_steps_merged_give_the_state(document: dict[str, Any]) -> None:
    try:
        begin = adjudicate({**copy.deepcopy(document), "actions": []})
        report = adjudicate(copy.deepcopy(document))
    except BadInput:
        return
    state = begin["state"]["characters"]
    for step in report["steps"]:
        for id, changed in step["changes"].get("characters", {}).items():
            state[id].update(changed)
    for id, standing in report["state"]["characters"].items():
        assert {key: state[id].get(key) for key in standing} == standing


@given(st.sampled_from(sorted(EDITIONS)), st.tuples(DIE, DIE), st.integers(1, 6), st.booleans())
@settings(max_examples=100, deadline=None)
def test_more_reducers_never_mean_more_damage(edition: str, dice: tuple[int, int], damage: int, both: bool) -> None:
    def damage_with(*powers: str) -> int:
        document = {
            "edition": edition,
            "map": {"width": 16, "height": 16},
            "sides": [
                {"player": "A", "characters": [figure("x", "H8", damage=damage)]},
                {"player": "B", "characters": [figure("b", "H7", *powers)]},
            ],
            "actions": [close("x", "b", rolls={"attack": [list(dice)]}, choose={"knock-back": False})],
        }
        clicks: int = adjudicate(document)["state"]["characters"]["b"]["click"]
        return clicks

    more = ("Toughness", "Invulnerability") if both else ("Invulnerability",)
    assert damage_with() >= damage_with("Toughness") >= damage_with(*more)


@given(st.sampled_from(sorted(EDITIONS)), DIE, DIE, st.integers(0, 4))
@settings(max_examples=100, deadline=None)
def test_a_rolled_die_counts(edition: str, one: int, other: int, defense: int) -> None:
    """The attack total of the steps is the attack value and just these dice."""
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
