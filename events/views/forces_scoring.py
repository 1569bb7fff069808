"""Scoring on the result form: two forces side by side, ticked, scored at once and compared line by line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events import battles
from events.battles import BattleForce, Scored
from events.choices import SCENARIOS
from events.forms.results import ResultForm, TableResultForm
from events.models import Force, Match
from events.results.reading import ResultTerms
from events.results.result import recorded
from events.services.results import terms_of

from .forces_bench import cited

DECIDED = {
    "last-standing": gettext_lazy("the last characters standing"),
    "victory-points": gettext_lazy("more victory points"),
    "lowest-force": gettext_lazy("the smaller force"),
    "roll-off": gettext_lazy("the roll-off"),
    "scenario": gettext_lazy("the scenario"),
    "abandoned": gettext_lazy("the opponent left the match"),
}
TYPED_BESIDE = gettext_lazy(
    "You entered %(typed)s, but the figures give %(counted)s. Check the figures, or clear them and “How the match ended” to "
    "enter points manually."
)
LEAVING = frozenset(
    {"stand-aside", "portal-to-hypertime", "the-scientist", "the-wild-theory", "raid-on-star-labs", "custom"}
)
REMOVING = frozenset({"dimensional-rift", "custom"})
DECIDING = frozenset(
    {"the-scientist", "the-wild-theory", "winner-takes-all", "raid-on-star-labs", "mind-switch", "custom"}
)


@dataclass
class FigureOnForm:
    """A figure on the form: whether and by whom it was defeated, and whose attack counts double."""

    ref: str
    name: str
    points: int
    knocked_out: bool
    fate: str
    by: list[tuple[str, str, bool, bool]]
    cause: str
    controllers: list[tuple[str, str, bool]]

    @property
    def says_more(self) -> bool:
        """Whether the part for rarer fates is open."""
        return bool(self.fate or self.cause not in ("", "attack") or any(chosen for *_, chosen in self.controllers))


@dataclass
class BattleSide:
    """One side of the form."""

    side: str
    name: str
    total: int
    figures: list[FigureOnForm]
    tokens: list[dict[str, Any]]
    extras: list[dict[str, Any]] = field(default_factory=list)


def battle_terms(match: Match) -> battles.BattleTerms:
    """Return the terms by which a match's battle is scored."""
    event = match.round.event
    return battles.BattleTerms(event.edition, event.build_total, match.round.scenario, event.cap_points)


def known_forces(match: Match) -> list[BattleForce] | None:
    """Return both forces that count in the match's round; None unless both were submitted. One query."""
    if match.b_id is None or match.is_of_many:
        return None
    rows = Force.objects.filter(
        entry_id__in=[match.a_id, match.b_id], from_round__lte=match.round.number, state=Force.State.SUBMITTED
    ).defer("work", "report")
    latest = {force.entry_id: force for force in rows.order_by("from_round")}
    if len(latest) < 2:
        return None
    pairs = (("a", match.a), ("b", match.b))
    return [
        BattleForce(side, entry.name, latest[entry.pk].total, latest[entry.pk].document, latest[entry.pk].origins)
        for side, entry in pairs
        if entry is not None
    ]


def result_form(posted: QueryDict, match: Match, terms: ResultTerms) -> ResultForm | TableResultForm:
    """Return the form of a posted result; if the battle was ticked, points and winner come from it.

    Other points typed beside it are an error at their field, which then holds what the figures give.
    """
    if match.is_of_many:
        return TableResultForm(posted, terms=terms)
    if not battles.is_ticked(posted):
        return ResultForm(posted, terms=terms)
    forces = known_forces(match)
    if forces is None:
        return ResultForm(posted, terms=terms)
    found = battles.score_ticks(posted, forces, battle_terms(match))
    typed = posted.copy()
    for key, value in battles.typed_result(found, terms.edition, terms.beside_points).items():
        if key in ("winner", "decided_by") and not value and terms.by_judge and posted.get(key):
            continue
        typed[key] = value
    form = ResultForm(typed, terms=terms)
    missing = [*found.faults]
    if found.report is not None and not form.data.get("winner"):
        needs = found.report.get("needs", ())
        missing += [str(battles.NEEDS[need]) for need in needs if need in ("play-on", "scenario-winner")]
    faults: list[tuple[str | None, str]] = [(None, message) for message in missing]
    for name in ("score_a", "score_b"):
        was, counted = posted.get(name, "").strip(), form.data.get(name, "")
        if was and was != counted:
            faults.append((name, TYPED_BESIDE % {"typed": was[:12], "counted": counted}))
    if faults:
        form.is_valid()
        for where, message in faults:
            form.add_error(where, message)
    return form


