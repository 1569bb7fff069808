"""The sanctioning policy: the Compiled and Annotated Rulebook's rules on sanctioned events, as small dated checks.

One row of RULES for each rule: since when it is in force, where the book says it, what it says in our own words, and
where it is checked; with it one function that bears the rule's name, takes plain values and yields what is wrong. An
event is judged by the policy of its day at the venue. Pure: no rows, no clock, no pages. Who may play is spelled out in
`eligibility`, what a venue must tell in `registration`, what a force may hold in the engine's checks: this table names
them and does not repeat them. What the office lets pass, and who is told, is the services' business.

`book` has the sections and their days, `values` what the checks look at and say, `planning` and `playing` the checks,
`rules` the table.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from events import eligibility

from .book import ELIGIBILITY
from .planning import head_judge, registered_venue, season_of
from .playing import DAYS_TO_REPORT, due, kept_until
from .rules import AT_START, BEFORE_OPENING, FORCE_RULES, RULES
from .values import (
    Booked,
    Leaving,
    PlannedEvent,
    PolicyViolation,
    Product,
    Publication,
    Results,
    Rule,
    SeasonDays,
    same_universe,
)


def rules_on(day: datetime.date, about: str = "") -> dict[str, Rule]:
    """Return the rules that are in force on a day, those about one sort of value only where it is named."""
    return {name: rule for name, rule in RULES.items() if rule.in_force(day) and about in ("", rule.about)}


def _violations(about: str, day: datetime.date, value: Any, overridden: Iterable[str]) -> list[PolicyViolation]:
    passed, found = frozenset(overridden), []
    for name, rule in rules_on(day, about).items():
        if rule.check is None or name in passed:
            continue
        found += [
            PolicyViolation(
                name, said.words, rule.cited(said.section), said.field, said.warns or rule.weight == "warns"
            )
            for said in rule.check(value)
        ]
    return found


def check_plan(plan: PlannedEvent, *, overridden: Iterable[str] = (), but: Iterable[str] = ()) -> list[PolicyViolation]:
    """Return what is against the policy in a planned event, in the table's order; a practice event is not bound.

    `overridden`: rules that the office lets pass; `but`: rules not to be looked at yet.
    """
    if not plan.is_sanctioned:
        return []
    return _violations("plan", plan.day, plan, {*overridden, *but})


def check_house(plan: PlannedEvent, *, but: Iterable[str] = ()) -> list[PolicyViolation]:
    """Return what this site asks of every event, practice or not: an approved venue, an accepted head judge."""
    found: list[PolicyViolation] = []
    for name, check in (("registered-venue", registered_venue), ("head-judge", head_judge)):
        if name not in but:
            found += [PolicyViolation(name, said.words, RULES[name].citations, said.field) for said in check(plan)]
    return found


def check_player(candidate: eligibility.Candidate, *, overridden: Iterable[str] = ()) -> list[PolicyViolation]:
    """Return why somebody may not play."""
    if not candidate.is_sanctioned:
        return []
    return _violations("player", candidate.on, candidate, overridden)


def check_leaving(leaving: Leaving, *, overridden: Iterable[str] = ()) -> list[PolicyViolation]:
    """Return what is against a player's leaving a battle, or coming back after it; leaving one is warned of."""
    if not leaving.is_sanctioned:
        return []
    found = _violations("leaving", leaving.on, leaving, overridden)
    return found if leaving.returns else [replace(one, warns=True) for one in found]


def check_product(product: Product) -> list[PolicyViolation]:
    """Return what is odd about registered sealed product."""
    return _violations("product", product.on, product, ()) if product.is_sanctioned else []


def check_results(results: Results, *, overridden: Iterable[str] = ()) -> list[PolicyViolation]:
    """Return what is against the policy in how far an event's results have come."""
    return _violations("results", results.on, results, overridden) if results.is_sanctioned else []


def check_publication(publication: Publication) -> list[PolicyViolation]:
    """Return what of a publication the policy does not allow."""
    return _violations("publication", publication.on, publication, ()) if publication.is_sanctioned else []


def refusals(found: Iterable[PolicyViolation]) -> list[PolicyViolation]:
    """Return those that are more than a warning."""
    return [one for one in found if not one.warns]


def sentence(violation: PolicyViolation) -> str:
    """Return a violation as one line with its section."""
    return f"{violation.message} ({violation.section})"


__all__ = [
    "AT_START",
    "BEFORE_OPENING",
    "DAYS_TO_REPORT",
    "ELIGIBILITY",
    "FORCE_RULES",
    "RULES",
    "Booked",
    "Leaving",
    "PlannedEvent",
    "PolicyViolation",
    "Product",
    "Publication",
    "Results",
    "Rule",
    "SeasonDays",
    "check_house",
    "check_leaving",
    "check_plan",
    "check_player",
    "check_product",
    "check_publication",
    "check_results",
    "due",
    "kept_until",
    "refusals",
    "rules_on",
    "same_universe",
    "season_of",
    "sentence",
]  # fmt: skip
