"""The forces of a table on one page: dials and card texts, for its players and officials."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from events.documents import bench_of_document
from events.door import Refused
from events.models import Force
from events.results.result import SEATS
from events.services import forces as services

from .access import visit
from .forces_bench import sections_of


@require_safe
def forces_at_table(request: HttpRequest, public_id: str, number: int, table: int) -> HttpResponse:
    """Show the forces that count at a table: to its players once theirs are locked, to others each that they may see."""
    v = visit(request, public_id)
    match = v.match(number, table)
    players = list(match.entries)
    if len(players) < 2:
        raise Http404
    sits_here = v.entry is not None and v.entry in players
    sees_both = sits_here and services.may_see_opponent(v.event, v.entry, match.round)
    rows = Force.objects.filter(entry__in=players, from_round__lte=number, state=Force.State.SUBMITTED)
    forces = {force.entry_id: force for force in rows.defer("work", "report").order_by("from_round")}
    shown = {
        side: (entry, forces.get(entry.pk))
        for side, entry in zip(SEATS, players, strict=False)
        if services.may_see(v.event, forces.get(entry.pk), v.roles, mine=sees_both or entry == v.entry)
    }
    if not shown:
        raise Refused(_("Only the players at this table and the officials can see these forces."))
    sides = []
    for side, (entry, force) in shown.items():
        bench = bench_of_document(force.document, force.origins) if force is not None else None
        sections = sections_of(bench, None, reader=request) if bench is not None else []
        for _key, _title, lines in sections:
            for line in lines:
                line.ref = f"{side}-{line.ref}"
        name = entry.name if sits_here or v.may("see-console") else entry.public_name
        sides.append({"name": name, "force": force, "sections": sections})
    return v.render(
        "events/forces/at_table.html",
        match=match,
        round=match.round,
        sides=sides,
        is_early=len(sides) < len(players) and sits_here,
    )
