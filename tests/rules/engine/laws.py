"""Laws that hold for every dispute report: numbers add up, and steps match the state.

`check` is called on every fight in the tests, on random disputes and on the shared cases.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

from rules.engine import EDITIONS, adjudicate, topics
from rules.engine.steps import StepName

KNOWN = frozenset(topics())
WILD_CARDS = {"minions-of-doom", "spider-man", "legion-of-super-heroes"}
UNCITED = frozenset({"declare", "resolve", "roll", "ruling", "turn"})
PRINTED = re.compile(r"^(\w+) (-?\d+) as printed$")
REPLACED = re.compile(r"^(?:replaced by (-?\d+)|(halved|doubled))(?:, locked)?: ")
CHANGED = re.compile(r"^([+-]\d+) ")
TOTAL = re.compile(r"^(\w+) (-?\d+)$")
IGNORED = re.compile(r"\(ignored: .*\)$")


def recount(sentences: list[str]) -> int:
    """Return the value that a tally's sentences give: printed, replaced, changed, without ignored parts.

    Fails for a sentence that no tally writes, and if the total that it names differs.
    """
    value: int | None = None
    for sentence in sentences:
        printed, replaced = PRINTED.match(sentence), REPLACED.match(sentence)
        changed, total = CHANGED.match(sentence), TOTAL.match(sentence)
        if printed is not None:
            assert value is None, sentences
            value = int(printed[2])
            continue
        assert value is not None, sentences
        if total is not None:
            assert value == int(total[2]), sentences
        elif IGNORED.search(sentence):
            assert replaced is not None or changed is not None, sentences
        elif replaced is not None and replaced[1] is not None:
            value = int(replaced[1])
        elif replaced is not None:
            value = -(-value // 2) if replaced[2] == "halved" else 2 * value
        else:
            assert changed is not None, sentences
            value += int(changed[1])
    assert value is not None, sentences
    return value


VALUE = re.compile(r"'s \w+ is (-?\d+)(?:, as printed|: (printed .*))\.$")
SAID = re.compile(r"(printed|halved to|doubled to|replaced by) (-?\d+)|([+-]\d+) \(")


def recount_value(sentence: str) -> int:
    """Return the value that the sentence of an answer names, worked out again from the parts that it names."""
    found = VALUE.search(sentence)
    assert found is not None, sentence
    if found[2] is None:
        return int(found[1])
    value = 0
    for how, result, by in SAID.findall(found[2]):
        halved = {"halved to": -(-value // 2), "doubled to": 2 * value}
        value = value + int(by) if by else int(result)
        assert halved.get(how, value) == value, sentence
    assert value == int(found[1]), sentence
    return value


KINDS = frozenset({"printed", "replaced", "halved", "doubled", "changed", "rolled", "limited"})
WITH_PARTS = {
    "attack-roll": ("attack", "total"),
    "hit": ("defense",),
    "miss": ("defense",),
    "damage-dealt": ("damage",),
    "damage-taken": ("taken",),
    "move": ("budget", "cost"),
    "knock-back": ("squares",),
}
"""The numbers in steps that have parts whenever a step has them (FORMATS.md)."""


def summed(parts: list[dict[str, Any]]) -> int:
    """Return the sum of a number's parts that nothing ignores; fail for a part in another format."""
    for part in parts:
        assert list(part) == ["kind", "amount", "why", "topic", "ignored_by"], part
        assert part["kind"] in KINDS, part
        assert part["why"], part
        assert "{" not in part["why"], part
        assert type(part["amount"]) is int, part
        assert part["topic"] is None or part["topic"] in KNOWN, part
    return sum(part["amount"] for part in parts if part["ignored_by"] is None)


def check_parts(report: dict[str, Any]) -> None:
    """Check that the parts of every number in a report add up to it, and that numbers that must have parts do."""
    for step in report["steps"]:
        sums = step["numbers"].get("parts", {})
        for name, parts in sums.items():
            assert summed(parts) == step["numbers"][name], (name, step)
        missing = [name for name in WITH_PARTS.get(step["step"], ()) if name in step["numbers"] and name not in sums]
        assert missing == [], step
    for answer in report["answers"]:
        number = {"line-of-fire": answer.get("modifier"), "value": answer["result"]}.get(answer["ask"])
        if answer["ask"] == "knock-back" and "damage" in answer["result"]:
            number = answer["result"]["damage"]
        if number is not None:
            assert summed(answer["parts"]) == number, answer


