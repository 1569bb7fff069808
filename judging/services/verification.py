"""Verification: a judge checks a force figure by figure at the table; findings go into the force file.

The remedies are those of the tournament rules (Compiled and Annotated Rulebook, Head-to-Head Rules, Getting Ready to
Play): a short time to replace an illegal figure, a disqualification from the round with the figure replaced before the
next one, or a disqualification from the tournament, as the Judge sees fit. Ownership marks under a base are no fault
(Sanctioning Policy, Ownership Markings).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from events import building
from events.documents import report_on, standing_of
from events.door import Refused, door
from events.models import Entry, Event, Force, Match, Round, sits
from events.roles import Actor
from events.services.policy import excepted_checks
from judging.models import ForceCheck, Penalty
from judging.services.penalties import give_penalty

FOUND = building.FOUND
Remedy, Outcome = ForceCheck.Remedy, ForceCheck.Outcome


def open_check(force: Force) -> ForceCheck | None:
    """Return this force's unfinished check, or None."""
    return force.checks.filter(outcome=Outcome.OPEN).order_by("-pk").first()


def last_check(force: Force) -> ForceCheck | None:
    """Return the latest check of the force as it is now; checks from before its last submission don't count."""
    found = force.checks.order_by("-pk").first()
    if found is None or (force.submitted_at is not None and found.began < force.submitted_at):
        return None
    return found


def _event(force: Force) -> Event:
    return force.entry.event


def _refs(force: Force) -> set[str]:
    lists = (*building.SECTIONS, "sideline")
    return {
        one.get("ref") or f"{name}-{place}"
        for name in lists
        for place, one in enumerate(force.document.get("force", {}).get(name, ()), 1)
    }


def _figures(force: Force) -> list[dict[str, Any]]:
    inside = force.document.get("force", {})
    return [*inside.get("characters", ()), *inside.get("sideline", ())]


def begin_check(*, by: Actor, force: Force, version: int | None = None) -> ForceCheck:
    """Begin to check a force, or continue its unfinished check."""
    with door("check-forces", by=by, event=_event(force), on=force, version=version) as writing:
        if by.person is None:
            raise Refused(_("Sign in first. Every verification is recorded with the judge's name."))
        if force.state != Force.State.SUBMITTED:
            raise Refused(_("This force hasn't been submitted. Ask the player to submit it, then verify it."))
        found = open_check(force)
        if found is None:
            found = writing.create(ForceCheck, force=force, judge=by.person)
            writing.says("check-begun", name=force.entry.name)
            writing.topics.add("forces")
    found.force = force
    return found


def mark_seen(
    *, by: Actor, force: Force, ref: str, seen: bool = True, found: Mapping[str, Any] | None = None, note: str = ""
) -> ForceCheck:
    """Mark one element of a force as seen, with the findings about it, and check the force again.

    `found` may have `dial_number`, `proxy`, `promotional`, `from_sealed_product` (events.building.FOUND).
    """
    check = begin_check(by=by, force=force)
    with door("check-forces", by=by, event=_event(force), on=check) as writing:
        check.force = force
        if ref not in _refs(force):
            raise Refused(_("This item is no longer in the force. Reload the page."))
        told = {key: value for key, value in (found or {}).items() if key in FOUND and value not in (None, "")}
        kept = [one for one in check.findings if one["ref"] != ref]
        if seen:
            kept.append({"ref": ref, "found": told, **({"note": note.strip()[:200]} if note.strip() else {})})
        writing.save(check, findings=kept)
        name = next((one["name"] for one in _figures(force) if one.get("ref") == ref), ref)
        if told or not seen:
            writing.says("figure-found", player=force.entry.name, name=name, what=told)
        else:
            writing.says("figure-seen", player=force.entry.name, name=name)
        fresh = Force.objects.select_for_update(of=("self",)).get(pk=force.pk)
        _apply_findings(writing, fresh, ref, told)
        for name_ in ("document", "report", "standing", "total", "work", "version", "checked_at"):
            setattr(force, name_, getattr(fresh, name_))
        writing.topics.add("forces")
    return check


