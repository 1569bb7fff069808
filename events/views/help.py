"""Help generated from the action table: who may do what, and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from events.actions import ACTIONS, CANNOT_UNDO, SUBJECTS, ActionRow, Text, Verdict
from events.models import Event, Role, Round


@dataclass(frozen=True)
class HelpRow:
    """A row of the table in words: action, roles, states with required confirmations, and whether it can be undone."""

    verb: str
    label: Text
    roles: tuple[Role, ...]
    anybody: bool
    event: tuple[tuple[str, str], ...]
    round: tuple[tuple[str, str], ...]
    asks: tuple[Text, ...]
    stays: Text


def _when(states: Mapping[str, Verdict] | None, labels: Mapping[str, Text]) -> tuple[tuple[str, str], ...]:
    if states is None:
        return ()
    words = {Verdict.WARN: _("with a warning"), Verdict.CONFIRM: _("after you confirm the consequences")}
    given = [(state, verdict) for state, verdict in states.items() if verdict is not Verdict.REFUSED]
    ordered = sorted(given, key=lambda row: list(labels).index(row[0]))
    return tuple((str(labels[state]), words.get(verdict, "")) for state, verdict in ordered)


def line_of(verb: str, row: ActionRow) -> HelpRow:
    """Return a row of the action table in words."""
    asks: list[Text] = []
    if row.needs_reason:
        asks.append(_("needs a reason"))
    if row.non_standard:
        asks.append(_("reported as non-standard"))
    return HelpRow(
        verb,
        row.label,
        tuple(role for role in Role if role in row.roles),
        row.roles == frozenset(Role),
        _when(row.event, dict(Event.State.choices)),
        _when(row.round, dict(Round.State.choices)),
        tuple(asks),
        "" if verb.startswith("see-") else CANNOT_UNDO.get(verb, ""),
    )


def subjects(role: Role | None = None) -> list[tuple[Text, list[HelpRow]]]:
    """Return the table by subject, optionally only what one role may do."""
    found: list[tuple[Text, list[HelpRow]]] = []
    for verb, row in ACTIONS.items():
        if verb in SUBJECTS:
            found.append((SUBJECTS[verb], []))
        if role is None or role in row.roles:
            found[-1][1].append(line_of(verb, row))
    return [(title, lines) for title, lines in found if lines]


@require_safe
def who_may(request: HttpRequest) -> HttpResponse:
    """Show who may do what, and when; `?role=judge` shows one role's actions."""
    asked = request.GET.get("role", "")
    role = Role(asked) if asked in list(Role) else None
    return render(
        request, "events/help/who_may.html", {"subjects": subjects(role), "role": role, "all_roles": list(Role)}
    )
