"""Calls on pages of `events`: templates load this library, so that `events` doesn't import `judging`."""

from __future__ import annotations

import datetime
from collections import Counter
from typing import Any, NamedTuple

from django import template
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from events.actions import answer
from events.clock import digits
from events.filled import filled, mark, number_mark
from events.models import Event, Match
from judging.calls import QueuedCall
from judging.forms_calls import RaiseForm
from judging.models import Call, Decision
from judging.services import calls as services

register = template.Library()
HAND = "judging/calls/hand.html"
SIGNS = {
    Call.Reason.RULES: "book-open",
    Call.Reason.RESULT: "list",
    Call.Reason.TIME: "timer",
    Call.Reason.URGENT: "triangle-alert",
}
"""The icon of each reason."""


@register.filter
def stopwatch(since: datetime.datetime | None) -> SafeString | str:
    """Show the time since an instant in minutes and seconds; `clock.js` keeps counting."""
    if since is None:
        return ""
    seconds = max(0, int((timezone.now() - since).total_seconds()))
    return format_html('<span class="digits" data-since="{}">{}</span>', int(since.timestamp() * 1000), digits(seconds))


@register.filter
def length_of(duration: datetime.timedelta | None) -> str:
    """Show a length of time in minutes and seconds."""
    return digits(int(duration.total_seconds())) if duration is not None else "–"


class HandKind(NamedTuple):
    """By what the button that calls a judge to a table differs from one round to the next."""

    public_id: str
    round: int
    place: str

    def facts(self) -> dict[str, Any]:
        """Return what `hand.html` reads where a player may call a judge."""
        return {
            "event": {"public_id": self.public_id},
            "round": {"number": self.round},
            "match": {"table": number_mark("table")},
            "place": self.place,
            "may_raise": True,
            "csrf_token": mark("csrf_token"),
        }


@register.simple_tag(takes_context=True)
def table_call(context: template.Context, match: Match, place: str = "") -> SafeString:
    """Show a table's call and the button that raises it, to its players and to officials only.

    `place` says where a player returns to: "entry" for the player's own page.
    """
    event: Event = context["event"]
    roles, actor, entry = frozenset(context["roles"]), context["actor"], context.get("my_entry")
    sits_here = entry is not None and entry.pk in match.entry_ids
    official = bool(roles & services.WORKING)
    if match.kind != Match.Kind.GAME or match.table is None or not (sits_here or official):
        return mark_safe("")
    call = services.open_call(match)
    person_id = actor.person.pk if actor.person else None
    may_raise = call is None and bool(answer("raise-call", roles, event=event, round=match.round))
    may_judge = bool(answer("take-call", roles, event=event, round=match.round))
    if may_raise and not may_judge:
        kind = HandKind(event.public_id, match.round.number, place)
        return filled(HAND, kind, {"table": match.table, "csrf_token": context.get("csrf_token")})
    if call is not None:
        call.match.round.event = event
    shown = {
        "event": event,
        "match": match,
        "round": match.round,
        "call": call,
        "one": QueuedCall(call, roles, person_id) if call is not None else None,
        "may_raise": may_raise,
        "may_judge": may_judge,
        "raised_by_me": call is not None and entry is not None and call.raised_by_entry_id == entry.pk,
        "official": official,
        "place": place,
        "request": context["request"],
        "csrf_token": context.get("csrf_token"),
    }
    return render_to_string(HAND, shown)


@register.simple_tag
def call_form() -> RaiseForm:
    """Return the empty form that calls a judge."""
    return RaiseForm(auto_id="call-%s")


@register.simple_tag
def call_reasons() -> list[tuple[str, str, str]]:
    """Return the reasons for a call: value, words and icon."""
    return [(reason.value, str(reason.label), SIGNS[reason]) for reason in Call.Reason]


@register.inclusion_tag("judging/calls/badge.html", takes_context=True)
def calls_badge(context: template.Context, event: Event) -> dict[str, Any]:
    """Show how many tables wait for a judge, since when the oldest does, and how many appeals wait."""
    appeals = event.decisions.filter(state=Decision.State.APPEALED).count()
    return {"event": event, "appeals": appeals, **_numbers(services.open_calls([event]))}


@register.inclusion_tag("judging/calls/waiting.html")
def waiting_tables(events: list[Event]) -> dict[str, Any]:
    """Show, for each of these events, the tables that wait for a judge, since when, and the appeals; two queries."""
    found = services.open_calls(events)
    appealed = Decision.objects.filter(event__in=events, state=Decision.State.APPEALED)
    appeals = Counter(appealed.values_list("event_id", flat=True))
    by_event = [
        (event, _numbers([call for call in found if call.match.round.event_id == event.pk]), appeals[event.pk])
        for event in events
    ]
    return {"waiting": [one for one in by_event if one[1]["waiting"] or one[2]]}


@register.inclusion_tag("judging/calls/board.html")
def calls_board(event: Event) -> dict[str, Any]:
    """Show the event's tables that have called a judge, and who is coming."""
    found = services.open_calls([event])
    return {"event": event, "found": found, **_numbers(found)}


def _numbers(found: list[Any]) -> dict[str, Any]:
    waiting = [call for call in found if call.is_waiting]
    return {
        "waiting": len(waiting),
        "urgent": sum(call.is_urgent for call in waiting),
        "oldest": min((call.raised for call in waiting), default=None),
        "under_way": len(found) - len(waiting),
    }
