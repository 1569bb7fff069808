"""Selection of the rulings that apply to a case: those whose conditions hold for one attack and one character of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from rules.engine.citations import Ruling
from rules.engine.edition import Edition
from rules.engine.met import CaseFacts, Notes
from rules.engine.steps import Step

MAX_RULINGS = 12


def rulings_that_bear(edition: Edition, notes: Iterable[Notes]) -> tuple[Ruling, ...]:
    """Return the rulings that apply to the facts met by actions and questions, most relevant first."""
    stages = [
        [facts.met for facts in cases] for one in notes for _, cases in groupby(one.cases(), lambda one: one.stage)
    ]
    return edition.rulings(stages=stages, limit=MAX_RULINGS)


def with_rulings(steps: Iterable[Step], notes: list[Notes], shown: tuple[Ruling, ...]) -> list[Step]:
    """Return the steps, each with the shown rulings that are about its topics and apply to its stage of the case.

    A ruling begins at the step by which all its topics that the action meets have been met: one on the knock back of a
    Hypersonic Speed attack doesn't stand beside the attack's first roll. `notes` are those of the actions, by number.
    """
    steps = list(steps)
    if not shown:
        return steps
    bearing = [[(facts, _bearing(facts, shown)) for facts in one.cases()] for one in notes]
    met: list[dict[str, frozenset[str]]] = []
    for step in steps:
        near = {name for facts, names in bearing[step.action] if facts.has(step.stage, step.of) for name in names}
        met.append(
            {
                one.id: about
                for one in shown
                if one.id in near and (about := frozenset(one.topics).intersection(step.topics))
            }
        )
    left: dict[tuple[int, str], set[str]] = {}
    for step, names in zip(steps, met, strict=True):
        for name, about in names.items():
            left.setdefault((step.action, name), set()).update(about)
    found = []
    for step, names in zip(steps, met, strict=True):
        for name, about in names.items():
            left[step.action, name] -= about
        named = tuple(name for name in names if not left[step.action, name])
        found.append(replace(step, rulings=named) if named else step)
    return found


def _bearing(facts: CaseFacts, shown: tuple[Ruling, ...]) -> frozenset[str]:
    return frozenset(one.id for one in shown if one.applies(facts.met))
