"""Forces: built on a bench and submitted until the deadline, then locked for all but the judges; and sealed product.

Changes to a bench are private: the door checks permission but leaves no audit log entry. Submitting is recorded; an
illegal force is submitted as illegal, with its report. A force counts from a round until a later one of the same entry
counts; in the sealed formats a new one may be submitted before each round (Compiled and Annotated Rulebook, Sealed
Booster and Sealed Starter Rules, Forces).
"""

from __future__ import annotations

import copy
import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events import building, clock
from events.actions import Text, answer
from events.building import Bench
from events.documents import (
    bench_of_document,
    day_of,
    event_terms,
    force_file,
    origins_of,
    picks_of_file,
    report_on,
    standing_of,
)
from events.door import Refused, Writing, door, require
from events.force_changes import ForceChange, force_changes
from events.models import Entry, Event, Force, Pool, Round
from events.roles import JUDGES, OFFICIALS, Actor
from events.services.clock import clock_of
from events.services.policy import excepted_checks
from rules.engine import BadInput, check_force
from rules.models import Facts
from rules.queries import elements_by_code


@dataclass(frozen=True)
class Deadline:
    """The deadline for submitting: a time if one is set, `closed` once it has passed, and why."""

    closed: bool
    words: Text
    moment: datetime.datetime | None = None


# deadlines

LOCKED: dict[str, Text] = {
    Event.State.DRAFT: gettext_lazy("Locked: the event isn't open yet."),
    Event.State.FINISHED: gettext_lazy("Locked: the event is over."),
    Event.State.VERIFIED: gettext_lazy("Locked: the event is over."),
    Event.State.CANCELLED: gettext_lazy("Locked: the event is cancelled."),
}


def published_rounds(event: Event) -> list[Round]:
    """Return the published rounds with the runs of their clocks. Two queries."""
    found = event.rounds.exclude(state=Round.State.DRAFT).prefetch_related("clock_runs").order_by("number")
    return list(found)


def _is_played(round: Round) -> bool:
    """Return whether the round itself has begun, after its preparation."""
    return round.state == Round.State.COMPLETE or clock_of(round).part == clock.ROUND


def round_to_build_for(event: Event, entry: Entry, rounds: list[Round] | None = None) -> int:
    """Return the first round for which a force submitted now would count.

    One force is played in the whole event; the sealed formats allow a new one for each round that hasn't begun.
    """
    first = max(1, entry.from_round)
    if not event.is_sealed:
        return first
    played = [round.number for round in (published_rounds(event) if rounds is None else rounds) if _is_played(round)]
    return max([first, *(number + 1 for number in played)])


def deadline_of(event: Event, entry: Entry, from_round: int, rounds: list[Round] | None = None) -> Deadline:
    """Return the deadline for a force that counts from this round."""
    if event.state in LOCKED:
        return Deadline(True, LOCKED[event.state])
    known = published_rounds(event) if rounds is None else rounds
    if event.is_sealed:
        if not known:
            return Deadline(True, _("Players open their product and build their forces after round 1 is paired."))
        named = event.the_round(from_round)
        if any(round.number == from_round and _is_played(round) for round in known):
            return Deadline(True, _("Locked: force building for %(round)s has ended.") % {"round": named})
        return Deadline(False, _("You can edit it until force building for %(round)s ends.") % {"round": named})
    first = max(1, entry.from_round)
    if event.forces_close is not None and first == 1:
        over = timezone.now() >= event.forces_close
        return Deadline(over, _("Locked: the deadline has passed.") if over else "", event.forces_close)
    if any(round.number >= first for round in known):
        return Deadline(True, _("Locked: round %(number)d has been paired.") % {"number": first})
    return Deadline(False, _("You can edit it until round %(number)d is paired.") % {"number": first})


def counting_force(entry: Entry, number: int) -> Force | None:
    """Return the force that counts for an entry in a round: the latest one submitted for it or an earlier round."""
    forces = Force.objects.filter(entry=entry, from_round__lte=number, state=Force.State.SUBMITTED)
    return forces.order_by("-from_round").first()


def may_see(event: Event, force: Force | None, roles: frozenset[Any], *, mine: bool) -> bool:
    """Return whether these roles may see a force: its player and officials always, everyone once the event runs."""
    if mine or roles & OFFICIALS:
        return True
    begun = event.state in (Event.State.RUNNING, Event.State.FINISHED, Event.State.VERIFIED)
    return bool(begun and event.forces_public and force is not None and force.state == Force.State.SUBMITTED)


def may_see_opponent(event: Event, entry: Entry | None, round: Round) -> bool:
    """Return whether a player may see the opponent's force of a round: not while they can change their own."""
    return entry is not None and deadline_of(event, entry, round.number, [round]).closed


