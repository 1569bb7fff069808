"""Calls: the queue of an event or a hall, one call from the raised hand to its end, raising a hand at a table."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from events import live
from events.actions import answer
from events.door import Refused
from events.models import AuditEntry, Event, Hall, Match, Round, sits
from events.roles import Actor
from events.views.access import Visit, form_version, must_sign_in, visit
from events.views.live import answer_notification
from judging.calls import QueuedCall, sorted_queue
from judging.forms_calls import SUBJECTS, CloseForm, RaiseForm
from judging.models import Call, Decision
from judging.services import calls as services
from judging.services.decisions import said

SHOWN_APPEALS = 5
SHOWN_CLOSED = 8
SHOWN_EARLIER = 10
SHOWN_POSITIONS = 2
SHOWN_RULINGS = 5
QUEUED = (Event.State.RUNNING, Event.State.FINISHED)


def _closed(events: list[Event]) -> list[Call]:
    found = services.calls().filter(match__round__event__in=events).exclude(state__in=Call.OPEN)
    return list(found.order_by("-ended", "-pk")[:SHOWN_CLOSED])


def _appealed(events: list[Event]) -> list[Decision]:
    """Return these events' decisions under appeal, oldest appeal first."""
    found = Decision.objects.filter(event__in=events, state=Decision.State.APPEALED).select_related("event", "match")
    return list(found.order_by("appealed_at", "pk")[:SHOWN_APPEALS])


def _with_event(found: list[Call], event: Event) -> list[Call]:
    for call in found:
        call.match.round.event = event
    return found