def check_moments(document: dict[str, Any], report: dict[str, Any]) -> None:
    """Check that an awaited roll or illegal action refers to an action of the document and an existing step."""
    moments = [report["awaiting"]] if report["awaiting"] is not None else []
    for step in report["steps"]:
        assert ("before" in step) is (step["step"] == "illegal"), step
        if "before" in step:
            assert step["before"]["action"] == step["action"]
            assert step["before"]["step"] in set(StepName)
            moments.append(step["before"])
    for moment in moments:
        given = document["actions"][moment["action"]]
        for number in moment["then"]:
            given = given["then"][number]


def check_numbers(step: dict[str, Any]) -> None:
    """Check that each total in a step is what its parts give."""
    name, numbers = step["step"], step["numbers"]
    because = numbers.get("because")
    if name == "attack-roll" and because is not None:
        assert numbers["attack"] == recount(because), step
    if name == "attack-roll":
        assert numbers["total"] == numbers["attack"] + sum(numbers["dice"]), step
        assert all(1 <= die <= 6 for die in numbers["dice"]), step
    if name in ("hit", "miss") and "defense" in numbers:
        if because is not None:
            assert numbers["defense"] == recount(because), step
        if name == "hit":
            assert numbers["total"] >= numbers["defense"] or numbers.get("critical", True), step
        else:
            assert numbers["total"] < numbers["defense"], step
    if name == "hit" and "defense" in numbers:
        assert ("as two 6s were rolled" in step["text"]) is (numbers["total"] < numbers["defense"]), step
    if name == "damage-dealt" and because is not None:
        multiplied = f"({numbers.get('times', 1)} × "
        assert (multiplied in step["text"]) is (numbers.get("times", 1) > 1), step
        assert numbers["damage"] == max(0, recount(because)) * numbers.get("times", 1), step
    if name == "damage-taken" and "taken" in numbers and "reduced" in numbers:
        dealt = numbers.get("dealt", numbers.get("damage"))
        assert numbers["taken"] == dealt - numbers["reduced"] >= 0, step
    if name == "move" and "speed" in numbers:
        assert numbers["speed"] == recount(because or []), step
        assert 0 <= numbers["cost"] <= numbers["budget"], step
    if name == "knock-back":
        assert 0 <= numbers["squares"] == len(numbers["path"]) <= numbers["of"], step
    if name == "push":
        assert ("takes no damage" in step["text"]) is (numbers["damage"] == 0), step
    if name == "reroll":
        assert len(numbers["before"]) == len(numbers["after"]), step
    if name == "heal":
        assert 0 <= numbers["healed"] <= numbers["clicks"], step
        assert ("heals nothing" in step["text"]) is (numbers["healed"] == 0), step
    if "roll" in numbers and name in ("roll", "evade", "shape-change", "break-away"):
        assert 1 <= numbers["roll"] <= 6, step


def check_against_state(step: dict[str, Any], before: dict[str, Any], after: dict[str, Any]) -> None:
    """Check that a step's numbers match the board before and after it."""
    name, numbers = step["step"], step["numbers"]
    changed = {id for id in after if after[id] != before.get(id)}
    clicked = [id for id in changed if after[id]["click"] != before[id]["click"]]
    if name == "click" and "click" in numbers:
        (one,) = clicked
        assert after[one]["click"] == numbers["click"] == before[one]["click"] + numbers["clicked"], step
        assert numbers["clicked"] >= 0, step
        if not after[one]["ko"]:
            assert numbers["clicked"] == numbers["damage"] or "where its card stops it" in step["text"], step
    if name == "click" and "stack" in numbers:
        assert any(after[id].get("stack") == numbers["stack"] for id in changed), step
    if name == "heal" and numbers["healed"]:
        (one,) = clicked
        assert before[one]["click"] - after[one]["click"] == numbers["healed"], step
    if name == "token" and "tokens" in numbers and changed:
        assert any(after[id]["tokens"] == numbers["tokens"] for id in changed), step
    if name == "knock-back" and numbers["path"]:
        assert any(after[id].get("square") == numbers["path"][-1] for id in changed), step
    if name == "ko":
        assert clicked == [], step
    for one in after.values():
        assert 0 <= one["tokens"] <= 2, step
        if one["ko"]:
            assert one.get("square") is None, step


NO_ROLL = re.compile(r"^(.+) doesn't roll for ([^:]+):")


NO_REDUCTION = re.compile(
    r"^(?:(?P<who>.+?)'s (?P<power>.+) doesn't reduce this damage|(?P<helper>.+) doesn't help (?P<helped>.+?)): "
)
NOT_REACHED = re.compile(r"^The Pulse Wave doesn't reach (.+?): ")
NO_BREAK_AWAY = re.compile(r", so (.+) needn't break away from (.+)\.$")


