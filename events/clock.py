"""The clock of a round: from stored intervals and additions to what it shows at an instant.

Pure: the caller says what time it is. The server never ticks; whoever looks counts from the same instants, so that a
restart loses nothing. Starting, pausing and adding time are `events.services.clock`.
"""

from __future__ import annotations

import datetime
import enum
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

PREPARATION, ROUND = "preparation", "round"
HALF_HOUR, TWENTY, TEN, FIVE = 1800, 1200, 600, 300
FRESH_SECONDS = 120
"""How long an announcement stays the news for pages that are opened after it was made."""

Text = str | Promise


class Phase(enum.StrEnum):
    """Where a round's clock stands."""

    WAITING = "waiting"
    PREPARATION = "preparation"
    READY = "ready"
    ROUND = "round"
    OVER = "over"


PHASES: dict[Phase, Text] = {
    Phase.WAITING: _("not started"),
    Phase.PREPARATION: _("preparation"),
    Phase.READY: _("preparation is over"),
    Phase.ROUND: _("running"),
    Phase.OVER: _("time is called"),
}


@dataclass(frozen=True)
class Run:
    """An interval in which the clock ran; the open one has no end."""

    phase: str
    began: datetime.datetime
    ended: datetime.datetime | None = None

    def seconds(self, now: datetime.datetime) -> float:
        """Return how long this interval lasted until now, never less than nothing.

        One that has ended lasted as long as it did, also where the clock was set back since.
        """
        until = now if self.ended is None else self.ended
        return max(0.0, (until - self.began).total_seconds())


@dataclass(frozen=True)
class Clock:
    """What is stored of a round's clock: how long its parts are, what was added for all, when it ran."""

    preparation_seconds: int
    round_seconds: int
    added_seconds: int = 0
    runs: tuple[Run, ...] = field(default=())

    @property
    def part(self) -> str | None:
        """The part that the clock is in: none yet, the preparation, or the round."""
        parts = {run.phase for run in self.runs}
        return ROUND if ROUND in parts else PREPARATION if parts else None

    @property
    def is_running(self) -> bool:
        """True while an interval is open."""
        return any(run.ended is None for run in self.runs)

    def elapsed(self, part: str, now: datetime.datetime) -> float:
        """Return for how many seconds this part has run until now."""
        return sum(run.seconds(now) for run in self.runs if run.phase == part)

    def length(self, part: str) -> int:
        """Return how many seconds this part lasts for a table without extra time; never less than none."""
        return self.preparation_seconds if part == PREPARATION else max(0, self.round_seconds + self.added_seconds)


@dataclass(frozen=True)
class ClockReading:
    """What the clock shows at an instant, for the round or for one table."""

    at: datetime.datetime
    phase: Phase
    running: bool
    length: int
    remaining: float
    ends: datetime.datetime | None

    @property
    def seconds(self) -> int:
        """Whole seconds left, rounded up so that zero means over; below zero, how long time has been called."""
        return -int(-self.remaining // 1)

    @property
    def is_paused(self) -> bool:
        """True where a part has begun, is not over, and stands still."""
        return not self.running and self.phase in (Phase.PREPARATION, Phase.ROUND)

    @property
    def words(self) -> Text:
        """Where the clock stands, in words."""
        return _("paused") if self.is_paused else PHASES[self.phase]

    @property
    def digits(self) -> str:
        """The time left as a clock shows it; nothing below zero."""
        return digits(max(0, self.seconds))

    @property
    def spoken(self) -> str:
        """The time left in words, for those who hear the page."""
        return spoken(max(0, self.seconds))


def digits(seconds: int) -> str:
    """Return 0:05, 12:34 or 1:02:03."""
    hours, rest = divmod(abs(seconds), 3600)
    sign = "−" if seconds < 0 else ""
    if hours:
        return f"{sign}{hours}:{rest // 60:02d}:{rest % 60:02d}"
    return f"{sign}{rest // 60}:{rest % 60:02d}"


def spoken(seconds: int) -> str:
    """Return a number of seconds in words: whole minutes, and seconds in the last minute."""
    if seconds >= 60:
        minutes = seconds // 60
        return ngettext("%(n)d minute left", "%(n)d minutes left", minutes) % {"n": minutes}
    return ngettext("%(n)d second left", "%(n)d seconds left", seconds) % {"n": seconds}


def read(clock: Clock, now: datetime.datetime, extra: int = 0) -> ClockReading:
    """Return what the clock shows now; `extra` seconds are one table's own, and count in the round only."""
    part = clock.part
    if part is None:
        return ClockReading(
            now, Phase.WAITING, False, clock.length(ROUND) + extra, float(clock.length(ROUND) + extra), None
        )
    length = clock.length(part) + (extra if part == ROUND else 0)
    remaining = length - clock.elapsed(part, now)
    over = remaining <= 0
    phase = (Phase.READY if over else Phase.PREPARATION) if part == PREPARATION else Phase.OVER if over else Phase.ROUND
    ends = now + datetime.timedelta(seconds=remaining) if clock.is_running or over else None
    if over and not clock.is_running:
        ends = None
    return ClockReading(now, phase, clock.is_running, length, remaining, ends)


@dataclass(frozen=True)
class Word:
    """An announcement of the procedure: due when this many seconds are left, to be made by `latest`."""

    key: str
    at: int
    latest: int
    text: Text


TIME_CALLED: dict[str, Text] = {
    "action": _("Time is called. Resolve the current action; then the game ends."),
    "turn": _("Time is called. Finish the current turn; then the game ends."),
    "round": _("Time is called. Each player takes one last turn; then the game ends."),
}


def announcements(length: int, time_called: str) -> tuple[Word, ...]:
    """Return the four announcements of a round of so many seconds: start, halfway, near the end, end.

    The second falls with 20 to 30 minutes left and the third with 5 to 10; in short rounds they keep the proportion.
    At zero stands what the event's procedure says.
    """
    halfway = min(max(length // 2, TWENTY), HALF_HOUR) if length > HALF_HOUR else length // 2
    near = TEN if length > HALF_HOUR else length // 5
    return (
        Word("start", length, length - 60, _("The round begins. Good luck to all!")),
        Word("halfway", halfway, TWENTY if length > HALF_HOUR else halfway // 2, _minutes_left(halfway)),
        Word("near", near, FIVE if length > HALF_HOUR else near // 2, _minutes_left(near)),
        Word("end", 0, 0, TIME_CALLED.get(time_called, TIME_CALLED["action"])),
    )


def _minutes_left(seconds: int) -> str:
    if seconds < 60:
        return ngettext("%(n)d second left in the round.", "%(n)d seconds left in the round.", seconds) % {"n": seconds}
    minutes = seconds // 60
    return ngettext("%(n)d minute left in the round.", "%(n)d minutes left in the round.", minutes) % {"n": minutes}


def due(reading: ClockReading, words: Iterable[Word]) -> Word | None:
    """Return the announcement that was reached last, None before the round begins."""
    if reading.phase not in (Phase.ROUND, Phase.OVER):
        return None
    reached = [word for word in words if reading.remaining <= word.at]
    return min(reached, key=lambda word: word.at, default=None)


def fresh(reading: ClockReading, words: Iterable[Word]) -> Word | None:
    """Return the announcement that is news: reached within the last two minutes, or the end once time is called."""
    word = due(reading, words)
    if word is None or (word.at > 0 and word.at - reading.remaining > FRESH_SECONDS):
        return None
    return word
