"""Disputes with what a judge expects (`tests/cases/disputes`): the outcome, the first ruling, the notes, no noise.

Each was written from its book before it was run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.engine import adjudicate
from rules.engine.adjudicate import decide
from rules.engine.citations import Ruling
from rules.engine.documents.position import read_position
from rules.engine.editions.rulings import GENERAL, ruling
from tests.tables import every_row

from .dispute_documents import close, dispute, figure, flier, ranged
from .golden import golden, holds
from .laws import check
from .outcomes import difference, outcome

CASES = golden("disputes")


def unmet(expected: dict[str, Any], report: dict[str, Any]) -> Iterator[str]:
    """Yield what the report lacks of what a judge expects."""
    shown = [one["id"] for one in report["rulings"]]
    deciding = {one["id"] for one in report["rulings"] if one["weight"] == "decides"}
    steps = [step["step"] for step in report["steps"]]
    noted = {topic for step in report["steps"] if step["step"] == "note" for topic in step["topics"]}
    answers = [" ".join(answer["because"]) for answer in report["answers"]]
    told = "\n".join([*(step["text"] for step in report["steps"]), *answers])
    for key, wanted in expected.items():
        match key:
            case "first_ruling":
                good = shown[:1] != [] and shown[0] in wanted
            case "rulings_include":
                good = {one["id"] for one in wanted} <= set(shown)
            case "rulings_exclude":
                good = {one["id"] for one in wanted}.isdisjoint(shown)
            case "may_decide":
                good = deciding <= set(wanted)
            case "decides_exclude":
                good = deciding.isdisjoint(wanted)
            case "notes":
                good = set(wanted) <= noted
            case "says":
                good = all(words in told for words in wanted)
            case "never_says":
                good = not any(words in told for words in wanted)
            case "steps_include":
                good = set(wanted) <= set(steps)
            case "steps_exclude":
                good = set(steps).isdisjoint(wanted)
            case "answers":
                good = [answer["result"] for answer in report["answers"]] == wanted
            case "markers_include":
                good = all(any(holds(one, other) for other in report["state"]["markers"]) for one in wanted)
            case "characters" | "walls_destroyed" | "victory_points":
                good = holds(wanted, report["state"][key])
            case _:
                good = holds(wanted, report[key])
        if not good:
            yield f"{key}: {wanted}"


@every_row("case", CASES, ids=[case["id"] for case in CASES])
def test_a_dispute_is_settled_as_its_book_says_and_shows_the_rulings_a_judge_expects(case: dict[str, Any]) -> None:
    report = adjudicate(case["input"])
    check(case["input"], report)
    told = [f"{one['weight']}: {one['id']}" for one in report["rulings"]]
    assert not list(unmet(case["expect"], report)), (case["source"]["why"], told, report["steps"][-1]["text"])
    assert not difference(case["id"], outcome(report))


# ── Their order ────────────────────────────────────────────────────────────────────────────────


def urgency(one: Ruling, met: frozenset[str]) -> tuple[bool, int]:
    """Return whether a case was stopped or has a note about the ruling, and how many conditions name its facts."""
    noted = any(f"note:{topic}" in met for topic in one.topics if topic not in GENERAL)
    named = [{need for need in group & met if need not in GENERAL and "step:" not in need} for group in one.when]
    return noted or "step:illegal" in met or "awaits:" in met, sum(map(bool, named))


@every_row("case", CASES, ids=[case["id"] for case in CASES])
def test_rulings_of_refusals_waits_and_notes_come_first_then_those_that_name_most_facts(case: dict[str, Any]) -> None:
    outcome = decide(read_position(case["input"]).case)
    seen = [facts.met for notes in outcome.notes for facts in notes.cases()]
    keys = []
    for one in outcome.rulings:
        if one.weight != "decides" or one.disagrees_with:
            continue
        cases = [met for met in seen if one.applies(met)]
        turned = [met for met in cases if one.decides is None or not one.decides.isdisjoint(met)]
        keys.append(max(urgency(one, met) for met in turned))
    assert keys == sorted(keys, reverse=True), [one.id for one in outcome.rulings]


# ── Two targets ────────────────────────────────────────────────────────────────────────────────

TOGETHER = frozenset(
    {
        "several-targets",
        "multiple-targets",
        "several-hit",
        "several-rolls",
        "another-target",
        "several-in-area",
        "fixed-value",
    }
)
"""Facts about several targets or attacks at once."""
POWERS = ("Super Senses", "Impervious", "Toughness", "Energy Shield/Deflection", "Mastermind", "Stealth")
DICE = (([2, 3], [6, 6]), ([6, 6], [1, 1]), ([5, 5], [5, 4]))
EDITIONS = ("car-2002", "dc-2005", "core-2014", "core-modern")


def on_two(edition: str, power: str, dice: tuple[list[int], list[int]], *, melee: bool) -> list[dict[str, Any]]:
    """Return an attack on two opponents, by Flurry or by two bolts, then the same attack on each of them alone.

    One of them has the power, the other hovers, has a token, and is on its last click.
    """
    squares = {"b": "F5", "c": "E6"} if melee else {"b": "J5", "c": "J8"}
    teams = {name: {"teams": [team]} for name, team in {"b": "Mystics", "c": "X-Men"}.items() if edition == "car-2002"}
    foes = [
        figure("b", squares["b"], power, **teams.get("b", {})),
        flier("c", squares["c"], tokens=1, click=8, **teams.get("c", {})),
    ]
    ground = {"hindering": [squares["b"]], "elevated": ["H1"]}
    rolled = dice if melee else (dice[0], dice[0])

    def attack(*names: str, dice: tuple[list[int], ...]) -> dict[str, Any]:
        others = {f"{roll}:b": [[3]] for roll in ("super-senses", "impervious")}
        facts: dict[str, Any] = {"rolls": {"attack": list(dice), **others}}
        if edition != "car-2002":
            facts["choose"] = {"knock-back": False}
        if melee:
            given = close("a", *names, using=("Flurry",), **facts)
        else:
            given = ranged("a", *names, divide=dict.fromkeys(names, 1), **facts)
        mine = figure("a", "E5", *(["Flurry"] if melee else []), damage=2, bolts=2)
        return dispute([mine], foes, given, edition=edition, **ground)

    return [attack("b", "c", dice=rolled), attack("b", dice=rolled[:1]), attack("c", dice=rolled[1:])]


@every_row("edition", EDITIONS)
@every_row("melee", [True, False])
@every_row("dice", DICE)
def test_facts_of_two_targets_never_join_to_show_a_ruling(
    edition: str, melee: bool, dice: tuple[list[int], list[int]]
) -> None:
    """Whatever an attack on two shows, an attack on one of them alone shows too, unless it is about several at once."""
    for power in POWERS:
        reports = [adjudicate(document) for document in on_two(edition, power, dice, melee=melee)]
        if not all(report["legal"] and report["awaiting"] is None for report in reports):
            continue
        apart = {(one["id"], one["weight"]) for report in reports[1:] for one in report["rulings"]}
        for shown in reports[0]["rulings"]:
            one = ruling(edition, shown["id"])
            assert one is not None
            if TOGETHER.isdisjoint(set().union(*one.when, one.decides or ())):
                assert {(one.id, shown["weight"]), (one.id, "decides")} & apart, (power, one.id, one.when)
