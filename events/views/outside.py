"""Pages seen from outside the site: frames for other websites, and a view for streams. They show what everyone may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from events import drawings
from events.address import full_address
from events.models import Event, Match, Round
from events.outside import Sections, played, with_sections
from events.queries import current_round, published_rounds, results_of, with_event
from events.services.forces import counting_force, may_see
from events.sharing import public
from events.standings_columns import printed_tables

from .access import visit
from .standings import bracket_of, caption_of, newest_round

FRAMES = {"standings": gettext_lazy("Standings"), "pairings": gettext_lazy("Pairings and results")}
FRAME_SECONDS = 60
MAY_BE_FRAMED = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors *"
)


@public()
@require_safe
@xframe_options_exempt
def frame(request: HttpRequest, public_id: str, what: str) -> HttpResponse:
    """Return the standings, or the newest round's pairings and results, for a frame on any website.

    Whoever is signed in, it has nothing of them: no names in full, no buttons, no scripts.
    """
    event = visit(request, public_id).event
    if what not in FRAMES or event.state == Event.State.DRAFT:
        raise Http404
    facts: dict[str, Any] = {"event": event, "seconds": FRAME_SECONDS, "matches": None}
    newest = newest_round(published_rounds(event), None)
    if what == "standings":
        facts |= {"heading": caption_of(newest), "tables": printed_tables(event)}
    elif newest is None:
        facts["heading"] = _("Pairings")
    else:
        found = newest.matches.with_entries().order_by("pk")
        facts |= {"heading": newest.heading, "matches": played(newest, with_event(_of(newest, list(found)), event))}
    facts["address"] = full_address(request, reverse("events:event", args=[public_id]))
    response = render(request, "events/outside/frame.html", facts)
    response["Content-Security-Policy"] = MAY_BE_FRAMED
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _of(round: Round, matches: list[Match]) -> list[Match]:
    for match in matches:
        match.round = round
    return matches


@dataclass(frozen=True)
class Seat:
    """A player of the featured table: the name and force that the public may see, and the confirmed result."""

    name: str
    points: int | str | None
    said: str
    wins: bool
    sections: Sections


@public("table")
@require_safe
def broadcast(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show what a stream lays over its picture: the clock, the table `?table=7` with forces and score, the bracket."""
    v = visit(request, public_id)
    round = current_round(v.event)
    if round is not None:
        prefetch_related_objects([round], "clock_runs")
    asked = request.GET.get("table", "")
    table = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 5 else None
    stages, names = drawings.without_decided(*bracket_of(v.event, results_of(v.event)))
    return v.render(
        "events/outside/broadcast.html",
        theme="dark",
        round=round,
        has_clock=round is not None and round.state in (Round.State.PUBLISHED, Round.State.RUNNING),
        featured=_featured(v.event, round, table) if round is not None and table is not None else None,
        bracket=drawings.draw_bracket(stages, names, drawings.ON_DISPLAY) if stages else "",
    )


def _featured(event: Event, round: Round, table: int) -> dict[str, Any] | None:
    """Return a table's players in the order of their seats, or None if the round has no such table."""
    match = round.matches.with_entries().filter(table=table).first()
    if match is None:
        return None
    with_event(_of(round, [match]), event)
    (told,) = played(round, [match])
    forces = [force for entry in match.entries if (force := counting_force(entry, round.number)) is not None]
    shown = with_sections(force for force in forces if may_see(event, force, frozenset(), mine=False))
    sections = {force.entry_id: found for force, found in shown}
    results = {line.name: line for line in told.card}
    seats = []
    for entry in match.entries:
        line = results[entry.public_name]
        points = line.points if line.said else None
        seats.append(Seat(entry.public_name, points, line.said, line.wins, sections.get(entry.pk, [])))
    return {"table": table, "seats": seats}


@require_safe
def embed(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show officials the code that puts the frames on a website, and the way to the broadcast view."""
    v = visit(request, public_id)
    v.require("see-console")
    frames = []
    for what, label in FRAMES.items():
        path = reverse("events:outside", args=[public_id, what])
        title = f"{label}: {v.event.name}"
        code = format_html(
            '<iframe src="{}" title="{}" width="100%" height="600" loading="lazy"></iframe>',
            full_address(request, path),
            title,
        )
        frames.append((label, code, path))
    return v.render("events/outside/embed.html", frames=frames)
