"""The demo's forces: most are legal, one is illegal, one can't be checked; a judge passes one and fails one."""

from __future__ import annotations

import random

from events import building
from events.building import Bench
from events.documents import day_of, report_on
from events.models import Entry, Event, Force
from events.roles import Actor
from events.services import forces
from judging.models import ForceCheck
from judging.services import verification
from rules.models import Element, Facts
from rules.queries import search_elements

FIGURES_OF = {"car-2002": "brass-harbour", "core-2014": "shattered-tides"}
MAPS = ("Kestrel Docks", "Lantern Street", "Tessel Arcade")
NO_DATE = "hypertime"
MIN_LEFT = 12


def _figures(event: Event, set_code: str) -> list[Facts]:
    rows = search_elements(edition=event.edition, sets=set_code, section=Element.Section.CHARACTERS, date=day_of(event))
    return [row for row in rows if row.points is not None and row.kind in ("", "character")]


def _put(bench: Bench, row: Facts) -> building.Pick | None:
    building.keep_facts(bench, row.element.code, row.document, edition=row.element.set.edition)
    return building.add(bench, row.element.section, code=row.element.code, remember=False)


def _legal(bench: Bench, event: Event, entry: Entry, rows: list[Facts], chance: random.Random) -> None:
    """Add figures to the bench as long as the force is legal, until little of the build total is left."""
    left = event.build_total
    for row in chance.sample(rows, len(rows)):
        if (row.points_low or 0) > left or _put(bench, row) is None:
            continue
        report = report_on(forces.document_of(event, entry, bench), bench)
        if report["violations"]:
            bench["picks"].pop()
            continue
        left = event.build_total - report["total"]
        if left < MIN_LEFT:
            break
    bench["maps"] = chance.sample(MAPS, 2)


def _too_many(bench: Bench, event: Event, rows: list[Facts]) -> None:
    """Add the most expensive figure to the bench until the build total is exceeded."""
    dear = max(rows, key=lambda row: row.points or 0)
    while sum(row.points or 0 for row in [dear] * len(bench["picks"])) <= event.build_total:
        if _put(bench, dear) is None:
            break


def submit_forces(
    event: Event,
    *,
    by: Actor,
    chance: random.Random,
    illegal: int | None = None,
    unknown: int | None = None,
    without: tuple[int, ...] = (),
) -> None:
    """Submit a force for every entry except those numbered in `without`.

    The force of entry `illegal` breaks a rule; that of entry `unknown` can't be checked.
    """
    rows = _figures(event, FIGURES_OF[event.edition])
    undated = _figures(event, NO_DATE)
    if not rows:
        return
    for entry in event.entries.filter(state__in=[Entry.State.ENTERED, Entry.State.CHECKED_IN]).order_by("number"):
        entry.event = event
        if entry.number in without:
            continue

        def change(bench: Bench, entry: Entry = entry) -> None:
            if entry.number == illegal:
                _too_many(bench, event, rows)
            elif entry.number == unknown and undated:
                _put(bench, chance.choice(undated))
                building.add(
                    bench,
                    "characters",
                    by_hand={
                        "name": "Harbour Ghost",
                        "set": "convention",
                        "number": "P01",
                        "points": 40,
                        "rank": "unique",
                    },
                    remember=False,
                )
            else:
                _legal(bench, event, entry, rows, chance)

        forces.change_bench(by=by, entry=entry, from_round=max(1, entry.from_round), change=change)
        forces.submit_force(by=by, entry=entry, from_round=max(1, entry.from_round))


def check_some(event: Event, *, by: Actor, passing: int, failing: int) -> None:
    """Check two forces: the one of entry `passing` passes, the one of `failing` has a wrong number on a dial."""
    for number, passed in ((passing, True), (failing, False)):
        force = Force.objects.filter(entry__event=event, entry__number=number, state=Force.State.SUBMITTED).first()
        if force is None:
            continue
        force.entry.event = event
        figures = force.document["force"]["characters"]
        for place, figure in enumerate(figures):
            wrong = not passed and place == 0
            found = {"dial_number": "999"} if wrong else None
            verification.mark_seen(by=by, force=force, ref=figure["ref"], found=found)
        verification.finish_check(
            by=by,
            force=force,
            passed=passed,
            remedy=ForceCheck.Remedy.NONE if passed else ForceCheck.Remedy.REPLACED,
            note="" if passed else f"The dial under {figures[0]['name']} belongs to another figure.",
        )
