"""Scoring a battle between two to four known forces: form ↔ battle file, and the score in words.

Pure functions. Forces come as force files with the catalogue data they were built from. Sides are the seats of the
match, players "A" to "D" of the battle file; refs include their side, so that two forces never share one. The engine
decides what a defeat is worth.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.choices import CUSTOM, SCENARIOS_OF
from events.results.reading import ResultTerms
from events.results.result import PAIR, SEATS, Seat
from rules.engine import BadInput, score_battle

Text = str | Promise
Document = dict[str, Any]

PLAYER = {seat: seat.upper() for seat in SEATS}
SIDE = {player: seat for seat, player in PLAYER.items()}
ENDED: dict[str, Text] = {
    "elimination": gettext_lazy("one force was eliminated"),
    "time": gettext_lazy("time was called"),
    "turn-limit": gettext_lazy("the scenario's turn limit was reached"),
    "scenario": gettext_lazy("the scenario ended the match"),
    "agreement": gettext_lazy("the players agreed to end it"),
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
    "roll-off": gettext_lazy("It's a tie. Each tied player rolls two dice. Enter the totals."),
    "scenario-winner": gettext_lazy("The scenario decides the winner. Choose the winner."),
    "play-on": gettext_lazy("No player has scored half the build total yet. Play continues to the last turn."),
}
KEPT = ("name", "points", "base_color", "set", "kind", "teams")
EXTRA_ROWS = 2
DESTROYED = ("objects", "resources")
"""What a player can destroy: at a table of three or four, the form asks who did."""


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
    """What a battle is scored by: edition, build total (0: none), scenario ("" for none), whether points are capped."""

    edition: str
    build_total: int
    scenario: str = ""
    cap_points: bool = True


def build_total_of(terms: BattleTerms) -> Document:
    """Return the build total as a battle file has it; only a Battle Royale has none."""
    return {"build_total": terms.build_total} if terms.build_total else {"build_total": None, "format": "battle-royale"}


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


@cache
def asks_striker(edition: str) -> bool:
    """Return whether it matters, among three or more, who knocked out a figure: not every opponent scores it in full."""
    fallen = {"ref": "f", "name": "F", "points": 10, "fate": "defeated"}
    sides = [{"player": player, "characters": [fallen] if player == "A" else []} for player in "ABC"]
    report = score_battle({"edition": edition, "build_total": 10, "ended": "time", "sides": sides})
    return {report["victory_points"]["B"], report["victory_points"]["C"]} != {fallen["points"]}


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
    of_all = list(forces)
    seats = [one.side for one in of_all]
    asks_by = len(seats) > len(PAIR) and asks_striker(terms.edition)
    faults: list[str] = []
    ended = one_of(posted, "ended")
    if ended not in ENDED:
        faults.append(_("Choose how the match ended."))
    knocked_out, lost = many_of(posted, "ko"), many_of(posted, "lost")
    known = {one["ref"]: one["name"] for of_side in of_all for one in figures(of_side)}
    sides = []
    for of_side in of_all:
        others = [seat for seat in seats if seat != of_side.side]
        characters = [
            _character(posted, one, knocked_out, known, others, faults, asks_by=asks_by) for one in figures(of_side)
        ]
        characters += _extra(posted, of_side.side, others, faults)
        sides.append(
            {
                "player": PLAYER[of_side.side],
                "points": of_side.total,
                "characters": characters,
                **_elements(posted, of_side, lost, others),
            }
        )
    document: Document = {
        "edition": terms.edition,
        **build_total_of(terms),
        "scenario": scenario_of(terms.edition, terms.scenario),
        **({"ended": ended} if ended in ENDED else {}),
        "sides": sides,
    }
    for key in ("attacker", "defender", "scenario_winner"):
        if one_of(posted, key) in seats:
            document[key] = PLAYER[one_of(posted, key)]
    if document.get("attacker") and not document.get("defender") and len(seats) == len(PAIR):
        document["defender"] = "B" if document["attacker"] == "A" else "A"
    turn = _number(one_of(posted, "turn"))
    if turn:
        document["turn"] = turn
    rolled = {seat: _number(one_of(posted, f"roll_{seat}")) for seat in seats}
    valid = {PLAYER[seat]: number for seat, number in rolled.items() if number is not None and 2 <= number <= 12}
    if valid and (len(seats) > len(PAIR) or len(valid) == len(PAIR)):
        document["roll_off"] = valid
    return scored(document, faults)


def _character(
    posted: Any,
    one: Document,
    knocked_out: set[str],
    known: Mapping[str, str],
    others: list[Seat],
    faults: list[str],
    *,
    asks_by: bool,
) -> Document:
    """Return a figure as in a battle file; `others` are the seats that may have knocked it out, `asks_by` if one must."""
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
    elif chosen := _damaged_by(posted, ref, others):
        found |= chosen
    elif fate == "defeated" and asks_by and cause in ("", "attack"):
        faults.append(_("Choose who knocked out %(name)s.") % {"name": one["name"]})
    if controller in known:
        found["controller"] = controller
    if cause in CAUSES:
        found["cause"] = cause
    elif "by" in found and found["fate"] == "defeated":
        found["cause"] = "attack"
    return found


def _extra(posted: Any, side: str, others: list[Seat], faults: list[str]) -> list[Document]:
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
        ref = f"{side}:extra-{place}"
        fate = "defeated" if ref in many_of(posted, "ko") else "survived"
        by = _damaged_by(posted, ref, others) if fate == "defeated" else {}
        found.append({"ref": ref, "name": name, "points": points, "fate": fate, **by})
    return found


def _damaged_by(posted: Any, ref: str, others: list[Seat]) -> Document:
    """Return the player who was chosen as the one who knocked out a figure or destroyed an object, if any."""
    by = one_of(posted, f"by-{ref}")
    return {"last_damaged_by": PLAYER[by]} if by in others else {}


def _elements(posted: Any, of_side: BattleForce, lost: set[str], others: list[Seat]) -> Document:
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
                    row |= _damaged_by(posted, ref, others) if section in DESTROYED else {}
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
    found: dict[str, set[str]] = {}
    if doubles(terms.edition):
        for first, second in combinations(forces, 2):
            _enemies_of_two(first, second, terms, found)
    return found


def _enemies_of_two(first: BattleForce, second: BattleForce, terms: BattleTerms, found: dict[str, set[str]]) -> None:
    here, there = figures(first), figures(second)
    for place in range(max(len(here), len(there))):
        document: Document = {"edition": terms.edition, **build_total_of(terms), "ended": "time", "sides": []}
        for player, own, others in (("A", here, there), ("B", there, here)):
            striker = others[place]["ref"] if place < len(others) else None
            fate = {"fate": "defeated", "by": striker, "cause": "attack"} if striker else {"fate": "survived"}
            document["sides"].append({"player": player, "characters": [{**one, **fate} for one in own]})
        worth = {one["ref"]: one["points"] for one in (*here, *there)}
        owner = {one["ref"]: "A" for one in here} | {one["ref"]: "B" for one in there}
        try:
            report = score_battle(document)
        except BadInput:
            return
        strikers = {"A": there, "B": here}
        for line in report["lines"]:
            ref = line["element"]
            if ref in worth and line["player"] != owner[ref] and worth[ref] and line["points"] == 2 * worth[ref]:
                found.setdefault(ref, set()).add(strikers[owner[ref]][place]["ref"])


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
            if one.get("last_damaged_by") and not one.get("by"):
                ticks[f"by-{ref}"] = SIDE.get(one["last_damaged_by"], "")
            if ":extra-" in ref:
                letter, place = ref.split(":extra-")
                ticks[f"extra-{letter}-{place}-name"] = one["name"]
                ticks[f"extra-{letter}-{place}-points"] = str(one["points"])
        for section in ("objects", "resources", "feats"):
            gone = [one for one in side.get(section, ()) if one.get("fate") == "removed"]
            ticks["lost"] += [one["ref"] for one in gone]
            ticks |= {f"by-{one['ref']}": SIDE.get(by, "") for one in gone if (by := one.get("last_damaged_by"))}
    return ticks


def typed_result(found: Scored, edition: str, beside_points: Iterable[str]) -> dict[str, str]:
    """Return a score as the fields of a result form; `beside_points` are ways to win that override the points."""
    values = {"battle": json.dumps(found.document), "winner": "", "decided_by": ""}
    if found.report is None:
        return values
    values |= {f"score_{side}": str(int(number)) for side, number in found.points.items()}
    values |= {f"out_{side}": by for side, by in knocked_out_by(found.document).items()}
    if found.document.get("ended") == "time":
        values["to_time"] = "on"
    way, winner = found.report["decided_by"], found.winner
    if winner is None or way in ("victory-points", "roll-off"):
        return values
    allowed = set(beside_points)
    if way == "last-standing" and way not in allowed:
        way = "scenario"
    ahead = found.points[winner] - max(points for side, points in found.points.items() if side != winner)
    if ahead > 0 and way not in allowed:
        return values
    return values | {"winner": winner, "decided_by": way if way in allowed or not ahead else ""}


def knocked_out_by(document: Mapping[str, Any]) -> dict[Seat, Seat]:
    """Return, at a table of three or four, who knocked out each player without figures left, where one player did."""
    sides = document.get("sides", ())
    if len(sides) <= len(PAIR):
        return {}
    found = {}
    for side in sides:
        own = side.get("characters", ())
        strikers = {_striker(one) for one in own}
        if own and all(one.get("fate") == "defeated" for one in own) and len(strikers) == 1:
            by = strikers.pop()
            if by and by != SIDE.get(side["player"]):
                found[SIDE[side["player"]]] = by
    return found


def _striker(one: Mapping[str, Any]) -> Seat:
    """Return the seat whose figure knocked out this one, or ""."""
    return SIDE.get(one.get("last_damaged_by", ""), "") or str(one.get("by", "")).partition(":")[0]


def points_of_battle(
    document: Document, given: Mapping[str, Any], terms: BattleTerms, results: ResultTerms
) -> dict[str, Any]:
    """Return a result with the points that a match's battle file gives; `given` are its other fields.

    Raise ValidationError if the file is of another match, or if it gives other points than those that were given.
    """
    told = (document.get("edition"), document.get("build_total"))
    sides = document.get("sides") if isinstance(document.get("sides"), list) else []
    players = [side.get("player") if isinstance(side, Mapping) else None for side in sides or ()]
    if told != (terms.edition, terms.build_total or None) or players != [PLAYER[seat] for seat in results.names]:
        raise ValidationError(
            {"battle": [_("The edition, build total or players in this battle file don't match the event.")]}
        )
    found = scored(document)
    if found.report is None:
        raise ValidationError({"battle": list(found.faults)})
    values = typed_result(found, terms.edition, results.beside_points)
    for seat in results.names:
        points = given.get(f"score_{seat}")
        if points is not None and str(points) != values[f"score_{seat}"]:
            raise ValidationError(
                {
                    f"score_{seat}": [
                        _("These victory points differ from the battle file's. Correct the points or the file.")
                    ]
                }
            )
    outs = {seat: values[f"out_{seat}"] for seat in results.names if values.get(f"out_{seat}")}
    typed: dict[str, Any] = {key: values[key] or None for key in ("winner", "decided_by")}
    typed |= {f"score_{seat}": values[f"score_{seat}"] for seat in results.names}
    typed |= {"knocked_out_by": outs} if outs else {}
    typed |= {"to_time": True} if values.get("to_time") else {}
    rolls = document.get("roll_off") or {}
    typed |= {"roll_off": {SIDE[player]: rolls[player] for player in rolls}} if rolls else {}
    return {**typed, **{key: value for key, value in given.items() if value is not None}, "battle": document}
