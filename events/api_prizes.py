"""The JSON API of prize drafts: whose turn it is, what is left, and a pick. The same action table applies as on pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router
from pydantic import Field

from events.api_parameters import EventId
from events.api_sign_in import SIGNED_IN
from events.services import prizes as services
from events.views.access import Visit, visit
from events.views.prizes import names_of
from rules.api_schema import ApiFault, Described

router = Router(tags=["events"])


class PrizeLeft(Described):
    """A prize of the pool."""

    prize: str = Field(examples=["A booster"])
    """The prize."""
    left: int = Field(examples=[2])
    """How often it is left."""


class PickOut(Described):
    """A turn that was taken."""

    entry: int = Field(examples=[12])
    """The player's number."""
    name: str = Field(examples=["Ada Lund"])
    """The player's name."""
    prize: str | None = Field(examples=["A booster"])
    """The prize that was picked; null if the turn was skipped."""


class PrizeDraftOut(Described):
    """A prize draft."""

    order: list[int] = Field(examples=[[12, 15]])
    """The players' numbers, in the order of the first picks; empty until the draft starts."""
    turn: int | None = Field(examples=[15])
    """The number of the player who picks now; null if no one does."""
    next: list[int] = Field(examples=[[15, 12]])
    """The numbers of the players who pick after that."""
    left: list[PrizeLeft]
    """The prizes that are left."""
    picks: list[PickOut]
    """The picks so far."""
    version: int | None = Field(examples=[3])
    """The version of the draft; null if there is none."""


class PickIn(Described):
    """A pick of a prize."""

    prize: str = Field(examples=["A booster"])
    """The prize, as the draft lists it."""
    version: int | None = Field(None, examples=[3])
    """The version of the draft that was read; the pick is refused if it has changed."""


def _draft_out(seen: Visit) -> dict[str, Any]:
    row = services.draft_of(seen.event)
    if row is None:
        return {"order": [], "turn": None, "next": [], "left": [], "picks": [], "version": None}
    names, snake = names_of(seen.event, whole=False), row.snake
    return {
        "order": list(snake.order),
        "turn": snake.whose,
        "next": [number for _lap, number in snake.coming(2 * len(snake.order) + 1)[1:]],
        "left": [{"prize": prize, "left": left} for prize, left in snake.left.items()],
        "picks": [{"entry": turn.name, "name": names.get(turn.name, ""), "prize": turn.prize} for turn in snake.turns],
        "version": row.version,
    }


@router.get("/events/{event_id}/prizes", response=PrizeDraftOut, summary="The prize draft")
def prizes(request: HttpRequest, event_id: EventId) -> dict[str, Any]:
    """Return the prize draft of an event, empty if it has none."""
    return _draft_out(visit(request, event_id))


@router.post(
    "/events/{event_id}/prizes/picks",
    response={200: PrizeDraftOut, 403: ApiFault, 409: ApiFault, 422: ApiFault},
    auth=SIGNED_IN,
    summary="Pick prize (the player whose turn it is) or record a pick (officials)",
)
def pick_prize(request: HttpRequest, event_id: EventId, pick: PickIn) -> Any:
    """Record the pick of the player whose turn it is."""
    seen = visit(request, event_id)
    services.pick(by=seen.actor, event=seen.event, prize=pick.prize, version=pick.version)
    return _draft_out(seen)