# the bench


def _must_be_own(by: Actor, entry: Entry) -> None:
    """Raise Refused unless the entry is the actor's own, or the actor is an official of its event."""
    own = by.entry_at(entry.event)
    if by.is_site or (own is not None and own.pk == entry.pk):
        return
    if not by.roles(event=entry.event) & OFFICIALS:
        raise Refused(_("You can only build your own force."))


def _must_be_judge(verb: str, by: Actor, event: Event, deadline: Deadline) -> None:
    """Raise Refused unless the actor is a judge; where the table refuses `verb` before any deadline, say its reason."""
    roles = by.roles(event=event)
    if not roles & JUDGES:
        require(answer(verb, roles, event=event))
        raise Refused(_("%(why)s Only a judge can change a force now.") % {"why": deadline.words})


def document_of(event: Event, entry: Entry, bench: Bench, pool: Pool | None = None) -> dict[str, Any]:
    """Return a bench's force file at this event; sealed formats list the elements the product doesn't cover."""
    missing = building.from_pool(bench, pool.elements if pool is not None else ()) if event.is_sealed else set()
    return force_file(
        bench,
        edition=event.edition,
        terms=event_terms(event),
        id=f"{event.public_id}/{entry.number}",
        not_in_pool=missing,
    )


def keep_facts(event_day: datetime.date, bench: Bench, codes: Iterable[str]) -> list[str]:
    """Copy the event day's catalogue values of these codes to the bench; return the codes the catalogue lacks."""
    wanted = [code for code in codes if code not in bench["facts"]]
    found = elements_by_code(wanted, date=event_day)
    for code, row in found.items():
        building.keep_facts(bench, code, row.document, edition=row.element.set.edition)
    return [code for code in wanted if code not in found]


def add_picks(bench: Bench, picks: Sequence[Mapping[str, Any]]) -> None:
    """Add these elements as one change. Raise Refused, with nothing added, if the bench hasn't room for all."""
    if not building.add_all(bench, picks):
        raise Refused(building.NO_ROOM % {"n": building.MAX_PICKS})


def change_bench(
    *,
    by: Actor,
    entry: Entry,
    from_round: int,
    change: Callable[[Bench], object],
    rounds: list[Round] | None = None,
) -> Force:
    """Apply `change` to the bench of an entry's force, and save it. Leaves no audit log entry.

    Anything may be put on a bench. After the deadline only a judge can work on it, from the force as submitted.
    """
    event = entry.event
    deadline = deadline_of(event, entry, from_round, rounds)
    if deadline.closed:
        _must_be_judge("build-force", by, event, deadline)
    verb = "build-force-late" if deadline.closed else "build-force"
    with door(verb, by=by, event=event) as writing:
        _must_be_own(by, entry)
        force = Force.objects.select_for_update(of=("self",)).filter(entry=entry, from_round=from_round).first()
        earlier = counting_force(entry, from_round) if force is None else None
        bench = bench_of(force, earlier, locked=deadline.closed)
        force = force or Force(entry=entry, from_round=from_round)
        force.entry = entry
        change(bench)
        building.tidy(bench)
        writing.jot(force, work=bench)
    return force


def _work(force: Force) -> Bench:
    """Return a force's bench; a force that came from another machine has only what was submitted."""
    if force.work or force.state == Force.State.DRAFT:
        return building.whole(force.work)
    bench = bench_of_document(force.document, force.origins) | {"maps": list(force.maps), "name": force.name}
    building.submit(bench)
    return bench


def bench_of(force: Force | None, earlier: Force | None = None, *, locked: bool) -> Bench:
    """Return the bench to work on, before the deadline or after it; a new force begins with the earlier one, if any."""
    if force is not None:
        return building.continued(_work(force), locked=locked)
    known = building.as_submitted(_work(earlier) if earlier is not None else None)
    return known | {"changed": True, "submitted": None, "locked": locked}


def late_changes(entry: Entry, from_round: int) -> list[ForceChange]:
    """Return what a judge's work on a locked force would change if it were submitted."""
    force = Force.objects.filter(entry=entry, from_round=from_round).first()
    if force is None:
        return []
    bench = bench_of(force, locked=True)
    pool = Pool.objects.filter(entry=entry).first() if entry.event.is_sealed else None
    return force_changes(force, bench, document_of(entry.event, entry, bench, pool))


