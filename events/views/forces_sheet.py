"""The force sheet as a PDF."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import formats
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from events.address import full_address
from events.documents import bench_of_document, day_of
from events.door import Refused
from events.force_words import SECTIONS, names_in, theme_words, verdict_words
from events.models import Entry, Event, Force
from events.pdf.force_sheet import ForceSheet, SheetLine, force_sheet
from events.results.words import round_mark
from events.roles import OFFICIALS
from events.services import forces as services
from rules.labels import labelled

from .access import visit
from .forces_bench import remarks_of, sections_of
from .papers import heading
from .pdf_response import pdf_response

MARKS = {"legal": "✓", "not-legal": "✗"}
SIGNS = {"violation": "✗", "unchecked": "?", "warning": "!"}


def looked_for(event: Event) -> list[str]:
    """Return what a judge compares at the table in this event."""
    found = [
        _("the number on each base matches the number on its dial, one click to the left of the starting click"),
        _("no proxies, no promotional figures, no altered bases (ownership marks underneath are allowed)")
        if not event.is_practice
        else _("no altered bases (ownership marks underneath are allowed)"),
        _("cards, objects and the map are present"),
    ]
    if event.is_sealed:
        found.append(_("every figure comes from the player's own sealed product"))
    elif event.edition == "car-2002":
        found.append(_("no product released less than 14 days ago"))
    return found


@require_safe
def sheet(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Return the sheet of a submitted force: `?round=3` selects a round's, `?paper=letter` the paper size."""
    v = visit(request, public_id)
    entry = get_object_or_404(Entry.objects.select_related("person"), event=v.event, number=number)
    entry.event = v.event
    mine = v.entry is not None and v.entry.pk == entry.pk
    asked = request.GET.get("round", "")
    last = int(asked) if asked.isdecimal() and len(asked) < 4 else 999
    force = (
        services.counting_force(entry, last) or Force.objects.filter(entry=entry, state=Force.State.SUBMITTED).first()
    )
    if not services.may_see(v.event, force, v.roles, mine=mine):
        raise Refused(_("This force is private. Only its player and the judges can see it."))
    if force is None:
        raise Http404
    legal_name = entry.name if mine or v.roles & OFFICIALS else entry.public_name
    lines = []
    bench = bench_of_document(force.document, force.origins)
    for key, _title, rows in sections_of(bench, None):
        for row in rows:
            extra = " · ".join(filter(None, [row.rank, row.kind, *row.marks]))
            to = f" → {row.assigned_names}" if row.assigned_names else ""
            name = row.name + (f" ({extra})" if extra else "") + to
            printed = str(row.facts.get("number", ""))
            lines.append(SheetLine(str(SECTIONS[key]), row.set_name, printed, name, row.points))
    report = force.report
    made = force_sheet(
        heading(v, _("Force sheet")),
        ForceSheet(
            player=legal_name,
            entry=entry.number,
            date=formats.date_format(day_of(v.event), "l j F Y"),
            event=f"{v.event.name} · {v.event.venue.name}, {v.event.venue.city}",
            edition=v.event.get_edition_display(),
            format=v.event.get_format_display(),
            name=force.name,
            theme=theme_words(report.get("themed_team")),
            maps=force.maps,
            lines=lines,
            total=force.total,
            build_total=report.get("build_total"),
            standing=labelled(
                f"{MARKS.get(force.standing, '?')} {capfirst(force.get_standing_display())}", verdict_words(report)
            ),
            remarks=[f"{SIGNS[one.kind]} {one.words}" for one in remarks_of(report, names_in(force.document))][:20],
            looked_for=looked_for(v.event),
            address=full_address(request, reverse("events:force", args=[public_id, number])),
            from_round=round_mark(force.from_round, v.event.bracket_sizes.get(force.from_round))
            if v.event.is_sealed
            else "",
        ),
        size="letter" if request.GET.get("paper") == "letter" else "a4",
    )
    return pdf_response(made, f"headjudge-{public_id}-force-{number}")
