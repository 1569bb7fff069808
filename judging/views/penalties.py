"""Penalties of an event: give, list and withdraw them; warn for slow play from the table's page."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django_tables2 import RequestConfig

from events.door import NeedsConfirmation
from events.models import Entry, Match, Role, Round
from events.models.rounds import heavy_beside
from events.views.access import Visit, form_reason, visit
from judging.forms import PenaltyForm
from judging.models import Penalty
from judging.services import calls
from judging.services import penalties as services
from judging.tables import PenaltyTable

PROPOSED_MINUTES = 2


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 10 else None


def _entry(v: Visit) -> Entry | None:
    """Return the player that the page is about, from the URL or the form."""
    pk = _number(v.request.POST.get("entry") or v.request.GET.get("entry"))
    found = v.event.entries.filter(pk=pk).first() if pk is not None else None
    if found is not None:
        found.event = v.event
    return found


def _match(v: Visit, current: Round | None) -> Match | None:
    table = _number(v.request.POST.get("table") or v.request.GET.get("table"))
    if current is None or table is None:
        return None
    return current.matches.filter(table=table).with_round().first()


def penalties(request: HttpRequest, public_id: str) -> HttpResponse:
    """List the event's penalties; give a new one, with what the player was given before."""
    seen = visit(request, public_id)
    seen.require("see-console")
    current = seen.event.rounds.exclude(state=Round.State.DRAFT).order_by("-number").first()
    entry = _entry(seen)
    earlier = list(services.history(entry)) if entry is not None else []
    category = request.GET.get("category", "")
    category = category if category in Penalty.Category.values else ""
    first: dict[str, Any] = {
        "round": current,
        "entry": entry,
        "category": category or None,
        "kind": services.suggested(earlier, category) if category else Penalty.Kind.WARNING,
        "opponents_points": seen.event.bye_points,
    }
    is_head = Role.HEAD_JUDGE in seen.roles
    form = PenaltyForm(request.POST or None, event=seen.event, is_head=is_head, initial=first)
    if request.method == "POST" and form.is_valid():
        given = services.give_penalty(
            by=seen.actor,
            match=_of_the_entry(_match(seen, form.cleaned_data["round"]), form.cleaned_data["entry"]),
            **form.cleaned_data,
            **form_reason(request) | {"version": None},
        )
        messages.success(
            request,
            capfirst(_("%(penalty)s given to %(name)s.") % {"penalty": given.get_kind_display(), "name": given.entry}),
        )
        return redirect("judging:penalties", public_id)
    found = Penalty.objects.filter(entry__event=seen.event).select_related("entry", "round", "given_by")
    table = PenaltyTable(found.defer(*heavy_beside("round")))
    RequestConfig(request, paginate=False).configure(table)
    return seen.render(
        "judging/penalties/page.html",
        form=form,
        table=table,
        chosen=entry,
        earlier=earlier,
        steps=_steps(seen, earlier) if entry is not None else [],
        at_table=request.GET.get("table", ""),
        is_head=is_head,
        status=400 if request.method == "POST" else 200,
    )


def _of_the_entry(match: Match | None, entry: Entry) -> Match | None:
    return match if match is not None and entry.pk in match.entry_ids else None


def _steps(v: Visit, earlier: list[Penalty]) -> list[tuple[str, str]]:
    """Return what to consider next for each fault that was penalised before."""
    again = dict.fromkeys(one.category for one in earlier if not one.withdrawn)
    return [
        (str(Penalty.Category(one).label), str(Penalty.Kind(services.suggested(earlier, one)).label)) for one in again
    ]


@require_POST
def withdraw(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Withdraw a penalty."""
    seen = visit(request, public_id)
    rows = Penalty.objects.select_related("entry__event", "match__round", "match__a", "match__b")
    penalty = get_object_or_404(rows, pk=pk, entry__event=seen.event)
    penalty.entry.event = seen.event
    if penalty.match is not None:
        penalty.match.round.event = seen.event
    services.withdraw_penalty(by=seen.actor, penalty=penalty, **form_reason(request))
    messages.success(request, _("Penalty for %(name)s withdrawn.") % {"name": penalty.entry})
    return redirect("judging:penalties", public_id)


@require_POST
def slow(request: HttpRequest, public_id: str, number: int, table: int) -> HttpResponse:
    """Ask, then warn one player for slow play and propose an extension for the table."""
    v = visit(request, public_id)
    match = v.match(number, table)
    match.round.event = v.event
    given = form_reason(request)
    entry = match.entry_at(request.POST.get("side", ""))
    v.require("give-penalty")
    if entry is not None and not given["confirmed"]:
        raise NeedsConfirmation(
            _("Warn %(name)s for slow play") % {"name": entry}, _warned_before(entry), about=v.event
        )
    services.slow_play(by=v.actor, match=match, side=request.POST.get("side", ""), confirmed=given["confirmed"])
    messages.success(request, _("Warning for slow play given to %(name)s.") % {"name": entry})
    call = calls.open_call(match)
    mine = call is not None and v.actor.person is not None and call.judge_id == v.actor.person.pk
    if call is not None and mine:
        return redirect("judging:call", public_id, call.pk)
    if not calls.can_extend(match):
        return redirect("events:table", public_id, number, table)
    proposed = {"minutes": PROPOSED_MINUTES, "reason": _("Slow play")}
    return redirect(f"{reverse('events:extend', args=[public_id, number, table])}?{urlencode(proposed)}")


def _warned_before(entry: Entry) -> list[str]:
    """Return what a warning does, or what to consider instead if the player was warned for slow play before."""
    next_kind = services.suggested(list(services.history(entry)), Penalty.Category.SLOW_PLAY)
    if next_kind == Penalty.Kind.WARNING:
        return [_("The warning is recorded and appears on the result sheet.")]
    said = _(
        "%(name)s has already been warned for slow play. Consider a %(penalty)s, which only the head judge can give."
    )
    return [said % {"name": entry, "penalty": Penalty.Kind(next_kind).label}]
