"""The parts of numbers, and where in the actions a report stops. That parts add up is checked for all fights."""

from __future__ import annotations

from typing import Any

from rules.engine import adjudicate, adjudication_in_words
from tests.rules.engine.fights import battle, done, fight, fighter, told, walk
from tests.tables import every_row

CAR, NEW, MODERN = "car-2002", "core-2014", "core-modern"
SHOT = {"range": 8}
SUM = "       attack total 16: 10 attack, as printed; +1 a card; +5 rolled 2 + 3"


def parts(report: dict[str, Any], step: str, number: str) -> list[tuple[Any, ...]]:
    """Return the parts of a number in the only step with that name: kind, amount, why, and what ignores it."""
    found = told(report, step)["numbers"]["parts"][number]
    return [(part["kind"], part["amount"], part["why"], part["ignored_by"]) for part in found]


def test_a_roll_shows_value_dice_and_limits_in_the_order_in_which_they_were_applied() -> None:
    given = [{"value": "attack", "by": 2, "source": "a card"}, {"value": "attack", "by": 2, "source": "a feat"}]
    mine = [fighter("a", "C3", modifiers=given, replacements=[{"value": "attack", "set": "halve"}])]
    report = fight(NEW, mine, [fighter("b", "D3")], done("close", "a", "b", rolls={"attack": [[2, 3]]}))
    value = [
        ("printed", 10, "attack, as printed", None),
        ("halved", -5, "a replacement", None),
        ("changed", 2, "a card", None),
        ("changed", 2, "a feat", None),
        ("limited", -1, "Rule of Three: +4 counts as +3", None),
    ]
    found = parts(report, "attack-roll", "attack")
    assert [part[:2] for part in found] == [part[:2] for part in value]
    assert found[2:] == value[2:]
    assert parts(report, "attack-roll", "total") == [*found, ("rolled", 5, "rolled 2 + 3", None)]


@every_row(("changes", "line"), [([], None), ([1], SUM)])
def test_only_a_sum_that_something_changes_has_a_line_in_words(changes: list[int], line: str | None) -> None:
    given = [{"value": "attack", "by": by, "source": "a card"} for by in changes]
    mine = [fighter("a", "C3", modifiers=given)]
    report = fight(NEW, mine, [fighter("b", "D3")], done("close", "a", "b", rolls={"attack": [[2, 3]]}))
    sums = [one for one in adjudication_in_words(report).splitlines() if "as printed" in one]
    assert sums == ([] if line is None else [line])


def test_a_locked_value_names_what_it_ignores() -> None:
    target = fighter("b", "D3", replacements=[{"value": "defense", "set": 14, "locked": True}])
    target["modifiers"] = [{"value": "defense", "by": 1, "source": "+1 a modifier (ignored: no)"}]
    report = fight(NEW, [fighter("a", "C3")], [target], done("close", "a", "b", rolls={"attack": [[1, 2]]}))
    kinds = [(kind, amount, ignored is None) for kind, amount, _why, ignored in parts(report, "miss", "defense")]
    assert kinds == [("printed", 16, True), ("replaced", -2, True), ("changed", 1, False)]


def test_a_source_that_reads_like_a_part_that_is_ignored_counts() -> None:
    target = fighter("b", "D3", modifiers=[{"value": "defense", "by": 1, "source": "+1 a modifier (ignored: no)"}])
    blow = done("close", "a", "b", rolls={"attack": [[1, 2]]})
    report = adjudicate(battle(NEW, [fighter("a", "C3")], [target], blow))
    assert parts(report, "miss", "defense")[-1] == ("changed", 1, "+1 a modifier (ignored: no)", None)
    assert told(report, "miss")["numbers"]["defense"] == 17


