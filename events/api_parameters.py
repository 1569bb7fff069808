"""The parameters that many operations of the API share."""

from __future__ import annotations

import datetime
from typing import Annotated

from ninja import Path, Query

EventId = Annotated[str, Path(description="The event's id, as in its address.", examples=["k7d2mPqXw0Ab"])]
SeriesId = Annotated[str, Path(description="The series' id, as in its address.", examples=["p4s9vTzQe1Lm"])]
RoundNumber = Annotated[int, Path(description="The round's number.", examples=[1])]
TableNumber = Annotated[int, Path(description="The table's number.", examples=[7])]
EntryNumber = Annotated[int, Path(description="The player's number in the event.", examples=[12])]
After = Annotated[
    int | None, Query(description="The round after which they stood; leave it out for now.", examples=[2])
]
Before = Annotated[
    datetime.datetime | None,
    Query(description="A date and time; only what is earlier.", examples=["2027-03-06T14:00:00Z"]),
]
Limit = Annotated[int, Query(ge=1, le=200, description="The most rows to return.", examples=[50])]
