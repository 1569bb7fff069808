"""The page of the prize draft at the end of a series: whose turn it is, what is left, and who picked what."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from events.door import Refused
from events.forms.prizes import PrizesForm
from events.models import Entry, SeriesDraft
from events.models.events import short_name
from events.series_table import SeriesTable, series_table
from events.services import series_draft as services

from .access import form_version
from .series import SeriesVisit, visit

SHOWN_TURNS = 8


@dataclass(frozen=True)
class Picker:
    """A player of the draft: place in its order, name and the prizes so far."""

    place: int
    name: str
    prizes: list[str]
    is_next: bool


def _names(found: SeriesTable, order: tuple[int, ...]) -> dict[int, str]:
    """Return the public name of each entry in the order, even if its event has left the table."""
    names = {key: found.players[found.by_entry[key]].name for key in order if key in found.by_entry}
    missing = [key for key in order if key not in names]
    for entry in Entry.objects.filter(pk__in=missing).only("name", "is_minor") if missing else ():
        names[entry.pk] = short_name(entry.name) if entry.is_minor else entry.name
    return names


@require_safe
def prizes(request: HttpRequest, series_id: str) -> HttpResponse:
    """Show the draft; organisers list the prizes and record the picks."""
    return _page(visit(request, series_id))


def _page(v: SeriesVisit, form: PrizesForm | None = None) -> HttpResponse:
    draft = services.draft_of(v.series)
    snake = draft.snake if draft is not None else SeriesDraft().snake
    names = _names(series_table(v.series), snake.order) if snake.order else {}
    turn = snake.whose
    if form is None and v.organises:
        form = PrizesForm(initial={"prizes": "\n".join(snake.pool)})
    return v.render(
        "events/series/prizes.html",
        draft=draft,
        version=draft.version if draft is not None else "",
        left=list(snake.left.items()),
        left_count=sum(snake.left.values()),
        now=names.get(turn, "") if turn is not None else "",
        pick=len(snake.turns) + 1,
        after=[names.get(key, "") for _lap, key in snake.coming(SHOWN_TURNS)[1:]],
        pickers=[
            Picker(place, names.get(key, ""), snake.of(key), key == turn) for place, key in enumerate(snake.order, 1)
        ],
        has_turns=bool(snake.turns),
        form=form,
    )


@require_POST
@login_required
def prizes_act(request: HttpRequest, series_id: str, act: str) -> HttpResponse:
    """List the prizes, or take one step of the draft."""
    v = visit(request, series_id)
    version = form_version(request)
    if act == "list":
        form = PrizesForm(request.POST)
        if not form.is_valid():
            visit(request, series_id, "edit-series-prizes")
            return _page(v, form)
        services.edit_prizes(by=v.actor, series=v.series, prizes=form.lines, version=version)
        messages.success(request, _("Prizes saved."))
        return v.back("series-prizes")
    draft = services.draft_of(v.series)
    if draft is None:
        raise Refused(_("List the prizes first."))
    draft.series = v.series
    if act == "start":
        services.start(by=v.actor, draft=draft, version=version)
    elif act == "pick":
        services.pick(by=v.actor, draft=draft, prize=request.POST.get("prize", ""), version=version)
    elif act == "skip":
        services.skip(by=v.actor, draft=draft, for_good=bool(request.POST.get("for_good")), version=version)
    elif act == "withdraw":
        services.withdraw_pick(by=v.actor, draft=draft, version=version)
    else:
        raise Http404
    return v.back("series-prizes")
