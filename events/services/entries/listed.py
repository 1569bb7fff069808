"""Registering the players of a list: all of them, or none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db.models import Max
from django.utils.translation import gettext as _

from events.door import Writing, door
from events.models import TEAM_SIZE, Entry, Event, Person, Team
from events.names import name_key
from events.queries import teams_of
from events.roles import Actor

from ..policy import overrides_of
from ..rounds_byes import rounds_begun
from .asked import cannot_play, hindrances_of, must_allow_late_entry, seats_free
from .entering import awardable, clean_name, next_number
from .presence import seat


@dataclass(frozen=True)
class ListedPlayer:
    """A line of a list of players; `line` is its number in the file, from 1. A rank may come from the rating."""

    line: int
    name: str
    email: str = ""
    club: str = ""
    team: str = ""
    is_minor: bool = False
    fixed_table: int | None = None
    awarded_byes: tuple[int, ...] = ()
    rank: int | None = None
    rating: float | None = None
    notes: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Problem:
    """What is wrong with a line, and what to do."""

    line: int
    message: str


def problems_of(event: Event, lines: Sequence[ListedPlayer]) -> list[Problem]:
    """Return what prevents these lines from being registered, by line."""
    found: list[Problem] = []
    emails = [line.email.lower() for line in lines if line.email]
    people = {person.email.lower(): person for person in Person.objects.filter(email__in=emails)}
    entered = {e.person_id: e for e in event.entries.filter(person__isnull=False)}
    addresses = {e.email.lower(): e for e in event.entries.filter(person=None).exclude(email="")}
    tables = {e.fixed_table: e.name for e in event.entries.filter(fixed_table__isnull=False)}
    offices = {o.person_id: o.get_role_display() for o in event.officials.agreed()}
    managers = set(event.venue.management.at_work().values_list("person_id", flat=True))
    overrides = overrides_of(event)
    begun = rounds_begun(event)
    seen_emails: dict[str, int] = {}
    seen_tables: dict[int, int] = {}
    for line in lines:
        if line.email:
            if before := seen_emails.get(line.email.lower()):
                found.append(Problem(line.line, _("Line %(line)d has the same e-mail address.") % {"line": before}))
            seen_emails.setdefault(line.email.lower(), line.line)
            if there := addresses.get(line.email.lower()):
                found.append(
                    Problem(
                        line.line,
                        _("%(name)s is already registered with this e-mail address (entry %(number)d).")
                        % {"name": there.name, "number": there.number},
                    )
                )
        person = people.get(line.email.lower()) if line.email else None
        if person is not None and person.pk in entered:
            number = entered[person.pk].number
            found.append(
                Problem(
                    line.line,
                    _("%(name)s is already registered (entry %(number)d).") % {"name": line.name, "number": number},
                )
            )
        if person is not None and (
            against := hindrances_of(event, person, offices=offices, managers=managers, overrides=overrides)
        ):
            found.append(Problem(line.line, cannot_play(line.name, against)))
        try:
            awardable(event, line.awarded_byes, begun=begun)
        except ValidationError as refused:
            found += [Problem(line.line, message) for message in refused.messages]
        found += [Problem(line.line, message) for message in _table_problems(line, tables, seen_tables)]
    return found + list(_team_problems(event, lines))


def _same_team(name: str) -> str:
    return name_key(" ".join(name.split()))


def _teams_by_name(event: Event) -> dict[str, Team]:
    """Return the event's teams by their names as `_same_team` compares them."""
    return {_same_team(team.name): team for team in teams_of(event, list(event.entries.order_by("number"))).values()}


def _lines_of_teams(lines: Sequence[ListedPlayer]) -> dict[str, list[ListedPlayer]]:
    """Return the lines that name a team, by its name as `_same_team` compares it."""
    found: dict[str, list[ListedPlayer]] = {}
    for line in lines:
        if line.team:
            found.setdefault(_same_team(line.team), []).append(line)
    return found


