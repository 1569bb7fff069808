"""Checks of who may play in a sanctioned event, one per sentence of the sanctioning policy's section on players.

Pure functions: no models, no clock. `policy` lists these checks and says since when each applies.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

FURTHER_NOTICE = datetime.date.max
"""The last day of a suspension that has no end yet."""


@dataclass(frozen=True)
class Candidate:
    """What the policy asks about a prospective player; `on` is the date of the event."""

    on: datetime.date
    is_sanctioned: bool = True
    office: str = ""
    manages_venue: bool = False
    publisher_family: bool = False
    suspended_until: datetime.date | None = None
    declares: bool = True


def until_words(until: datetime.date) -> str:
    """Return the last day of a suspension in words that follow “until”."""
    if until == FURTHER_NOTICE:
        return pgettext("suspended until", "further notice")
    return pgettext("suspended until", "%(day)s") % {"day": formats.date_format(until, "j F Y")}


def official_of_record(candidate: Candidate) -> str:
    """Return why not, or "": the event's head judge, judges and scorekeepers can't play in it (second point)."""
    if not candidate.office:
        return ""
    return _("official of this event (%(office)s)") % {"office": candidate.office}


def venue_of_record(candidate: Candidate) -> str:
    """Return why not, or "": the people who run the venue can't play in its events (second point)."""
    return _("manager of the venue") if candidate.manages_venue else ""


def publisher(candidate: Candidate) -> str:
    """Return why not, or "": the publisher's employees and their immediate families can't play (first point)."""
    return _("employee of the publisher, or a family member of one") if candidate.publisher_family else ""


def suspended(candidate: Candidate) -> str:
    """Return why not, or "": a suspension includes its last day; the day of the event counts (third point)."""
    until = candidate.suspended_until
    if until is None or until < candidate.on:
        return ""
    return _("suspended until %(until)s") % {"until": until_words(until)}


def declaration(candidate: Candidate) -> str:
    """Return why not, or "": players must declare what no one else can know."""
    return "" if candidate.declares else _("eligibility not confirmed")