def submit_force(
    *, by: Actor, entry: Entry, from_round: int, seen: int | None = None, reason: str = "", confirmed: bool = False
) -> Force:
    """Submit the bench, legal or not, with its report.

    After the deadline only a judge can, with a reason, and confirms what is added and removed.

    `seen` is the bench's change count that the page showed, so that a bench changed in another window isn't submitted
    unseen. Raise Refused or NeedsConfirmation.
    """
    event = entry.event
    deadline = deadline_of(event, entry, from_round)
    late = deadline.closed
    changes: list[ForceChange] = []
    if late:
        _must_be_judge("change-force", by, event, deadline)
        changes = late_changes(entry, from_round)
        if not changes:
            raise Refused(_("This force hasn't changed."))
    verb = "change-force-late" if late else "change-force"
    with door(
        verb,
        by=by,
        event=event,
        reason=reason,
        confirmed=confirmed,
        consequences=[_("%(name)s's force") % {"name": entry.name}, *map(str, changes)],
    ) as writing:
        _must_be_own(by, entry)
        if deadline_of(event, entry, from_round).closed != late:
            raise Refused(_("The deadline has changed. Reload the page."))
        force = Force.objects.select_for_update(of=("self",)).filter(entry=entry, from_round=from_round).first()
        bench = bench_of(force, locked=late)
        if force is None or not (bench["picks"] or force.state == Force.State.SUBMITTED):
            raise Refused(_("This force is empty. Add a figure first."))
        if seen is not None and seen != bench["count"]:
            raise Refused(_("This force was changed in another window. Check it again, then submit it."))
        force.entry = entry
        save_submitted(writing, force, bench, late=late)
        writing.topics.add("forces")
    return force


def save_submitted(writing: Writing, force: Force, bench: Bench, *, late: bool) -> None:
    """Save a force with its document and report as submitted, and say so in the audit log."""
    entry, event = force.entry, force.entry.event
    pool = Pool.objects.filter(entry=entry).first() if event.is_sealed else None
    document = document_of(event, entry, bench, pool)
    report = report_on(document, bench, excepted=excepted_checks(event))
    building.submit(bench)
    building.tidy(bench)
    writing.jot(force, work=bench, origins=origins_of(bench))
    writing.save(
        force,
        name=bench["name"],
        state=Force.State.SUBMITTED,
        standing=standing_of(report),
        total=report["total"],
        document=document,
        report=report,
        maps=bench["maps"],
        checked_at=writing.at,
        submitted_at=writing.at,
        changed_after_deadline=force.changed_after_deadline or late,
    )
    of = {"build": build} if (build := report["build_total"]) is not None else {}
    writing.says(
        "force-submitted" if of else "drafted-force-submitted",
        name=entry.name,
        total=report["total"],
        **of,
        standing=force.standing,
    )


def submit_force_file(
    *,
    by: Actor,
    entry: Entry,
    from_round: int,
    force_part: Mapping[str, Any],
    name: str = "",
    maps: Iterable[str] = (),
    reason: str = "",
) -> Force:
    """Put the `force` part of a force file on the bench, each element as written, and submit it.

    Raise ValidationError with the pointer of what can't be read, Refused as `submit_force` does.
    """
    event = entry.event
    whole_file = {"edition": event.edition, "event": event_terms(event), "force": dict(force_part)}
    try:
        check_force(whole_file)
    except BadInput as fault:
        raise ValidationError([str(one) for one in fault.every]) from None

    def change(bench: Bench) -> None:
        building.clear(bench)
        add_picks(bench, picks_of_file(force_part, {}))
        building.describe(bench, name=name, maps=maps)

    change_bench(by=by, entry=entry, from_round=from_round, change=change)
    return submit_force(by=by, entry=entry, from_round=from_round, reason=reason, confirmed=bool(reason))


def copy_force(*, by: Actor, entry: Entry, from_round: int, source: Force) -> tuple[Force, list[str]]:
    """Copy an earlier force of the same player to the bench, with catalogue values of this event's day.

    Return the force, and the names of elements that the catalogue no longer has: those keep their old values.
    """
    own = source.entry_id == entry.pk
    same_person = entry.person_id is not None and source.entry.person_id == entry.person_id
    if not own and not same_person:
        raise Refused(_("You can only copy your own forces."))
    return copy_bench(by=by, entry=entry, from_round=from_round, source=_work(source))


def copy_bench(*, by: Actor, entry: Entry, from_round: int, source: Mapping[str, Any]) -> tuple[Force, list[str]]:
    """Copy another bench to the entry's, with catalogue values of the event's day; return as `copy_force` does."""
    gone: list[str] = []
    day = day_of(entry.event)

    def change(bench: Bench) -> None:
        building.copy_from(bench, source)
        for code in keep_facts(day, bench, building.codes_of(bench)):
            bench["facts"][code] = copy.deepcopy(source["facts"][code])
            gone.append(source["facts"][code]["facts"]["name"])

    return change_bench(by=by, entry=entry, from_round=from_round, change=change), gone


