"""Where the books say it: citations of sections, and who has the authority to decide.

Citations are made by topic through an edition (`Edition.cite`), never written out in code. The
rulings themselves are `editions.rulings`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Authority(StrEnum):
    """Who says so."""

    RULEBOOK = "rulebook"
    FAQ = "faq"
    CORRECTION = "correction"
    STEENBOCK = "steenbock"
    MAGISTER = "magister"
    CHAPEAU = "chapeau"
    POLICY = "policy"


class Standing(StrEnum):
    """What a ruling counts for, as its book distinguishes it: a ruling of a book, one of an arbitrator that the
    published FAQ does not have yet, an explanation that is no rule, an example."""

    PUBLISHED = "published"
    ARBITRATOR = "arbitrator"
    CLARIFICATION = "clarification"
    EXAMPLE = "example"


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
