"""Scoring a battle between two known forces: form ↔ battle file, the score in words, comparing two accounts.

Pure functions. Forces come as force files with the catalogue data they were built from. Sides are players "A" and "B"
of the match; refs include their side, so that two forces never share one. The engine decides what a defeat is worth.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.choices import CUSTOM, SCENARIOS_OF
from events.results.words import Difference
from rules.engine import BadInput, score_battle

Text = str | Promise
Document = dict[str, Any]

SIDES = ("a", "b")
PLAYER = {"a": "A", "b": "B"}
SIDE = {"A": "a", "B": "b"}
ENDED: dict[str, Text] = {
    "elimination": gettext_lazy("one force was eliminated"),
    "time": gettext_lazy("time was called"),
    "turn-limit": gettext_lazy("the scenario's turn limit was reached"),
    "scenario": gettext_lazy("the scenario ended the match"),
    "agreement": gettext_lazy("both players agreed to end it"),
}
FATES: dict[str, Text] = {
    "left-map": gettext_lazy("left the map, as the scenario allows"),
    "captured": gettext_lazy("held captive at the end"),
    "released": gettext_lazy("captured, then released"),
    "removed": gettext_lazy("removed; no one scores its points"),
}
CAUSES: dict[str, Text] = {
    "attack": gettext_lazy("an attack"),
    "pushing": gettext_lazy("pushing damage"),
    "own-power": gettext_lazy("its own power"),
    "critical-miss": gettext_lazy("its own critical miss"),
    "knockback": gettext_lazy("knock back"),
    "mind-control": gettext_lazy("mind control"),
    "scenario": gettext_lazy("the scenario"),
}
WITH_A_TURN = frozenset({"challenge-of-the-champions", "showdown", "winner-takes-all", "blackout"})
WITH_ATTACKER = frozenset({"the-scientist", "the-wild-theory", "stand-aside", "portal-to-hypertime"})
DOUBLING = frozenset({"ic-2002", "car-2002", "dc-2005"})
"""Editions in which an archenemy's defeat counts double, so that it matters who made the final attack."""
WITH_CAPTIVES = frozenset({"car-2002", "core-2014"})
NEEDS: dict[str, Text] = {
    "roll-off": gettext_lazy("It's a tie. Each player rolls two dice. Enter both totals."),
    "scenario-winner": gettext_lazy("The scenario decides the winner. Choose the winner."),
    "play-on": gettext_lazy("No player has scored half the build total yet. Play continues to the last turn."),
}
KEPT = ("name", "points", "base_color", "set", "kind", "teams")
EXTRA_ROWS = 2


@dataclass(frozen=True)
class BattleForce:
    """A player's force in a battle: side, player's name, build total used, force file and origins."""

    side: str
    name: str
    total: int
    document: Mapping[str, Any]
    origins: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class BattleTerms:
    """What a battle is scored by: edition, build total, scenario ("" for none), whether points are capped."""

    edition: str
    build_total: int
    scenario: str = ""
    cap_points: bool = True


@dataclass(frozen=True)
class ScoreLine:
    """One line of a score: side, points, reason, citations."""

    side: str
    points: Any
    why: str
    citations: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Scored:
    """A battle file with its report, or with what is wrong with it."""

    document: Document
    report: Document | None = None
    faults: tuple[str, ...] = ()

    @property
    def points(self) -> dict[str, Any]:
        """Uncapped victory points by side."""
        found = self.report["victory_points"] if self.report else {}
        return {SIDE[player]: number for player, number in found.items()}

    @property
    def winner(self) -> str | None:
        """The winning side, or None."""
        return SIDE.get(self.report["winner"] or "") if self.report else None

    @property
    def needs(self) -> list[str]:
        """The missing information, in words."""
        return [str(NEEDS.get(need, need)) for need in (self.report or {}).get("needs", ())]

    @property
    def lines(self) -> list[ScoreLine]:
        """The lines of the score."""
        return [
            ScoreLine(SIDE[line["player"]], line["points"], line["why"], tuple(line["citations"]))
            for line in (self.report or {}).get("lines", ())
        ]


