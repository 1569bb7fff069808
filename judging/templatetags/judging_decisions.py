"""Decisions on pages of `events` and `rules`: templates load this library, so that neither imports `judging`."""

from __future__ import annotations

from typing import Any

from django import template
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from events.actions import answer
from events.models import Event, Force, Match, Role
from events.results.result import SEATS
from events.roles import Actor
from events.unsent import is_signed_out
from judging.models import ForceCheck, TableDispute
from judging.services import decisions as services
from judging.services.decisions import said
from judging.services.penalties import history_at_table

register = template.Library()
REMEDIES = (
    (ForceCheck.Remedy.REPLACED, _("Replace the figure now")),
    (ForceCheck.Remedy.ROUND, _("Disqualify from this round")),
    (ForceCheck.Remedy.EVENT, _("Disqualify from the event")),
)
"""The remedies of the tournament rules; only the head judge gives the last two."""


@register.inclusion_tag("judging/rulings/at_table.html", takes_context=True)
def table_judging(context: template.Context, match: Match) -> dict[str, Any]:
    """Show a table's rulings to its players and officials, and to judges also what they can do there."""
    event: Event = context["event"]
    roles, entry = frozenset(context["roles"]), context.get("my_entry")
    works = bool(answer("see-decisions", roles, event=event))
    sits_here = entry is not None and entry.pk in match.entry_ids
    if match.kind != Match.Kind.GAME or not (works or sits_here):
        return {"match": None}
    is_head = Role.HEAD_JUDGE in roles
    found = match.decisions.select_related("ruled_by", "final_by").order_by("-pk")
    may_penalise = bool(answer("give-penalty", roles, event=event))
    return {
        "event": event,
        "match": match,
        "round": match.round,
        "found": [(one, said(one.counts, one.text_that_counts)) for one in found],
        "disputes": list(match.disputes.all()[:5]) if works else [],
        "may_rule": bool(answer("record-decision", roles, event=event, round=match.round)),
        "may_open": not match.is_of_many and bool(answer("open-dispute", roles, event=event, round=match.round)),
        "may_penalise": may_penalise,
        "with_force": _with_force(match) if may_penalise else set(),
        "remedies": [(key, words) for key, words in REMEDIES if key == ForceCheck.Remedy.REPLACED or is_head],
        "penalties": history_at_table(match) if may_penalise else [],
        "match_players": list(zip(SEATS, match.entries, strict=False)),
        "csrf_token": context.get("csrf_token"),
        "request": context["request"],
    }


def _with_force(match: Match) -> set[int]:
    """Return which of the players have submitted a force that counts in this round."""
    forces = Force.objects.filter(
        entry__in=match.entry_ids,
        from_round__lte=match.round.number,
        state=Force.State.SUBMITTED,
    )
    return set(forces.values_list("entry_id", flat=True))


@register.inclusion_tag("judging/rulings/ruling_link.html", takes_context=True)
def ruling_link(context: template.Context, key: str) -> dict[str, Any]:
    """Offer judges to record the ruling on a dispute that was set up for a table."""
    request: HttpRequest | None = context.get("request")
    if request is None or is_signed_out(request):
        return {"match": None}
    noted = TableDispute.objects.select_related("match__round__event", "match__a", "match__b").filter(key=key).first()
    if noted is None:
        return {"match": None}
    event = noted.match.round.event
    roles = Actor.of(request, event).roles(event=event)
    may_rule = bool(answer("record-decision", roles, event=event, round=noted.match.round))
    if not may_rule and not answer("see-decisions", roles, event=event):
        return {"match": None}
    return {
        "event": event,
        "match": noted.match,
        "round": noted.match.round,
        "key": key,
        "may_rule": may_rule,
        "ruled": list(services.decisions().filter(event=event, dispute_key=key).order_by("-pk")[:3]),
    }
