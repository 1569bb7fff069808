"""A server's background work: print files after pairings are published, and snapshots of running events.

Each serving process has one background thread, started by `config.asgi` or `config.wsgi`; commands and tests have none.
No feature depends on it: work it missed can be found in the database, so the next process does it, or the request
that needs the result.
"""

from __future__ import annotations

import contextlib
import datetime
import gc
import logging
import queue
import threading
import time

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connections
from django.utils import timezone

from events import live
from events.address import site_address
from events.door import Refused
from events.models import Event, Round, SentForm
from events.roles import SITE
from events.services.clock import follow_server_clock
from events.services.installation import use_stored
from judging.clock_jumps import JUMPS, elapsed
from judging.keeping import bundles, snapshots, storage
from judging.outbox import forget_old, send_reports
from rules.standby import STANDBY
from rules.system import return_free_memory

TICK = 5.0
GATHER = 1.0
"""Seconds between two turns: what a reporting hall changes meanwhile is looked at once."""
SWEEP = 60.0
FORMS_KEPT = datetime.timedelta(days=2)
WAITING_KEPT = 2 * 3600
"""Seconds. An uploaded event file can be confirmed for half of this time."""
SEATING = frozenset({"publish-round", "right-tables", "restore-event", "undo", "pairings"})
log = logging.getLogger(__name__)


class Background:
    """The background thread and its queue of (event's key, whether its paper may be outdated, the site's address)."""

    def __init__(self) -> None:
        self.asked: queue.SimpleQueue[tuple[int, bool, str]] = queue.SimpleQueue()
        self.thread: threading.Thread | None = None
        self.changed: set[int] = set()
        self.unprinted: set[int] = set()
        self.beat = self.looked = elapsed()
        self.jumps: list[tuple[float, float]] = []  # (seconds, earliest possible time) of jumps not handled yet

    @property
    def is_serving(self) -> bool:
        """Return whether this process serves the site."""
        return self.thread is not None

    def start(self) -> None:
        """Start the thread and the process beside it, or restart them; do nothing if `BACKGROUND_WORK` is off."""
        if not settings.BACKGROUND_WORK:
            return
        STANDBY.start()
        if self.thread is None or not self.thread.is_alive():
            self.beat = elapsed()
            self.thread = threading.Thread(target=self.run, name="background", daemon=True)
            self.thread.start()
            if on_change not in live.LISTENERS:
                live.LISTENERS.append(on_change)

    def silent_for(self) -> float | None:
        """Return the seconds since the thread last did anything, or None if this process has no thread."""
        return elapsed() - self.beat if self.thread is not None else None

    def run(self) -> None:
        """Run `turn` until the process exits; log errors instead of raising them."""
        swept = 0.0
        while True:
            self.beat = elapsed()
            try:
                swept = self.turn(swept)
            except DatabaseError:
                log.exception("The background task will be tried again")
                time.sleep(TICK)
            except Exception:
                log.exception("A background task failed")
            finally:
                with contextlib.suppress(Exception):
                    connections.close_all()
            time.sleep(GATHER)

    def turn(self, swept: float) -> float:
        """Wait up to one tick for changes, then do what is due. Return when everything was last swept."""
        papers: dict[int, str] = {}
        looked, self.looked = self.looked, elapsed()
        if by := JUMPS.look():
            log.error("The server's clock was changed by %.0f seconds", by)
            self.jumps.append((by, looked))
            if by < 0:
                cache.clear()  # rate limits counted in what is now the future would otherwise stay in force until then
        while self.jumps:
            by, since = self.jumps[0]
            follow_clock(by, late=elapsed() - since)
            del self.jumps[0]
        try:
            change = self.asked.get(timeout=TICK)
            while True:
                event_id, is_seating, site = change
                self.changed.add(event_id)
                if is_seating:
                    papers[event_id] = site
                change = self.asked.get_nowait()
        except queue.Empty:
            pass
        for event in Event.objects.filter(pk__in=papers).select_related("venue"):
            self.beat = elapsed()
            if settings.SNAPSHOTS_KEPT:
                snapshots.take_beside(event, snapshots.Why.AFTER)
            bundles.ask_for_missing(event, site=papers[event.pk])
            self.unprinted.add(event.pk)
        for event in Event.objects.filter(pk__in=self.unprinted):
            if make_paper(event):
                self.unprinted.discard(event.pk)
        if papers:  # what the last round's reports left in pieces
            release_memory()
        is_due = time.monotonic() - swept > SWEEP
        if is_due and settings.SNAPSHOTS_KEPT:
            self.changed |= snapshots.events_behind()
        self.take_snapshots()
        if not is_due:
            return swept
        sweep()
        release_memory()
        return time.monotonic()

    def take_snapshots(self) -> None:
        """Take a snapshot of each changed event whose newest snapshot is old enough."""
        if not settings.SNAPSHOTS_KEPT:
            self.changed.clear()
        for event in Event.objects.filter(pk__in=self.changed):
            if event.state not in (Event.State.RUNNING, Event.State.FINISHED) or snapshots.take_if_due(
                event, timezone.now()
            ):
                self.changed.discard(event.pk)


