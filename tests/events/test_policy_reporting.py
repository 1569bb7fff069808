"""Results are due 16 days after the end; after that they are overdue ("tardy")."""

import datetime as dt
import zoneinfo

from events.policy import due

GHENT = zoneinfo.ZoneInfo("Europe/Brussels")


def at(text):
    return dt.datetime.fromisoformat(text)


def test_the_sixteenth_day_is_in_time_and_the_seventeenth_is_not():
    ended = at("2026-03-01T17:00+01:00")
    assert due(ended, at("2026-03-17T23:59+01:00"), GHENT).days_left == 0
    assert not due(ended, at("2026-03-17T23:59+01:00"), GHENT).is_late
    assert due(ended, at("2026-03-18T00:01+01:00"), GHENT).is_late


def test_the_venues_calendar_counts_not_the_servers():
    ended = at("2026-03-01T23:30+00:00")  # already 2 March in Ghent
    assert due(ended, at("2026-03-02T00:00+00:00"), GHENT).last_day == dt.date(2026, 3, 18)


def test_a_report_in_time_stays_in_time_for_ever():
    ended = at("2026-03-01T17:00+01:00")
    later = at("2027-01-01T00:00+01:00")
    assert not due(ended, later, GHENT, at("2026-03-17T20:00+01:00")).is_late
    assert due(ended, later, GHENT, at("2026-03-18T20:00+01:00")).is_late
