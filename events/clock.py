"""The clock of a round: what it shows at any instant, computed from stored intervals and extra time.

Pure functions: the caller supplies the current time. The server never ticks; every reader counts from the same stored
instants, so a restart loses nothing. `events.services.clock` starts, pauses and extends it.
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
"""How long an announcement still shows as new on pages opened after it was made."""

Text = str | Promise


class Phase(enum.StrEnum):
    """Phases of a round's clock."""

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
    Phase.OVER: _("time called"),
}


@dataclass(frozen=True)
class Run:
    """An interval during which the clock ran; the current one has no end."""

    phase: str
    began: datetime.datetime
    ended: datetime.datetime | None = None

    def seconds(self, now: datetime.datetime) -> float:
        """Return the interval's length until now, at least 0.

        A finished interval keeps its length even if the system clock was set back since.
        """
        until = now if self.ended is None else self.ended
        return max(0.0, (until - self.began).total_seconds())


@dataclass(frozen=True)
class Clock:
    """The stored data of a round's clock: lengths of its parts, time added for everyone, and when it ran."""

    preparation_seconds: int
    round_seconds: int
    added_seconds: int = 0
    runs: tuple[Run, ...] = field(default=())

    @property
    def part(self) -> str | None:
        """The current part: None before the start, then the preparation or the round."""
        parts = {run.phase for run in self.runs}
        return ROUND if ROUND in parts else PREPARATION if parts else None

    @property
    def is_running(self) -> bool:
        """Whether an interval is open."""
        return any(run.ended is None for run in self.runs)

    def elapsed(self, part: str, now: datetime.datetime) -> float:
        """Return how many seconds this part has run until now."""
        return sum(run.seconds(now) for run in self.runs if run.phase == part)

    def length(self, part: str) -> int:
        """Return this part's length in seconds for a table without extra time, at least 0."""
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
        """Whole seconds left, rounded up so that 0 means over; negative seconds count from the call of time."""
        return -int(-self.remaining // 1)

    @property
    def is_paused(self) -> bool:
        """Whether a part has begun, isn't over, and is stopped."""
        return not self.running and self.phase in (Phase.PREPARATION, Phase.ROUND)

    @property
    def words(self) -> Text:
        """The clock's phase, in words."""
        return _("paused") if self.is_paused else PHASES[self.phase]

    @property
    def digits(self) -> str:
        """The time left as digits, at least 0."""
        return digits(max(0, self.seconds))

    @property
    def spoken(self) -> str:
        """The time left in words, for screen readers."""
        return spoken(max(0, self.seconds))


def digits(seconds: int) -> str:
    """Return 0:05, 12:34 or 1:02:03."""
    hours, rest = divmod(abs(seconds), 3600)
    sign = "−" if seconds < 0 else ""
    if hours:
        return f"{sign}{hours}:{rest // 60:02d}:{rest % 60:02d}"
    return f"{sign}{rest // 60}:{rest % 60:02d}"


def in_words(seconds: float) -> str:
    """Return a length of time for a sentence: seconds below a minute, then minutes, then hours and minutes."""
    hours, minutes = divmod(int(seconds) // 60, 60)
    if not hours and not minutes:
        return ngettext("%(n)d second", "%(n)d seconds", int(seconds)) % {"n": int(seconds)}
    parts = []
    if hours:
        parts.append(ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours})
    if minutes:
        parts.append(ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes})
    return " ".join(parts)


def spoken(seconds: int) -> str:
    """Return a number of seconds in words: whole minutes, and seconds in the last minute."""
    if seconds >= 60:
        minutes = seconds // 60
        return ngettext("%(n)d minute left", "%(n)d minutes left", minutes) % {"n": minutes}
    return ngettext("%(n)d second left", "%(n)d seconds left", seconds) % {"n": seconds}


def read(clock: Clock, now: datetime.datetime, extra: int = 0) -> ClockReading:
    """Return what the clock shows now; `extra` is one table's own seconds, which count in the round only."""
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
class TimeAnnouncement:
    """A timed announcement: due when `at` seconds are left, too late when fewer than `latest` are."""

    key: str
    at: int
    latest: int
    text: Text


TIME_CALLED: dict[str, Text] = {
    "action": _("Time is called. Resolve the current action. The match then ends."),
    "turn": _("Time is called. Finish the current turn. The match then ends."),
    "round": _("Time is called. Each player takes one last turn. The match then ends."),
}


def announcements(length: int, time_called: str) -> tuple[TimeAnnouncement, ...]:
    """Return the four announcements of a round of `length` seconds: start, halfway, near the end, end.

    The second comes with 20 to 30 minutes left and the third with 5 to 10; short rounds keep the proportion. The last
    one says what the event's procedure prescribes when time is called.
    """
    halfway = min(max(length // 2, TWENTY), HALF_HOUR) if length > HALF_HOUR else length // 2
    near = TEN if length > HALF_HOUR else length // 5
    return (
        TimeAnnouncement("start", length, length - 60, _("The round has started. Good luck, everyone!")),
        TimeAnnouncement("halfway", halfway, TWENTY if length > HALF_HOUR else halfway // 2, _minutes_left(halfway)),
        TimeAnnouncement("near", near, FIVE if length > HALF_HOUR else near // 2, _minutes_left(near)),
        TimeAnnouncement("end", 0, 0, TIME_CALLED.get(time_called, TIME_CALLED["action"])),
    )


def _minutes_left(seconds: int) -> str:
    if seconds < 60:
        return ngettext("%(n)d second left in the round.", "%(n)d seconds left in the round.", seconds) % {"n": seconds}
    minutes = seconds // 60
    return ngettext("%(n)d minute left in the round.", "%(n)d minutes left in the round.", minutes) % {"n": minutes}


def due(reading: ClockReading, words: Iterable[TimeAnnouncement]) -> TimeAnnouncement | None:
    """Return the latest announcement reached, or None before the round begins."""
    if reading.phase not in (Phase.ROUND, Phase.OVER):
        return None
    reached = [word for word in words if reading.remaining <= word.at]
    return min(reached, key=lambda word: word.at, default=None)


def fresh(reading: ClockReading, words: Iterable[TimeAnnouncement]) -> TimeAnnouncement | None:
    """Return the announcement to show as new: reached in the last two minutes, or the end once time is called."""
    word = due(reading, words)
    if word is None or (word.at > 0 and word.at - reading.remaining > FRESH_SECONDS):
        return None
    return word
