"""A month as a calendar: weeks of days with their items, and a calendar file. Pure functions.

Views decide what goes on which day; `policy` finds collisions.
"""

from __future__ import annotations

import calendar
import datetime
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from events.actions import Text
from events.policy import PolicyViolation

FIRST_YEAR, LAST_YEAR = 1990, 2200
LINE = 75
EVERY = "PT1H"
"""How often programs that subscribe may ask again."""


@dataclass(frozen=True)
class Item:
    """An item of the calendar: an event in the venue's time zone, the reader's role, and conflicts with it."""

    name: str
    address: str
    starts: datetime.datetime
    ends: datetime.datetime
    place: str = ""
    role: Text = ""
    state: str = ""
    state_words: Text = ""
    uid: str = ""
    note: str = ""
    found: tuple[PolicyViolation, ...] = ()

    @property
    def day(self) -> datetime.date:
        """The day on which the item begins, in its own time zone."""
        return self.starts.date()

    @property
    def clock(self) -> datetime.datetime:
        """When the item begins, in its own time zone and as pages show it."""
        return self.starts.replace(tzinfo=None)

    @property
    def collides(self) -> bool:
        """Whether a conflict is more than a warning."""
        return any(not one.warns for one in self.found)


@dataclass
class Day:
    """A day of the grid; days of the neighbouring months fill the first and last weeks."""

    date: datetime.date
    in_month: bool
    is_today: bool
    items: list[Item] = field(default_factory=list)


@dataclass(frozen=True)
class Month:
    """A month: its first day, its weeks from Monday to Sunday, and its neighbouring months."""

    first: datetime.date
    weeks: tuple[tuple[Day, ...], ...]

    @property
    def before(self) -> datetime.date:
        """The first day of the previous month."""
        return (self.first - datetime.timedelta(days=1)).replace(day=1)

    @property
    def after(self) -> datetime.date:
        """The first day of the next month."""
        return (self.first + datetime.timedelta(days=31)).replace(day=1)

    @property
    def items(self) -> list[Item]:
        """The month's items, in order."""
        return [item for week in self.weeks for day in week if day.in_month for item in day.items]


def first_of(asked: str, today: datetime.date) -> datetime.date:
    """Return the first day of the month given as `2026-11`, or of this month if it is invalid."""
    year, _dash, month = asked.partition("-")
    if not (year.isdecimal() and month.isdecimal() and len(asked) <= 7):
        return today.replace(day=1)
    if FIRST_YEAR <= int(year) <= LAST_YEAR and 1 <= int(month) <= 12:
        return datetime.date(int(year), int(month), 1)
    return today.replace(day=1)


def month_of(first: datetime.date, items: Iterable[Item], today: datetime.date) -> Month:
    """Return the month's grid with the items on their days."""
    on: dict[datetime.date, list[Item]] = defaultdict(list)
    for item in sorted(items, key=lambda one: (one.starts, one.name)):
        on[item.day].append(item)
    weeks = calendar.Calendar().monthdatescalendar(first.year, first.month)
    return Month(
        first,
        tuple(
            tuple(Day(day, day.month == first.month, day == today, on.get(day, [])) for day in week) for week in weeks
        ),
    )


# the calendar file (RFC 5545)


def _escaped(text: object) -> str:
    plain = str(text).replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return plain.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n")


def _folded(line: str) -> str:
    """Fold a line at 75 octets, never inside a character."""
    parts, part, size = [], "", 0
    for letter in line:
        width = len(letter.encode())
        if size + width > LINE:
            parts.append(part)
            part, size = " ", 1
        part += letter
        size += width
    return "\r\n".join([*parts, part])


def _utc(moment: datetime.datetime) -> str:
    return moment.astimezone(datetime.UTC).strftime("%Y%m%dT%H%M%SZ")


def calendar_file(title: str, items: Sequence[Item], now: datetime.datetime, note: Text = "") -> str:
    """Return the items as an iCalendar file, described by the note, with cancelled events marked and drafts tentative."""
    status = {"cancelled": "CANCELLED", "draft": "TENTATIVE"}
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Headjudge//Events//EN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_escaped(title)}",
    ]
    lines += [f"X-WR-CALDESC:{_escaped(note)}"] if note else []
    lines += [f"REFRESH-INTERVAL;VALUE=DURATION:{EVERY}", f"X-PUBLISHED-TTL:{EVERY}"]
    for item in items:
        role = f" ({item.role})" if item.role else ""
        lines += [
            "BEGIN:VEVENT",
            f"UID:{item.uid}@headjudge",
            f"DTSTAMP:{_utc(now)}",
            f"DTSTART:{_utc(item.starts)}",
            f"DTEND:{_utc(item.ends)}",
            f"SUMMARY:{_escaped(item.name + role)}",
            f"LOCATION:{_escaped(item.place)}",
            *([f"DESCRIPTION:{_escaped(item.note)}"] if item.note else []),
            f"URL:{item.address}",
            f"STATUS:{status.get(item.state, 'CONFIRMED')}",
            "END:VEVENT",
        ]
    return "\r\n".join(_folded(line) for line in [*lines, "END:VCALENDAR"]) + "\r\n"
