"""What the checks of the policy look at, and what they say; plain values."""

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


# what the checks look at


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
    """A season as the office published it: both days belong to it."""

    name: str
    universe: str
    begins: datetime.date
    ends: datetime.date

    def has(self, universe: str, day: datetime.date) -> bool:
        """True where an event of this universe on this day belongs to the season."""
        return same_universe(self.universe, universe) and self.begins <= day <= self.ends


@dataclass(frozen=True)
class PlannedEvent:
    """An event as it is planned, with what else its volunteer and its venue have on; moments are aware."""

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
    venue_state: Text = ""
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
        """The event's day at its venue."""
        return self.starts.astimezone(self.zone).date()


@dataclass(frozen=True)
class Leaving:
    """A player who leaves, or who left and would play again."""

    on: datetime.date
    name: str
    is_sanctioned: bool = True
    game_is_open: bool = False
    abandoned: bool = False
    returns: bool = False


@dataclass(frozen=True)
class Product:
    """What a player's sealed product held."""

    on: datetime.date
    format: str
    figures: int
    is_sanctioned: bool = True


@dataclass(frozen=True)
class Publication:
    """What somebody is about to publish at an event: the names of the facts in it, such as "name", "force", "email"."""

    on: datetime.date
    facts: tuple[str, ...]
    is_sanctioned: bool = True


@dataclass(frozen=True)
class Results:
    """How far the results of a sanctioned event have come; days at the venue."""

    today: datetime.date
    ended: datetime.date | None = None
    verified: datetime.date | None = None
    received: datetime.date | None = None
    reported: datetime.date | None = None
    removed: datetime.date | None = None
    is_sanctioned: bool = True

    @property
    def on(self) -> datetime.date:
        """The day by whose policy they are judged."""
        return self.ended or self.today


def same_universe(one: str, other: str) -> bool:
    """True where two events play in one universe; "any" is an event of each of them."""
    return one == other or "any" in (one, other)


# what the checks say


class Message(NamedTuple):
    """What a check yields: the field of the form at which it stands ("" for none), the words, whether it only warns.

    `section`: which of the rule's sections says so, where it has several for several formats.
    """

    field: str
    words: Text
    warns: bool = False
    section: str = ""


@dataclass(frozen=True)
class PolicyViolation:
    """What is against the policy: the rule, the words, where the book says so, at which field it stands.

    `warns`: the policy is not broken, or not yet; it is said and nothing is refused.
    """

    rule: str
    message: Text
    citations: tuple[dict[str, str], ...]
    field: str = ""
    warns: bool = False

    @property
    def section(self) -> str:
        """Where the book says so, in words."""
        return "; ".join(one["section"] for one in self.citations)


@dataclass(frozen=True)
class Rule:
    """A row of the table. `check` is None for what no form can break: it is told where it matters.

    `about`: of which values the check judges. `weight`: "refuses", "warns" or "tells".
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
    may_be_overridden: bool = True

    def in_force(self, day: datetime.date) -> bool:
        """True where the rule binds an event of this day."""
        return self.since <= day and (self.until is None or day <= self.until)

    @property
    def is_checked(self) -> bool:
        """True where the site or the engine checks it; pages ask here, for they would call the check itself."""
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
    """Return a day with its weekday."""
    return formats.date_format(day, "l j F Y")
