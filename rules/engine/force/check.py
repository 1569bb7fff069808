"""The check of a force by an edition: violations, rules that couldn't be checked, and the total.

An element that the edition doesn't have is reported only as such: all other rules see the force without it, but its
points still count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rules.engine.citations import Citation
from rules.engine.edition import Check, Edition
from rules.engine.force.checks.building import not_in_edition
from rules.engine.force.themed_team import themed_team
from rules.engine.forces import Force, Format, ThemedTeam, Unchecked


class Breach(NamedTuple):
    """A violation or a warning, with the rule it breaks and its citation."""

    rule: str
    message: str
    elements: tuple[str, ...]
    citations: tuple[Citation, ...]


class Open(NamedTuple):
    """A rule that couldn't be checked, the missing fact, and the elements concerned."""

    rule: str
    needs: str
    elements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ForceReport:
    """The findings about a force. It is legal without violations; `unchecked` lists rules that couldn't be checked.

    `not_applied` are the rules that limit forces of this edition, but not those of a Battle Royale. Without a build
    total, `action_total` is the book's least, None if it has none.
    """

    total: int
    build_total: int | None
    action_total: int | None
    violations: tuple[Breach, ...]
    warnings: tuple[Breach, ...]
    unchecked: tuple[Open, ...]
    themed_team: ThemedTeam | None
    not_applied: tuple[str, ...] = ()


def check(force: Force, edition: Edition) -> ForceReport:
    """Return the report on a force by the edition's checks, including every violation.

    A Battle Royale has no limits on what a force holds: it is what was drafted.
    """
    options = edition.force
    limitless = force.event.format is Format.BATTLE_ROYALE
    checks = [one for one in options.checks if not (limitless and one.limits)]
    breaches: list[Breach] = []
    unchecked: dict[tuple[str, str], list[str]] = {}

    def run(one: Check, on: Force) -> None:
        for finding in one.look(on, edition):
            if isinstance(finding, Unchecked):
                unchecked.setdefault((one.name, finding.needs), []).extend(finding.elements)
            else:
                cited = edition.cite(finding.topics or (one.topic,))
                breaches.append(Breach(one.name, finding.message, finding.elements, cited))

    for one in checks:
        if one.whole:
            run(one, force)
    foreign = frozenset(ref for breach in breaches if breach.rule == not_in_edition.name for ref in breach.elements)
    known = force.without(foreign) if foreign else force
    for one in checks:
        if not one.whole:
            run(one, known)
    return ForceReport(
        total=force.total,
        build_total=force.event.build_total,
        action_total=action_total(force.event.build_total, edition),
        violations=tuple([breach for breach in breaches if breach.rule not in options.warnings]),
        warnings=tuple([breach for breach in breaches if breach.rule in options.warnings]),
        unchecked=tuple(Open(rule, needs, tuple(refs)) for (rule, needs), refs in unchecked.items()),
        themed_team=themed_team(known, edition),
        not_applied=tuple([one.name for one in options.checks if limitless and one.limits]),
    )


def action_total(build_total: int | None, edition: Edition) -> int | None:
    """Return the number of actions per turn: one per full 100 points of the build total, within the book's bounds."""
    if build_total is None:
        return edition.force.least_actions or None
    actions = max(build_total // 100, edition.force.least_actions)
    most = edition.force.most_actions
    return actions if most is None else min(actions, most)