def scoring_facts(match: Match, posted: Any = None, battle: Mapping[str, Any] | None = None) -> dict[str, Any] | None:
    """Return the battle's part of the form, from posted data or a battle file; None without forces."""
    if match.kind != Match.Kind.GAME:
        return None
    forces = known_forces(match)
    if forces is None:
        return None
    terms = battle_terms(match)
    ticks = posted if posted is not None else battles.ticks_of(battle)
    ticked = battles.is_ticked(ticks)
    scenario = battles.scenario_of(terms.edition, terms.scenario)
    fates = {
        fate: words
        for fate, words in battles.FATES.items()
        if (fate == "left-map" and scenario in LEAVING)
        or (fate == "removed" and scenario in REMOVING)
        or (fate in ("captured", "released") and terms.edition in battles.WITH_CAPTIVES)
    }
    enemies = battles.archenemies(forces, terms)
    sides = [_side(one, other, ticks, enemies) for one, other in (forces, forces[::-1])]
    return {
        "sides": sides,
        "ended": [(key, words, battles.one_of(ticks, "ended") == key) for key, words in battles.ENDED.items()],
        "turn": battles.one_of(ticks, "turn"),
        "asks_turn": scenario in battles.WITH_A_TURN,
        "asks_attacker": scenario in battles.WITH_ATTACKER,
        "asks_winner": scenario in DECIDING,
        "attacker": battles.one_of(ticks, "attacker"),
        "scenario_winner": battles.one_of(ticks, "scenario_winner"),
        "scenario": SCENARIOS.get(match.round.scenario, match.round.scenario) if scenario else "",
        "fates": list(fates.items()),
        "causes": list(battles.CAUSES.items()),
        "doubles": battles.doubles(terms.edition),
        "score": score_shown(battles.score_ticks(ticks, forces, terms), match, forces) if ticked else None,
    }


def _side(own: BattleForce, other: BattleForce, ticks: Any, enemies: dict[str, set[str]]) -> BattleSide:
    fallen = battles.many_of(ticks, "ko")
    theirs, mine = battles.figures(other), battles.figures(own)
    rows = []
    for one in mine:
        ref = one["ref"]
        by = battles.one_of(ticks, f"by-{ref}")
        controller = battles.one_of(ticks, f"controller-{ref}")
        strikers = [
            (each["ref"], each["name"], each["ref"] in enemies.get(ref, ()), each["ref"] == by) for each in theirs
        ]
        strikers += [
            (each["ref"], _("%(name)s (own force)") % {"name": each["name"]}, False, each["ref"] == by)
            for each in mine
            if each["ref"] == by
        ]
        rows.append(
            FigureOnForm(
                ref,
                one["name"],
                one["points"],
                ref in fallen,
                battles.one_of(ticks, f"fate-{ref}"),
                sorted(strikers, key=lambda each: not each[2]),
                battles.one_of(ticks, f"cause-{ref}"),
                [(each["ref"], each["name"], each["ref"] == controller) for each in theirs],
            )
        )
    lost = battles.many_of(ticks, "lost")
    extras = [
        {
            "place": place,
            "ref": f"{own.side}:extra-{place}",
            "name": battles.one_of(ticks, f"extra-{own.side}-{place}-name"),
            "points": battles.one_of(ticks, f"extra-{own.side}-{place}-points"),
            "knocked_out": f"{own.side}:extra-{place}" in fallen,
        }
        for place in range(1, battles.EXTRA_ROWS + 1)
    ]
    shown = [{**token, "lost": token["ref"] in lost} for token in battles.tokens(own)]
    return BattleSide(own.side, own.name, own.total, rows, shown, extras)


def score_shown(found: Scored, match: Match, forces: list[BattleForce]) -> dict[str, Any]:
    """Return a score for display: each side's lines with citations, total and cap, winner and reason."""
    event = match.round.event
    names = {force.side: force.name for force in forces}
    sides = []
    for side in battles.SIDES:
        points = found.points.get(side)
        counted = recorded(int(points), event.build_total, event.cap_points) if points is not None else None
        lines = [(line.points, line.why, cited(line.citations)) for line in found.lines if line.side == side]
        sides.append(
            {
                "name": names.get(side, ""),
                "points": points,
                "capped": counted if counted is not None and counted != points else None,
                "lines": lines,
            }
        )
    decided = found.report["decided_by"] if found.report else ""
    return {
        "sides": sides,
        "faults": found.faults,
        "winner": names.get(found.winner or "", ""),
        "decided_by": DECIDED.get(decided, ""),
        "needs": found.needs,
        "tie": decided == "tie",
        "values": battles.typed_result(found, event.edition, terms_of(match, by_judge=True).beside_points),
    }


def confirmed_score(match: Match) -> dict[str, Any] | None:
    """Return the score of a confirmed result computed from a battle; None if its points were typed."""
    battle = match.result.battle if match.result else None
    if not battle:
        return None
    found = battles.scored(dict(battle))
    if found.report is None:
        return None
    names = [BattleForce("a", match.a.name, 0, {}), BattleForce("b", match.b.name if match.b else "", 0, {})]
    return score_shown(found, match, names)