def check_notes(report: dict[str, Any]) -> None:
    """Check that no note changes the board, is repeated, or contradicts another step of an action with one attack."""
    for action in {step["action"] for step in report["steps"]}:
        steps = [step for step in report["steps"] if step["action"] == action]
        notes = [step for step in steps if step["step"] == "note"]
        assert all(not note["changes"] for note in notes), notes
        wild = [note for note in notes if "is a wild card and can use only 1 team ability" in note["text"]]
        assert all(WILD_CARDS & set(note["topics"]) for note in wild), wild
        if sum(step["step"] == "attack-roll" for step in steps) > 1:
            continue
        assert len({note["text"] for note in notes}) == len(notes), notes
        for silent in filter(None, (NO_ROLL.match(note["text"]) for note in notes)):
            rolled = re.compile(rf"{re.escape(silent[1])} rolls \d for {re.escape(silent[2])}")
            assert not any(rolled.match(step["text"]) for step in steps), silent[0]
        for useless in filter(None, (NO_REDUCTION.match(note["text"]) for note in notes)):
            power, name = useless["power"] or useless["helper"], useless["who"] or useless["helped"]
            for step in steps:
                if step["step"] == "damage-taken" and step["text"].startswith(f"{name} "):
                    parts = step["numbers"].get("parts", {}).get("taken", ())
                    assert not any(one["why"] == power and one["ignored_by"] is None for one in parts), useless[0]
        for missed in filter(None, (NOT_REACHED.match(note["text"]) for note in notes)):
            struck = [step for step in steps if step["step"] in ("damage-dealt", "damage-taken")]
            assert not any(step["text"].startswith(f"{missed[1]} ") for step in struck), missed[0]
        for free in filter(None, (NO_BREAK_AWAY.search(note["text"]) for note in notes)):
            rolls = [step for step in steps if step["step"] == "break-away"]
            assert not any(f"{free[1]} is adjacent to {free[2]} and must" in step["text"] for step in rolls), free[0]


def check_clicks(report: dict[str, Any]) -> None:
    """Check that the damage of pushing and of two 1s is the damage that a dial then takes, without reduction."""
    for step, then in itertools.pairwise(report["steps"]):
        if step["step"] in ("push", "critical-miss") and then["step"] == "click" and "damage" in then["numbers"]:
            assert then["numbers"]["damage"] == step["numbers"]["damage"], (step, then)


def check_rulings(report: dict[str, Any]) -> None:
    """Check that at most twelve rulings are shown, the deciding ones first, and that steps name only these."""
    shown = [one["id"] for one in report["rulings"]]
    weights = [one["weight"] for one in report["rulings"]]
    assert len(shown) == len(set(shown)) <= 12, shown
    assert weights == sorted(weights, key=("decides", "background").index), weights
    assert {name for step in report["steps"] for name in step["rulings"]} <= set(shown)


def check(document: dict[str, Any], report: dict[str, Any]) -> None:
    """Check the laws of a report: legality, topics with their sections, citations, numbers, the board step by step.

    With a judge's overrides the numbers are the judge's: then only the board is checked.
    """
    assert report["legal"] is (not any(step["step"] == "illegal" for step in report["steps"]))
    assert report["awaiting"] is None or report["legal"]
    by_hand = bool(document.get("judge"))
    for step in report["steps"]:
        assert "{" not in step["text"], step
        assert step["topics"] or not step["citations"] or "as the judge ruled" not in step["text"], step
        assert [topic for topic in step["topics"] if not EDITIONS[document["edition"]].cite(topic)] == [], step
        if not by_hand:
            assert step["citations"] or step["step"] in UNCITED, step
            check_numbers(step)
    check_parts(report)
    check_notes(report)
    if not by_hand:
        check_clicks(report)
    check_rulings(report)
    check_moments(document, report)
    begin = adjudicate({**document, "actions": [], "ask": [], "judge": []})["state"]
    board, points = begin["characters"], begin["victory_points"]
    for step in report["steps"]:
        before = dict(board)
        for id, change in step["changes"].get("characters", {}).items():
            board[id] = board[id] | change
        points = {**points, **step["changes"].get("victory_points", {})}
        if not by_hand:
            check_against_state(step, before, board)
        if "points" in step["numbers"] and isinstance(step["numbers"]["points"], dict):
            assert step["numbers"]["points"] == points, step
    for id, standing in report["state"]["characters"].items():
        assert {key: board[id].get(key) for key in standing} == standing
    assert report["state"]["victory_points"] == points
    for answer in report["answers"]:
        if answer["ask"] == "value":
            assert recount_value(answer["because"][0]) == answer["result"], answer
