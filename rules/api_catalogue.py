"""The JSON API of the catalogue: the same search as the pages, without signing in."""

from __future__ import annotations

import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import Field

from rules.api_schema import Described
from rules.documents import point_choices
from rules.queries import search_elements
from rules.tables import address_of

router = Router(tags=["catalogue"])
NO_NUL = r"^[^\x00]*$"
"""Text that a database can compare."""


class ElementOut(Described):
    """An element of the catalogue."""

    code: str = Field(examples=["ic-001"])
    """Its code in the catalogue."""
    name: str = Field(examples=["Recruit"])
    """Its name."""
    set: str = Field(examples=["ic"])
    """The code of its set."""
    set_name: str = Field(examples=["Infinity Challenge"])
    """The name of its set."""
    number: str = Field(examples=["001"])
    """Its collector number."""
    section: str = Field(examples=["characters"])
    """The list of a force to which it belongs."""
    kind: str = Field(examples=["character"])
    """Its kind."""
    rank: str = Field(examples=["rookie"])
    """The ring on its base, as in a force file."""
    points: list[int] = Field(examples=[[20]])
    """The values at which it may be added, the highest first."""
    address: str = Field(examples=["/catalogue/ic-001/"])
    """The address of its page."""


class ElementsOut(Described):
    """The elements found."""

    count: int = Field(examples=[1])
    """The number of all elements found."""
    corrected: str = Field(examples=[""])
    """The question with corrected spelling; empty if it was found as typed."""
    is_partial: bool
    """Whether no element has all the words, and these have most."""
    elements: list[ElementOut]
    """The elements, best first."""


class ElementsIn(Described):
    """What to look for: words as a player types them, and conditions."""

    q: str = Field("", max_length=200, examples=["spidr man"])
    """Words: names, sets, numbers, keywords, powers, teams and ranks, in parts and with typos."""
    set: str = Field("", max_length=40, pattern=NO_NUL, examples=["ic"])
    """The code of a set."""
    section: str = Field("", max_length=40, pattern=NO_NUL, examples=["characters"])
    """A list of a force."""
    edition: str = Field("", max_length=20, examples=["core-2014"])
    """An edition that has the element."""
    date: datetime.date | None = Field(None, examples=["2027-03-06"])
    """The day on which it must be in the catalogue."""
    limit: int = Field(24, ge=1, le=100)
    """The most elements to return."""


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