def _team_problems(event: Event, lines: Sequence[ListedPlayer]) -> Iterator[Problem]:
    """Yield the lines whose team would have more or fewer than two players."""
    together = _lines_of_teams(lines)
    there = _teams_by_name(event) if together else {}
    for key, of_team in together.items():
        players = len(there[key].partners) if key in there else 0
        for line in of_team[max(0, TEAM_SIZE - players) :]:
            yield Problem(line.line, _("Team “%(team)s” already has two players.") % {"team": line.team})
        if players + len(of_team) < TEAM_SIZE:
            yield Problem(
                of_team[0].line,
                _("No other player is in team “%(team)s”. Use the same team name on both players' lines.")
                % {"team": of_team[0].team},
            )


def _make_teams(writing: Writing, event: Event, lines: Sequence[ListedPlayer]) -> dict[str, Team]:
    """Create the teams that the lines name and the event doesn't have yet; return all of them, by name."""
    together = _lines_of_teams(lines)
    if not together:
        return {}
    there = _teams_by_name(event)
    first = (event.teams.aggregate(last=Max("number"))["last"] or 0) + 1
    titles = [of_team[0].team for key, of_team in together.items() if key not in there]
    made = [Team(event=event, number=first + place, title=title) for place, title in enumerate(titles)]
    return there | {_same_team(team.title): team for team in writing.create_many(Team, made)}


def _table_problems(line: ListedPlayer, tables: Mapping[int | None, str], seen: dict[int, int]) -> Iterator[str]:
    """Yield why the table can't be reserved; `seen` has the tables of the lines before, and gets this one's."""
    if line.fixed_table is None:
        return
    if line.fixed_table in tables:
        facts = {"table": line.fixed_table, "name": tables[line.fixed_table]}
        yield _("Table %(table)d is already reserved for %(name)s.") % facts
    if before := seen.get(line.fixed_table):
        yield _("Line %(line)d already reserves table %(table)d.") % {"table": line.fixed_table, "line": before}
    seen.setdefault(line.fixed_table, line.line)


def import_entries(
    *,
    by: Actor,
    event: Event,
    lines: Sequence[ListedPlayer],
    declared: bool = False,
    checked_in: bool = False,
) -> list[Entry]:
    """Register all players of a list, or none; beyond the seats they wait, in the list's order.

    `checked_in`: also check in the players who get a seat. Raise ValidationError with each faulty line.
    """
    with door("import-entries", by=by, event=event) as writing:
        if not lines:
            raise ValidationError(_("The list contains no players."))
        if event.state == Event.State.RUNNING:
            must_allow_late_entry(event, rounds_begun(event))
        made = register_listed(writing, event, lines, declared=declared, checked_in=checked_in)
        writing.says("entered-from-list", n=len(made))
    return made


def register_listed(
    writing: Writing, event: Event, lines: Sequence[ListedPlayer], *, declared: bool, checked_in: bool
) -> list[Entry]:
    """Within an open door: register these players. Raise ValidationError with each faulty line."""
    if problems := problems_of(event, lines):
        raise ValidationError([_("Line %(line)d: %(what)s") % {"line": p.line, "what": p.message} for p in problems])
    begun = rounds_begun(event)
    first, free = next_number(event), max(0, seats_free(event))
    with_seat = Entry.State.CHECKED_IN if checked_in and not begun else Entry.State.ENTERED
    teams = _make_teams(writing, event, lines)
    rows = [
        Entry(
            event=event,
            email=line.email,
            number=first + position,
            name=clean_name(line.name),
            club=line.club[:80],
            team=teams[_same_team(line.team)] if line.team else None,
            is_minor=line.is_minor,
            fixed_table=line.fixed_table,
            awarded_byes=list(line.awarded_byes),
            rank=line.rank,
            state=with_seat if position < free else Entry.State.WAITING,
            origin=Entry.Origin.LIST,
            eligible_declared=declared,
        )
        for position, line in enumerate(lines)
    ]
    made = writing.create_many(Entry, rows)
    if checked_in and begun:
        for entry in made[:free]:
            seat(writing, event, entry)
    return made
