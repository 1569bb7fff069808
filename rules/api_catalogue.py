"""The JSON API of the catalogue: the same search as the pages, without signing in."""

from __future__ import annotations

import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from rules.documents import point_choices
from rules.queries import search_elements
from rules.tables import address_of

router = Router(tags=["catalogue"])
NO_NUL = r"^[^\x00]*$"
"""Text that a database can compare."""


class ElementOut(Schema):
    """An element of the catalogue; `points` are all values at which it may be added, the highest first."""

    code: str
    name: str
    set: str
    set_name: str
    number: str
    section: str
    kind: str
    rank: str
    points: list[int]
    address: str


class ElementsOut(Schema):
    """The elements found, best first.

    `count` is the number of all; `corrected` the question with corrected spelling, empty if it was found as typed;
    `is_partial` says that no element has all words, and these have most.
    """

    count: int
    corrected: str
    is_partial: bool
    elements: list[ElementOut]


class ElementsIn(Schema):
    """What to look for: words as a player types them, and conditions; `set` is a code, `section` a list of a force."""

    q: str = Field("", max_length=200)
    set: str = Field("", max_length=40, pattern=NO_NUL)
    section: str = Field("", max_length=40, pattern=NO_NUL)
    edition: str = Field("", max_length=20)
    date: datetime.date | None = None
    limit: int = Field(24, ge=1, le=100)


@router.get("/elements", response=ElementsOut, summary="Find figures, feats, objects and cards")
def elements(request: HttpRequest, asked: Query[ElementsIn]) -> dict[str, Any]:
    """Search the catalogue by names, sets, numbers, keywords, powers, teams and ranks; typos are corrected."""
    found = search_elements(
        text=asked.q,
        sets=asked.set or None,
        section=asked.section or None,
        edition=asked.edition,
        date=asked.date,
    )
    rows = [
        {
            "code": row.element.code,
            "name": row.name,
            "set": row.element.set.code,
            "set_name": row.element.set.name,
            "number": row.element.number,
            "section": row.element.section,
            "kind": row.kind,
            "rank": row.rank,
            "points": point_choices(row.document),
            "address": address_of(row.element),
        }
        for row in found[: asked.limit]
    ]
    told = {"corrected": found.matching.corrected, "is_partial": found.matching.is_partial}
    return {"count": found.count(), **told, "elements": rows}
