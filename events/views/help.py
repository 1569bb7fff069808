"""The help: four guides, and who may do what, made from the action table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from events.actions import ACTIONS, CANNOT_UNDO, ActionRow, Text, Verdict
from events.guides import GUIDES
from events.guides.tasks import as_html
from events.models import Event, Role, Round
from events.token_rows import NOT_BY_TOKEN


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """Show the guides and what each covers."""
    return render(request, "events/help/front.html", {"guides": GUIDES.values()})


@require_safe
def guide(request: HttpRequest, key: str) -> HttpResponse:
    """Show one guide: its tasks with their steps and pictures."""
    if key not in GUIDES:
        raise Http404
    language = get_language() or ""
    tasks = [
        (task, [as_html(step) for step in task.steps], task.picture.files(language) if task.picture else [])
        for task in GUIDES[key].tasks
    ]
    return render(request, "events/help/guide.html", {"guide": GUIDES[key], "tasks": tasks, "guides": GUIDES.values()})


@dataclass(frozen=True)
class HelpRow:
    """A row of the table in words: action, roles, states with required confirmations, whether it can be undone, and by token."""

    verb: str
    label: Text
    roles: str
    event: tuple[tuple[str, str], ...]
    round: tuple[tuple[str, str], ...]
    asks: tuple[Text, ...]
    stays: Text
    by_token: Text

    @property
    def words(self) -> str:
        """What a search finds the row by."""
        return f"{self.label} {self.roles}"


def _when(states: Mapping[str, Verdict] | None, labels: Mapping[str, Text]) -> tuple[tuple[str, str], ...]:
    if states is None:
        return ()
    words = {Verdict.WARN: _("with a warning"), Verdict.CONFIRM: _("after you confirm the consequences")}
    given = [(state, verdict) for state, verdict in states.items() if verdict is not Verdict.REFUSED]
    ordered = sorted(given, key=lambda row: list(labels).index(row[0]))
    return tuple((str(labels[state]), words.get(verdict, "")) for state, verdict in ordered)


def row_of(verb: str, row: ActionRow) -> HelpRow:
    """Return a row of the action table in words."""
    asks: list[Text] = []
    if row.needs_reason:
        asks.append(_("a reason is required"))
    if row.non_standard:
        asks.append(_("reported as non-standard"))
    everyone = row.roles == frozenset(Role)
    return HelpRow(
        verb,
        row.label,
        _("everyone") if everyone else ", ".join(role.label for role in Role if role in row.roles),
        _when(row.event, dict(Event.State.choices)),
        _when(row.round, dict(Round.State.choices)),
        tuple(asks),
        "" if verb.startswith("see-") else CANNOT_UNDO.get(verb, ""),
        NOT_BY_TOKEN.get(verb, _("possible")),
    )


def by_role(role: Role | None, asked: str) -> list[tuple[str, list[HelpRow]]]:
    """Return the table grouped by the least powerful role that may act, most powerful last.

    `role` leaves only what that role may do, and `asked` only rows that have all its words.
    """
    groups: dict[Role, list[HelpRow]] = {one: [] for one in reversed(Role)}
    for verb, row in ACTIONS.items():
        if role is None or role in row.roles:
            groups[next(one for one in groups if one in row.roles)].append(row_of(verb, row))
    words = asked.casefold().split()
    found = [
        (
            _("everyone") if one is Role.SPECTATOR else one.label,
            [r for r in rows if all(w in r.words.casefold() for w in words)],
        )
        for one, rows in groups.items()
    ]
    return [(title, rows) for title, rows in found if rows]


@require_safe
def who_may(request: HttpRequest) -> HttpResponse:
    """Show who may do what, and when; `?role=judge` leaves one role's actions, `?q=` those with its words."""
    named, asked = request.GET.get("role", ""), request.GET.get("q", "")[:100]
    role = Role(named) if named in list(Role) else None
    context = {"groups": by_role(role, asked), "role": role, "asked": asked, "all_roles": list(Role)}
    return render(request, "events/help/who_may.html", context)
