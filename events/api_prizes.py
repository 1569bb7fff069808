"""The JSON API of prize drafts: whose turn it is, what is left, and a pick. The same action table applies as on pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema

from events.api import ApiFault
from events.api_sign_in import SIGNED_IN
from events.services import prizes as services
from events.views.access import Visit, visit
from events.views.prizes import names_of

router = Router(tags=["events"])


class PrizeLeft(Schema):
    """A prize of the pool, and how often it is left."""

    prize: str
    left: int


class PickOut(Schema):
    """A turn that was taken; `prize` is null if it was skipped."""

    entry: int
    name: str
    prize: str | None


class PrizeDraftOut(Schema):
    """A prize draft; `order` is empty until it starts, `turn` is the entry that picks now, or null."""

    order: list[int]
    turn: int | None
    next: list[int]
    left: list[PrizeLeft]
    picks: list[PickOut]
    version: int | None


class PickIn(Schema):
    """A pick; with `version`, it is refused if the draft has changed since."""

    prize: str
    version: int | None = None


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
def prizes(request: HttpRequest, event_id: str) -> dict[str, Any]:
    """Return the prize draft of an event, empty if it has none."""
    return _draft_out(visit(request, event_id))


@router.post(
    "/events/{event_id}/prizes/picks",
    response={200: PrizeDraftOut, 403: ApiFault, 409: ApiFault, 422: ApiFault},
    auth=SIGNED_IN,
    summary="Pick prize (the player whose turn it is) or record a pick (officials)",
)
def pick_prize(request: HttpRequest, event_id: str, pick: PickIn) -> Any:
    """Record the pick of the player whose turn it is."""
    seen = visit(request, event_id)
    services.pick(by=seen.actor, event=seen.event, prize=pick.prize, version=pick.version)
    return _draft_out(seen)
