"""The clock's verbs: start, pause, resume, extra time for everyone or one table. `events.clock` computes what it shows.

Only instants are stored; nothing ticks. An open `ClockRun` is a running clock, and a restart of the server changes
nothing. The first start moves a published round to running.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _

from events import clock as clocks
from events.door import Refused, Writing, door
from events.models import AuditEntry, ClockRun, Extension, Match, Round
from events.prepared import Prepared, asked
from events.roles import Actor

MAX_MINUTES = 180
A_MOMENT = 6.0
"""An interval begun at most this many seconds before the server's clock was set needs no correction."""
NOTICED_WITHIN = 60
"""Several processes notice a change of the server's clock within this many seconds of each other."""
SAME_JUMP = 3.0


RUNS = Prepared(lambda: ClockRun.objects.filter(round=asked("row")))
EXTENSIONS = Prepared(lambda: Extension.objects.filter(match=asked("row")).select_related("given_by"))


def clock_of(round: Round) -> clocks.Clock:
    """Return the stored data of a round's clock in one query, or none if the intervals are prefetched."""
    runs = sorted(_known(round, "clock_runs", RUNS), key=lambda run: (run.began, run.pk))
    return clocks.Clock(
        preparation_seconds=round.preparation_seconds,
        round_seconds=round.round_seconds,
        added_seconds=round.added_seconds,
        runs=tuple(clocks.Run(run.phase, run.began, run.ended) for run in runs),
    )


def extra_seconds(match: Match) -> int:
    """Return one table's extra time in seconds, without withdrawn extensions."""
    return sum(extension.seconds for extension in extensions_of(match))


def extensions_of(match: Match) -> list[Extension]:
    """Return one table's extensions without the withdrawn ones, with the officials who gave them."""
    return [one for one in _known(match, "extensions", EXTENSIONS) if not one.withdrawn]


def _known(row: models.Model, name: str, rows: Prepared[Any]) -> Iterable[Any]:
    """Return the rows of a relation: prefetched, or read by the prepared query."""
    prefetched: dict[str, Iterable[Any]] = getattr(row, "_prefetched_objects_cache", {})
    return prefetched[name] if name in prefetched else rows(row=row.pk)


def _begin(writing: Writing, round: Round) -> None:
    if round.state == Round.State.PUBLISHED:
        writing.save(round, state=Round.State.RUNNING, started_at=writing.at)


def close_run(writing: Writing, round: Round) -> None:
    """Within an open door: end the running interval, if any (also when a round is completed)."""
    for run in round.clock_runs.filter(ended__isnull=True):
        writing.save(run, ended=max(run.began, writing.at))


def _open(writing: Writing, round: Round, phase: str) -> None:
    writing.create(ClockRun, round=round, phase=phase, began=writing.at)


def start_preparation(*, by: Actor, round: Round, version: int | None = None) -> Round:
    """Start the preparation. Raise Refused once the round itself has begun; starting twice changes nothing."""
    with door("run-clock", by=by, event=round.event, on=round, version=version) as writing:
        part = clock_of(round).part
        if part == clocks.ROUND:
            raise Refused(_("The round has already started. Preparation is over."))
        if part == clocks.PREPARATION:
            return round
        _begin(writing, round)
        _open(writing, round, ClockRun.Phase.PREPARATION)
        writing.says("preparation-begun", round=round)
        writing.topics.add("clock")
    return round


def start_round(*, by: Actor, round: Round, version: int | None = None) -> Round:
    """Start the round, ending any preparation still running. Starting twice changes nothing."""
    with door("run-clock", by=by, event=round.event, on=round, version=version) as writing:
        now = clock_of(round)
        if now.part == clocks.ROUND:
            return round
        skipped = clocks.read(now, writing.at).seconds if now.part == clocks.PREPARATION else round.preparation_seconds
        close_run(writing, round)
        _begin(writing, round)
        _open(writing, round, ClockRun.Phase.ROUND)
        if skipped > 0:
            writing.says("clock-started-early", round=round, left=clocks.digits(skipped))
        else:
            writing.says("clock-started", round=round)
        writing.topics.add("clock")
    return round


def pause(*, by: Actor, round: Round, version: int | None = None) -> Round:
    """Stop the clock for all tables, keeping the time left. Pausing twice changes nothing."""
    with door("run-clock", by=by, event=round.event, on=round, version=version) as writing:
        now = clock_of(round)
        if now.part is None:
            raise Refused(_("The clock hasn't started, so it can't be paused."))
        left = clocks.read(now, writing.at).digits
        close_run(writing, round)
        writing.says("clock-paused", round=round, left=left)
        writing.topics.add("clock")
    return round


def resume(*, by: Actor, round: Round, version: int | None = None) -> Round:
    """Let the clock run on from where it was paused. Resuming twice changes nothing."""
    with door("run-clock", by=by, event=round.event, on=round, version=version) as writing:
        now = clock_of(round)
        if now.part is None:
            raise Refused(_("The clock hasn't started yet. Start it first."))
        if not now.is_running:
            _open(writing, round, now.part)
            left = clocks.read(now, writing.at).digits
            writing.says("clock-resumed", round=round, left=left)
            writing.topics.add("clock")
    return round


