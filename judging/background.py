"""What a server does beside its requests: paper after a publishing, snapshots of running events.

One thread in each serving process, begun by `config.asgi` or `config.wsgi`; commands and tests have none. Nothing
depends on it: what it did not get to do is found from the rows by the next process, or made when somebody asks.
"""

from __future__ import annotations

import contextlib
import ctypes
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
from judging.clock_jumps import JUMPS, elapsed
from judging.keeping import bundles, snapshots, storage
from rules.apart import PAPER, apart

TICK = 5.0
SWEEP = 60.0
MAX_SECONDS = 120
FORMS_KEPT = datetime.timedelta(days=2)
WAITING_KEPT = 2 * 3600
"""Seconds; an uploaded event file can be confirmed for half of it."""
SEATING = frozenset({"publish-round", "right-tables", "restore-event", "undo", "pairings"})
log = logging.getLogger(__name__)


class Background:
    """The thread with its queue: (event's key, whether its paper may be new, the site's address)."""

    def __init__(self) -> None:
        self.asked: queue.SimpleQueue[tuple[int, bool, str]] = queue.SimpleQueue()
        self.thread: threading.Thread | None = None
        self.changed: set[int] = set()
        self.beat = self.looked = elapsed()
        self.jumps: list[tuple[float, float]] = []  # not yet followed: by how many seconds, and since when it may be

    @property
    def is_serving(self) -> bool:
        """True in a process that serves the site."""
        return self.thread is not None

    def start(self) -> None:
        """Begin, once a process, and again where the thread has ended; not where `BACKGROUND_WORK` is off."""
        if (self.thread is None or not self.thread.is_alive()) and settings.BACKGROUND_WORK:
            self.beat = elapsed()
            self.thread = threading.Thread(target=self.run, name="background", daemon=True)
            self.thread.start()
            if on_change not in live.LISTENERS:
                live.LISTENERS.append(on_change)

    def silent_for(self) -> float | None:
        """Return for how many seconds the thread has done nothing; None in a process that has none."""
        return elapsed() - self.beat if self.thread is not None else None

    def run(self) -> None:
        """Work until the process ends; nothing that goes wrong ends the thread."""
        swept = 0.0
        while True:
            self.beat = elapsed()
            try:
                swept = self.turn(swept)
            except DatabaseError:
                log.exception("The background work will be tried again")
                time.sleep(TICK)
            except Exception:
                log.exception("Something in the background work went wrong")
            finally:
                with contextlib.suppress(Exception):
                    connections.close_all()

    def turn(self, swept: float) -> float:
        """Wait for word, at most a tick, and do what is due; return when everything was last looked through."""
        papers: dict[int, str] = {}
        looked, self.looked = self.looked, elapsed()
        if by := JUMPS.look():
            log.error("The server's clock was set by %.0f seconds", by)
            self.jumps.append((by, looked))
            if by < 0:
                cache.clear()  # else what was counted in the future is counted until then
        while self.jumps:
            by, since = self.jumps[0]
            follow_clock(by, late=elapsed() - since)
            del self.jumps[0]
        try:
            word = self.asked.get(timeout=TICK)
            while True:
                event_id, is_seating, site = word
                self.changed.add(event_id)
                if is_seating:
                    papers[event_id] = site
                word = self.asked.get_nowait()
        except queue.Empty:
            pass
        for event in Event.objects.filter(pk__in=papers).select_related("venue"):
            self.beat = elapsed()
            bundles.ask_for_missing(event, site=papers[event.pk])
            if not (self.is_serving and made_aside(event)):
                bundles.make_waiting(event)
            if settings.SNAPSHOTS_KEPT:
                snapshots.take(event, snapshots.Why.AFTER)
        self.moments()
        if time.monotonic() - swept > SWEEP:
            sweep()
            if settings.SNAPSHOTS_KEPT:
                self.changed |= snapshots.unkept()
            give_back()
            return time.monotonic()
        return swept

    def moments(self) -> None:
        """Take a snapshot of each event that changed, where the newest is old enough."""
        if not settings.SNAPSHOTS_KEPT:
            self.changed.clear()
        for event in Event.objects.filter(pk__in=self.changed):
            if event.state not in (Event.State.RUNNING, Event.State.FINISHED) or snapshots.take_moment(
                event, timezone.now()
            ):
                self.changed.discard(event.pk)


def made_aside(event: Event) -> bool:
    """Have an event's paper made by a process of its own, that a hall which reads does not wait; False where it failed."""
    try:
        apart(bundles.make_waiting_of, event.pk, line=PAPER, seconds=MAX_SECONDS)
    except Exception as fault:
        log.warning("Paper is made here, for no other process could: %s", fault)
        return False
    return True


def follow_clock(by: float, *, late: float = TICK) -> None:
    """Move the clocks of running rounds along with the server's, which was set by so many seconds: none loses time.

    It was set at most `late` seconds ago.
    """
    playing = Round.objects.filter(clock_runs__ended=None, clock_runs__isnull=False, event__state=Event.State.RUNNING)
    for round in playing.select_related("event__venue").distinct():
        try:
            follow_server_clock(by=SITE, round=round, seconds=by, late=late)
        except Refused as refused:
            log.warning("The clock of round %s of event %s was left: %s", round.number, round.event.public_id, refused)


def give_back() -> None:
    """Let go of rows that hold one another, and return to the system what glibc keeps free between requests."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def sweep() -> None:
    """Look at every running event: paper that no one made, failed or left half made. Forget which forms were sent long
    ago, and files that were uploaded and never imported: they name people.
    """
    missing = Event.objects.filter(
        state=Event.State.RUNNING, rounds__state__in=[Round.State.PUBLISHED, Round.State.RUNNING]
    )
    for event in missing.distinct().select_related("venue"):
        bundles.ask_for_missing(event)
    bundles.make_waiting()
    SentForm.objects.filter(at__lt=timezone.now() - FORMS_KEPT).delete()
    storage.forget_old(storage.place(storage.WAITING), WAITING_KEPT)


BACKGROUND = Background()


def on_change(event_id: int | None, _number: int, topics: frozenset[str]) -> None:
    """Pass the notification of a commit on to the thread of a serving process."""
    if event_id is not None and BACKGROUND.is_serving:
        BACKGROUND.start()  # nothing happens while it lives
        BACKGROUND.asked.put((event_id, bool(topics & SEATING), site_address()))
