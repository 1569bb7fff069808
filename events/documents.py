"""Conversion between rows and documents: an event's terms, a bench as a force file, and a report's verdict.

For force files and their reports see FORMATS, "Force file"; `events.services.forces` decides who may submit one.
"""

from __future__ import annotations

import copy
import datetime
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from events import building
from events.building import Bench, Pick
from events.models import Event, Force
from rules.dials import PLACES
from rules.documents import PointsUnknown, as_element, point_choices
from rules.engine import BadInput, check_force
from rules.list_matches import ListedLine
from rules.models import Facts

Document = dict[str, Any]


def day_of(event: Event) -> datetime.date:
    """Return the event's date at its venue, whose catalogue values count."""
    return event.starts.astimezone(event.venue.zone).date()


def event_terms(event: Event) -> Document:
    """Return the event's terms for a force file."""
    terms: Document = {
        "build_total": event.build_total or None,
        "format": event.format,
        "sanctioned": not event.is_practice,
        "date": day_of(event).isoformat(),
        "sets": list(event.sets),
        "event_dial": event.event_dial,
    }
    if event.tactics is not None:
        terms["tactics"] = list(event.tactics)
    return terms


def force_file(
    bench: Bench,
    *,
    edition: str,
    terms: Mapping[str, Any],
    id: str = "",
    not_in_pool: Collection[str] = (),
) -> Document:
    """Return a bench as a force file. An element with unknown points counts 0, and `report_on` says so."""
    force: Document = {}
    allowing = []
    for pick in bench["picks"]:
        facts = building.facts_of(bench, pick)
        section = pick["section"]
        points = pick.get("points")
        if facts.get("allows_sideline") and not pick.get("sideline"):
            allowing.append(pick["ref"])
        if "written" in pick:
            element = _as_written(pick)
            force.setdefault("sideline" if pick.get("sideline") else section, []).append(element)
            continue
        if points is None and building.needs_points(bench, pick):
            points = 0
        try:
            element = as_element(
                section,
                facts,
                ref=pick["ref"],
                points=points,
                assigned_to=pick.get("assigned_to"),
                edition=edition,
                made_for=building.made_for(bench, pick),
            )
        except PointsUnknown:
            element = as_element(section, {**facts, "points": 0}, ref=pick["ref"], edition=edition)
        if section == "resources" and pick.get("assigned_to"):
            element["assigned_to"] = list(pick["assigned_to"])
        if section == "characters":
            element |= {flag: pick[flag] for flag in building.FLAGS if flag in pick}
            if pick["ref"] in not_in_pool:
                element["from_sealed_product"] = False
            element |= pick.get("found", {})
        if pick.get("sideline"):
            force.setdefault("sideline", []).append(element)
            continue
        force.setdefault(section, []).append(element)
    if allowing and force.get("sideline"):
        force["sideline_allowed_by"] = allowing
    document: Document = {"edition": edition, "event": dict(terms), "force": force}
    return {"id": id, **document} if id else document


def _as_written(pick: Mapping[str, Any]) -> Document:
    """Return an element that came from a force file, with what was chosen or found since."""
    element = {"ref": pick["ref"], **copy.deepcopy(pick["written"])}
    if "points" in pick:
        element["points"] = pick["points"]
    if pick.get("assigned_to"):
        element["assigned_to"] = list(pick["assigned_to"])
    return element | {flag: pick[flag] for flag in building.FLAGS if flag in pick} | pick.get("found", {})


def facts_as_written(element: Mapping[str, Any]) -> Document:
    """Return an element of a force file as a page draws it: each power of a click next to its value."""
    facts = copy.deepcopy(dict(element))
    for click in facts.get("dial") or []:
        click["powers"] = {PLACES[name][0]: name for name in click.get("powers", ()) if name in PLACES}
    return facts


def picks_of_file(force: Mapping[str, Any], known: Mapping[tuple[str, int], Facts]) -> list[Document]:
    """Return the elements of a force file's `force`, as `building.add_all` takes them.

    Those that the catalogue has (`rules.queries.catalogued`) come from it, with the player's choices, at points that it
    knows; the others as written.
    """
    found: list[Document] = []
    for section in (*building.SECTIONS, "sideline"):
        kind = "characters" if section == "sideline" else section
        for place, element in enumerate(force.get(section, ())):
            row = known.get((section, place))
            pick: Document = {"section": kind, "sideline": section == "sideline"}
            if row is not None:
                chosen = ("points", "proxy") if kind in building.COSTING else ()
                pick |= {"code": row.element.code} | {key: element[key] for key in chosen if key in element}
            else:
                written = {key: value for key, value in element.items() if key not in ("ref", "assigned_to")}
                pick |= {"by_hand": facts_as_written(written), "written": written}
            pick["ref"] = element.get("ref") or f"{'character' if section == 'characters' else section}-{place + 1}"
            pick["assigned_to"] = element.get("assigned_to", ())
            found.append(pick)
    return found


