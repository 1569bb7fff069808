"""Pages about teams of two: the list, forming a team, and a player's own choice of a partner."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from events.forms.teams import PartnerForm, TeamForm
from events.models import Entry, Team
from events.queries import teams_of
from events.services import teams as services

from .access import Visit, form_reason, visit


def _with_teams(request: HttpRequest, public_id: str) -> Visit:
    v = visit(request, public_id)
    if not v.event.teams_of_two:
        raise Http404
    return v


def teams(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the teams, and the players without one; officials form teams here."""
    v = _with_teams(request, public_id)
    if request.method == "POST":
        v.require("make-team")
    entries = list(v.event.entries.order_by("number"))
    free = services.free_players(v.event, entries)
    desk = bool(v.may("see-private-entries"))
    form = TeamForm(request.POST if request.method == "POST" else None, free=free)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.make_team(by=v.actor, event=v.event, **form.cleaned_data)
        except ValidationError as wrong:
            form.add_error(None, ValidationError(wrong.messages))
        else:
            messages.success(request, _("Team formed: %(team)s.") % {"team": made.name})
            return redirect("events:teams", public_id)
    lines = [
        {"team": team, "name": team.name if desk else team.public_name, "players": _players(team, desk=desk)}
        for team in teams_of(v.event, entries).values()
    ]
    return v.render(
        "events/teams/teams.html",
        lines=lines,
        alone=[one.name if desk else one.public_name for one in free if one.team_id is None],
        form=form if v.may("make-team") and len(free) > 1 else None,
        not_paired=services.not_paired(v.event, entries) if desk else (),
        may={verb.replace("-", "_"): desk and bool(v.may(verb)) for verb in ("name-team", "split-team")},
        status=400 if form.errors else 200,
    )


def _players(team: Team, *, desk: bool) -> list[tuple[Entry, str]]:
    return [(one, one.name if desk else one.public_name) for one in team.members]


def _team(v: Visit, number: int) -> Team:
    team = get_object_or_404(Team, event=v.event, number=number)
    team.event = v.event
    return team


def _back(v: Visit) -> HttpResponse:
    """Return to the page from which a team is changed: an official's list, or the player's own page."""
    if v.entry is not None and not v.may("see-private-entries"):
        return redirect("events:entry", v.event.public_id, v.entry.number)
    return redirect("events:teams", v.event.public_id)


@require_POST
def name(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Give a team a name."""
    v = _with_teams(request, public_id)
    team, version = _team(v, number), form_reason(request)["version"]
    try:
        services.name_team(by=v.actor, team=team, title=request.POST.get("title", ""), version=version)
    except ValidationError as wrong:
        messages.error(request, " ".join(wrong.messages))
    else:
        messages.success(request, _("The team is now called %(team)s.") % {"team": team.name})
    return _back(v)


@require_POST
def split(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Dissolve a team that hasn't played."""
    v = _with_teams(request, public_id)
    services.split_team(by=v.actor, team=_team(v, number), **form_reason(request))
    messages.success(request, _("The team has split up. Both players need a partner."))
    return _back(v)


@require_POST
def partner(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Choose a partner for one's own entry; a team is formed once both have chosen each other."""
    v = _with_teams(request, public_id)
    row = get_object_or_404(Entry, event=v.event, number=number)
    row.event = v.event
    entries = list(v.event.entries.order_by("number"))
    form = PartnerForm(request.POST, free=services.free_players(v.event, entries))
    if not form.is_valid():
        messages.error(request, _("Choose a player of this event who has no partner yet."))
        return redirect("events:entry", public_id, number)
    chosen = form.cleaned_data["partner"]
    try:
        made = services.choose_partner(by=v.actor, entry=row, partner=chosen)
    except ValidationError as wrong:
        messages.error(request, " ".join(wrong.messages))
        return redirect("events:entry", public_id, number)
    if chosen is None:
        messages.success(request, _("You haven't chosen a partner."))
    elif made.team_id and made.team_id == Entry.objects.values_list("team_id", flat=True).get(pk=chosen.pk):
        messages.success(request, _("You and %(name)s are a team.") % {"name": chosen.public_name})
    else:
        messages.success(
            request,
            _("You chose %(name)s. You are a team once %(name)s chooses you too.") % {"name": chosen.public_name},
        )
    return redirect("events:entry", public_id, number)


def own_team(v: Visit, row: Entry, *, mine: bool) -> dict[str, Any]:
    """Return what a player's page shows of the team, or of the search for a partner."""
    entries = list(v.event.entries.order_by("number"))
    for entry in entries:
        entry.event = v.event
    team = teams_of(v.event, entries).get(row.team_id or 0)
    free = [one for one in services.free_players(v.event, entries) if one.pk != row.pk]
    chosen = next((one for one in free if one.pk == row.partner_asked_id), None)
    lacks = team is None or len(team.partners) == 1
    return {
        "team": team,
        "partners": [one.public_name for one in team.partners if one.pk != row.pk] if team else [],
        "seeks_partner": mine and lacks and bool(v.may("choose-partner")),
        "chosen": chosen,
        "asked_by": [one for one in free if one.partner_asked_id == row.pk],
        "partner_form": PartnerForm(free=free, initial={"partner": str(chosen.number) if chosen else ""}),
        "may_split": mine and team is not None and bool(v.may("split-team")) and not services.has_played(team),
        "may_name": mine and team is not None and bool(v.may("name-team")),
    }
