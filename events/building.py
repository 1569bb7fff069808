"""The draft of a force being built: its picks, and every change to them. Pure functions on plain values.

A bench is one JSON object. Each pick names a catalogue element by its code or carries values typed by hand. The
catalogue's values are copied to the bench once per code, so later corrections change nothing here. Nothing is refused
for being illegal: legality is checked on the force file (events.documents).

`submitted` holds the picks, maps and name as they were last submitted. `locked` says whether the bench was last changed
after its deadline, by a judge.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from django.utils.translation import gettext_lazy

from rules.documents import point_choices

Bench = dict[str, Any]
Pick = dict[str, Any]

SECTIONS = (
    "characters", "feats", "team_ability_cards", "resources", "objects", "battlefield_conditions", "other",
)  # fmt: skip
ASSIGNED = frozenset({"feats", "team_ability_cards", "resources"})
"""Sections whose elements are assigned to characters."""
COSTING = frozenset({"characters", "feats", "objects", "resources", "other"})
"""Sections whose elements cost points of their own."""
MAX_PICKS = 200
NO_ROOM = gettext_lazy("A force can have at most %(n)d items.")
MAX_MAPS = 3
STEPS_BACK, MAX_UNDO = 12, 1_000_000
"""How many undo steps are kept, and how many characters they may have together: force files can be large."""
FLAGS = ("proxy", "promotional", "from_sealed_product")
FOUND = (*FLAGS, "dial_number")
"""What a judge may record about a figure at the table (events.documents writes it to the force file)."""


def empty_bench() -> Bench:
    """Return an empty bench."""
    return {
        "picks": [], "facts": {}, "maps": [], "name": "", "undo": [], "count": 0, "changed": False,
        "submitted": None, "locked": False,
    }  # fmt: skip


def whole(bench: Mapping[str, Any] | None) -> Bench:
    """Return the bench with every key, filling in missing ones."""
    return {**empty_bench(), **copy.deepcopy(dict(bench or {}))}


def facts_of(bench: Bench, pick: Pick) -> dict[str, Any]:
    """Return the values behind a pick, copied from the catalogue or typed by hand."""
    return pick["by_hand"] if pick.get("by_hand") is not None else bench["facts"][pick["code"]]["facts"]


def made_for(bench: Bench, pick: Pick) -> str:
    """Return the edition that the pick's set was made for, or "" if unknown."""
    return "" if pick.get("by_hand") is not None else bench["facts"][pick["code"]].get("made_for", "")


def points_choices(bench: Bench, pick: Pick) -> list[int]:
    """Return the point values at which this element may be played, highest first; empty if unknown."""
    return point_choices(facts_of(bench, pick)) if pick["section"] in COSTING else []


def _takes(bench: Bench, pick: Pick, points: int) -> bool:
    """Return whether an element can be played at these points: one of its values, or any if they aren't known."""
    choices = points_choices(bench, pick)
    return points in choices if choices else pick["section"] in COSTING


def needs_points(bench: Bench, pick: Pick) -> bool:
    """Return whether neither the catalogue nor the player gives the element's points."""
    if pick["section"] not in COSTING or pick["section"] == "objects" or pick.get("points") is not None:
        return False
    return not points_choices(bench, pick)


def find(bench: Bench, ref: str) -> Pick | None:
    """Return the pick with this ref, or None if it was removed."""
    return next((pick for pick in bench["picks"] if pick["ref"] == ref), None)


def characters(bench: Bench) -> list[Pick]:
    """Return the figures on the force, without the sideline."""
    return [pick for pick in bench["picks"] if pick["section"] == "characters" and not pick.get("sideline")]


def _kept(bench: Bench) -> dict[str, Any]:
    return {key: copy.deepcopy(bench[key]) for key in ("picks", "maps", "name")}


def submit(bench: Bench) -> None:
    """Keep the bench as it is now as the submitted force."""
    bench |= {"changed": False, "undo": [], "submitted": _kept(bench)}