def scenario_of(edition: str, scenario: str) -> str | None:
    """Return the scenario's name in a battle file; custom if the edition doesn't know it."""
    if not scenario:
        return None
    return scenario if scenario in SCENARIOS_OF.get(edition, ()) else CUSTOM


def doubles(edition: str) -> bool:
    """Return whether defeats by archenemies count double, so that it matters who made the final attack."""
    return edition in DOUBLING


def figures(of_side: BattleForce) -> list[Document]:
    """Return the characters of a force as in a battle file, with the side in their refs."""
    found = []
    for place, one in enumerate(of_side.document.get("force", {}).get("characters", ()), 1):
        ref = f"{of_side.side}:{one.get('ref') or f'character-{place}'}"
        found.append({"ref": ref, **{key: one[key] for key in KEPT if one.get(key) is not None}})
    return found


def tokens(of_side: BattleForce) -> list[Document]:
    """Return what can be lost besides characters (objects, resources, feats), each with its section."""
    force = of_side.document.get("force", {})
    return [
        {"ref": f"{of_side.side}:{one.get('ref') or f'{section}-{place}'}", "section": section, **one_name(one)}
        for section in ("objects", "resources", "feats")
        for place, one in enumerate(force.get(section, ()), 1)
    ]


def one_name(one: Mapping[str, Any]) -> Document:
    """Return an element's name and points."""
    return {"name": one.get("name", ""), "points": one.get("points", 0)}


def one_of(posted: Mapping[str, Any], key: str) -> str:
    """Return a key's posted value, or ""."""
    value = posted.get(key, "")
    if isinstance(value, list):
        value = value[-1] if value else ""
    return value.strip() if isinstance(value, str) else ""


def many_of(posted: Any, key: str) -> set[str]:
    """Return all posted values of a key."""
    given = posted.getlist(key) if hasattr(posted, "getlist") else posted.get(key, [])
    return set(given)


def is_ticked(posted: Any) -> bool:
    """Return whether the form says anything about the battle itself."""
    return bool(
        one_of(posted, "ended")
        or many_of(posted, "ko")
        or any(key.startswith("fate-") and one_of(posted, key) for key in posted)
    )


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else None


def score_ticks(posted: Any, forces: Iterable[BattleForce], terms: BattleTerms) -> Scored:
    """Return the score of the battle entered on the form; faults say what is missing or contradictory."""
    both = list(forces)
    faults = []
    ended = one_of(posted, "ended")
    if ended not in ENDED:
        faults.append(_("Choose how the match ended."))
    knocked_out, lost = many_of(posted, "ko"), many_of(posted, "lost")
    known = {one["ref"]: one["name"] for of_side in both for one in figures(of_side)}
    sides = []
    for of_side in both:
        characters = [_character(posted, one, knocked_out, known, faults) for one in figures(of_side)]
        characters += _extra(posted, of_side.side, faults)
        sides.append(
            {
                "player": PLAYER[of_side.side],
                "points": of_side.total,
                "characters": characters,
                **_elements(of_side, lost),
            }
        )
    document: Document = {
        "edition": terms.edition,
        "build_total": terms.build_total,
        "scenario": scenario_of(terms.edition, terms.scenario),
        **({"ended": ended} if ended in ENDED else {}),
        "sides": sides,
    }
    for key in ("attacker", "defender", "scenario_winner"):
        if one_of(posted, key) in SIDES:
            document[key] = PLAYER[one_of(posted, key)]
    if document.get("attacker") and not document.get("defender"):
        document["defender"] = "B" if document["attacker"] == "A" else "A"
    turn = _number(one_of(posted, "turn"))
    if turn:
        document["turn"] = turn
    rolled = {side: _number(one_of(posted, f"roll_{side}")) for side in SIDES}
    if all(number is not None and 2 <= number <= 12 for number in rolled.values()):
        document["roll_off"] = {PLAYER[side]: number for side, number in rolled.items()}
    return scored(document, faults)


