"""Pages of the booster draft: a round's tables for officials, a table, a seat that records its picks, the sheet on paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from events.documents import day_of
from events.forms.forces import ByHandForm
from events.forms.pods import BoosterDraftForm
from events.live import newest
from events.models import Entry, Match, Pod, Round
from events.passing import Direction, Passing
from events.pdf import pods as paper
from events.queries import team_names
from events.roles import OFFICIALS
from events.services import pods as services
from events.services.forces import deadline_of
from events.services.pods import LIMITS

from .access import Visit, form_reason, visit
from .forces import search_facts, wants_fragment, whole_number
from .papers import heading
from .pdf_response import pdf_response
from .prizes import names_of


@dataclass(frozen=True)
class SeatLine:
    """A seat as a table's page lists it: whether its pick of this step is recorded, or it records on paper."""

    number: int
    name: str
    has_recorded: bool
    is_on_paper: bool
    missing: int
    is_mine: bool


def _names(v: Visit) -> dict[int, str]:
    return names_of(v.event, whole=bool(v.may("see-console")))


def _must_draft(v: Visit) -> None:
    if not v.event.has_booster_draft:
        raise Http404


def seat_lines(v: Visit, pod: Pod, names: dict[int, str]) -> list[SeatLine]:
    """Return the seats in order of passing to the left."""
    mine = services.own_seat(pod, v.entry)
    found = []
    for number in pod.seats:
        picks = pod.recorded(number)[: pod.step + 1]
        has_recorded = pod.step < len(picks) and picks[pod.step] is not None
        missing = sum(one is None for one in picks[: pod.step])
        found.append(
            SeatLine(number, names.get(number, ""), has_recorded, number in pod.on_paper, missing, number == mine)
        )
    return found