@require_safe
def queue(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show an event's calls; the oldest unassigned one is the largest thing on the page."""
    v = visit(request, public_id)
    v.require("see-calls")
    person_id = v.actor.person.pk if v.actor.person else None
    found = _with_event(services.open_calls([v.event]), v.event)
    return v.render(
        "judging/calls/queue.html",
        **sorted_queue([QueuedCall(call, v.roles, person_id) for call in found]),
        appealed=_appealed([v.event]),
        closed=_closed([v.event]),
        may_judge=bool(v.may("take-call")),
        hall=v.event.hall,
        back="",
    )


def _hall(pk: int, hall: int) -> tuple[Hall, list[Event]]:
    found = get_object_or_404(Hall.objects.select_related("venue"), pk=hall, venue=pk)
    events = list(
        Event.objects.filter(hall=found, state__in=QUEUED).select_related("venue", "hall").order_by("starts", "pk")
    )
    return found, events


@require_safe
def hall_queue(request: HttpRequest, pk: int, hall: int) -> HttpResponse:
    """Show the calls of all events in a hall, to anyone who works at one of them."""
    away = must_sign_in(request)
    if away is not None:
        return away
    found, events = _hall(pk, hall)
    actor = Actor.of(request)
    roles = {event.pk: actor.roles(event=event) for event in events}
    at_venue = answer("change-halls", actor.roles(venue=found.venue))
    if not at_venue and not any(answer("see-calls", roles[event.pk], event=event) for event in events):
        raise Refused(_("Only officials of events in this hall and the venue's managers can see these calls."))
    person_id = actor.person.pk if actor.person else None
    queue = [QueuedCall(call, roles[call.round.event_id], person_id) for call in services.open_calls(events)]
    return render(
        request,
        "judging/calls/hall.html",
        {
            **sorted_queue(queue),
            "hall": found,
            "venue": found.venue,
            "events": events,
            "actor": actor,
            "appealed": _appealed([event for event in events if answer("see-decisions", roles[event.pk], event=event)]),
            "closed": _closed(events),
            "may_judge": any(answer("take-call", roles[event.pk], event=event) for event in events),
            "back": "hall",
            "in_hall": True,
            "notification": reverse("judging:hall-change-notification", args=[pk, hall]),
            "stream": live.stream_of(events),
            "counter": _newest(events),
            "now": int(timezone.now().timestamp() * 1000),
        },
    )


def _newest(events: list[Event]) -> int:
    found = AuditEntry.objects.filter(event__in=events).order_by("-pk").values_list("pk", flat=True)
    return found.first() or 0


@require_safe
def hall_change_notification(request: HttpRequest, pk: int, hall: int) -> HttpResponse:
    """Return a hall's change counter: the newest audit log entry of any event in it. Needs no session."""
    _found, events = _hall(pk, hall)
    return answer_notification(request, _newest(events))


# one call


def _call(v: Visit, pk: int) -> Call:
    call = services.calls().filter(pk=pk, match__round__event=v.event).first()
    if call is None or call.round.state == Round.State.DRAFT:
        raise Http404
    call.match.round.event = v.event
    return call


@require_safe
def call(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Show one call: the next step, its stopwatch, the form to resolve it."""
    v = visit(request, public_id)
    v.require("see-calls")
    return _page(v, _call(v, pk))


def _page(v: Visit, call: Call, form: CloseForm | None = None, status: int = 200) -> HttpResponse:
    prefetch_related_objects([call.round], "clock_runs")
    runs, now = list(call.round.clock_runs.all()), timezone.now()
    proposed = services.proposed_minutes(call, now)
    is_new = form is None
    can_extend = services.can_extend(call.match)
    ruled = list(call.match.decisions.order_by("-pk")[:SHOWN_RULINGS])
    if form is None:
        initial = {
            "category": call.category or SUBJECTS.get(call.reason, ""),
            "text": call.text,
            "minutes": proposed,
            "agreed": 0,
            "outcome": Call.Outcome.RULED if any(one.call_id == call.pk for one in ruled) else Call.Outcome.ANSWERED,
        }
        form = CloseForm(initial=initial, can_extend=can_extend)
    earlier = services.calls().filter(match__round__event=v.event).exclude(pk=call.pk)
    earlier = earlier.filter(match__in=Match.objects.filter(sits(*call.match.entry_ids)))
    if is_new and can_extend:
        form.fields["minutes"].widget.attrs |= {
            "data-lost": int(services.lost_seconds(call, runs, now)),
            "data-counts": "yes" if not runs or any(run.ended is None for run in runs) else "no",
        }
    return v.render(
        "judging/calls/call.html",
        one=QueuedCall(call, v.roles, v.actor.person.pk if v.actor.person else None),
        call=call,
        players=call.match.entries,
        form=form,
        can_extend=can_extend,
        paused=bool(runs) and all(run.ended is not None for run in runs),
        positions=list(call.disputes.order_by("-pk")[:SHOWN_POSITIONS]),
        ruled=[(one, said(one.counts, one.text_that_counts)) for one in ruled],
        earlier=list(earlier.order_by("-raised", "-pk")[:SHOWN_EARLIER]),
        back=_back(v),
        queue_address=_queue_address(v),
        status=status,
    )


def _back(v: Visit) -> str:
    asked = v.request.POST.get("from") or v.request.GET.get("from") or ""
    return asked if asked in ("hall", "entry") else ""


def _queue_address(v: Visit) -> str:
    if _back(v) == "hall" and v.event.hall is not None:
        return reverse("judging:hall-calls", args=[v.event.venue_id, v.event.hall_id])
    return reverse("judging:calls", args=[v.event.public_id])


def _call_address(v: Visit, call: Call) -> str:
    address = reverse("judging:call", args=[v.event.public_id, call.pk])
    return f"{address}?from=hall" if _back(v) == "hall" else address


def _table_address(v: Visit, match: Match) -> str:
    if _back(v) == "entry" and v.entry is not None:
        return reverse("events:entry", args=[v.event.public_id, v.entry.number])
    return reverse("events:table", args=[v.event.public_id, match.round.number, match.table])


def _take(v: Visit, call: Call) -> str:
    services.take_call(by=v.actor, call=call)
    messages.success(v.request, _("You took the call from table %(table)s.") % {"table": call.match.table})
    return _call_address(v, call)


def _arrive(v: Visit, call: Call) -> str:
    services.arrive_at_table(by=v.actor, call=call)
    return _call_address(v, call)


def _release(v: Visit, call: Call) -> str:
    services.release_call(by=v.actor, call=call, version=form_version(v.request))
    messages.success(
        v.request, _("Call released. Table %(table)s is waiting for a judge again.") % {"table": call.match.table}
    )
    return _queue_address(v)


def _escalate(v: Visit, call: Call) -> str:
    services.escalate_call(by=v.actor, call=call, version=form_version(v.request))
    messages.success(v.request, _("Head judge requested for table %(table)s.") % {"table": call.match.table})
    return _call_address(v, call)


def _cancel(v: Visit, call: Call) -> str:
    services.cancel_call(by=v.actor, call=call)
    messages.success(v.request, _("Call cancelled."))
    if not v.may("see-calls") or _back(v) == "entry":
        return _table_address(v, call.match)
    return _queue_address(v)


ACTS: dict[str, Callable[[Visit, Call], str]] = {
    "take": _take,
    "arrive": _arrive,
    "release": _release,
    "escalate": _escalate,
    "cancel": _cancel,
}


@require_POST
def act(request: HttpRequest, public_id: str, pk: int, verb: str) -> HttpResponse:
    """Take, arrive, release, pass to the head judge, cancel: one press each."""
    v = visit(request, public_id)
    return redirect(ACTS[verb](v, _call(v, pk)))


@require_POST
def close(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Resolve a call, and give the table its extension."""
    v = visit(request, public_id)
    found = _call(v, pk)
    v.require("close-call", found.round)
    form = CloseForm(request.POST, can_extend=services.can_extend(found.match))
    if not form.is_valid():
        return _page(v, found, form, 400)
    version = form_version(request) if found.is_open else None
    services.close_call(by=v.actor, call=found, version=version, **form.cleaned_data)
    said = _("Call from table %(table)s resolved.") % {"table": found.match.table}
    if found.extension is not None:
        minutes = found.extension.seconds // 60
        said += " " + ngettext("The table gets %(n)d extra minute.", "The table gets %(n)d extra minutes.", minutes) % {
            "n": minutes
        }
    messages.success(request, said)
    return redirect(_queue_address(v))


@require_POST
def raise_hand(request: HttpRequest, public_id: str, number: int, table: int) -> HttpResponse:
    """Raise a hand at a table; for a judge who is there already, also start the stopwatch."""
    v = visit(request, public_id)
    match = v.match(number, table)
    match.round.event = v.event
    form = RaiseForm(request.POST)
    form.is_valid()
    said = {name: form.cleaned_data.get(name, "") for name in ("reason", "text")}
    call, is_new = services.raise_call(by=v.actor, match=match, **said)
    if request.POST.get("here") == "yes":
        services.arrive_at_table(by=v.actor, call=call)
        return redirect(_call_address(v, call))
    if is_new:
        messages.success(request, _("Judge called to table %(table)s.") % {"table": table})
    else:
        messages.info(request, _("A judge has already been called to table %(table)s.") % {"table": table})
    return redirect(_table_address(v, match))
