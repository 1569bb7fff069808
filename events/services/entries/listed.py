"""Registering the players of a list: all of them, or none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from events.door import door
from events.models import Entry, Event, Person
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
    return found


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
        begun = rounds_begun(event)
        if event.state == Event.State.RUNNING:
            must_allow_late_entry(event, begun)
        if problems := problems_of(event, lines):
            raise ValidationError(
                [_("Line %(line)d: %(what)s") % {"line": p.line, "what": p.message} for p in problems]
            )
        first, free = next_number(event), max(0, seats_free(event))
        with_seat = Entry.State.CHECKED_IN if checked_in and not begun else Entry.State.ENTERED
        rows = []
        for position, line in enumerate(lines):
            rows.append(
                Entry(
                    event=event,
                    email=line.email,
                    number=first + position,
                    name=clean_name(line.name),
                    club=line.club[:80],
                    is_minor=line.is_minor,
                    fixed_table=line.fixed_table,
                    awarded_byes=list(line.awarded_byes),
                    rank=line.rank,
                    state=with_seat if position < free else Entry.State.WAITING,
                    origin=Entry.Origin.LIST,
                    eligible_declared=declared,
                )
            )
        made = writing.create_many(Entry, rows)
        if checked_in and begun:
            for entry in made[:free]:
                seat(writing, event, entry)
        writing.says("entered-from-list", n=len(made))
    return made
