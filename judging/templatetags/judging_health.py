"""Server problems on pages of `events`: templates load this library, so that `events` doesn't import `judging`."""

from __future__ import annotations

from typing import Any

from django import template

from events.models import Event
from events.roles import JUDGES
from judging.findings import findings

register = template.Library()


@register.inclusion_tag("judging/health/findings.html", takes_context=True)
def server_findings(context: template.Context, event: Event | None = None) -> dict[str, Any]:
    """Show an event's judges the problems of the event and the server; show administrators all of them."""
    if event is None:
        return {"found": findings()}
    if not frozenset(context.get("roles") or ()) & JUDGES:
        return {"found": []}
    return {
        "found": [one for one in findings(event.venue.zone) if one.for_judges and one.event in ("", event.public_id)]
    }