def as_submitted(bench: Mapping[str, Any] | None) -> Bench:
    """Return the bench as it was last submitted; as it is if it never was."""
    found = whole(bench)
    if found["submitted"] is None:
        return found
    return found | copy.deepcopy(found["submitted"]) | {"changed": False, "undo": []}


def continued(bench: Mapping[str, Any] | None, *, locked: bool) -> Bench:
    """Return the bench to continue from before the deadline or after it (`locked`).

    Players and judges never continue each other's drafts: on the other side of the deadline, begin with what was
    submitted.
    """
    found = whole(bench)
    return found if found["locked"] == locked else as_submitted(found) | {"locked": locked}


def _remember(bench: Bench) -> None:
    bench["undo"] = [*bench["undo"], _kept(bench)][-STEPS_BACK:]
    bench["count"] += 1
    bench["changed"] = True


def undo(bench: Bench) -> None:
    """Restore the bench as it was before its last change."""
    if bench["undo"]:
        bench.update(bench["undo"].pop())
        bench["count"] += 1
        bench["changed"] = True


def keep_facts(bench: Bench, code: str, facts: Mapping[str, Any], *, edition: str = "") -> None:
    """Copy an element's catalogue values onto the bench, unless it already has them."""
    bench["facts"].setdefault(code, {"facts": copy.deepcopy(dict(facts)), "made_for": edition})


def add(
    bench: Bench,
    section: str,
    *,
    code: str | None = None,
    by_hand: Mapping[str, Any] | None = None,
    points: int | None = None,
    sideline: bool = False,
    remember: bool = True,
    **more: Any,
) -> Pick | None:
    """Add an element to the force or its sideline and return it; None if the bench is full. Call `keep_facts` first."""
    if len(bench["picks"]) >= MAX_PICKS:
        return None
    if remember:
        _remember(bench)
    else:
        bench["count"] += 1
    pick: Pick = {"ref": f"{section[0]}{bench['count']}-{len(bench['picks'])}", "section": section, "code": code}
    if by_hand is not None:
        pick["by_hand"] = copy.deepcopy(dict(by_hand))
    if points is not None and _takes(bench, pick, points):
        pick["points"] = points
    if sideline and section == "characters":
        pick["sideline"] = True
    if section in ASSIGNED:
        pick["assigned_to"] = []
    pick.update({key: value for key, value in more.items() if value is not None})
    bench["picks"].append(pick)
    return pick


def add_all(bench: Bench, wanted: Sequence[Mapping[str, Any]]) -> bool:
    """Add several elements as one change and return True; without room for all, add none and return False.

    Each has the arguments of `add`; `ref` and `assigned_to` name others of `wanted`, and the bench gives its own refs.
    """
    if len(bench["picks"]) + len(wanted) > MAX_PICKS:
        return False
    _remember(bench)
    refs: dict[str, str] = {}
    for one in wanted:
        given = {key: value for key, value in one.items() if key not in ("ref", "assigned_to")}
        pick = add(bench, **given, remember=False)
        if pick is None:
            return False
        if "ref" in one:
            refs[one["ref"]] = pick["ref"]
        if "assigned_to" in pick:
            pick["assigned_to"] = [refs[to] for to in one.get("assigned_to", ()) if to in refs]
    return True


def remove(bench: Bench, ref: str) -> None:
    """Remove an element from the force and its assignments."""
    if find(bench, ref) is None:
        return
    _remember(bench)
    bench["picks"] = [pick for pick in bench["picks"] if pick["ref"] != ref]
    _forget_assignments(bench)


def _forget_assignments(bench: Bench) -> None:
    there = {pick["ref"] for pick in characters(bench)}
    for pick in bench["picks"]:
        if "assigned_to" in pick:
            pick["assigned_to"] = [ref for ref in pick["assigned_to"] if ref in there]


def choose_points(bench: Bench, ref: str, points: int | None) -> None:
    """Choose at which of its point values an element is played; None uses the catalogue's. No others are taken."""
    pick = find(bench, ref)
    if pick is None or (points is not None and not _takes(bench, pick, points)):
        return
    if pick.get("points") != points:
        _remember(bench)
        pick = find(bench, ref) or pick
        if points is None:
            pick.pop("points", None)
        else:
            pick["points"] = points


