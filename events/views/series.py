"""Pages of series: the public list and table with its files; for organisers rules, events, players and the end."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from events import series_columns
from events.actions import Permission, answer
from events.door import require
from events.forms.series import MAX_LISTED, AddEventForm, JoinForm, SeriesForm
from events.models import Event, Series, SeriesEvent, SeriesJoin, Venue
from events.paging import paged
from events.pdf.paper import PageHeading
from events.pdf.series import series as series_paper
from events.roles import LINKED_ENTRIES, Actor
from events.series_table import COUNTED, SeriesTable, own_players, series_table, table_document
from events.services import series as services
from events.services.series_draft import draft_of
from events.tables.series import SeriesListTable
from events.tables.series import SeriesTable as TableOfPage

from .access import form_reason, form_version
from .papers import paper_size
from .pdf_response import pdf_response
from .people import signed_in


@dataclass(frozen=True)
class SeriesVisit:
    """A visit to a series: the visitor with their roles at its venue."""

    request: HttpRequest
    series: Series
    actor: Actor
    may: Callable[[str], Permission]

    @property
    def organises(self) -> bool:
        """Whether the visitor may edit the series."""
        return bool(self.may("change-series"))

    def actors(self, found: SeriesTable) -> list[Actor]:
        """Return as whom the visitor acts: with their account, and for each entry of the series whose link they opened."""
        linked = self.request.session.get(LINKED_ENTRIES, {})
        acting = [Actor.of(self.request, row.event) for row in found.counted if str(row.event_id) in linked]
        return [self.actor, *(one for one in acting if one.entry is not None)]

    def row(self, pk: int) -> SeriesEvent:
        """Return one of the series' events or invitations."""
        row = get_object_or_404(SeriesEvent.objects.select_related("event__venue"), pk=pk, series=self.series)
        row.series = self.series
        return row

    def render(self, template: str, **facts: Any) -> HttpResponse:
        """Render a page of this series."""
        known = {"series": self.series, "organises": self.organises, "venue": self.series.venue}
        return render(self.request, template, known | facts, status=facts.pop("status", 200))

    def back(self, name: str = "series") -> HttpResponse:
        """Return to one of the series' pages."""
        return redirect(f"events:{name}", self.series.public_id)


def visit(request: HttpRequest, series_id: str, verb: str = "") -> SeriesVisit:
    """Return the visit to a series. Raise Http404 if there is none, Refused if the visitor may not do `verb`."""
    found = get_object_or_404(Series.objects.select_related("venue"), public_id=series_id)
    actor = Actor.of(request)
    roles = actor.roles(venue=found.venue)
    if verb:
        require(answer(verb, roles))
    return SeriesVisit(request, found, actor, lambda name: answer(name, roles))


@require_safe
def series_list(request: HttpRequest) -> HttpResponse:
    """List all series, the newest first; `?venue=` those of one venue."""
    rows = Series.objects.select_related("venue").order_by("-created", "-pk")
    asked = request.GET.get("venue", "")
    venue = get_object_or_404(Venue, pk=int(asked)) if asked.isdecimal() and len(asked) < 10 else None
    table = SeriesListTable(rows.filter(venue=venue) if venue else rows)
    paged(request, table)
    creates = venue is not None and venue.is_approved and answer("create-series", Actor.of(request).roles(venue=venue))
    return render(request, "events/series/list.html", {"table": table, "venue": venue, "creates": creates})


@login_required
def series_create(request: HttpRequest) -> HttpResponse:
    """Create a series organised by one of the visitor's venues (`?venue=`)."""
    asked = request.GET.get("venue", "")
    if not asked.isdecimal() or len(asked) >= 10:
        raise Http404
    venue = get_object_or_404(Venue, pk=int(asked))
    actor = Actor.of(request)
    require(answer("create-series", actor.roles(venue=venue)))
    form = SeriesForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = services.create_series(by=actor, venue=venue, facts=form.facts)
        messages.success(request, _("%(series)s created. Add its events.") % {"series": made})
        return redirect("events:series-events", made.public_id)
    return render(request, "events/series/create.html", {"form": form, "venue": venue})