def earlier_forces(entry: Entry) -> list[Force]:
    """Return the forces that this player submitted before, here or elsewhere, latest first; at most thirty."""
    mine = Force.objects.filter(state=Force.State.SUBMITTED).select_related("entry__event")
    found = mine.filter(entry__person=entry.person_id) if entry.person_id is not None else mine.filter(entry=entry)
    return list(found.defer("document", "report", "work", "origins").order_by("-submitted_at", "-pk")[:30])


def next_without_force(entry: Entry) -> Entry | None:
    """Return the next player, by number and wrapping round, who hasn't submitted a force, or None."""
    plays = entry.event.entries.filter(state__in=(Entry.State.ENTERED, Entry.State.CHECKED_IN))
    without = plays.exclude(
        pk__in=Force.objects.filter(entry__event=entry.event, state=Force.State.SUBMITTED).values("entry")
    )
    return min(without, key=lambda one: (one.number < entry.number, one.number), default=None)


# sealed product


def pool_is_open(event: Event, entry: Entry, rounds: list[Round] | None = None) -> Text:
    """Return "" if the player may register the opened product now, else why not.

    Product is handed out and opened once round 1 is paired (Getting Ready to Play), and checked during the preparation.
    """
    if not event.is_sealed:
        return _("In this format, players bring their own forces and don't register any product.")
    known = published_rounds(event) if rounds is None else rounds
    first = max(1, entry.from_round)
    if not any(round.number >= first for round in known) or event.state != Event.State.RUNNING:
        return _("Open your product after round %(number)d is paired.") % {"number": first}
    if any(round.number == first and _is_played(round) for round in known):
        return _("Force building for %(round)s has ended. Only a judge can change the registered figures.") % {
            "round": event.the_round(first)
        }
    return ""


def register_pool(
    *,
    by: Actor,
    entry: Entry,
    add: Iterable[tuple[str | None, Mapping[str, Any] | None]] = (),
    remove: int | None = None,
    replaced: Mapping[str, Any] | None = None,
    version: int | None = None,
    reason: str = "",
    confirmed: bool = False,
) -> Pool:
    """Register what an entry's sealed product held: add elements (a code, or typed values), or remove one.

    `replaced` lists incomplete product that the officials replaced: `{"product", "missing"}`. After the preparation
    only a judge can register, with a reason.
    """
    event = entry.event
    why_not = pool_is_open(event, entry)
    verb = "register-pool"
    if why_not:
        if not event.is_sealed or not (by.is_site or by.roles(event=event) & JUDGES) or not published_rounds(event):
            raise Refused(why_not)
        verb = "change-pool-late"
    before = Pool.objects.filter(entry=entry).first()
    late = [
        _("The deadline has passed. If you continue, the product registered for %(name)s will change.")
        % {"name": entry.name}
    ]
    with door(
        verb, by=by, event=event, on=before, version=version, reason=reason, confirmed=confirmed, consequences=late
    ) as writing:
        _must_be_own(by, entry)
        pool = before or writing.create(Pool, entry=entry)
        pool.entry = entry
        elements = list(pool.elements)
        if remove is not None and 0 <= remove < len(elements):
            gone = elements.pop(remove)
            writing.says("product-without", player=entry.name, name=gone["facts"]["name"])
        wanted = list(add)
        rows = elements_by_code([code for code, _facts in wanted if code], date=day_of(event))
        for code, by_hand in wanted:
            elements.append(as_opened(code, rows.get(code or ""), by_hand))
            writing.says("product-opened", player=entry.name, name=elements[-1]["facts"]["name"])
        told = list(pool.replaced)
        if replaced:
            told.append({**replaced, "at": writing.at.isoformat(), "by": by.name})
            writing.says("product-replaced", player=entry.name, what=replaced.get("missing", ""))
        writing.save(pool, elements=elements, replaced=told)
    return pool


def as_opened(code: str | None, row: Facts | None, by_hand: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return an element of sealed product as a pool keeps it: from the catalogue, or as it was typed."""
    if row is not None:
        made_for = row.element.set.edition
        return {"code": code, "section": row.element.section, "facts": row.document, "made_for": made_for}
    if by_hand:
        return {"code": None, "section": "characters", "facts": dict(by_hand), "made_for": ""}
    raise Refused(
        _("“%(code)s” isn't in the catalogue on the event's date. Check the collector number.") % {"code": code}
    )


def may_work_on(roles: frozenset[Any], event: Event, *, mine: bool, locked: bool) -> bool:
    """Return whether these roles may work on this entry's bench now; `locked` after its deadline."""
    verb = "build-force-late" if locked else "build-force"
    return bool((mine or roles & OFFICIALS) and answer(verb, roles, event=event))
