"""How an event shows outside the site: to search engines, in previews of links, in frames, on streams and in archives."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import formats, timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from events import building
from events.documents import bench_of_document
from events.force_words import SECTIONS
from events.models import Event, Force, Match, Round
from events.results.reading import ResultTerms
from events.results.words import Scored, result_card
from events.services.policy import duration
from rules.queries import set_names

SCHEMA = "https://schema.org"


def begins_and_ends(event: Event) -> tuple[datetime.datetime, datetime.datetime]:
    """Return when an event begins and ends, or is to end, in the venue's zone; the end is never before the beginning."""
    starts = event.starts.astimezone(event.venue.zone)
    ends = event.ended if event.ended is not None and event.ended > starts else starts + duration(event)
    return starts, ends.astimezone(event.venue.zone)


def schema_of(event: Event, address: str, seats_left: int) -> dict[str, Any]:
    """Return the event as a schema.org Event with its venue, times in the venue's zone; `address` is its page's URL."""
    venue = event.venue
    starts, ends = begins_and_ends(event)
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


@dataclass(frozen=True)
class Played:
    """A match of a page: its table, its players with their points, the winner first, and a note."""

    table: int | None
    card: list[Scored]
    note: str


def played(row: Round, matches: Iterable[Match]) -> list[Played]:
    """Return a round's matches as the public may read them; results that aren't confirmed are left out."""
    found = []
    for match in sorted(matches, key=lambda match: (match.table is None, match.table or 0)):
        names = [entry.public_name for entry in match.entries]
        terms = ResultTerms(
            row.event.edition,
            row.event.build_total,
            name_a=names[0],
            name_b="".join(names[1:2]),
            further=tuple(names[2:]),
        )
        is_told = match.kind == Match.Kind.GAME and match.state == Match.State.CONFIRMED
        card = result_card(match.result, terms) if is_told else []
        found.append(Played(match.table, card or [Scored(name, "", "", wins=False) for name in names], match.note))
    return found


Sections = list[tuple[str, list[str]]]
"""A force by section: the heading, and each element with its set and number."""


def with_sections(forces: Iterable[Force]) -> list[tuple[Force, Sections]]:
    """Return forces with their sections; one query finds the names of all sets."""
    benches = [(force, bench_of_document(force.document, force.origins)) for force in forces]
    sets = set_names(
        str(building.facts_of(bench, pick).get("set") or "") for _force, bench in benches for pick in bench["picks"]
    )
    return [(force, _sections(bench, sets)) for force, bench in benches]


def _sections(bench: building.Bench, sets: Mapping[str, str]) -> Sections:
    found: dict[str, list[str]] = {}
    for pick in bench["picks"]:
        facts = building.facts_of(bench, pick)
        of_set = str(facts.get("set") or "")
        printed = " ".join(filter(None, (sets.get(of_set, ""), str(facts.get("number") or ""))))
        key = "sideline" if pick.get("sideline") else pick["section"]
        found.setdefault(str(SECTIONS[key]), []).append(
            f"{facts['name']} ({printed})" if printed else str(facts["name"])
        )
    return list(found.items())
