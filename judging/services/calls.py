"""Calls: raised at a table, taken by one judge, timed from the judge's arrival, resolved with an extension.

Everything that two people could press at the same time is decided behind the door, where the event's row is locked: the
second is told who has the call. Extensions go through `events.services.clock.extend_table` in the same transaction, so
that either the table's end time changes everywhere or nothing is written.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from events.clock import digits, in_words
from events.door import Refused, Writing, door
from events.models import ClockRun, Event, Match, Person, Role, Round
from events.prepared import Prepared, asked
from events.roles import OFFICIALS, Actor
from events.services.clock import MAX_MINUTES, extend_table
from judging.models import Call

State = Call.State
WORKING = OFFICIALS | {Role.HALL_JUDGE}
SHOWN_ROUNDS = (Round.State.PUBLISHED, Round.State.RUNNING, Round.State.COMPLETE)


# queries


def calls() -> QuerySet[Call]:
    """Return calls with everything that a page shows of them, in one query."""
    return Call.objects.select_related(
        "match__round__event__venue", "match__a", "match__b", "judge", "raised_by", "raised_by_entry", "extension"
    )


OPEN_AT = Prepared(
    lambda: (
        Call.objects.filter(match__round__event=asked("event"), state__in=Call.OPEN)
        .order_by()
        .values_list("pk", flat=True)[:1]
    )
)


def open_calls(events: Iterable[Event]) -> list[Call]:
    """Return the open calls of these events, urgent ones first, then oldest first; one query.

    One event mostly has none, and what a page shows of them is asked only then: its joins take longest to build.
    """
    at = list(events)
    if len(at) == 1 and OPEN_AT.first(event=at[0].pk) is None:
        return []
    found = calls().filter(match__round__event__in=at, state__in=Call.OPEN)
    by_age = found.filter(match__round__state__in=SHOWN_ROUNDS).order_by("raised", "pk")
    return sorted(by_age, key=lambda call: not call.is_urgent)


OPEN = Prepared(
    lambda: Call.objects.filter(match=asked("match"), state__in=Call.OPEN).order_by().values_list("pk", flat=True)
)


def open_call(match: Match) -> Call | None:
    """Return the table's open call, or None; most tables have none, so what a page shows of it is asked only then."""
    found = OPEN.first(match=match.pk)
    return calls().filter(pk=found).first() if found is not None else None


def played_seconds(began: datetime.datetime, until: datetime.datetime, runs: Iterable[ClockRun]) -> float:
    """Return how many seconds of playing time passed between two instants.

    That is the time during which the round's clock ran: a paused clock costs no one time. If the clock was never
    started, all of it counts.
    """
    runs = list(runs)
    if not runs:
        return max(0.0, (until - began).total_seconds())
    parts = ((max(run.began, began), min(run.ended or until, until)) for run in runs)
    return sum(max(0.0, (end - start).total_seconds()) for start, end in parts)


def lost_seconds(call: Call, runs: Iterable[ClockRun], now: datetime.datetime) -> float:
    """Return the playing time that the table has lost through the call, the wait for a judge included, in seconds."""
    return played_seconds(call.raised, call.ended or now, runs)