def test_the_strongest_reducer_counts_and_the_others_say_why_not() -> None:
    target = fighter("b", "D3", powers=["Toughness", "Invulnerability"])
    blow = done("close", "a", "b", rolls={"attack": [[4, 3]]})
    report = fight(CAR, [fighter("a", "C3")], [target], blow)
    assert parts(report, "damage-taken", "taken") == [
        ("printed", 3, "damage, as printed", None),
        ("changed", -1, "Toughness", "Invulnerability, which reduces more"),
        ("changed", -2, "Invulnerability", None),
    ]
    weak = fighter("a", "C3", modifiers=[{"value": "damage", "by": -2, "source": "a card"}])
    few = fight(CAR, [weak], [fighter("b", "D3", powers=["Invulnerability"])], blow)
    assert parts(few, "damage-taken", "taken")[-2:] == [
        ("changed", -2, "Invulnerability", None),
        ("limited", 1, "damage is never less than 0", None),
    ]


def test_reductions_ignored_by_penetrating_damage_are_named() -> None:
    mine = [fighter("a", "C3", powers=["Psychic Blast"], **SHOT)]
    shot = done("ranged", "a", "b", using=["Psychic Blast"], rolls={"attack": [[4, 3]]})
    report = fight(CAR, mine, [fighter("b", "G3", powers=["Toughness"])], shot)
    assert parts(report, "damage-taken", "taken")[-1] == (
        "changed",
        -1,
        "Toughness",
        "Psychic Blast",
    )
    assert told(report, "damage-taken")["text"] == "Psychic Blast ignores b's Toughness."
    assert told(report, "damage-taken")["numbers"]["taken"] == 3


def test_a_share_of_divided_damage_shows_the_whole() -> None:
    mine = [fighter("a", "C3", bolts=2, **SHOT)]
    shot = done("ranged", "a", "b", "c", divide={"b": 2, "c": 1}, rolls={"attack": [[4, 3]]})
    report = fight(NEW, mine, [fighter("b", "G3"), fighter("c", "G5")], shot)
    dealt = [step["numbers"]["parts"] for step in report["steps"] if step["step"] == "damage-dealt"]
    assert [part["amount"] for part in dealt[0]["divided"]] == [3]
    assert [part["amount"] for part in dealt[1]["damage"]] == [3, -1]


def test_a_move_shows_its_squares_its_ladder_and_what_halves_it() -> None:
    board = {"terrain": [{"type": "elevated", "squares": ["D3:F5"]}], "ladders": ["C3|D3"]}
    for edition, more in ((CAR, [("changed", 1, "the ladder between C3 and D3", None)]), (NEW, [])):
        report = fight(edition, [fighter("a", "B3")], [fighter("b", "P16")], walk("a", "C3 D3"), board=board)
        assert parts(report, "move", "budget") == [("printed", 8, "speed, as printed", None)]
        assert parts(report, "move", "cost") == [("printed", 2, "squares entered", None), *more]
        assert told(report, "move")["numbers"]["cost"] == 2 + len(more)
    bushes = {"terrain": [{"type": "hindering", "squares": ["B3"]}]}
    slow = fight(NEW, [fighter("a", "B3")], [fighter("b", "P16")], walk("a", "C3 D3"), board=bushes)
    assert parts(slow, "move", "budget")[-1] == ("halved", -4, "the move begins in hindering terrain", None)


def test_knock_back_is_cut_short_by_what_stands_in_its_way() -> None:
    board = {"walls": ["E3|F3"]}
    blow = done("close", "a", "b", rolls={"attack": [[4, 4]]})
    report = fight(CAR, [fighter("a", "C3")], [fighter("b", "D3")], blow, board=board)
    assert parts(report, "knock-back", "squares") == [
        ("printed", 3, "squares, 1 for each click of damage taken", None),
        ("limited", -2, "stopped after 1 square", None),
    ]