def assign(bench: Bench, ref: str, to: Iterable[str]) -> None:
    """Assign a feat, card or resource to exactly these characters."""
    pick = find(bench, ref)
    if pick is None or pick["section"] not in ASSIGNED:
        return
    wanted = set(to)
    chosen = [one["ref"] for one in characters(bench) if one["ref"] in wanted]
    if chosen != pick.get("assigned_to"):
        _remember(bench)
        pick["assigned_to"] = chosen


def to_sideline(bench: Bench, ref: str, there: bool) -> None:
    """Move a figure to the sideline, or back to the force."""
    pick = find(bench, ref)
    if pick is None or pick["section"] != "characters" or bool(pick.get("sideline")) == there:
        return
    _remember(bench)
    pick["sideline"] = there
    _forget_assignments(bench)


def mark(bench: Bench, ref: str, flag: str, value: bool) -> None:
    """Mark a figure as a proxy, as promotional, or as from the player's sealed product."""
    pick = find(bench, ref)
    if pick is not None and flag in FLAGS and pick.get(flag) != value:
        _remember(bench)
        pick[flag] = value


def describe(bench: Bench, *, name: str, maps: Iterable[str]) -> None:
    """Set the name of the force and its maps, at most three."""
    chosen = [line.strip()[:80] for line in maps if line.strip()][:MAX_MAPS]
    if (name.strip()[:80], chosen) != (bench["name"], bench["maps"]):
        _remember(bench)
        bench["name"], bench["maps"] = name.strip()[:80], chosen


def clear(bench: Bench) -> None:
    """Clear the bench; `undo` restores it."""
    if bench["picks"]:
        _remember(bench)
        bench["picks"] = []


def copy_from(bench: Bench, other: Mapping[str, Any]) -> None:
    """Replace the picks by those of another bench, without what a judge found about its figures.

    Catalogue values aren't copied: the caller keeps the event day's for `codes_of(other)`, or the old ones where the catalogue
    no longer has a code.
    """
    _remember(bench)
    known = as_submitted(other)
    picks = copy.deepcopy(list(known["picks"]))
    for pick in picks:
        pick.pop("found", None)
        pick.pop("from_sealed_product", None)
    bench["picks"] = picks
    bench["maps"], bench["name"] = list(known["maps"]), known["name"]
    bench["count"] = max(bench["count"], known["count"])


def codes_of(bench: Mapping[str, Any]) -> list[str]:
    """Return the catalogue codes of the bench's picks, each once."""
    return list(dict.fromkeys(pick["code"] for pick in bench.get("picks", ()) if pick.get("code")))


def note_findings(bench: Bench, ref: str, found: Mapping[str, Any]) -> None:
    """Record what a judge found about a figure, on the bench and on the force as submitted."""
    for pick in (*bench["picks"], *(bench["submitted"] or {}).get("picks", ())):
        if pick["ref"] == ref:
            pick["found"] = dict(found)


def from_pool(bench: Bench, pool: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the refs of the figures that the player's registered product doesn't cover, counting copies."""
    left: dict[str, int] = {}
    for element in pool:
        key = element.get("code") or element.get("facts", {}).get("name", "")
        left[key] = left.get(key, 0) + 1
    missing = set()
    for pick in bench["picks"]:
        if pick["section"] != "characters":
            continue
        key = pick.get("code") or facts_of(bench, pick).get("name", "")
        if left.get(key, 0):
            left[key] -= 1
        else:
            missing.add(pick["ref"])
    return missing


def tidy(bench: Bench) -> None:
    """Drop undo steps beyond the room for them, and catalogue values that no pick, undo or submitted pick refers to."""
    sizes = accumulate(len(json.dumps(step)) for step in reversed(bench["undo"]))
    kept = sum(size <= MAX_UNDO for size in sizes)
    bench["undo"] = bench["undo"][len(bench["undo"]) - kept :]
    used = {code for step in (bench, *bench["undo"], bench["submitted"] or {}) for code in codes_of(step)}
    bench["facts"] = {code: facts for code, facts in bench["facts"].items() if code in used}
