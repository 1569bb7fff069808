"""The values that the policy's checks take and yield."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.utils import formats
from django.utils.functional import Promise

from events.registration import Registration

from .book import cite

Text = str | Promise
SEALED_PREPARATION = 10


# what the checks take


@dataclass(frozen=True)
class Booked:
    """Another sanctioned event of the same volunteer or venue; `is_settled` is False while it is a draft."""

    name: str
    starts: datetime.datetime
    ends: datetime.datetime | None = None
    place: str = ""
    universe: str = "any"
    is_settled: bool = True
    address: str = ""


@dataclass(frozen=True)
class SeasonDays:
    """A season, as published by the sanctioning office; includes both its days."""

    name: str
    universe: str
    begins: datetime.date
    ends: datetime.date

    def has(self, universe: str, day: datetime.date) -> bool:
        """Return whether the season includes an event of this universe on this day."""
        return same_universe(self.universe, universe) and self.begins <= day <= self.ends


@dataclass(frozen=True)
class PlannedEvent:
    """A planned event, with the other events of its volunteer and venue; times are timezone-aware."""

    starts: datetime.datetime
    zone: datetime.tzinfo = datetime.UTC
    ends: datetime.datetime | None = None
    is_sanctioned: bool = True
    universe: str = "any"
    format: str = "constructed"
    build_total: int = 200
    preparation_minutes: int = SEALED_PREPARATION
    venue: str = ""
    venue_is_approved: bool = True
    created_by_venue: bool = True
    registration: Registration | None = None
    registered_on: datetime.date | None = None
    head_judge: str = ""
    head_judge_is_accepted: bool = True
    head_judge_has_agreed: bool = True
    head_judge_is_approved: bool = True
    of_volunteer: tuple[Booked, ...] = ()
    of_venue: tuple[Booked, ...] = ()
    seasons: tuple[SeasonDays, ...] = ()

    @property
    def day(self) -> datetime.date:
        """The event's date at its venue."""
        return self.starts.astimezone(self.zone).date()


@dataclass(frozen=True)
class Leaving:
    """A player who leaves a match, or who left and wants to play again."""

    on: datetime.date
    name: str
    is_sanctioned: bool = True
    game_is_open: bool = False
    abandoned: bool = False
    returns: bool = False


@dataclass(frozen=True)
class Product:
    """The contents of a player's sealed product."""

    on: datetime.date
    format: str
    figures: int
    is_sanctioned: bool = True


@dataclass(frozen=True)
class Publication:
    """What is about to be published at an event: the kinds of data in it, such as "name", "force", "email"."""

    on: datetime.date
    facts: tuple[str, ...]
    is_sanctioned: bool = True


@dataclass(frozen=True)
class Results:
    """The state of a sanctioned event's results; days are those of the venue."""

    today: datetime.date
    ended: datetime.date | None = None
    verified: datetime.date | None = None
    received: datetime.date | None = None
    reported: datetime.date | None = None
    removed: datetime.date | None = None
    is_sanctioned: bool = True

    @property
    def on(self) -> datetime.date:
        """The day whose policy applies."""
        return self.ended or self.today


def same_universe(one: str, other: str) -> bool:
    """Return whether two events share a universe; "any" belongs to each."""
    return one == other or "any" in (one, other)


# what the checks yield


class Message(NamedTuple):
    """A check's result: the form field concerned ("" for none), the text, and whether it only warns.

    `section`: the section that says so, for rules with several.
    """

    field: str
    words: Text
    warns: bool = False
    section: str = ""


@dataclass(frozen=True)
class PolicyViolation:
    """A policy violation: rule, text, citations, and the form field concerned.

    `warns`: the policy isn't broken, or not yet, so nothing is refused.
    """

    rule: str
    message: Text
    citations: tuple[dict[str, str], ...]
    field: str = ""
    warns: bool = False

    @property
    def section(self) -> str:
        """The cited sections, in words."""
        return "; ".join(one["section"] for one in self.citations)


@dataclass(frozen=True)
class Rule:
    """A row of the table. `check` is None if no form can break the rule; it is only shown.

    `about`: the kind of values the check takes. `weight`: "refuses", "warns" or "tells".
    """

    title: Text
    explanation: Text
    since: datetime.date
    sections: tuple[str, ...]
    where: tuple[Text, ...]
    about: str
    check: Callable[..., Iterator[Message]] | None = None
    weight: str = "refuses"
    until: datetime.date | None = None
    note: Text = ""
    topic: str = ""
    engine: str = ""
    may_be_excepted: bool = True

    def in_force(self, day: datetime.date) -> bool:
        """Return whether the rule applies to an event on this day."""
        return self.since <= day and (self.until is None or day <= self.until)

    @property
    def is_checked(self) -> bool:
        """Whether the site or the engine checks the rule. (Templates would call `check` itself.)"""
        return self.check is not None or bool(self.engine)

    @property
    def citations(self) -> tuple[dict[str, str], ...]:
        """The citations of the rule, in the book's order."""
        return self.cited()

    def cited(self, section: str = "") -> tuple[dict[str, str], ...]:
        """Return the citation of one of the rule's sections, or of all."""
        wanted = [one for one in self.sections if section in ("", one)]
        return tuple(cite(one, self.since, str(self.note)) for one in wanted)


def day_in_words(day: datetime.date) -> str:
    """Return a date with its weekday."""
    return formats.date_format(day, "l j F Y")