def test_answers_have_their_parts() -> None:
    document = battle(NEW, [fighter("a", "C3", **SHOT)], [fighter("b", "G3")], board={"walls": ["H3|I3"]})
    document["map"]["terrain"] = [{"type": "hindering", "squares": ["E3"]}]
    document["ask"] = [
        {"ask": "value", "of": "a", "value": "attack"},
        {"ask": "line-of-fire", "from": "a", "to": "b"},
        {"ask": "line-of-fire", "from": "b", "to": "H4"},
        {"ask": "knock-back", "of": "b", "from": "a", "clicks": 3},
        {"ask": "distance", "from": "a", "to": "b"},
    ]
    answers = adjudicate(document)["answers"]
    amounts = [[part["amount"] for part in answer["parts"]] for answer in answers[:4]]
    assert amounts == [[10], [1], [], [1]]
    assert "parts" not in answers[4]


CHARGE = fighter("a", "C3", powers=["Charge"])


@every_row(
    ("action", "where", "then"),
    [
        (done("close", "a", "b"), 0, []),
        (walk("a", "D4", using=["Charge"], then=[done("close", "a", "b")]), 1, [0]),
    ],
)
def test_an_awaited_roll_names_its_action(action: dict[str, Any], where: int, then: list[int]) -> None:
    mine = [CHARGE, fighter("c", "P1")]
    target = fighter("b", "D3" if not where else "E5")
    first = [walk("c", "P2")] if where else []
    document = battle(CAR, mine, [target], *first, action)
    report = adjudicate(document)
    awaiting = report["awaiting"]
    assert (awaiting["roll"], awaiting["action"], awaiting["then"]) == ("attack", where, then)


def test_the_second_of_two_granted_actions_is_named() -> None:
    mine = [fighter("a", "C3", powers=["Mind Control"], bolts=2, **SHOT)]
    theirs = [fighter("b", "G6"), fighter("c", "G3"), fighter("d", "H2")]
    inner = [walk("b", "G7"), done("close", "c", "d")]
    given = done("ranged", "a", "b", "c", using=["Mind Control"], then=inner, rolls={"attack": [[5, 6]]})
    awaiting = adjudicate(battle(CAR, mine, theirs, given))["awaiting"]
    assert (awaiting["roll"], awaiting["action"], awaiting["then"]) == ("attack", 0, [1])


@every_row(
    ("action", "before"),
    [
        (done("close", "b", "a"), {"action": 0, "then": [], "step": "declare"}),
        (done("close", "a", "z"), {"action": 0, "then": [], "step": "targets"}),
        (walk("a", "D4 F6"), {"action": 0, "then": [], "step": "move"}),
        (
            walk("a", "D4", using=["Charge"], then=[done("close", "a", "z")]),
            {"action": 0, "then": [0], "step": "targets"},
        ),
        (walk("a", "D4", using=["Charge"], then=[done("move", "a")]), {"action": 0, "then": [0], "step": "move"}),
        (walk("a", "D4", pick_up="o"), {"action": 0, "then": [], "step": "pick-up"}),
        (done("free", "a", "z", using=["Outwit"]), {"action": 0, "then": [], "step": "counter"}),
    ],
)
def test_a_refusal_names_the_step_that_would_have_come(action: dict[str, Any], before: dict[str, Any]) -> None:
    mine = [fighter("a", "C3", powers=["Charge", "Outwit"])]
    things = [{"id": "o", "kind": "light", "square": "P16"}]
    board = {"walls": ["L10|M10", "L11|M11"]}
    report = fight(CAR, mine, [fighter("b", "N5"), fighter("z", "P15")], action, objects=things, board=board)
    assert report["steps"][-1]["before"] == before


def test_a_judge_forbids_before_the_step_that_was_named() -> None:
    blow = done("close", "a", "b", rolls={"attack": [[4, 3]]})
    no = {"before": {"action": 0, "step": "hit"}, "set": {"legal": False}}
    report = fight(CAR, [fighter("a", "C3")], [fighter("b", "D3")], blow, judge=[no])
    assert report["steps"][-1]["before"] == {"action": 0, "then": [], "step": "hit"}
