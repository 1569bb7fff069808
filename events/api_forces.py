"""The JSON API of forces: players read and submit their own; anyone allowed to see a force can read it.

A submitted force is the `force` part of a force file. Its elements are taken as written, so the client is responsible
for their values. Everything else goes through the same service as the page, so the same rules apply.
"""

from __future__ import annotations

import datetime
from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from ninja import Router, Schema
from ninja.errors import HttpError

from events.api import ApiFault
from events.api_sign_in import SIGNED_IN
from events.door import Refused
from events.models import Entry, Force, Role
from events.services import forces as services
from events.token_rows import has_row
from events.views.access import Visit, visit

router = Router(tags=["forces"])


class ForceOut(Schema):
    """A submitted force: its force file, its report, and the verdict."""

    entry: int
    from_round: int
    name: str
    standing: str
    total: int
    submitted_at: datetime.datetime | None
    changed_after_deadline: bool
    document: dict[str, Any]
    report: dict[str, Any]


class ForceIn(Schema):
    """The `force` part of a force file (FORMATS, "Force file"), with a name and up to three maps."""

    force: dict[str, Any]
    name: str = ""
    maps: list[str] = []
    reason: str = ""


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
def read_force(request: HttpRequest, event_id: str, number: int, round: int | None = None) -> Any:
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
def submit_force(request: HttpRequest, event_id: str, number: int, given: ForceIn) -> Any:
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
