"""How an event shows outside the site: as a schema.org Event for search engines, and in the preview of a shared link."""

from __future__ import annotations

import datetime
from typing import Any

from django.utils import formats, timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from events.models import Event
from events.services.policy import duration

SCHEMA = "https://schema.org"


def schema_of(event: Event, address: str, seats_left: int) -> dict[str, Any]:
    """Return the event as a schema.org Event with its venue, times in the venue's zone; `address` is its page's URL."""
    venue, starts = event.venue, event.starts.astimezone(event.venue.zone)
    ends = (event.ended or starts + duration(event)).astimezone(venue.zone)
    is_cancelled = event.state == Event.State.CANCELLED
    found: dict[str, Any] = {
        "@context": SCHEMA,
        "@type": "Event",
        "name": event.name,
        "url": address,
        "description": event.description or preview_of(event),
        "startDate": _instant(starts),
        "endDate": _instant(ends),
        "eventStatus": f"{SCHEMA}/{'EventCancelled' if is_cancelled else 'EventScheduled'}",
        "eventAttendanceMode": f"{SCHEMA}/OfflineEventAttendanceMode",
        "maximumAttendeeCapacity": event.seats,
        "location": {
            "@type": "Place",
            "name": venue.name,
            "address": {
                "@type": "PostalAddress",
                "streetAddress": " ".join(venue.public_location.split()),
                "addressLocality": venue.city,
                "addressCountry": venue.country,
            },
        },
        "organizer": {"@type": "Organization", "name": venue.name, **({"url": venue.website} if venue.website else {})},
    }
    if event.state == Event.State.OPEN:
        found["remainingAttendeeCapacity"] = seats_left
    return found


def _instant(moment: datetime.datetime) -> str:
    return moment.replace(microsecond=0).isoformat()


def preview_of(event: Event) -> str:
    """Return an event in a line: when, where and what is played."""
    day = formats.date_format(timezone.localtime(event.starts, event.venue.zone), "l j F Y, H:i")
    played = capfirst(event.get_format_display())
    if event.build_total:
        played = _("%(format)s, %(points)d points") % {"format": played, "points": event.build_total}
    return f"{day} · {event.venue.name}, {event.venue.city} · {played}"