def _days(found: SeriesTable) -> dict[int, str]:
    """Return the day of each event at its venue, in few letters."""
    return {row.pk: formats.date_format(row.event.starts.astimezone(row.event.venue.zone), "j N") for row in found.rows}


@require_safe
def series(request: HttpRequest, series_id: str) -> HttpResponse:
    """Show a series: its table, how it counts, its events; invitations to those whom they concern."""
    v = visit(request, series_id)
    found = series_table(v.series)
    own = {player for one in v.actors(found) for player in own_players(one, found)}
    return v.render(
        "events/series/series.html",
        table=TableOfPage(found, _days(found), own),
        rows=found.rows if v.organises else found.shown,
        counted=COUNTED,
        rules=series_columns.rules_in_words(v.series),
        draft=found.prize_order if v.series.is_over else (),
        **_of_own_venues(v),
        may_delete=v.may("delete-series") and not found.rows,
    )


def _of_own_venues(v: SeriesVisit) -> dict[str, list[SeriesEvent]]:
    """Return the invitations that the visitor may accept, and the events that they may withdraw.

    Organisers remove their own events on the page of the series' events.
    """
    person = v.actor.account
    if person is None:
        return {"invitations": [], "own": []}
    rows = v.series.rows.select_related("event__venue")
    rows = rows if person.is_office else rows.filter(event__venue__in=Venue.objects.managed_by(person))
    found = list(rows.order_by("event__starts", "pk"))
    return {
        "invitations": [row for row in found if row.accepted is None],
        "own": [] if v.organises else [row for row in found if row.accepted is not None],
    }


@login_required
def series_edit(request: HttpRequest, series_id: str) -> HttpResponse:
    """Change a series' name and rules, and its events' multipliers."""
    v = visit(request, series_id, "change-series")
    rows = list(v.series.rows.select_related("event"))
    form = SeriesForm(request.POST or None, instance=copy.copy(v.series), rows=rows)
    if request.method == "POST" and form.is_valid():
        services.change_series(
            by=v.actor, series=v.series, facts=form.facts, multipliers=form.multipliers, version=form_version(request)
        )
        messages.success(request, _("%(series)s saved.") % {"series": v.series})
        return v.back()
    return v.render("events/series/edit.html", form=form)


@login_required
def series_events(request: HttpRequest, series_id: str) -> HttpResponse:
    """Show a series' events and invitations, and add one."""
    v = visit(request, series_id, "add-series-event")
    person = signed_in(request)
    mine = (
        Event.objects.filter(venue__in=[v.series.venue])
        if person.is_office
        else Event.objects.filter(venue__in=Venue.objects.managed_by(person))
    )
    mine = mine.exclude(state=Event.State.CANCELLED).exclude(in_series__series=v.series).order_by("-starts", "-pk")
    latest = mine.values_list("pk", flat=True)[:MAX_LISTED]
    events = Event.objects.filter(pk__in=list(latest)).select_related("venue").order_by("-starts", "-pk")
    form = AddEventForm(request.POST or None, events=events)
    if request.method == "POST" and form.is_valid():
        row = services.add_event(
            by=v.actor, series=v.series, event=form.cleaned_data["event"], multiplier=form.cleaned_data["multiplier"]
        )
        words = (
            _("%(event)s added.")
            if row.accepted
            else _("%(event)s will be part of the series when a manager of %(venue)s accepts the invitation.")
        )
        messages.success(request, words % {"event": row.event, "venue": row.event.venue})
        return v.back("series-events")
    rows = v.series.rows.select_related("event__venue").order_by("event__starts", "pk")
    return v.render("events/series/events.html", form=form, rows=rows)


