"""Problems on this server: one list for the console, the administrator's page, `/health/details/` and `/metrics/`.

`look` gathers plain facts with three short queries, at most every ten seconds per process; `judge` says what is wrong
with them. Each finding says what to do. Problems that stop the site are found by `config.health` instead.
"""

from __future__ import annotations

import datetime
import enum
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, models
from django.db.models.functions import Coalesce
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from events.clock import in_words
from events.models import AuditEntry, Event, Round
from events.results.words import the_round
from judging.background import BACKGROUND
from judging.clock_jumps import JUMPS, Jump
from judging.keeping import backups
from judging.models import Bundle, Snapshot
from rules.sizes import size_words

LOOK_EVERY = 10.0
BEHIND = 4
"""A running event is reported when its oldest change without a snapshot is this many `SNAPSHOT_SECONDS` old."""
STALLED_SECONDS = 600
BACKUP_HOURS = 48
LOW_BYTES, VERY_LOW_BYTES = 500_000_000, 100_000_000
LONG_LINE = 200
MIN_AHEAD = 60
LINES: dict[str, Callable[[], int]] = {}
"""The number of requests waiting in each line; the site's lines add themselves here."""
PLACES = {
    "data": gettext_lazy("The data folder's disk"),
    "copies": gettext_lazy("The second backup folder"),
    "database": gettext_lazy("The database's disk"),
}


class Severity(enum.StrEnum):
    """The seriousness of a finding."""

    WARNING = "warning"
    URGENT = "urgent"


@dataclass(frozen=True)
class Finding:
    """One problem. `event` is the public id of the event it concerns, "" if it concerns the whole server."""

    name: str
    severity: Severity
    sentence: str
    value: float
    event: str = ""
    for_judges: bool = True

    @property
    def is_urgent(self) -> bool:
        """Return whether this can't wait until after the round."""
        return self.severity is Severity.URGENT


@dataclass(frozen=True)
class EventKept:
    """A running event's snapshots: the age of its oldest change without one, and why the last snapshot failed."""

    public_id: str
    name: str
    behind: float = 0.0
    problem: str = ""


@dataclass(frozen=True)
class Disk:
    """A disk that holds data: a key of `PLACES`, and its free bytes, or None if the folder is missing."""

    place: str
    free: int | None


@dataclass(frozen=True)
class ServerFacts:
    """Everything that `judge` looks at. Times are in seconds; `backup_age` is None if there is no backup."""

    events: tuple[EventKept, ...] = ()
    papers: tuple[tuple[str, str, int, int | None], ...] = ()
    has_history: bool = False
    backup_age: float | None = None
    backup_problem: str = ""
    silent_for: float | None = None
    jumps: tuple[Jump, ...] = ()
    newest_ahead: float = 0.0
    disks: tuple[Disk, ...] = ()
    waiting: dict[str, int] = field(default_factory=dict)


# judging


def judge(facts: ServerFacts, zone: datetime.tzinfo | None = None) -> list[Finding]:
    """Return what is wrong, urgent findings first. Pure. Times are worded in `zone`."""
    found = [
        *_of_snapshots(facts.events), *_of_worker(facts), *_of_clock(facts, zone), *_of_disks(facts.disks),
        *_of_papers(facts.papers), *_of_lines(facts.waiting), *_of_backups(facts),
    ]  # fmt: skip
    return sorted(found, key=lambda one: not one.is_urgent)


def _of_snapshots(events: Iterable[EventKept]) -> Iterable[Finding]:
    for event in events:
        if event.problem:
            said = _("The last snapshot of %(event)s failed: %(problem)s. Fix this, then take a new snapshot.") % {
                "event": event.name, "problem": event.problem,
            }  # fmt: skip
            yield Finding("snapshot-failed", Severity.URGENT, said, 1, event.public_id)
        elif settings.SNAPSHOTS_KEPT and event.behind > BEHIND * max(settings.SNAPSHOT_SECONDS, 15):
            said = _(
                "The newest snapshot of %(event)s lags %(length)s behind the event. "
                "Take a snapshot now. If that fails, tell the administrator."
            )
            parts = {"event": event.name, "length": in_words(event.behind)}
            yield Finding("snapshot-old", Severity.WARNING, said % parts, event.behind, event.public_id)


