"""Teams of two: players who choose each other, teams formed at the judges' table, names, and splitting up.

A team is formed by both of its players, each from their own entry, or by an official. Once it has played, it stays: a
player who leaves can be replaced, and what was played still counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.core.exceptions import ValidationError
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.door import Refused, Writing, door
from events.models import TEAM_SIZE, Entry, Event, Match, Round, Team, sits
from events.queries import teams_of
from events.roles import Actor

from .entries.asked import is_desk, must_not_be_anothers

MAX_TITLE = 80
MAX_NAMES = 8


def free_players(event: Event, entries: Iterable[Entry]) -> list[Entry]:
    """Return the players who could still find a partner: without a team, or alone in theirs; by name."""
    alone = {team.pk for team in teams_of(event, entries).values() if len(team.partners) < TEAM_SIZE}
    free = [entry for entry in entries if entry.state not in Entry.GONE and entry.team_id in (None, *alone)]
    return sorted(free, key=lambda entry: (entry.sort_name, entry.number))


def not_paired(event: Event, entries: Sequence[Entry]) -> list[str]:
    """Return in words which checked-in players can't be paired because a partner is missing, and why."""
    found = []
    for team in teams_of(event, entries).values():
        if team.lacks_partner:
            absent = [entry for entry in team.partners if not entry.is_playing]
            words = _("%(team)s: %(name)s isn't checked in.") if absent else _("%(team)s: a second player is missing.")
            found.append(words % {"team": team.name, "name": absent[0].name if absent else ""})
    alone = [entry for entry in entries if entry.is_playing and entry.team_id is None] if event.teams_of_two else []
    if alone:
        words = ngettext("%(names)s has no team.", "%(n)d players have no team: %(names)s.", len(alone))
        names = ", ".join(entry.name for entry in alone[:MAX_NAMES]) + (", …" if alone[MAX_NAMES:] else "")
        found.append(words % {"n": len(alone), "names": names})
    return found


def has_played(team: Team) -> bool:
    """Return whether a published round seats one of its players."""
    players = [entry.pk for entry in team.entries.all()]
    return bool(players) and Match.objects.filter(sits(*players)).exclude(round__state=Round.State.DRAFT).exists()


def _must_have_teams(event: Event) -> None:
    if not event.teams_of_two:
        raise Refused(_("This event has no teams."))


def _form(writing: Writing, event: Event, one: Entry, other: Entry, title: str = "") -> Team:
    """Make two players a team; one who is alone in a team takes the other in. Raise ValidationError if they can't be."""
    if one.pk == other.pk:
        raise ValidationError(_("Choose two different players."))
    for entry in (one, other):
        if entry.state in Entry.GONE:
            raise ValidationError(_("%(name)s has left the event.") % {"name": entry.name})
        if entry.team is not None and len(entry.team.partners) >= TEAM_SIZE:
            raise ValidationError(_("%(name)s already has a partner.") % {"name": entry.name})
    if one.team is not None and other.team is not None:
        raise ValidationError(_("%(one)s and %(other)s are in two different teams.") % {"one": one, "other": other})
    team = one.team or other.team
    if team is None:
        number = (event.teams.aggregate(last=Max("number"))["last"] or 0) + 1
        team = writing.create(Team, event=event, number=number, title=title)
    elif title:
        writing.save(team, title=title)
    for entry in (one, other):
        writing.save(entry, team=team, partner_asked=None)
    for entry in event.entries.filter(partner_asked__in=[one, other]):
        writing.save(entry, partner_asked=None)
    team.__dict__.pop("members", None)
    writing.says("team-formed", team=team.name, one=one.name, other=other.name)
    return team


def make_team(*, by: Actor, event: Event, one: Entry, other: Entry, title: str = "") -> Team:
    """Make two players a team at the judges' table, or find a partner for one who is alone in a team."""
    with door("make-team", by=by, event=event) as writing:
        _must_have_teams(event)
        one, other = (event.entries.select_related("team").get(pk=entry.pk) for entry in (one, other))
        return _form(writing, event, one, other, title.strip())


def choose_partner(*, by: Actor, entry: Entry, partner: Entry | None) -> Entry:
    """Choose a partner as a player, or nobody; two players who have chosen each other are a team."""
    event = entry.event
    must_not_be_anothers(by, event, entry)
    with door("choose-partner", by=by, event=event, on=entry) as writing:
        _must_have_teams(event)
        if by.entry_at(event) != entry:
            raise Refused(_("You can choose a partner only for yourself."))
        entry = event.entries.select_related("team").get(pk=entry.pk)
        if entry.team is not None and len(entry.team.partners) >= TEAM_SIZE:
            raise Refused(_("%(name)s already has a partner.") % {"name": entry.name})
        if partner is None:
            writing.save(entry, partner_asked=None)
            writing.says("partner-cleared", name=entry.name)
            return entry
        partner = event.entries.select_related("team").filter(pk=partner.pk).first()
        if partner is None or partner not in free_players(event, list(event.entries.order_by("number"))):
            raise ValidationError(_("Choose a player of this event who has no partner yet."))
        if partner.partner_asked_id == entry.pk:
            _form(writing, event, entry, partner)
        elif partner.pk == entry.pk:
            raise ValidationError(_("Choose two different players."))
        else:
            writing.save(entry, partner_asked=partner)
            writing.says("partner-chosen", name=entry.name, partner=partner.name)
    return entry


def _must_be_of_team(by: Actor, event: Event, team: Team) -> None:
    own = by.entry_at(event)
    if not is_desk(by, event) and (own is None or own not in team.partners):
        raise Refused(_("You can change only your own team."))


def split_team(*, by: Actor, team: Team, version: int | None = None, confirmed: bool = False, reason: str = "") -> None:
    """Dissolve a team that hasn't played; both players are without a partner again."""
    event = team.event
    lines = [_("%(name)s will need a new partner.") % {"name": entry.name} for entry in team.partners]
    with door(
        "split-team", by=by, event=event, on=team, version=version, confirmed=confirmed, reason=reason,
        consequences=lines,
    ) as writing:  # fmt: skip
        _must_be_of_team(by, event, team)
        if has_played(team):
            raise Refused(
                _(
                    "This team has already played, so it can't be split up. Drop the player who is leaving, then add "
                    "a new partner."
                )
            )
        name = team.name
        for entry in team.entries.all():
            writing.save(entry, team=None)
        writing.delete(team)
        writing.says("team-split", team=name)


def name_team(*, by: Actor, team: Team, title: str, version: int | None = None) -> Team:
    """Give a team a name, or its players' names again if `title` is empty."""
    event = team.event
    with door("name-team", by=by, event=event, on=team, version=version) as writing:
        _must_be_of_team(by, event, team)
        title = " ".join("".join(c for c in title if c.isprintable()).split())
        if len(title) > MAX_TITLE:
            raise ValidationError({"title": _("A team name can have at most %(n)d characters.") % {"n": MAX_TITLE}})
        was = team.name
        writing.save(team, title=title)
        writing.says("team-named", team=was, name=team.name)
    return team