def _apply_findings(writing: Any, force: Force, ref: str, told: Mapping[str, Any]) -> None:
    """Write the findings into the force file and check it again; an empty finding removes an earlier one."""
    document = copy.deepcopy(force.document)
    bench = building.whole(force.work)
    pick = building.find(bench, ref)
    for one in [*document["force"].get("characters", ()), *document["force"].get("sideline", ())]:
        if one.get("ref") != ref:
            continue
        for key in FOUND:
            if key in told:
                one[key] = told[key]
            elif key in (pick or {}).get("found", {}) or key == "dial_number":
                one.pop(key, None)
    if pick is not None:
        building.note_findings(bench, ref, told)
        writing.jot(force, work=bench)
    if document == force.document:
        return
    report = report_on(document, excepted=excepted_checks(force.entry.event))
    writing.save(
        force,
        document=document,
        report=report,
        standing=standing_of(report),
        total=report["total"],
        checked_at=writing.at,
    )


def match_of_now(entry: Entry) -> Match | None:
    """Return the entry's match in the current round, or None."""
    return (
        Match.objects.filter(
            sits(entry),
            kind=Match.Kind.GAME,
            round__event=entry.event,
            round__state__in=[Round.State.PUBLISHED, Round.State.RUNNING],
        )
        .select_related("round__event", "a", "b")
        .order_by("-round__number")
        .first()
    )


def finish_check(
    *,
    by: Actor,
    force: Force,
    passed: bool,
    remedy: str = Remedy.NONE,
    note: str = "",
    opponents_points: int = 0,
    reason: str = "",
    confirmed: bool = False,
    version: int | None = None,
) -> ForceCheck:
    """Finish the check of a force: it passed, or it failed with a remedy.

    A disqualification from the round gives the opponent the match with `opponents_points`; one from the event ends the
    entry. Only the head judge gives them; both need a note and are recorded as penalties. Raises Refused,
    NeedsConfirmation.
    """
    event = _event(force)
    note = note.strip()[:400]
    if remedy not in Remedy.values:
        raise Refused(_("Choose a remedy."))
    if passed and remedy != Remedy.NONE:
        raise Refused(_("A force that passed needs no remedy. Choose “None needed”."))
    if not passed and not note:
        raise Refused(_("Describe the problem found. The description is saved with the verification."))
    check = begin_check(by=by, force=force)
    with door("check-forces", by=by, event=event, on=force, version=version) as writing:
        if passed and force.standing == Force.Standing.NOT_LEGAL:
            raise Refused(_("This force is illegal. Fail it and choose a remedy, or change it first."))
        looked = {one["ref"] for one in check.findings}
        missing = [one["name"] for one in _figures(force) if one.get("ref") not in looked]
        if passed and missing:
            raise Refused(
                _("Not checked yet: %(names)s. Check every figure before you pass the force.")
                % {"names": ", ".join(missing)}
            )
        if remedy in (Remedy.ROUND, Remedy.EVENT):
            _apply_disqualification(by, force, remedy, note, opponents_points, confirmed=confirmed)
        writing.save(
            check,
            outcome=Outcome.PASSED if passed else Outcome.FAILED,
            remedy=remedy,
            note=note,
            ended=writing.at,
        )
        check.force = force
        writing.says("force-checked", name=force.entry.name, outcome=check.outcome, remedy=check.remedy)
        writing.topics.add("forces")
    return check


def _apply_disqualification(by: Actor, force: Force, remedy: str, note: str, points: int, *, confirmed: bool) -> None:
    """Apply a disqualification to this round's match or to the entry, and record it as a penalty."""
    entry = force.entry
    match = match_of_now(entry)
    if remedy == Remedy.ROUND and match is None:
        raise Refused(_("%(name)s isn't playing now and can't be disqualified from the round.") % {"name": entry.name})
    of_round = remedy == Remedy.ROUND
    give_penalty(
        by=by,
        entry=entry,
        kind=Penalty.Kind.GAME_LOSS if of_round else Penalty.Kind.DISQUALIFICATION,
        category=Penalty.Category.FORCE,
        text=note,
        round=match.round if match is not None else None,
        match=match,
        opponents_points=points,
        confirmed=confirmed or of_round,
    )


def reopen_check(*, by: Actor, check: ForceCheck, reason: str = "") -> ForceCheck:
    """Reopen a finished check; the effects of its remedy are undone where they were made."""
    force = check.force
    with door("check-forces", by=by, event=_event(force), on=check) as writing:
        check.force = force
        if check.outcome == Outcome.OPEN:
            return check
        writing.save(check, outcome=Outcome.OPEN, ended=None)
        writing.says("check-reopened", name=force.entry.name)
    return check
