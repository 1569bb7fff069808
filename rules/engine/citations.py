"""Where the books say it: citations of sections, and rulings with the authority that gave them.

Citations are made by topic through an edition (`Edition.cite`), never written out in code. The
rulings themselves are data, read and found in `editions.rulings`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Weight = Literal["decides", "background"]


class Authority(StrEnum):
    """Who says so."""

    RULEBOOK = "rulebook"
    FAQ = "faq"
    CORRECTION = "correction"
    STEENBOCK = "steenbock"
    MAGISTER = "magister"
    CHAPEAU = "chapeau"
    POLICY = "policy"


class RulingStanding(StrEnum):
    """What a ruling counts for, as its book distinguishes it.

    It is published; or an arbitrator's, which the published FAQ does not have yet; or no rule but an
    explanation of one.
    """

    PUBLISHED = "published"
    ARBITRATOR = "arbitrator"
    CLARIFICATION = "clarification"


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a book: the path of headings, in title case, joined by ` › `.

    `note` tells of a misprint read otherwise or a value that the book does not contain. A ruling's
    citation also has an `authority` and, where known, a `date` (`YYYY-MM-DD`).
    """

    edition: str
    section: str
    note: str | None = None
    authority: Authority | None = None
    date: str | None = None

    def as_dict(self) -> dict[str, str | None]:
        """Return the citation as a report shows it; `date` stands, even as null, beside an authority."""
        shown: dict[str, str | None] = {"edition": self.edition, "section": self.section}
        if self.note is not None:
            shown["note"] = self.note
        if self.authority is not None:
            shown["authority"] = self.authority.value
            shown["date"] = self.date
        return shown


@dataclass(frozen=True, slots=True)
class Ruling:
    """What an authority decided, in our own words.

    `topics` say what it is about. `when` says when it bears on an action: of each of its groups
    at least one topic must have been met. `figures` are those it is about by name. It is followed
    rather than the rulings it `disagrees_with`; those it is an `exception_to` hold but for its case.
    An `example` shows a rule at work. `as_of` is the day by which it stood, where it has no date of its own.
    `decides` are the facts of a case that turn on it, where its `when` does not tell them.
    `line` is where its note stands in the transcription that was read. `weight` says, of a ruling that was found for a
    case, whether it turns on a fact of that case or holds whenever the power or kind of action is used.
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
        """The edition whose book has it."""
        return self.citations[0].edition

    @property
    def section(self) -> str:
        """The path of headings under which its book has it."""
        return self.citations[0].section

    @property
    def authority(self) -> Authority:
        """Who gave it."""
        return self.citations[0].authority or Authority.RULEBOOK

    @property
    def date(self) -> str | None:
        """When it was given, if that is known."""
        return self.citations[0].date

    @property
    def official(self) -> bool:
        """Whether it counts at an event as it stands: an arbitrator's does only once the published FAQ has it."""
        return self.standing is RulingStanding.PUBLISHED

    def applies(self, met: Collection[str]) -> bool:
        """Return whether everything that it needs has been met."""
        return all(not group.isdisjoint(met) for group in self.when)

    def as_dict(self) -> dict[str, object]:
        """Return the ruling as a report shows it; one that goes against others names those it is followed before."""
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
