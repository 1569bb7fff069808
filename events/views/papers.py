"""Papers of an event from its current data: pairings, slips, player cards, badges, table signs, standings, bracket."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from events import queries
from events.address import full_address
from events.models import Entry, Match
from events.pdf import badges, bracket, pairings, player_cards, slips, standings, table_signs
from events.pdf.paper import PageHeading
from events.services.people import entry_link
from events.services.setup import tables_of
from events.standings_columns import printed_tables

from .access import Visit, visit
from .pdf_response import pdf_response
from .standings import bracket_of, caption_of, newest_round


def heading(seen: Visit, title: str) -> PageHeading:
    """Return the heading of this event's papers, with times in the venue's zone."""
    now = timezone.localtime(timezone.now(), seen.event.venue.zone)
    printed = _("printed %(when)s") % {"when": formats.date_format(now, "l j F Y, H:i")}
    return PageHeading(seen.event.name, title, f"{seen.event.venue.name}, {seen.event.venue.city}", printed)


def paper_size(request: HttpRequest) -> str:
    """Return the size of paper that a request asks for."""
    return "letter" if request.GET.get("paper") == "letter" else "a4"


def _file(seen: Visit, what: str) -> str:
    return f"headjudge-{seen.event.public_id}-{what}"


@require_safe
def pairings_pdf(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Return a round's pairings, to be posted; `?by=name` or `table` gives one list."""
    seen = visit(request, public_id)
    found = seen.round(number)
    lines = []
    for match in queries.with_event(list(Match.objects.filter(round=found).with_round()), seen.event):
        names = tuple(entry.public_name for entry in match.entries)
        pairs = tuple(tuple(entry.public_name for entry in pair) for pair in match.pairs)
        lines.append(pairings.Pairing(match.table, names, match.note, pairs))
    by = request.GET.get("by", "both")
    title = _("Pairings: %(round)s") % {"round": found.with_minutes}
    made = pairings.pairings(
        heading(seen, title), lines, by=by if by in ("name", "table") else "both", size=paper_size(request)
    )
    return pdf_response(made, _file(seen, f"round-{number}-pairings"))


@require_safe
def slips_pdf(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Return the result slips of a round, or of one table (`?table=7`)."""
    seen = visit(request, public_id)
    seen.require("see-console")
    found = seen.round(number)
    tables = found.matches.filter(table__isnull=False, b__isnull=False).with_entries()
    if request.GET.get("table", "").isdecimal():
        tables = tables.filter(table=int(request.GET["table"]))
    teams = queries.team_names(seen.event)
    made = [
        slips.Slip(
            match.table or 0,
            tuple(entry.name for entry in match.entries),
            full_address(request, reverse("events:table", args=[public_id, number, match.table])),
            slips.remark(found.scenario, is_third_place=match.is_third_place, teams=match.teams_among(teams)),
        )
        for match in tables.order_by("table")
    ]
    return pdf_response(
        slips.slips(heading(seen, found.with_minutes), made, size=paper_size(request)),
        _file(seen, f"round-{number}-slips"),
    )


@require_safe
def player_cards_pdf(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return a card with the player link of each entry, or of one (`?entry=7`)."""
    seen = visit(request, public_id)
    seen.require("change-entry")
    entries = seen.event.entries.exclude(state=Entry.State.WITHDRAWN)
    if request.GET.get("entry", "").isdecimal():
        entries = entries.filter(number=int(request.GET["entry"]))
    made = [
        player_cards.PlayerCard(
            entry.number,
            entry.name,
            full_address(request, entry_link(entry)),
            _("fixed table %(table)d") % {"table": entry.fixed_table} if entry.fixed_table else "",
        )
        for entry in entries.order_by("name", "pk")
    ]
    return pdf_response(
        player_cards.player_cards(heading(seen, _("Player cards")), made, size=paper_size(request)),
        _file(seen, "player-cards"),
    )


@require_safe
def badges_pdf(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return a badge for each official and each player."""
    seen = visit(request, public_id)
    seen.require("change-entry")
    officials = seen.event.officials.select_related("person").order_by("person__name", "pk")
    worn = [badges.Badge(str(row.person), capfirst(row.get_role_display())) for row in officials if row.is_at_work]
    entries = seen.event.entries.exclude(state=Entry.State.WITHDRAWN).order_by("name", "pk")
    worn += [badges.Badge(entry.public_name, entry.club) for entry in entries]
    made = badges.badges(heading(seen, _("Badges")), worn, size=paper_size(request))
    return pdf_response(made, _file(seen, "badges"))


@require_safe
def table_signs_pdf(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return a sign for each table that the event needs when it is full."""
    seen = visit(request, public_id)
    seen.require("see-console")
    address = full_address(request, reverse("events:event", args=[public_id]))
    made = table_signs.table_signs(
        heading(seen, _("Table signs")), tables_of(seen.event), address, size=paper_size(request)
    )
    return pdf_response(made, _file(seen, "table-signs"))


@require_safe
def standings_pdf(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the standings, now or after a round (`?round=3`)."""
    seen = visit(request, public_id)
    asked = request.GET.get("round", "")
    after = int(asked) if asked.isdecimal() and len(asked) < 4 else None
    tables = printed_tables(seen.event, after)
    title = caption_of(newest_round(queries.published_rounds(seen.event), after))
    made = standings.standings(heading(seen, title), *tables, size=paper_size(request))
    return pdf_response(made, _file(seen, f"standings-{after}" if after else "standings"))


@require_safe
def bracket_pdf(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the bracket of a cut or of single elimination."""
    seen = visit(request, public_id)
    stages, names = bracket_of(seen.event, queries.results_of(seen.event))
    if not stages:
        raise Http404
    made = bracket.bracket(heading(seen, _("Bracket")), stages, names, size=paper_size(request))
    return pdf_response(made, _file(seen, "bracket"))