def follow_server_clock(*, by: Actor, round: Round, seconds: float, late: float = 0.0) -> Round:
    """Shift the running interval after the server's clock was set, so that the time left stays the same.

    Only the site calls this, at most `late` seconds after the change. Several processes notice the same change; the
    first one's entry in the audit log tells the others, and differs from another change's by the number of seconds.
    """
    with door("run-clock", by=by, event=round.event, on=round) as writing:
        near, just_now = datetime.timedelta(seconds=NOTICED_WITHIN), datetime.timedelta(seconds=late + A_MOMENT)
        if not by.is_site:
            raise Refused(_("The site does this automatically."))
        for entry in AuditEntry.objects.filter(
            event=round.event, verb="run-clock", as_role="", by_person=None, by_entry=None, subject_id=round.pk,
            at__range=(writing.at - near - just_now, writing.at + near),
        ):  # fmt: skip
            if any(abs(moved - seconds) < SAME_JUMP for moved in _moved(entry)):
                return round
        for run in round.clock_runs.filter(ended__isnull=True):
            if not writing.at - just_now <= run.began <= writing.at:  # begun after the change
                writing.save(run, began=run.began + datetime.timedelta(seconds=seconds))
        left = clocks.read(clock_of(round), writing.at).digits
        writing.says("clock-followed", round=round, left=left)
        writing.topics.add("clock")
    return round


def _moved(entry: AuditEntry) -> list[float]:
    """Return by how many seconds an entry moved the starts of intervals."""
    pairs = [((change["before"] or {}).get("began"), (change["after"] or {}).get("began")) for change in entry.changes]
    read = datetime.datetime.fromisoformat
    return [(read(after) - read(before)).total_seconds() for before, after in pairs if before and after]


def call_time(*, by: Actor, round: Round, reason: str = "", version: int | None = None) -> Round:
    """Call time now for all tables without extra time, removing what is left of the round."""
    said = _("Time will be called now at every table that has no extension.")
    with door(
        "add-time", by=by, event=round.event, on=round, reason=reason, version=version, consequences=[said],
        asks=_("Call time"),
    ) as writing:  # fmt: skip
        now = clock_of(round)
        reading = clocks.read(now, writing.at)
        if reading.phase is not clocks.Phase.ROUND:
            raise Refused(_("Time can be called only while a round is running."))
        writing.save(round, added_seconds=round.added_seconds - reading.seconds)
        writing.says("time-called", round=round, left=reading.digits)
        writing.is_non_standard = True
        writing.topics.add("clock")
    return round


def add_time(*, by: Actor, round: Round, minutes: int, reason: str = "", version: int | None = None) -> Round:
    """Give all tables more minutes (or fewer, if negative) in the current part of the clock. A reason is required."""
    with door("add-time", by=by, event=round.event, on=round, reason=reason, version=version) as writing:
        if not minutes or abs(minutes) > MAX_MINUTES:
            raise Refused(_("Enter 1 to %(most)d minutes.") % {"most": MAX_MINUTES})
        now = clock_of(round)
        if now.part == clocks.PREPARATION:
            writing.save(round, preparation_seconds=max(0, round.preparation_seconds + 60 * minutes))
        else:
            writing.save(round, added_seconds=round.added_seconds + 60 * minutes)
        writing.says("time-added" if minutes > 0 else "time-taken", round=round, given=abs(minutes))
        writing.is_non_standard = True
        writing.topics.add("clock")
    return round


def extend_table(*, by: Actor, match: Match, minutes: int, reason: str = "") -> Extension:
    """Give one table extra time, with a reason; several extensions add up."""
    event = match.round.event
    with door("extend-table", by=by, event=event, on=match, reason=reason) as writing:
        match.round.event = event
        if match.kind != Match.Kind.GAME or match.state == Match.State.CONFIRMED:
            raise Refused(_("This table has finished. No extension is possible."))
        if not 1 <= minutes <= MAX_MINUTES:
            raise Refused(_("Enter 1 to %(most)d minutes.") % {"most": MAX_MINUTES})
        extension = writing.create(
            Extension,
            match=match,
            seconds=60 * minutes,
            reason=reason.strip()[:200],
            given_by=by.person,
            at=writing.at,
        )
        writing.says("extension-given", round=match.round, table=match.table, n=minutes)
        writing.is_non_standard = True
        writing.topics.update({"clock", f"table-{match.table}"})
    return extension


def withdraw_extension(*, by: Actor, extension: Extension, reason: str = "") -> Extension:
    """Withdraw a table's extension; the row stays, marked as withdrawn."""
    match = extension.match
    event = match.round.event
    with door("extend-table", by=by, event=event, on=match, reason=reason, asks=_("Withdraw extension")) as writing:
        match.round.event = event
        writing.save(extension, withdrawn=True)
        writing.says("extension-withdrawn", round=match.round, table=match.table)
        writing.topics.update({"clock", f"table-{match.table}"})
    return extension


def reading_of(round: Round, extra: int = 0) -> clocks.ClockReading:
    """Return what the round's clock shows now; in a complete round it is stopped."""
    return clocks.read(clock_of(round), timezone.now(), extra)
