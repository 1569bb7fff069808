"""Scoring on the result form: a match's forces side by side, ticked, scored at once and compared line by line."""

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
from events.forms.results import ResultForm, TableResultForm, result_form_for
from events.models import Force, Match
from events.results.reading import ResultTerms
from events.results.result import PAIR, SEATS, recorded
from events.services.results import terms_of

from .forces_bench import cited

DECIDED = {
    "last-standing": gettext_lazy("the last characters standing"),
    "victory-points": gettext_lazy("more victory points"),
    "lowest-force": gettext_lazy("the force built with fewer points"),
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
    """A figure on the form: whether and by whom it was defeated, and whose attack counts double.

    `by` are groups to choose from, each a name and its choices: one without a name if two play, else one for each player.
    """

    ref: str
    name: str
    points: int
    knocked_out: bool
    fate: str
    by: list[tuple[str, list[tuple[str, str, bool, bool]]]]
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
    others: list[tuple[str, str]] = field(default_factory=list)


def battle_terms(match: Match) -> battles.BattleTerms:
    """Return the terms by which a match's battle is scored."""
    event = match.round.event
    return battles.BattleTerms(event.edition, event.build_total, match.round.scenario, event.cap_points)


def known_forces(match: Match) -> list[BattleForce] | None:
    """Return the forces that count in the match's round; None unless every player submitted one. One query."""
    if match.b_id is None:
        return None
    rows = Force.objects.filter(
        entry_id__in=match.entry_ids, from_round__lte=match.round.number, state=Force.State.SUBMITTED
    ).defer("work", "report")
    latest = {force.entry_id: force for force in rows.order_by("from_round")}
    if len(latest) < len(match.entry_ids):
        return None
    return [
        BattleForce(side, entry.name, latest[entry.pk].total, latest[entry.pk].document, latest[entry.pk].origins)
        for side, entry in zip(SEATS, match.entries, strict=False)
    ]


def result_form(posted: QueryDict, match: Match, terms: ResultTerms) -> ResultForm | TableResultForm:
    """Return the form of a posted result; if the battle was ticked, points and winner come from it.

    Other points typed beside it are an error at their field, which then holds what the figures give.
    """
    kind = result_form_for(terms)
    if not battles.is_ticked(posted):
        return kind(posted, terms=terms)
    forces = known_forces(match)
    if forces is None:
        return kind(posted, terms=terms)
    found = battles.score_ticks(posted, forces, battle_terms(match))
    typed = posted.copy()
    for key, value in battles.typed_result(found, terms.edition, terms.beside_points).items():
        if key in ("winner", "decided_by") and not value and terms.by_judge and posted.get(key):
            continue
        if key.startswith("out_") and posted.get(key):
            continue
        typed[key] = value
    form = kind(typed, terms=terms)
    missing = [*found.faults]
    if found.report is not None and not form.data.get("winner"):
        needs = found.report.get("needs", ())
        missing += [str(battles.NEEDS[need]) for need in needs if need in ("play-on", "scenario-winner")]
    faults: list[tuple[str | None, str]] = [(None, message) for message in missing]
    for name in (f"score_{seat}" for seat in terms.names):
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
    sides = [_side(own, [other for other in forces if other is not own], ticks, enemies) for own in forces]
    return {
        "sides": sides,
        "of_many": match.is_of_many,
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


def _side(own: BattleForce, others: list[BattleForce], ticks: Any, enemies: dict[str, set[str]]) -> BattleSide:
    fallen = battles.many_of(ticks, "ko")
    mine, theirs = battles.figures(own), [(other, battles.figures(other)) for other in others]
    rows = []
    for one in mine:
        ref = one["ref"]
        controller = battles.one_of(ticks, f"controller-{ref}")
        rows.append(
            FigureOnForm(
                ref,
                one["name"],
                one["points"],
                ref in fallen,
                battles.one_of(ticks, f"fate-{ref}"),
                _strikers(mine, theirs, battles.one_of(ticks, f"by-{ref}"), enemies.get(ref, set())),
                battles.one_of(ticks, f"cause-{ref}"),
                [(each["ref"], each["name"], each["ref"] == controller) for _of, figures in theirs for each in figures],
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
            "by": battles.one_of(ticks, f"by-{own.side}:extra-{place}"),
        }
        for place in range(1, battles.EXTRA_ROWS + 1)
    ]
    shown = [
        {
            **token,
            "lost": token["ref"] in lost,
            "by": battles.one_of(ticks, f"by-{token['ref']}"),
            "asks_by": len(others) >= len(PAIR) and token["section"] in battles.DESTROYED,
        }
        for token in battles.tokens(own)
    ]
    named = [(other.side, other.name) for other in others]
    return BattleSide(own.side, own.name, own.total, rows, shown, extras, named)


def _strikers(
    mine: list[dict[str, Any]], theirs: list[tuple[BattleForce, list[dict[str, Any]]]], by: str, enemies: set[str]
) -> list[tuple[str, list[tuple[str, str, bool, bool]]]]:
    """Return who may have knocked out a figure, archenemies first; if three or four play, also just the player."""
    found = []
    for other, figures in theirs:
        choices = [(each["ref"], each["name"], each["ref"] in enemies, each["ref"] == by) for each in figures]
        choices.sort(key=lambda each: not each[2])
        is_of_many = len(theirs) >= len(PAIR)
        if is_of_many:
            choices.insert(0, (other.side, other.name, False, other.side == by))
        found.append((other.name if is_of_many else "", choices))
    own = [
        (each["ref"], _("%(name)s (own force)") % {"name": each["name"]}, False, True)
        for each in mine
        if each["ref"] == by
    ]
    return [*found, ("", own)] if own else found


def score_shown(found: Scored, match: Match, forces: list[BattleForce]) -> dict[str, Any]:
    """Return a score for display: each side's lines with citations, total and cap, winner and reason."""
    event = match.round.event
    names = {force.side: force.name for force in forces}
    sides = []
    for side in names:
        points = found.points.get(side)
        counted = recorded(int(points), event.build_total, event.cap_points) if points is not None else None
        lines = [(line.points, line.why, cited(line.citations)) for line in found.lines if line.side == side]
        sides.append(
            {
                "name": names.get(side, ""),
                "points": points,
                "capped": counted if points is not None and counted != int(points) else None,
                "whole": int(points) if points is not None and points != int(points) else None,
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
    forces = [BattleForce(seat, entry.name, 0, {}) for seat, entry in zip(SEATS, match.entries, strict=False)]
    return score_shown(found, match, forces)