@require_http_methods(["GET", "HEAD", "POST"])
def boosters(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show the drafts of a round's tables to officials; judges start them here."""
    v = visit(request, public_id)
    _must_draft(v)
    row = v.round(number)
    v.require("start-booster-draft" if request.method == "POST" else "see-console", row)
    known = {name: getattr(v.event, name) for name in LIMITS}
    without = [match.table or 0 for match in services.tables_without(row)]
    form = BoosterDraftForm(
        request.POST if request.method == "POST" else None,
        initial=known | {"table": whole_number(request.GET.get("table"))},
        tables=without,
    )
    if request.method == "POST" and form.is_valid():
        given = {name: form.cleaned_data[name] for name in LIMITS}
        table = form.cleaned_data.get("table")
        services.start(by=v.actor, round=row, settings=given, table=table, **form_reason(request))
        messages.success(request, _("Booster draft started."))
        return redirect("events:boosters", public_id, number)
    names, pods = _names(v), services.pods_of(row)
    return v.render(
        "events/pods/round.html",
        status=400 if form.errors else 200,
        round=row,
        pods=[(pod, [names.get(one, "") for one in pod.waiting_for], *ends_of(pod)) for pod in pods],
        without=without,
        may_start=v.may("start-booster-draft", row),
        makes_no_forces=deadline_of(v.event, Entry(event=v.event), number, [row]).closed,
        form=form,
        counter=newest(v.event),
    )


@require_safe
def pod(request: HttpRequest, public_id: str, number: int, table: int) -> HttpResponse:
    """Show a table's draft; lead its players to their own seat."""
    v = visit(request, public_id)
    _must_draft(v)
    match = v.match(number, table)
    found = services.pod_of(match)
    if found is not None and (own := services.own_seat(found, v.entry)) is not None and not v.roles & OFFICIALS:
        return redirect("events:pod-seat", public_id, number, table, own)
    return _page(v, match, found, None)


@require_safe
def seat(request: HttpRequest, public_id: str, number: int, table: int, seat: int) -> HttpResponse:
    """Show a seat: what it holds, what it picked, and the search that records a pick."""
    v = visit(request, public_id)
    _must_draft(v)
    match = v.match(number, table)
    found = services.pod_of(match)
    if found is None or seat not in found.seats:
        raise Http404
    if not v.roles & OFFICIALS and services.own_seat(found, v.entry) != seat:
        v.require("see-console")
        return redirect("events:pod", public_id, number, table)
    return _page(v, match, found, seat)


def _page(
    v: Visit, match: Match, pod: Pod | None, seat: int | None, form: ByHandForm | None = None, status: int = 200
) -> HttpResponse:
    match.round.event = v.event
    facts: dict[str, Any] = {"round": match.round, "match": match, "pod": pod, "seat": seat, "counter": newest(v.event)}
    if pod is None:
        may_start = v.may("start-booster-draft", match.round)
        return v.render("events/pods/pod.html", **facts, may_start=may_start)
    names = _names(v)
    is_over = pod.ended is not None or pod.step >= pod.passing.steps
    step = min(pod.step, pod.passing.steps - 1)
    picks = pod.recorded(seat) if seat is not None else []
    now = picks[step] if picks else None
    ends, until = ends_of(pod)
    asked = whole_number(v.request.GET.get("change"))
    changing = asked if asked is not None and seat is not None and asked < min(pod.step + 1, len(picks)) else None
    at = step if changing is None else changing
    unmade = [one for one in services.without_force(pod) if seat in (None, one)] if is_over else []
    records = seat is not None and not is_over and (changing is not None or now is None)
    if records:
        args = [v.event.public_id, match.round.number, match.table, seat, at]
        target = reverse("events:pod-record", args=args) + ("?replace=yes" if changing is not None else "")
        facts |= search_facts(v.request, edition=v.event.edition, sets=v.event.sets, day=day_of(v.event))
        facts |= {"target": target, "picking": True, "opening": True, "by_hand": form or ByHandForm()}
        if wants_fragment(v.request) and v.request.headers.get("HX-Target") == "found":
            return v.render("events/forces/found.html", **facts)
    return v.render(
        "events/pods/pod.html",
        status=status,
        **facts,
        is_over=is_over,
        has_made=len(unmade) < (len(pod.seats) if seat is None else 1),
        without_force=[names.get(one, "") for one in unmade],
        is_official=bool(v.roles & OFFICIALS),
        ends=ends,
        until=until,
        now_recorded=now["facts"].get("name", "") if now is not None and not is_over else None,
        booster=pod.passing.booster(step),
        pick=pod.passing.pick(step),
        way=direction_words(pod.passing.direction(step)),
        holds=_holds(pod, seat, step, names) if seat is not None else None,
        lines=seat_lines(v, pod, names),
        waiting=[names.get(number, "") for number in pod.waiting_for],
        seat_name=names.get(seat, "") if seat is not None else "",
        is_mine=seat is not None and services.own_seat(pod, v.entry) == seat,
        picks=[(at, one["facts"].get("name", "") if one else None) for at, one in enumerate(picks[: pod.step + 1])],
        records=records,
        recording=at + 1,
    )


def ends_of(pod: Pod) -> tuple[int, str]:
    """Return when the time for the pick is up, in milliseconds and by the venue's clock: a timer without scripts."""
    ends = pod.ends.astimezone(pod.round.event.venue.zone)
    return int(ends.timestamp() * 1000), _("until %(time)s") % {"time": formats.date_format(ends, "H:i:s")}


def direction_words(direction: Direction) -> str:
    """Return a direction in words, within a sentence."""
    return _("to the left") if direction is Direction.LEFT else _("to the right")


def _holds(pod: Pod, number: int, step: int, names: dict[int, str]) -> dict[str, Any]:
    """Return whose booster lies before a seat, and who gets it next; None for its own and after the last pick."""
    passing, at = pod.passing, pod.seats.index(number)
    opener = passing.opener(at, step)
    return {
        "opener": None if opener == at else names.get(pod.seats[opener], ""),
        "to": None if passing.is_last_of_booster(step) else names.get(pod.seats[passing.next_seat(at, step)], ""),
    }


def _pod_of(v: Visit, number: int, table: int) -> Pod:
    match = v.match(number, table)
    match.round.event = v.event
    found = services.pod_of(match)
    if found is None:
        raise Http404
    return found


@require_POST
def record(request: HttpRequest, public_id: str, number: int, table: int, seat: int, step: int) -> HttpResponse:
    """Record a pick of a seat, from the catalogue or as typed."""
    v = visit(request, public_id)
    _must_draft(v)
    found = _pod_of(v, number, table)
    given: dict[str, Any] = {"by": v.actor, "pod": found, "number": seat, "step": step}
    given["replace"] = request.GET.get("replace") == "yes"
    if request.POST.get("act") == "hand":
        form = ByHandForm(request.POST)
        if not form.is_valid():
            if not v.roles & OFFICIALS and services.own_seat(found, v.entry) != seat:
                v.require("see-console")
            return _page(v, found.match, found, seat if seat in found.seats else None, form, status=400)
        services.record(by_hand=form.cleaned_data["facts"], **given)
    else:
        services.record(code=request.POST.get("code", ""), **given)
    return redirect("events:pod-seat", public_id, number, table, seat)


@require_POST
def pass_on(request: HttpRequest, public_id: str, number: int, table: int, step: int) -> HttpResponse:
    """Pass the boosters on."""
    v = visit(request, public_id)
    _must_draft(v)
    services.pass_on(by=v.actor, pod=_pod_of(v, number, table), step=step)
    return redirect("events:pod", public_id, number, table)


@require_POST
def on_paper(request: HttpRequest, public_id: str, number: int, table: int) -> HttpResponse:
    """Say whether a seat records its picks on paper."""
    v = visit(request, public_id)
    _must_draft(v)
    asked = whole_number(request.POST.get("entry"))
    is_on_paper = request.POST.get("on_paper") == "yes"
    services.on_paper(by=v.actor, pod=_pod_of(v, number, table), number=asked or 0, is_on_paper=is_on_paper)
    return redirect("events:pod", public_id, number, table)


@require_safe
def sheets(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Return a sheet for each table of a round: seats in order, directions, and lines for the picks."""
    v = visit(request, public_id)
    v.require("see-console")
    _must_draft(v)
    row: Round = v.round(number)
    tables = row.matches.filter(kind=Match.Kind.GAME, table__isnull=False).with_entries().order_by("table")
    teams = team_names(v.event)
    made = [
        paper.PodSheet(
            match.table or 0,
            tuple(entry.name for entry in match.entries),
            Passing(len(match.entries), v.event.boosters_each, v.event.booster_figures),
            match.teams_among(teams),
        )
        for match in tables
    ]
    size = "letter" if request.GET.get("paper") == "letter" else "a4"
    pdf = paper.pod_sheets(heading(v, _("Booster draft: %(round)s") % {"round": row}), made, size=size)
    return pdf_response(pdf, f"headjudge-{public_id}-round-{number}-boosters")
