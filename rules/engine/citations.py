"""Citations of the books' sections, and rulings with the authority that gave them.

Code cites by topic through an edition (`Edition.cite`) and never writes a citation out. The rulings are data;
`editions.rulings` reads and finds them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Weight = Literal["decides", "background"]


class Authority(StrEnum):
    """The source of a citation or ruling."""

    RULEBOOK = "rulebook"
    FAQ = "faq"
    CORRECTION = "correction"
    STEENBOCK = "steenbock"
    MAGISTER = "magister"
    CHAPEAU = "chapeau"
    POLICY = "policy"


class RulingStanding(StrEnum):
    """The weight of a ruling, as its book distinguishes it.

    A ruling is published, given by an arbitrator and not yet in the published FAQ, or only an explanation of a rule.
    """

    PUBLISHED = "published"
    ARBITRATOR = "arbitrator"
    CLARIFICATION = "clarification"


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a book: the path of headings, in title case, joined by ` › `.

    `note` explains a misprint that is read differently, or a value that the book doesn't contain. A ruling's citation
    also has an `authority` and, where known, a `date` (`YYYY-MM-DD`).
    """

    edition: str
    section: str
    note: str | None = None
    authority: Authority | None = None
    date: str | None = None

    @property
    def heading(self) -> str:
        """The heading cited, without those above it."""
        return self.section.rpartition(" › ")[2]

    def as_dict(self) -> dict[str, str | None]:
        """Return the citation as a report shows it; beside an authority, `date` is included even if null."""
        shown: dict[str, str | None] = {"edition": self.edition, "section": self.section}
        if self.note is not None:
            shown["note"] = self.note
        if self.authority is not None:
            shown["authority"] = self.authority.value
            shown["date"] = self.date
        return shown


@dataclass(frozen=True, slots=True)
class Ruling:
    """An authority's decision, in our own words.

    `topics` say what it is about. `when` gives the conditions under which it applies to an action: at least one topic
    of each group must have been met. `figures` are those it concerns, by name. It takes precedence over the rulings it
    `disagrees_with`; those it is an `exception_to` decide nothing in its case. An `example` illustrates a rule.
    `as_of` is the day it was known to hold, where it has no date of its own. `decides` lists the facts of a case that
    turn on it, where `when` doesn't contain them. `line` is its line in the transcription it was read from. `weight`
    says whether a ruling found for a case turns on a fact of that case, or holds whenever the power or kind of action
    is used.
    """

    id: str
    text: str
    topics: tuple[str, ...]
    when: tuple[frozenset[str], ...]
    citations: tuple[Citation, ...]
    standing: RulingStanding = RulingStanding.PUBLISHED
    example: bool = False
    figures: tuple[str, ...] = ()
    disagrees_with: tuple[str, ...] = ()
    exception_to: tuple[str, ...] = ()
    line: int | None = None
    as_of: str | None = None
    decides: frozenset[str] | None = None
    weight: Weight | None = field(default=None, compare=False)

    @property
    def edition(self) -> str:
        """The edition of the book that contains it."""
        return self.citations[0].edition

    @property
    def section(self) -> str:
        """The path of the headings above it in its book."""
        return self.citations[0].section

    @property
    def authority(self) -> Authority:
        """The authority that gave it."""
        return self.citations[0].authority or Authority.RULEBOOK

    @property
    def date(self) -> str | None:
        """The date it was given, if known."""
        return self.citations[0].date

    @property
    def official(self) -> bool:
        """Whether it is binding at an event; an arbitrator's ruling is only once the published FAQ contains it."""
        return self.standing is RulingStanding.PUBLISHED

    def applies(self, met: Collection[str]) -> bool:
        """Return whether all its conditions have been met."""
        return all(not group.isdisjoint(met) for group in self.when)

    def as_dict(self) -> dict[str, object]:
        """Return the ruling as a report shows it; if it contradicts others, it lists those it takes precedence over."""
        shown: dict[str, object] = {
            "id": self.id,
            "text": self.text,
            "topics": list(self.topics),
            "citations": [citation.as_dict() for citation in self.citations],
            "official": self.official,
        }
        if self.weight is not None:
            shown["weight"] = self.weight
        if self.disagrees_with:
            shown["followed_rather_than"] = list(self.disagrees_with)
        if self.exception_to:
            shown["exception_to"] = list(self.exception_to)
        return shown