def _of_worker(facts: ServerFacts) -> Iterable[Finding]:
    if facts.silent_for is not None and facts.silent_for > STALLED_SECONDS:
        said = _(
            "The server's background tasks stopped %(length)s ago, so snapshots and printouts aren't being made. Restart the server."
        )
        yield Finding("worker-dead", Severity.URGENT, said % {"length": in_words(facts.silent_for)}, facts.silent_for)


def _of_clock(facts: ServerFacts, zone: datetime.tzinfo | None) -> Iterable[Finding]:
    for jump in facts.jumps:
        parts = {
            "length": in_words(round(abs(jump.seconds))),
            "at": formats.time_format(timezone.localtime(jump.at, zone), "H:i"),
        }
        said = (
            _("The server's clock was set forward by %(length)s at %(at)s.")
            if jump.seconds > 0
            else _("The server's clock was set back by %(length)s at %(at)s.")
        )
        advice = _("The clocks of running rounds were corrected. Check the time left in each.")
        said = f"{said % parts} {advice}"
        yield Finding("clock-jumped", Severity.WARNING, said, jump.seconds)
    if not facts.jumps and facts.newest_ahead > MIN_AHEAD:
        said = _(
            "The server's clock is at least %(length)s behind: the newest audit log entry is dated in the future. "
            "Set the clock, then check the time left in each running round."
        )
        length = {"length": in_words(facts.newest_ahead)}
        yield Finding("clock-behind", Severity.URGENT, said % length, facts.newest_ahead)


def _of_disks(disks: Iterable[Disk]) -> Iterable[Finding]:
    for disk in disks:
        place = {"place": PLACES[disk.place]}
        if disk.free is None:
            said = (
                _("%(place)s can't be reached. Connect its drive or correct COPY_DIR. Nothing is copied until then.")
                % place
            )
            yield Finding(f"missing-{disk.place}", Severity.WARNING, said, 0)
        elif disk.free < LOW_BYTES:
            grave = Severity.URGENT if disk.free < VERY_LOW_BYTES else Severity.WARNING
            said = _(
                "%(place)s is nearly full: %(free)s left. Free up space now, or snapshots and results will soon fail to save."
            )
            free = size_words(disk.free).replace("\N{NO-BREAK SPACE}", " ")
            yield Finding(f"disk-{disk.place}", grave, said % (place | {"free": free}), disk.free)


def _of_papers(papers: Iterable[tuple[str, str, int, int | None]]) -> Iterable[Finding]:
    for public_id, name, number, size in papers:
        said = _(
            "The printouts for %(round)s of %(event)s couldn't be made. Print pairings and slips from the console."
        )
        told = {"round": the_round(number, size), "event": name}
        yield Finding("paper-failed", Severity.WARNING, said % told, number, public_id)


def _of_lines(waiting: dict[str, int]) -> Iterable[Finding]:
    total = sum(waiting.values())
    if total >= LONG_LINE:
        said = ngettext("%(n)d request queued.", "%(n)d requests queued.", total)
        advice = _("Pages are loading slowly. If this continues, increase READERS and WRITERS.")
        said = f"{said % {'n': total}} {advice}"
        yield Finding("queue-long", Severity.WARNING, said, total, for_judges=False)