def _character(
    posted: Any, one: Document, knocked_out: set[str], known: Mapping[str, str], faults: list[str]
) -> Document:
    ref = one["ref"]
    fate = one_of(posted, f"fate-{ref}")
    if fate not in FATES:
        fate = "defeated" if ref in knocked_out else "survived"
    found = {**one, "fate": fate}
    if fate == "survived":
        return found
    by, controller, cause = (one_of(posted, f"{key}-{ref}") for key in ("by", "controller", "cause"))
    if by in known and by != ref:
        found["by"] = by
    elif fate in ("captured", "released"):
        faults.append(_("Choose the figure that held %(name)s captive.") % {"name": one["name"]})
        found["fate"] = "survived"
    if controller in known:
        found["controller"] = controller
    if cause in CAUSES:
        found["cause"] = cause
    elif "by" in found and found["fate"] == "defeated":
        found["cause"] = "attack"
    return found


def _extra(posted: Any, side: str, faults: list[str]) -> list[Document]:
    """Return figures that joined the battle beside the force: from a scenario, a bystander, or typed in."""
    found = []
    for place in range(1, EXTRA_ROWS + 1):
        name = one_of(posted, f"extra-{side}-{place}-name")[:80]
        if not name:
            continue
        points = _number(one_of(posted, f"extra-{side}-{place}-points"))
        if points is None:
            faults.append(_("Enter how many points %(name)s is worth.") % {"name": name})
            continue
        fate = "defeated" if f"{side}:extra-{place}" in many_of(posted, "ko") else "survived"
        found.append({"ref": f"{side}:extra-{place}", "name": name, "points": points, "fate": fate})
    return found


def _elements(of_side: BattleForce, lost: set[str]) -> Document:
    force = of_side.document.get("force", {})
    found: Document = {}
    for section in ("feats", "objects", "resources", "team_ability_cards"):
        rows = []
        for place, one in enumerate(force.get(section, ()), 1):
            ref = f"{of_side.side}:{one.get('ref') or f'{section}-{place}'}"
            row: Document = {"ref": ref, "name": one.get("name", "")}
            if "assigned_to" in one:
                row["assigned_to"] = [f"{of_side.side}:{to}" for to in one["assigned_to"]]
            if section == "team_ability_cards":
                row["cost_per_character"] = one.get("cost_per_character", 0)
            else:
                row["points"] = one.get("points", 0)
                if ref in lost:
                    row["fate"] = "removed"
            facts = (of_side.origins.get(one.get("ref", "")) or {}).get("facts", {})
            if section == "feats" and facts.get("per_character") and facts.get("points") is not None:
                row |= {"points": facts["points"], "per_character": True}
            rows.append(row)
        if rows:
            found[section] = rows
    return found


def scored(document: Document, faults: Iterable[str] = ()) -> Scored:
    """Return a battle file with its score, or with what the engine can't read in it.

    Until someone says how the battle ended, the points are those of a battle that went to time.
    """
    told = list(faults)
    try:
        report = score_battle({"ended": "time", **document})
    except BadInput as fault:
        return Scored(document, None, (*told, *(f"{one.message} ({one.where})" for one in fault.every)))
    return Scored(document, report, tuple(told))


def archenemies(forces: Iterable[BattleForce], terms: BattleTerms) -> dict[str, set[str]]:
    """Return, for each figure's ref, the refs of those that the engine scores double for defeating it."""
    first, second = forces
    found: dict[str, set[str]] = {}
    if not doubles(terms.edition):
        return found
    here, there = figures(first), figures(second)
    for place in range(max(len(here), len(there))):
        document: Document = {"edition": terms.edition, "build_total": terms.build_total, "ended": "time", "sides": []}
        for player, own, others in (("A", here, there), ("B", there, here)):
            striker = others[place]["ref"] if place < len(others) else None
            fate = {"fate": "defeated", "by": striker, "cause": "attack"} if striker else {"fate": "survived"}
            document["sides"].append({"player": player, "characters": [{**one, **fate} for one in own]})
        worth = {one["ref"]: one["points"] for one in (*here, *there)}
        owner = {one["ref"]: "A" for one in here} | {one["ref"]: "B" for one in there}
        try:
            report = score_battle(document)
        except BadInput:
            return {}
        strikers = {"A": there, "B": here}
        for line in report["lines"]:
            ref = line["element"]
            if ref in worth and line["player"] != owner[ref] and worth[ref] and line["points"] == 2 * worth[ref]:
                found.setdefault(ref, set()).add(strikers[owner[ref]][place]["ref"])
    return found