def in_minutes(seconds: float) -> int:
    """Return the whole minutes of extension to propose for lost playing time, rounded up for the players."""
    return min(MAX_MINUTES, -int(-seconds // 60))


def proposed_minutes(call: Call, now: datetime.datetime | None = None) -> int:
    """Return the minutes of extension to propose if the call is resolved now."""
    return in_minutes(lost_seconds(call, call.round.clock_runs.all(), now or timezone.now()))


def can_extend(match: Match) -> bool:
    """Return whether the table is still playing, so that an extension makes sense."""
    playing = match.round.state in (Round.State.PUBLISHED, Round.State.RUNNING)
    return playing and match.kind == Match.Kind.GAME and match.state != Match.State.CONFIRMED


# verbs


def raise_call(*, by: Actor, match: Match, reason: str = "", text: str = "") -> tuple[Call, bool]:
    """Raise a hand for a table; return its call, and whether it is new: a table has at most one open call.

    A player raises it only for their own table, an official for any.
    """
    event = match.round.event
    with door("raise-call", by=by, event=event, on=match) as writing:
        match.round.event = event
        if match.kind != Match.Kind.GAME or match.table is None:
            raise Refused(_("This match has no table, so a judge can't be called to it."))
        entry = by.entry_at(event)
        sits_here = entry is not None and entry.pk in match.entry_ids
        if not sits_here and not by.roles(event=event) & WORKING:
            raise Refused(_("You aren't playing at this table. Call a judge from your own table's page."))
        standing = open_call(match)
        if standing is not None:
            return standing, False
        call = writing.create(
            Call,
            match=match,
            raised=writing.at,
            raised_by_entry=entry if sits_here else None,
            raised_by=by.person,
            reason=reason if reason in Call.Reason else "",
            text=" ".join(text.split())[:200],
        )
        writing.says("judge-called", round=call.round, table=call.match.table, reason=call.reason)
        _tell(writing, call)
    return call, True


def cancel_call(*, by: Actor, call: Call, version: int | None = None) -> Call:
    """Cancel a call before a judge arrives: players their own, officials any. Cancelling twice changes nothing."""
    event = call.round.event
    with door("cancel-call", by=by, event=event, on=call, version=version) as writing:
        call.match.round.event = event
        if call.state == State.CANCELLED:
            return call
        _still_open(call)
        entry = by.entry_at(event)
        if not by.roles(event=event) & OFFICIALS and (entry is None or entry.pk != call.raised_by_entry_id):
            raise Refused(_("Only the player who called, or an official, can cancel this call."))
        if call.state == State.AT_TABLE:
            raise Refused(_("A judge is already at this table and will resolve the call."))
        writing.save(call, state=State.CANCELLED, ended=writing.at, ended_by=by.person)
        writing.says("call-cancelled", round=call.round, table=call.match.table)
        _tell(writing, call)
    return call


def take_call(*, by: Actor, call: Call) -> Call:
    """Take a call: from then on this judge is coming. Taking it twice changes nothing.

    Raises Refused with the name of the judge who was faster, or if the table waits for the head judge.
    """
    event = call.round.event
    with door("take-call", by=by, event=event, on=call) as writing:
        call.match.round.event = event
        judge = _signed_in(by)
        _may_have(by, call, writing)
        if call.judge_id != judge.pk:
            writing.save(call, state=State.TAKEN, judge=judge, taken=writing.at)
            writing.says("call-taken", round=call.round, table=call.match.table, judge=judge)
            _tell(writing, call)
    return call


def release_call(*, by: Actor, call: Call, version: int | None = None) -> Call:
    """Release a call to the queue; the head judge can release another judge's. It keeps its age."""
    event = call.round.event
    with door("release-call", by=by, event=event, on=call, version=version) as writing:
        call.match.round.event = event
        _still_open(call)
        if call.state == State.WAITING:
            return call
        _holds(by, call, _("Only %(judge)s or the head judge can release this call."))
        before = call.judge
        writing.save(call, state=State.WAITING, judge=None, taken=None)
        writing.says("call-released", round=call.round, table=call.match.table, judge=before)
        _tell(writing, call)
    return call


def escalate_call(*, by: Actor, call: Call, version: int | None = None) -> Call:
    """Pass a call to the head judge: it waits again, for the head judge alone; the stopwatch keeps running."""
    event = call.round.event
    with door("escalate-call", by=by, event=event, on=call, version=version) as writing:
        call.match.round.event = event
        _still_open(call)
        if Role.HEAD_JUDGE in by.roles(event=event):
            raise Refused(_("You're the head judge. Take the call yourself."))
        if call.for_head_judge and call.state == State.WAITING:
            return call
        if call.state != State.WAITING:
            _holds(by, call, _("Only %(judge)s, who took this call, can request the head judge."))
        writing.save(call, state=State.WAITING, judge=None, taken=None, for_head_judge=True)
        writing.says("head-judge-called", round=call.round, table=call.match.table)
        _tell(writing, call)
    return call


def arrive_at_table(*, by: Actor, call: Call) -> Call:
    """Record that a judge is at the table: the stopwatch starts, or keeps running if it ran already.

    A judge who passes a waiting table takes its call in the same step.
    """
    event = call.round.event
    with door("arrive-at-table", by=by, event=event, on=call) as writing:
        call.match.round.event = event
        judge = _signed_in(by)
        _may_have(by, call, writing)
        if call.state != State.AT_TABLE:
            writing.save(
                call,
                state=State.AT_TABLE,
                judge=judge,
                taken=call.taken or writing.at,
                arrived=call.arrived or writing.at,
            )
            writing.says("judge-arrived", round=call.round, table=call.match.table, judge=judge)
            _tell(writing, call)
    return call


def close_call(
    *,
    by: Actor,
    call: Call,
    category: str,
    outcome: str,
    text: str = "",
    minutes: int = 0,
    agreed: int = 0,
    version: int | None = None,
) -> Call:
    """Resolve a call, recording what it was about and how it ended, and give the table an extension.

    `minutes` is what the call took, `agreed` what was agreed beyond that; their sum is one extension under the rules of
    `extend_table`, or none if it is 0. Raises Refused if another judge has the call.
    """
    event = call.round.event
    with door("close-call", by=by, event=event, on=call, version=version) as writing:
        call.match.round.event = event
        _still_open(call)
        if call.state == State.WAITING:
            raise Refused(_("No one has taken this call. Take it first, then resolve it."))
        _holds(by, call, _("Only %(judge)s or the head judge can resolve this call."))
        if category not in Call.Category or outcome not in Call.Outcome:
            raise Refused(_("Choose a subject and an outcome."))
        extra, extension = minutes + agreed, None
        if min(minutes, agreed) < 0:
            raise Refused(_("Enter 0 minutes or more."))
        if extra:
            reason = _("Judge call: %(about)s") % {"about": Call.Category(category).label}
            extension = extend_table(by=by, match=call.match, minutes=extra, reason=reason)
            call.match.round.event = event
        writing.save(
            call,
            state=State.CLOSED,
            ended=writing.at,
            ended_by=by.person,
            category=category,
            outcome=outcome,
            text=" ".join(text.split())[:200],
            extension=extension,
        )
        length = digits(int(call.took.total_seconds())) if call.took else digits(0)
        writing.says(
            "call-resolved",
            round=call.round,
            table=call.match.table,
            length=length,
            about=call.category,
            outcome=call.outcome,
        )
        _tell(writing, call)
    return call


# shared by the verbs


def _tell(writing: Writing, call: Call) -> None:
    writing.topics.update({"calls", f"table-{call.match.table}"})


def _signed_in(by: Actor) -> Person:
    if by.person is None:
        raise Refused(_("Sign in first. Every call is recorded with the judge's name."))
    return by.person


def _still_open(call: Call) -> None:
    if call.state == State.CANCELLED:
        raise Refused(_("This call has been cancelled. No judge is needed."))
    if call.state == State.CLOSED:
        raise Refused(_("%(judge)s has already resolved this call.") % {"judge": call.ended_by or call.judge})


def _may_have(by: Actor, call: Call, writing: Writing) -> None:
    """Refuse a call that another judge has, or that waits for the head judge."""
    _still_open(call)
    if call.judge is not None and by.person is not None and call.judge_id != by.person.pk:
        since = in_words((writing.at - (call.taken or call.raised)).total_seconds())
        there = _("%(judge)s is already at table %(table)s and took the call %(since)s ago.")
        coming = _("%(judge)s took the call %(since)s ago and is on the way to table %(table)s.")
        raise Refused(
            (there if call.is_at_table else coming) % {"judge": call.judge, "table": call.match.table, "since": since}
        )
    if call.for_head_judge and Role.HEAD_JUDGE not in by.roles(event=call.round.event):
        raise Refused(_("Table %(table)s is waiting for the head judge.") % {"table": call.match.table})


def _holds(by: Actor, call: Call, otherwise: str) -> None:
    """Refuse anyone except the judge who has the call and the head judge."""
    if by.person is not None and call.judge_id == by.person.pk:
        return
    if Role.HEAD_JUDGE not in by.roles(event=call.round.event):
        raise Refused(otherwise % {"judge": call.judge})


__all__ = [
    "arrive_at_table",
    "calls",
    "can_extend",
    "cancel_call",
    "close_call",
    "escalate_call",
    "in_minutes",
    "lost_seconds",
    "open_call",
    "open_calls",
    "played_seconds",
    "proposed_minutes",
    "raise_call",
    "release_call",
    "take_call",
]
