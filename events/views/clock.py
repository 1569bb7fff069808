"""Pages of the clock: its controls for officials, its face for everyone, extra time for a table."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from events import clock as clocks
from events.address import page_asked_for
from events.door import Refused
from events.forms.clock import ExtendForm, TimeForm
from events.models import Extension, Match, Round
from events.queries import current_round, with_event
from events.services import clock as services
from events.services.clock import clock_of
from events.sharing import public

from .access import Visit, form_version, visit

STARTS: dict[str, Callable[..., Round]] = {
    "preparation": services.start_preparation,
    "start": services.start_round,
    "pause": services.pause,
    "resume": services.resume,
}
DONE = {
    "preparation": gettext_lazy("Preparation started."),
    "start": gettext_lazy("Round started."),
    "pause": gettext_lazy("The clock is paused."),
    "resume": gettext_lazy("Clock resumed."),
}
QUICK_MINUTES = (1, 2, 3, 5)
"""Extensions that take one press."""


@public()
@require_http_methods(["GET", "HEAD", "POST"])
def control(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the current round's clock; officials start, pause and extend it here."""
    v = visit(request, public_id)
    round = current_round(v.event)
    if round is None:
        if request.method == "POST":
            raise Refused(_("No round is published. Publish the pairings first."))
        return v.render("events/clock/none.html")
    add, extend_form = TimeForm(prefix="all"), ExtendForm(prefix="one")
    if request.method == "POST":
        act = request.POST.get("act", "")
        if act in STARTS:
            STARTS[act](by=v.actor, round=round, version=form_version(request))
            messages.success(request, DONE[act])
            return redirect("events:clock", public_id)
        if act in ("more", "less"):
            add = TimeForm(request.POST, prefix="all")
            if add.is_valid():
                minutes = add.cleaned_data["minutes"] * (1 if act == "more" else -1)
                services.add_time(
                    by=v.actor,
                    round=round,
                    minutes=minutes,
                    reason=add.cleaned_data["reason"],
                    version=form_version(request),
                )
                messages.success(
                    request, _("Time added for all tables.") if act == "more" else _("Time removed for all tables.")
                )
                return redirect("events:clock", public_id)
        elif act == "call":
            services.call_time(
                by=v.actor, round=round, reason=request.POST.get("reason", ""), version=form_version(request)
            )
            messages.success(request, _("Time called."))
            return redirect("events:clock", public_id)
        elif act == "extend":
            games = {match.table or 0: match for match in round.matches.filter(kind=Match.Kind.GAME).with_round()}
            extend_form = ExtendForm(request.POST, prefix="one", matches=games)
            if extend_form.is_valid():
                return _extend(v, games[extend_form.cleaned_data["table"]], extend_form)
        else:
            raise Refused(_("This action isn't available now. Reload the page."))
    status = 400 if request.method == "POST" else 200
    return v.render("events/clock/control.html", **_facts(v, round), add=add, extend_form=extend_form, status=status)


def _facts(v: Visit, round: Round) -> dict[str, Any]:
    prefetch_related_objects([round], "clock_runs")
    stored = clock_of(round)
    reading = clocks.read(stored, timezone.now())
    extended = list(
        round.matches.filter(extensions__withdrawn=False)
        .distinct()
        .with_entries()
        .prefetch_related("extensions")
        .order_by("table")
    )
    for match in extended:
        match.round = round
    with_event(extended, v.event)
    words = clocks.announcements(max(stored.length(clocks.ROUND), 1), v.event.time_called)
    return {
        "round": round,
        "reading": reading,
        "extended": extended,
        "extended_play": any(match.state != Match.State.CONFIRMED for match in extended),
        "words": words,
        "due": clocks.fresh(reading, words),
        "still_open": round.matches.exclude(state=Match.State.CONFIRMED).count(),
        "stands_still": round.state == Round.State.COMPLETE,
        "preparation_minutes": round.preparation_seconds // 60,
    }


def _extend(v: Visit, match: Match, form: TimeForm) -> HttpResponse:
    match.round.event = v.event
    services.extend_table(
        by=v.actor, match=match, minutes=form.cleaned_data["minutes"], reason=form.cleaned_data["reason"]
    )
    messages.success(v.request, _("Extension given to table %(table)d.") % {"table": match.table})
    return redirect(page_asked_for(v.request, reverse("events:clock", args=[v.event.public_id])))


@require_http_methods(["GET", "HEAD", "POST"])
def extend(request: HttpRequest, public_id: str, number: int, table: int) -> HttpResponse:
    """Give one table extra time, with a reason."""
    v = visit(request, public_id)
    match = v.match(number, table)
    match.round.event = v.event
    v.require("extend-table", match.round)
    proposed = {name: request.GET[name] for name in ("minutes", "reason") if name in request.GET}
    posted = request.POST.copy()
    if minutes := request.POST.get("add"):
        posted["minutes"] = minutes
    form = TimeForm(posted or None, initial={"reason": _("A judge was at the table")} | proposed)
    if request.method == "POST" and form.is_valid():
        return _extend(v, match, form)
    return v.render(
        "events/clock/extend.html",
        match=match,
        round=match.round,
        form=form,
        quick=QUICK_MINUTES,
        given=match.extensions.filter(withdrawn=False).select_related("given_by"),
        status=400 if request.method == "POST" else 200,
    )


@require_POST
def withdraw(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Withdraw a table's extension."""
    v = visit(request, public_id)
    extension = get_object_or_404(Extension.objects.select_related("match__round"), pk=pk, match__round__event=v.event)
    extension.match.round.event = v.event
    services.withdraw_extension(by=v.actor, extension=extension, reason=request.POST.get("reason", ""))
    messages.success(request, _("Extension withdrawn."))
    return redirect("events:clock", public_id)
