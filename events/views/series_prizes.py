"""The prize draft at the end of a series: its page, on players' phones too; the series' display and live updates."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from events import live, series_columns
from events.actions import Permission, Verdict
from events.display import DisplayLine, Slide, paged, read_settings, room_of
from events.door import Refused, require
from events.forms.prizes import PrizesForm
from events.models import SeriesDraft
from events.roles import Actor
from events.series_table import draft_names, own_keys, proved_keys, series_counters, series_table
from events.services import series_draft as services

from .access import form_version
from .display import LETTERS_OF_A_PLACE, prize_slides, shown_as
from .live import answer_notification
from .prizes import DONE, acts_of, draft_facts
from .series import SeriesVisit, visit


def picking(v: SeriesVisit, draft: SeriesDraft) -> Actor:
    """Return as whom the visitor picks: the entry whose turn it is, else another player of the draft, else the account."""
    found, snake = series_table(v.series), draft.snake
    acting = v.actors(found)
    for keys in ([snake.whose] if snake.whose is not None else [], snake.order):
        for one in acting:
            if proved_keys(one, found, keys):
                return one
    return v.actor


@require_safe
def prizes(request: HttpRequest, series_id: str) -> HttpResponse:
    """Show the draft: organisers list the prizes and run it, the player whose turn it is picks."""
    return _page(visit(request, series_id))


def _page(v: SeriesVisit, form: PrizesForm | None = None, status: int = 200) -> HttpResponse:
    draft = services.draft_of(v.series)
    found = series_table(v.series) if draft is not None or v.series.is_over else None
    order = draft.snake.order if draft is not None else ()
    acting = v.actors(found) if found and order else ()
    own = {key for one in acting for key in own_keys(one, found, order)} if found else set()
    proved = {key for one in acting for key in proved_keys(one, found, order)} if found else set()
    facts = draft_facts(draft, draft_names(found, order) if found else {}, own=own)
    if form is None and v.organises:
        form = PrizesForm(initial={"prizes": "\n".join(draft.pool) if draft is not None else ""})
    may_start = v.may("run-series-draft")
    if may_start and not v.series.is_over:
        may_start = Permission(Verdict.REFUSED, may_start.action, services.END_FIRST)
    now = facts["now"]
    return v.render(
        "events/series/prizes.html",
        status=status,
        **facts,
        **_followed(v),
        acts=acts_of("series-prizes-act", v.series.public_id),
        may_pick=now is not None and (v.organises or now.number in proved),
        may_edit=v.organises,
        runs=v.organises,
        may_start=may_start,
        order=[player.name for player in found.prize_order] if found and v.series.is_over and not order else (),
        form=form,
    )


def _followed(v: SeriesVisit) -> dict[str, Any]:
    """Return what keeps a page of the series up to date."""
    return {"counter": _counter(v), "stream": live.stream_of_series(v.series)}


def _counter(v: SeriesVisit) -> int:
    return series_counters([v.series.public_id])[v.series.public_id]


@require_POST
def prizes_act(request: HttpRequest, series_id: str, act: str) -> HttpResponse:
    """List the prizes, or take one step of the draft."""
    v = visit(request, series_id)
    version = form_version(request)
    if act == "list":
        form = PrizesForm(request.POST)
        if not form.is_valid():
            require(v.may("edit-series-prizes"))
            return _page(v, form, status=400)
        services.edit_prizes(by=v.actor, series=v.series, prizes=form.lines, version=version)
        messages.success(request, str(DONE[act]))
        return v.back("series-prizes")
    draft = services.draft_of(v.series)
    if draft is None:
        raise Refused(_("List the prizes first."))
    draft.series = v.series
    if act == "start":
        services.start(by=v.actor, draft=draft, version=version)
    elif act == "pick":
        services.pick(by=picking(v, draft), draft=draft, prize=request.POST.get("prize", ""), version=version)
    elif act == "skip":
        services.skip(by=v.actor, draft=draft, for_good=bool(request.POST.get("for_good")), version=version)
    elif act == "withdraw":
        services.withdraw_pick(by=v.actor, draft=draft, version=version)
    else:
        raise Http404
    messages.success(request, str(DONE[act]))
    return v.back("series-prizes")


PARTS = (("standings", gettext_lazy("Series standings")), ("prizes", gettext_lazy("Prize draft")))


@require_safe
def display(request: HttpRequest, series_id: str) -> HttpResponse:
    """Show the table on a projector, and the draft: whose turn it is, who picked what, and what is left."""
    v = visit(request, series_id)
    draft, found = services.draft_of(v.series), series_table(v.series)
    settings = read_settings(request.GET, request.GET.getlist("show"))
    room = room_of(settings, clock=False)
    slides: list[Slide] = []
    if "standings" in settings.parts:
        lines = [
            DisplayLine(cells, len(cells[1][1]) + LETTERS_OF_A_PLACE) for cells in series_columns.display_lines(found)
        ]
        slides += paged("standings", series_columns.title_of(v.series), lines, room)
    if "prizes" in settings.parts and draft is not None and draft.has_started:
        of_draft = prize_slides(draft, draft_names(found, draft.snake.order), room)
        slides = [*of_draft, *slides] if draft.snake.whose is not None else [*slides, *of_draft]
    return v.render(
        "events/series/display.html",
        **_followed(v),
        **shown_as(request, settings, slides),
        parts=[(part, words, part in settings.parts) for part, words in PARTS],
    )


@require_safe
def changes(request: HttpRequest, series_id: str) -> HttpResponse:
    """Return the series' counter, for pages that follow it without a stream."""
    return answer_notification(request, _counter(visit(request, series_id)))
