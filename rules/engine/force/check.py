"""A force and an edition → what is wrong with it, what could not be judged, what it is worth.

An element that the edition does not have is reported as that alone: all other rules look at the
force without it, only its points still count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from rules.engine.citations import Citation
from rules.engine.edition import Edition, ForceCheck
from rules.engine.force.themed_team import themed_team
from rules.engine.force.values import Force, ThemedTeam, Unchecked

NOT_IN_EDITION: Final = "not-in-edition"


class Breach(NamedTuple):
    """A violation or a warning, with the rule it breaks and where that stands."""

    rule: str
    message: str
    elements: tuple[str, ...]
    citations: tuple[Citation, ...]


class Open(NamedTuple):
    """A rule that could not be judged, the fact that is missing, and of which elements."""

    rule: str
    needs: str
    elements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ForceReport:
    """What was found about a force. It is legal where there is no violation; `unchecked` says what nobody could tell."""

    total: int
    build_total: int
    action_total: int
    violations: tuple[Breach, ...]
    warnings: tuple[Breach, ...]
    unchecked: tuple[Open, ...]
    themed_team: ThemedTeam | None


def check(force: Force, edition: Edition) -> ForceReport:
    """Return the report on a force by the edition's own checks, every violation in it."""
    options = edition.force
    breaches: list[Breach] = []
    unchecked: dict[tuple[str, str], list[str]] = {}

    def run(checks: Mapping[str, ForceCheck], on: Force) -> None:
        for rule, look in checks.items():
            for finding in look(on, edition):
                if isinstance(finding, Unchecked):
                    unchecked.setdefault((rule, finding.needs), []).extend(finding.elements)
                else:
                    cited = edition.cite(finding.topics or (rule,))
                    breaches.append(Breach(rule, finding.message, finding.elements, cited))

    run(options.whole_checks, force)
    foreign = frozenset(ref for breach in breaches if breach.rule == NOT_IN_EDITION for ref in breach.elements)
    known = force.without(foreign) if foreign else force
    run(options.checks, known)
    return ForceReport(
        total=force.total,
        build_total=force.event.build_total,
        action_total=action_total(force.event.build_total, edition),
        violations=tuple([breach for breach in breaches if breach.rule not in options.warnings]),
        warnings=tuple([breach for breach in breaches if breach.rule in options.warnings]),
        unchecked=tuple(Open(rule, needs, tuple(refs)) for (rule, needs), refs in unchecked.items()),
        themed_team=themed_team(known, edition),
    )


def action_total(build_total: int, edition: Edition) -> int:
    """Return the actions of a turn: one for each full 100 points of the build total, within the edition's bounds."""
    actions = max(build_total // 100, edition.force.least_actions)
    most = edition.force.most_actions
    return actions if most is None else min(actions, most)
