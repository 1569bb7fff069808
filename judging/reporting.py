"""When a sanctioned event's results are due, and whether they are tardy. Pure.

Source: Compiled and Annotated Rulebook, sanctioning policy of 2003-01-13, Event Reporting.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass

DAYS_TO_REPORT = 16
DAYS_TO_KEEP = 365


@dataclass(frozen=True)
class Due:
    """The last day on which results are in time, seen from a certain day; days are calendar days of the venue."""

    last_day: datetime.date
    days_left: int
    reported_on: datetime.date | None = None

    @property
    def is_tardy(self) -> bool:
        """True where the results came after the last day, or have not come and it has passed."""
        return self.reported_on > self.last_day if self.reported_on else self.days_left < 0


def due(
    ended: datetime.datetime,
    now: datetime.datetime,
    zone: datetime.tzinfo,
    reported: datetime.datetime | None = None,
) -> Due:
    """Return when results of an event that ended then are due: 16 days after its last day at the venue."""
    last_day = ended.astimezone(zone).date() + datetime.timedelta(days=DAYS_TO_REPORT)
    days_left = (last_day - now.astimezone(zone).date()).days
    return Due(last_day, days_left, reported.astimezone(zone).date() if reported else None)
