"""The JSON API of forces: players read and submit their own; anyone allowed to see a force can read it.

A submitted force is the `force` part of a force file. Its elements are taken as written, so the client is responsible
for their values. Everything else goes through the same service as the page, so the same rules apply.
"""

from __future__ import annotations

import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from ninja import Query, Router
from ninja.errors import HttpError
from pydantic import Field

from events.api_parameters import EntryNumber, EventId
from events.api_sign_in import SIGNED_IN
from events.door import Refused
from events.models import Entry, Force, Role
from events.services import forces as services
from events.token_rows import has_row
from events.views.access import Visit, visit
from rules.api_documents import sample
from rules.api_schema import ApiFault, Described, like, of
from rules.engine import check_force

InRound = Annotated[int | None, Query(description="The round in which it counts; leave it out for now.", examples=[2])]
router = Router(tags=["forces"])


class ForceOut(Described):
    """A submitted force: its force file, its report, and the verdict."""

    entry: int = Field(examples=[12])
    """The player's number."""
    from_round: int = of(Force, "from_round")
    name: str = Field(examples=["The Team"])
    """The force's name."""
    standing: str = of(Force, "standing", words="Whether the force is legal.")
    total: int = Field(examples=[272])
    """The points of everything on the force."""
    submitted_at: datetime.datetime | None
    """When the force was submitted."""
    changed_after_deadline: bool
    """Whether it was changed after the deadline."""
    document: dict[str, Any] = Field(json_schema_extra=like(lambda: sample("force")))
    """The force file."""
    report: dict[str, Any] = Field(json_schema_extra=like(lambda: check_force(sample("force"))))
    """The report on the force file."""


class ForceIn(Described):
    """The `force` part of a force file (FORMATS, "Force file"), with a name and up to three maps."""

    force: dict[str, Any] = Field(examples=[{"characters": [{"ref": "a", "name": "Recruit", "points": 20}]}])
    """The elements, as in a force file."""
    name: str = Field("", examples=["The Team"])
    """The force's name."""
    maps: list[str] = Field([], examples=[[]])
    """The names of up to three maps."""
    reason: str = Field("", examples=[""])
    """The reason, needed after the deadline."""


def force_out(force: Force, entry: Entry) -> dict[str, Any]:
    """Return a force as the API presents it."""
    return {
        "entry": entry.number,
        "from_round": force.from_round,
        "name": force.name,
        "standing": force.standing,
        "total": force.total,
        "submitted_at": force.submitted_at,
        "changed_after_deadline": force.changed_after_deadline,
        "document": force.document,
        "report": force.report,
    }


def _entry(seen: Visit, number: int) -> Entry:
    entry = get_object_or_404(Entry.objects.select_related("person"), event=seen.event, number=number)
    entry.event = seen.event
    return entry


@router.get(
    "/events/{event_id}/entries/{number}/force",
    response={200: ForceOut, 403: ApiFault, 404: ApiFault},
    summary="A submitted force",
)
def read_force(request: HttpRequest, event_id: EventId, number: EntryNumber, round: InRound = None) -> Any:
    """Return the force that counts in a round, or now; private until the event has begun."""
    seen = visit(request, event_id)
    entry = _entry(seen, number)
    force = services.counting_force(entry, round if round is not None else 9999)
    mine = seen.entry is not None and seen.entry.pk == entry.pk
    roles = seen.roles
    if not has_row("build-force", "change-force", "check-forces"):
        mine, roles = False, frozenset({Role.SPECTATOR})
    if not services.may_see(seen.event, force, roles, mine=mine):
        raise Refused(_("This force is private. Only its player and the judges can see it."))
    if force is None:
        raise HttpError(404, str(_("This player hasn't submitted a force.")))
    return force_out(force, entry)


@router.put(
    "/events/{event_id}/entries/{number}/force",
    response={200: ForceOut, 403: ApiFault, 409: ApiFault, 422: ApiFault},
    auth=SIGNED_IN,
    summary="Submit a force",
)
def submit_force(request: HttpRequest, event_id: EventId, number: EntryNumber, given: ForceIn) -> Any:
    """Submit a force, legal or not. After the deadline only a judge can, with a reason."""
    seen = visit(request, event_id)
    entry = _entry(seen, number)
    from_round = services.round_to_build_for(seen.event, entry)
    force = services.submit_force_file(
        by=seen.actor,
        entry=entry,
        from_round=from_round,
        force_part=given.force,
        name=given.name,
        maps=given.maps,
        reason=given.reason,
    )
    return force_out(force, entry)
