"""The sanctioning policy: the Compiled and Annotated Rulebook's rules on sanctioned events, as small dated checks.

RULES has one row per rule: since when it is in force, its section, what it says in our own words, where it is checked,
and a function of the rule's name that takes plain values and yields violations. An event is judged by the policy of its
day at the venue. Pure functions: no models, clock or pages. The rules on players are in `eligibility`, on venues in
`registration`, on forces in the engine's checks; this table names those and doesn't repeat them. Granting exceptions
and notifying people is up to the services.

`book` has the sections and their dates, `values` what the checks take and yield, `planning` and `playing` the checks,
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
    """Return the rules in force on a day; those limited to one kind of value only if `about` names it."""
    return {name: rule for name, rule in RULES.items() if rule.in_force(day) and about in ("", rule.about)}


def _violations(about: str, day: datetime.date, value: Any, excepted: Iterable[str]) -> list[PolicyViolation]:
    skipped, found = frozenset(excepted), []
    for name, rule in rules_on(day, about).items():
        if rule.check is None or name in skipped:
            continue
        found += [
            PolicyViolation(
                name, said.words, rule.cited(said.section), said.field, said.warns or rule.weight == "warns"
            )
            for said in rule.check(value)
        ]
    return found


def check_plan(plan: PlannedEvent, *, excepted: Iterable[str] = (), but: Iterable[str] = ()) -> list[PolicyViolation]:
    """Return the policy violations of a planned event, in the table's order; none for a practice event.

    `excepted`: excepted rules; `but`: rules not to be checked yet.
    """
    if not plan.is_sanctioned:
        return []
    return _violations("plan", plan.day, plan, {*excepted, *but})


def check_house(plan: PlannedEvent, *, but: Iterable[str] = ()) -> list[PolicyViolation]:
    """Return violations of what this site requires of every event: an approved venue, an accepted head judge."""
    found: list[PolicyViolation] = []
    for name, check in (("registered-venue", registered_venue), ("head-judge", head_judge)):
        if name not in but:
            found += [PolicyViolation(name, said.words, RULES[name].citations, said.field) for said in check(plan)]
    return found


def check_player(candidate: eligibility.Candidate, *, excepted: Iterable[str] = ()) -> list[PolicyViolation]:
    """Return why a person can't play."""
    if not candidate.is_sanctioned:
        return []
    return _violations("player", candidate.on, candidate, excepted)


def check_leaving(leaving: Leaving, *, excepted: Iterable[str] = ()) -> list[PolicyViolation]:
    """Return the violations when a player leaves a match (only a warning) or plays again afterwards."""
    if not leaving.is_sanctioned:
        return []
    found = _violations("leaving", leaving.on, leaving, excepted)
    return found if leaving.returns else [replace(one, warns=True) for one in found]


def check_product(product: Product) -> list[PolicyViolation]:
    """Return what is unusual about registered sealed product."""
    return _violations("product", product.on, product, ()) if product.is_sanctioned else []


def check_results(results: Results, *, excepted: Iterable[str] = ()) -> list[PolicyViolation]:
    """Return the violations in how an event's results have been handled."""
    return _violations("results", results.on, results, excepted) if results.is_sanctioned else []


def check_publication(publication: Publication) -> list[PolicyViolation]:
    """Return what the policy doesn't allow in a publication."""
    return _violations("publication", publication.on, publication, ()) if publication.is_sanctioned else []


def refusals(found: Iterable[PolicyViolation]) -> list[PolicyViolation]:
    """Return the violations that are more than a warning."""
    return [one for one in found if not one.warns]


def warnings(found: Iterable[PolicyViolation]) -> list[PolicyViolation]:
    """Return the violations that are only a warning."""
    return [one for one in found if one.warns]


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
