"""A month as a calendar shows it: weeks of days with what is on them, and a calendar file for other programs. Pure.

What is on which day is the views' business; what collides is `policy`.
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


@dataclass(frozen=True)
class Item:
    """Something on a day: an event by its venue's clock, in which role, and what is against it."""

    name: str
    address: str
    starts: datetime.datetime
    ends: datetime.datetime
    place: str = ""
    role: Text = ""
    state: str = ""
    state_words: Text = ""
    uid: str = ""
    found: tuple[PolicyViolation, ...] = ()

    @property
    def day(self) -> datetime.date:
        """The day on which it begins, by the clock of its moment's zone."""
        return self.starts.date()

    @property
    def clock(self) -> datetime.datetime:
        """What the clock of its moment's zone shows when it begins; pages show it as it is."""
        return self.starts.replace(tzinfo=None)

    @property
    def collides(self) -> bool:
        """True where something is against it that is more than a warning."""
        return any(not one.warns for one in self.found)


@dataclass
class Day:
    """A day of the grid; days of the months before and after fill the first and the last week."""

    date: datetime.date
    in_month: bool
    is_today: bool
    items: list[Item] = field(default_factory=list)


@dataclass(frozen=True)
class Month:
    """A month: its first day, its weeks from Monday to Sunday, and the months beside it."""

    first: datetime.date
    weeks: tuple[tuple[Day, ...], ...]

    @property
    def before(self) -> datetime.date:
        """The first day of the month before."""
        return (self.first - datetime.timedelta(days=1)).replace(day=1)

    @property
    def after(self) -> datetime.date:
        """The first day of the month after."""
        return (self.first + datetime.timedelta(days=31)).replace(day=1)

    @property
    def items(self) -> list[Item]:
        """What is on in the month, in order."""
        return [item for week in self.weeks for day in week if day.in_month for item in day.items]


def first_of(asked: str, today: datetime.date) -> datetime.date:
    """Return the first day of the month asked for as `2026-11`; this month where that is none."""
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
    """Fold a line at 75 octets, never inside a letter."""
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


def calendar_file(title: str, items: Sequence[Item], now: datetime.datetime) -> str:
    """Return the items as an iCalendar file; a cancelled event says so, a draft is tentative."""
    status = {"cancelled": "CANCELLED", "draft": "TENTATIVE"}
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Headjudge//Events//EN", f"X-WR-CALNAME:{_escaped(title)}"]
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
            f"URL:{item.address}",
            f"STATUS:{status.get(item.state, 'CONFIRMED')}",
            "END:VEVENT",
        ]
    return "\r\n".join(_folded(line) for line in [*lines, "END:VCALENDAR"]) + "\r\n"
