"""Checking forces again after a rule, a correction or the catalogue changed: what became illegal, and why.

A stored force is a copy from its day: checking it again changes nothing. While the event runs, a judge may adopt the
new facts and report, with a reason.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from events import building
from events.documents import day_of, report_on, standing_of
from events.door import door
from events.models import Event, Force
from events.roles import Actor
from events.services.policy import excepted_checks
from rules.documents import PointsUnknown, as_element, differences
from rules.models import Facts
from rules.queries import elements_by_code

KEPT_BY_THE_PLAYER = frozenset({"ref", "assigned_to", *building.FOUND})


@dataclass(frozen=True)
class FactChange:
    """A fact of an element that has changed."""

    ref: str
    name: str
    fact: str
    before: Any
    after: Any


@dataclass(frozen=True)
class Recheck:
    """A force's report now beside the stored one; `document` has the facts of its day as they count now."""

    force: Force
    standing: str
    report: dict[str, Any]
    document: dict[str, Any]
    origins: dict[str, Any]
    facts: tuple[FactChange, ...]
    new: tuple[dict[str, Any], ...]
    gone: tuple[dict[str, Any], ...]

    @property
    def is_changed(self) -> bool:
        """Return whether anything differs."""
        return bool(self.facts or self.new or self.gone or self.standing != self.force.standing)

    @property
    def became_illegal(self) -> bool:
        """Return whether the force is illegal now and wasn't known to be."""
        return self.standing == Force.Standing.NOT_LEGAL != self.force.standing


def forces_to_recheck(*, event: Event | None = None, since: Any = None, until: Any = None) -> QuerySet[Force]:
    """Return the submitted forces of an event, or of the events that started between two days."""
    found = Force.objects.filter(state=Force.State.SUBMITTED).select_related("entry__event__venue").defer("work")
    if event is not None:
        found = found.filter(entry__event=event)
    if since is not None:
        found = found.filter(entry__event__starts__date__gte=since)
    if until is not None:
        found = found.filter(entry__event__starts__date__lte=until)
    return found.order_by("entry__event__starts", "entry__event_id", "entry__number", "from_round")


def _key(fault: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    return fault["rule"], tuple(sorted(fault.get("elements", ())))


def _faults(report: Mapping[str, Any]) -> dict[tuple[str, tuple[str, ...]], dict[str, Any]]:
    return {_key(fault): fault for fault in report.get("violations", ())}


def recheck(forces: Iterable[Force]) -> Iterator[Recheck]:
    """Check each force by today's rules and by the catalogue's facts for the event's day as known today.

    Asks the catalogue once per event. Nothing is written.
    """
    event_pk = None
    batch: list[Force] = []
    for force in forces:
        if batch and force.entry.event_id != event_pk:
            yield from _of_event(batch)
            batch = []
        event_pk = force.entry.event_id
        batch.append(force)
    if batch:
        yield from _of_event(batch)


def _of_event(batch: list[Force]) -> Iterator[Recheck]:
    event = batch[0].entry.event
    codes = {origin["code"] for force in batch for origin in force.origins.values() if origin.get("code")}
    rows = elements_by_code(codes, date=day_of(event))
    excepted = excepted_checks(event)
    for force in batch:
        document, origins, facts = _with_facts_of_now(force, rows)
        report = report_on(document, excepted=excepted)
        before, after = _faults(force.report), _faults(report)
        yield Recheck(
            force=force,
            standing=standing_of(report),
            report=report,
            document=document,
            origins=origins,
            facts=tuple(facts),
            new=tuple(after[key] for key in after if key not in before),
            gone=tuple(before[key] for key in before if key not in after),
        )


def _with_facts_of_now(
    force: Force, rows: Mapping[str, Facts]
) -> tuple[dict[str, Any], dict[str, Any], list[FactChange]]:
    document, origins = copy.deepcopy(force.document), copy.deepcopy(force.origins)
    edition = document.get("edition", "")
    found: list[FactChange] = []
    for section in (*building.SECTIONS, "sideline"):
        for element in document.get("force", {}).get(section, ()):
            origin = origins.get(element.get("ref", ""))
            row = rows.get((origin or {}).get("code") or "")
            if origin is None or row is None or row.document == origin["facts"]:
                continue
            kind, made_for = origin["section"], row.element.set.edition
            old = _element(kind, origin["facts"], element, edition, made_for)
            new = _element(kind, row.document, element, edition, made_for)
            for change in differences(old, new):
                key = change["fact"]
                if key in KEPT_BY_THE_PLAYER or (key == "points" and element.get("points") != old.get("points")):
                    continue
                found.append(FactChange(element["ref"], element["name"], key, change["before"], change["after"]))
                if key in new:
                    element[key] = new[key]
                else:
                    element.pop(key, None)
            origin["facts"] = row.document
    return document, origins, found


def _element(
    section: str, facts: Mapping[str, Any], element: Mapping[str, Any], edition: str, made_for: str
) -> dict[str, Any]:
    options = facts.get("point_options")
    points = element.get("points") if options or facts.get("points") is None else None
    given = {"ref": element["ref"], "assigned_to": element.get("assigned_to"), "edition": edition, "made_for": made_for}
    try:
        return as_element(section, facts, points=points, **given)
    except PointsUnknown:
        return as_element(section, {**facts, "points": element.get("points", 0)}, **given)


def take_over(
    *, by: Actor, found: Recheck, reason: str = "", confirmed: bool = False, version: int | None = None
) -> Force:
    """Adopt the present facts and report for a stored force, with a reason; the audit log keeps both."""
    force = found.force
    with door(
        "change-force-late",
        by=by,
        event=force.entry.event,
        on=force,
        version=version,
        reason=reason,
        confirmed=confirmed,
    ) as writing:
        writing.jot(force, origins=found.origins)
        writing.save(
            force,
            document=found.document,
            report=found.report,
            standing=found.standing,
            total=found.report["total"],
            checked_at=writing.at,
        )
        writing.says("force-rechecked", name=force.entry.name, standing=found.standing)
        writing.topics.add("forces")
    return force


def as_report(found: Recheck) -> dict[str, Any]:
    """Return a recheck as a line of the command's output."""
    force = found.force
    return {
        "event": force.entry.event.public_id,
        "entry": force.entry.number,
        "from_round": force.from_round,
        "before": force.standing,
        "after": found.standing,
        "became_illegal": found.became_illegal,
        "violations": list(found.new),
        "settled": list(found.gone),
        "facts": [
            {"element": one.ref, "name": one.name, "fact": one.fact, "before": one.before, "after": one.after}
            for one in found.facts
        ],
    }