def make_paper(event: Event | None = None) -> bool:
    """Make the paper that is waiting, of one event or of all; where this process serves, in the one beside it.

    Return False if that one is too busy to begin.
    """
    if not bundles.waiting(event).exists():
        return True
    if BACKGROUND.is_serving and STANDBY.is_running:
        return begun_beside(event)
    bundles.make_waiting(event)
    return True


def begun_beside(event: Event | None) -> bool:
    """Have the process beside this one make paper, so that requests don't wait for it; return False if it doesn't."""

    def lost() -> None:
        log.warning("The process beside the server ended before the printouts were made; they will be made later")

    return STANDBY.begin(bundles.making, event.pk if event is not None else None, lost=lost)


def follow_clock(by: float, *, late: float = TICK) -> None:
    """Shift the clocks of running rounds by the seconds the server's clock was set by, so that no table loses time.

    The server's clock was set at most `late` seconds ago.
    """
    playing = Round.objects.filter(clock_runs__ended=None, clock_runs__isnull=False, event__state=Event.State.RUNNING)
    for round in playing.select_related("event__venue").distinct():
        try:
            follow_server_clock(by=SITE, round=round, seconds=by, late=late)
        except Refused as refused:
            log.warning(
                "The clock of round %s of event %s wasn't corrected: %s", round.number, round.event.public_id, refused
            )


def release_memory() -> None:
    """Collect reference cycles, and return the memory that glibc keeps free between requests to the system."""
    gc.collect()
    return_free_memory()


def sweep() -> None:
    """Make paper that is missing, failed or unfinished at any running event, and delete what is no longer needed.

    Records of submitted forms and uploaded files that were never imported name people, so neither is kept for long.
    """
    missing = Event.objects.filter(
        state=Event.State.RUNNING, rounds__state__in=[Round.State.PUBLISHED, Round.State.RUNNING]
    )
    for event in missing.distinct().select_related("venue"):
        bundles.ask_for_missing(event)
    make_paper()
    send_reports()
    use_stored()
    SentForm.objects.filter(at__lt=timezone.now() - FORMS_KEPT).delete()
    forget_old(timezone.now())
    storage.forget_old(storage.place(storage.WAITING), WAITING_KEPT)


BACKGROUND = Background()


def on_change(event_id: int | None, _number: int, topics: frozenset[str]) -> None:
    """Queue a committed change for the background thread of a serving process."""
    if event_id is not None and BACKGROUND.is_serving:
        BACKGROUND.start()  # does nothing while the thread is alive
        BACKGROUND.asked.put((event_id, bool(topics & SEATING), site_address()))