def differently_priced(force: Mapping[str, Any], known: Mapping[tuple[str, int], Facts]) -> list[str]:
    """Return the names of a force file's elements whose points aren't among the catalogue's, which count instead."""
    found = []
    for (section, place), row in known.items():
        element, choices = force[section][place], point_choices(row.document)
        times = max(1, len(element.get("assigned_to", ()))) if row.document.get("per_character") else 1
        if choices and element.get("points", times * choices[0]) not in [times * points for points in choices]:
            found.append(row.name)
    return found


def picks_of_list(lines: Iterable[ListedLine]) -> list[Document]:
    """Return the elements chosen for the lines of a list, as `building.add_all` takes them."""
    found: list[Document] = []
    for line in lines:
        if (chosen := line.chosen) is None:
            continue
        section = chosen.row.element.section
        usual = point_choices(chosen.row.document)[:1]
        pick: Document = {"section": section, "code": chosen.row.element.code, "sideline": line.to_sideline}
        if section in building.COSTING and chosen.points is not None and usual != [chosen.points]:
            pick["points"] = chosen.points
        found += [pick] * chosen.count
    return found


def bench_of_document(document: Mapping[str, Any], origins: Mapping[str, Any]) -> Bench:
    """Return a submitted force as a bench, from its force file and catalogue values."""
    bench = building.empty_bench()
    force = document.get("force", {})
    for section in (*building.SECTIONS, "sideline"):
        for place, element in enumerate(force.get(section, ()), 1):
            ref = element.get("ref") or f"{section}-{place}"
            origin = origins.get(ref) or {}
            facts, code = origin.get("facts") or {}, origin.get("code")
            pick: Pick = {
                "ref": ref,
                "section": "characters" if section == "sideline" else section,
                "code": code,
                "found": {key: element[key] for key in ("dial_number",) if key in element},
            }
            pick |= {flag: True for flag in ("proxy", "promotional") if element.get(flag)}
            if code:
                building.keep_facts(bench, code, facts, edition=origin.get("made_for", ""))
            else:
                pick["written"] = {key: value for key, value in element.items() if key not in ("ref", "assigned_to")}
                pick["by_hand"] = {key: value for key, value in element.items() if key != "dial"} | facts
            if "points" in element:
                pick["points"] = element["points"]
            if section == "sideline":
                pick["sideline"] = True
            if pick["section"] in building.ASSIGNED:
                pick["assigned_to"] = list(element.get("assigned_to", ()))
            bench["picks"].append(pick)
    return bench


def origins_of(bench: Bench) -> dict[str, Any]:
    """Return, by ref, where each element of the bench came from: its code, catalogue values and its set's edition."""
    return {
        pick["ref"]: {
            "code": pick.get("code"),
            "section": pick["section"],
            "facts": building.facts_of(bench, pick),
            "made_for": building.made_for(bench, pick),
        }
        for pick in bench["picks"]
    }


def report_on(document: Document, bench: Bench | None = None, *, excepted: Collection[str] = ()) -> Document:
    """Return the engine's report; unreadable elements and unknown points count as not checked.

    `excepted` names checks excepted at this event (`events.services.policy`): their violations become warnings.
    """
    try:
        report = check_force(document)
    except BadInput as fault:
        force = document.get("force") or {}
        total = sum(one.get("points") or 0 for one in force.get("characters", ()) if isinstance(one, dict))
        return {
            "id": document.get("id"), "legal": True, "total": total, "build_total": document["event"]["build_total"],
            "action_total": 0, "violations": [], "warnings": [], "themed_team": None,
            "unchecked": [{"rule": "all", "needs": str(one), "elements": []} for one in fault.every],
        }  # fmt: skip
    if let := [one for one in report["violations"] if one["rule"] in excepted]:
        kept = [one for one in report["violations"] if one["rule"] not in excepted]
        report |= {"violations": kept, "warnings": [*report["warnings"], *let], "legal": not kept}
    unknown = [pick["ref"] for pick in bench["picks"] if building.needs_points(bench, pick)] if bench else []
    if unknown:
        report["unchecked"] = [*report["unchecked"], {"rule": "build-total", "needs": "points", "elements": unknown}]
    return report


def standing_of(report: Mapping[str, Any]) -> str:
    """Return the verdict of a report: illegal, can't tell (something couldn't be checked), or legal."""
    if not report.get("legal"):
        return Force.Standing.NOT_LEGAL
    return Force.Standing.CANNOT_TELL if report.get("unchecked") else Force.Standing.LEGAL