def ticks_of(document: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the form data (names and posted values) that would produce a battle file."""
    if not document:
        return {}
    ticks: dict[str, Any] = {"ended": document.get("ended", ""), "ko": [], "lost": []}
    for key in ("attacker", "defender", "scenario_winner"):
        if document.get(key):
            ticks[key] = SIDE.get(document[key], "")
    if document.get("turn"):
        ticks["turn"] = str(document["turn"])
    for side in document.get("sides", ()):
        for one in side.get("characters", ()):
            ref = one.get("ref", "")
            if one.get("fate") == "defeated":
                ticks["ko"].append(ref)
            elif one.get("fate") in FATES:
                ticks[f"fate-{ref}"] = one["fate"]
            for key in ("by", "cause", "controller"):
                if one.get(key):
                    ticks[f"{key}-{ref}"] = one[key]
            if ":extra-" in ref:
                letter, place = ref.split(":extra-")
                ticks[f"extra-{letter}-{place}-name"] = one["name"]
                ticks[f"extra-{letter}-{place}-points"] = str(one["points"])
        for section in ("objects", "resources", "feats"):
            ticks["lost"] += [one["ref"] for one in side.get(section, ()) if one.get("fate") == "removed"]
    return ticks


def typed_result(found: Scored, edition: str, beside_points: Iterable[str]) -> dict[str, str]:
    """Return a score as the fields of a result form; `beside_points` are ways to win that override the points."""
    values = {"battle": json.dumps(found.document), "winner": "", "decided_by": ""}
    if found.report is None:
        return values
    values |= {f"score_{side}": str(number) for side, number in found.points.items()}
    if found.document.get("ended") == "time":
        values["to_time"] = "on"
    way, winner = found.report["decided_by"], found.winner
    if winner is None or way in ("victory-points", "roll-off"):
        return values
    allowed = set(beside_points)
    if way == "last-standing" and way not in allowed:
        way = "scenario"
    ahead = found.points["a"] - found.points["b"]
    by_points = (ahead > 0 and winner == "a") or (ahead < 0 and winner == "b")
    if by_points and way not in allowed:
        return values
    return values | {"winner": winner, "decided_by": way if way in allowed or not ahead else ""}


def account_of(document: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Return a battle file's statements, each with its subject in words, by key."""
    found = {
        "ended": (_("how the match ended"), str(ENDED.get(document.get("ended", ""), document.get("ended", "")))),
        "turn": (_("turns taken"), str(document.get("turn") or "–")),
        "scenario_winner": (_("scenario's winner"), document.get("scenario_winner") or "–"),
    }
    names = {one.get("ref"): one["name"] for side in document.get("sides", ()) for one in side.get("characters", ())}
    for side in document.get("sides", ()):
        for one in side.get("characters", ()):
            found[f"c:{one.get('ref')}"] = (one["name"], _fate_words(one, names))
        for section in ("objects", "resources", "feats"):
            for one in side.get(section, ()):
                gone = one.get("fate") == "removed"
                found[f"t:{one.get('ref')}"] = (one.get("name", ""), _("lost") if gone else _("still in play"))
    return found


def _fate_words(one: Mapping[str, Any], names: Mapping[str, str]) -> str:
    fate = one.get("fate", "survived")
    if fate == "survived":
        return _("still in play")
    words = _("knocked out") if fate == "defeated" else str(FATES.get(fate, fate))
    if one.get("by"):
        by = names.get(one["by"], one["by"])
        words = _("knocked out by %(name)s") % {"name": by} if fate == "defeated" else f"{words} ({by})"
    if one.get("cause") not in (None, "attack"):
        words = f"{words} ({CAUSES.get(one['cause'], one['cause'])})"
    return words


def compare_battles(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> list[Difference]:
    """Return where two accounts of a battle differ, figure by figure; nothing if either is missing."""
    if not one or not other:
        return []
    mine, theirs = account_of(one), account_of(other)
    return [
        Difference(what, said, theirs.get(key, (what, "–"))[1])
        for key, (what, said) in mine.items()
        if theirs.get(key, (what, "–"))[1] != said
    ]