def _of_backups(facts: ServerFacts) -> Iterable[Finding]:
    age = facts.backup_age
    if facts.backup_problem:
        said = _("The last backup failed: %(problem)s. Run “headjudge backup” to see the details.")
        yield Finding("backup-failed", Severity.WARNING, said % {"problem": facts.backup_problem}, 1, for_judges=False)
    elif age is None and facts.has_history:
        said = _("No backup has been made yet. Run “headjudge backup”.")
        yield Finding("backup-none", Severity.WARNING, said, 0, for_judges=False)
    elif age is not None and age > BACKUP_HOURS * 3600:
        hours = int(age // 3600)
        said = ngettext(
            "The newest backup is %(n)d hour old. Run “headjudge backup”.",
            "The newest backup is %(n)d hours old. Run “headjudge backup”.",
            hours,
        )
        yield Finding("backup-old", Severity.WARNING, said % {"n": hours}, age, for_judges=False)


# gathering


def look() -> ServerFacts:
    """Gather the facts as they are now: three queries, one small file, and the free space on each disk."""
    now = timezone.now()
    newest = AuditEntry.objects.order_by("-pk").values_list("at", flat=True).first()
    made, problem = backups.last()
    return ServerFacts(
        events=tuple(_events(now)),
        papers=tuple(_papers()),
        has_history=newest is not None,
        backup_age=abs((now - made).total_seconds()) if made else None,
        backup_problem=problem,
        silent_for=BACKGROUND.silent_for(),
        jumps=JUMPS.recent(),
        newest_ahead=max(0.0, (newest - now).total_seconds()) if newest else 0.0,
        disks=tuple(_disks()),
        waiting=waiting(),
    )


def waiting() -> dict[str, int]:
    """Return the number of requests waiting in each line of this process."""
    return {name: length() for name, length in LINES.items()}


def _events(now: datetime.datetime) -> Iterable[EventKept]:
    """Yield running events that have changes without a snapshot, or whose last snapshot failed.

    A change dated in the future was written before the clock was set back: it is at least as old as that difference.
    """
    taken = Snapshot.objects.filter(event=models.OuterRef("pk")).order_by("-pk")
    unkept = AuditEntry.objects.filter(event=models.OuterRef("pk"), pk__gt=models.OuterRef("held")).order_by("pk")
    running = (
        Event.objects.filter(state=Event.State.RUNNING)
        .annotate(
            held=Coalesce(models.Subquery(taken.filter(problem="").values("record_entry")[:1]), 0),
            problem=models.Subquery(taken.values("problem")[:1]),
        )
        .annotate(since=models.Subquery(unkept.values("at")[:1]))
    )
    for public_id, name, since, problem in running.values_list("public_id", "name", "since", "problem")[:50]:
        behind = abs((now - since).total_seconds()) if since else 0.0
        if behind or problem:
            yield EventKept(public_id, name, behind, problem or "")


def _papers() -> Iterable[tuple[str, str, int, int | None]]:
    rounds = Round.objects.filter(event=models.OuterRef("event"), number=models.OuterRef("round_number"))
    failed = Bundle.objects.filter(state=Bundle.State.FAILED, event__state=Event.State.RUNNING, attempts__gt=2)
    size = models.Subquery(rounds.values("bracket_size"))
    yield from failed.order_by("pk").values_list("event__public_id", "event__name", "round_number", size)[:20]


def _disks() -> Iterable[Disk]:
    name = str(settings.DATABASES["default"]["NAME"])
    at = {"data": str(settings.DATA_DIR), "copies": settings.COPY_DIR}
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3") and os.path.isabs(name):
        at["database"] = str(Path(name).parent)
    seen = set()
    for place, folder in at.items():
        if not folder:
            continue
        try:
            device, free = os.stat(folder).st_dev, shutil.disk_usage(folder).free
        except OSError:
            if place == "copies":
                yield Disk(place, None)
            continue
        if device not in seen:
            yield Disk(place, free)
        seen.add(device)


class Lookout:
    """A cache of the facts for ten seconds; while one thread gathers them, the others get the previous ones."""

    def __init__(self) -> None:
        self.looking = threading.Lock()
        self.forget()

    def forget(self) -> None:
        """Gather the facts again at the next call of `now`."""
        self.facts: ServerFacts | None = None
        self.seen = 0.0

    def now(self) -> ServerFacts:
        """Return the facts, at most ten seconds old; only those that need no query if the database fails."""
        if self.facts is not None and time.monotonic() - self.seen < LOOK_EVERY:
            return self.facts
        if not self.looking.acquire(blocking=False):
            return self.facts or ServerFacts()
        try:
            self.facts = look()
        except DatabaseError:
            self.facts = ServerFacts(
                silent_for=BACKGROUND.silent_for(), jumps=JUMPS.recent(), disks=tuple(_disks()), waiting=waiting()
            )
        finally:
            self.seen = time.monotonic()
            self.looking.release()
        return self.facts


LOOKOUT = Lookout()


def findings(zone: datetime.tzinfo | None = None) -> list[Finding]:
    """Return what is wrong now."""
    return judge(LOOKOUT.now(), zone)