@require_POST
@login_required
def series_event_act(request: HttpRequest, series_id: str, row: int, act: str) -> HttpResponse:
    """Accept, decline or remove an event of a series."""
    v = visit(request, series_id)
    found, given = v.row(row), form_reason(request)
    told = {"event": found.event, "series": v.series}
    if act == "accept":
        services.accept_event(by=v.actor, row=found)
        messages.success(request, _("%(event)s is now part of %(series)s.") % told)
    elif act == "decline":
        services.decline_event(by=v.actor, row=found, confirmed=given["confirmed"])
        messages.success(request, _("%(event)s is no longer part of %(series)s.") % told)
    elif act == "remove":
        services.remove_event(by=v.actor, row=found, confirmed=given["confirmed"])
        messages.success(request, _("%(event)s is no longer part of %(series)s.") % told)
        return v.back("series-events")
    else:
        raise Http404
    return v.back()


@login_required
def series_players(request: HttpRequest, series_id: str) -> HttpResponse:
    """Show the players with their full names; join a name without an account with another player."""
    v = visit(request, series_id, "change-series-players")
    found = series_table(v.series)
    players = sorted(found.players.values(), key=lambda player: player.full_name.casefold())
    form = JoinForm(request.POST or None, players=players)
    if request.method == "POST" and form.is_valid():
        services.join_players(by=v.actor, series=v.series, **form.cleaned_data)
        messages.success(request, _("The two names have been merged."))
        return v.back("series-players")
    joins = v.series.joins.select_related("person")
    return v.render("events/series/players.html", form=form, players=players, joins=joins)


@require_POST
@login_required
def series_join_separate(request: HttpRequest, series_id: str, pk: int) -> HttpResponse:
    """Count a joined name for itself again."""
    v = visit(request, series_id, "change-series-players")
    join = get_object_or_404(SeriesJoin, pk=pk, series=v.series)
    services.separate_players(by=v.actor, series=v.series, join=join)
    messages.success(request, _("%(name)s is a separate player again.") % {"name": join.name})
    return v.back("series-players")


@require_POST
@login_required
def series_act(request: HttpRequest, series_id: str, act: str) -> HttpResponse:
    """End, reopen or delete a series."""
    v = visit(request, series_id)
    given = form_reason(request)
    if act == "delete":
        services.delete_series(by=v.actor, series=v.series, version=given["version"], confirmed=given["confirmed"])
        messages.success(request, _("%(series)s deleted.") % {"series": v.series})
        return redirect("events:venue", v.series.venue_id)
    if act == "end":
        services.end_series(by=v.actor, series=v.series, version=given["version"])
    elif act == "reopen":
        services.reopen_series(by=v.actor, series=v.series, version=given["version"])
    else:
        raise Http404
    return v.back()


# files


def _file(v: SeriesVisit) -> str:
    return f"headjudge-series-{v.series.public_id}"


@require_safe
def series_csv(request: HttpRequest, series_id: str) -> HttpResponse:
    """Return the table as CSV."""
    v = visit(request, series_id)
    text = series_columns.table_csv(series_table(v.series), draft_of(v.series))
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{_file(v)}.csv"'
    return response


@require_safe
def series_json(request: HttpRequest, series_id: str) -> HttpResponse:
    """Return the table as JSON."""
    v = visit(request, series_id)
    document = table_document(series_table(v.series), draft_of(v.series))
    response = JsonResponse(document, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{_file(v)}.json"'
    return response


@require_safe
def series_pdf(request: HttpRequest, series_id: str) -> HttpResponse:
    """Return the table as a PDF, after the end with the order of the prize draft and its picks."""
    v = visit(request, series_id)
    found = series_table(v.series)
    heads, lines = series_columns.printed_lines(found, _days(found))
    now = timezone.localtime(timezone.now(), v.series.venue.zone)
    printed = _("printed %(when)s") % {"when": formats.date_format(now, "l j F Y, H:i")}
    draft = draft_of(v.series)
    made = series_paper(
        PageHeading(
            v.series.name, series_columns.title_of(v.series), f"{v.series.venue.name}, {v.series.venue.city}", printed
        ),
        heads,
        lines,
        series_columns.rules_in_words(v.series),
        draft=series_columns.draft_lines(found, draft),
        draft_heading=_("Prize draft") if draft is not None and draft.has_started else _("Prize draft order"),
        size=paper_size(request),
    )
    return pdf_response(made, _file(v))
