"""The columns of an event's standings, defined once for pages, papers, display and data.

A `Column` defines its heading, its value in a row (`events.queries.PlaceInStandings`), its alignment and where it is
shown; a variant for one medium names only the differences. `events.tables.standings` adds what only pages have (the
link to a player's path, deciding values in bold); `events.standings` defines the tie-breakers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.utils import formats
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from events.models import Event
from events.queries import PlaceInStandings, cascade_of, standings_of, team_standings_of
from events.standings import Criterion
from rules.labels import labelled

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SHOWN_ON_A_PHONE = 2
"""Tie-breakers that a phone shows without unfolding the row."""


class Medium(Enum):
    """Where standings are shown."""

    PAGE = auto()
    PAPER = auto()
    DISPLAY = auto()
    DATA = auto()


@dataclass(frozen=True)
class Column:
    """A column of the standings.

    `value` is what pages sort by and what data contain, under `name`; `text` is displayed. `folds`: a phone hides it
    until the row is unfolded. `criterion`: its index among the event's tie-breakers, None for other columns.
    """

    name: str
    heading: StrOrPromise
    value: Callable[[PlaceInStandings], Any]
    text: Callable[[PlaceInStandings], str]
    media: frozenset[Medium]
    is_number: bool = True
    folds: bool = False
    criterion: int | None = None
    explanation: StrOrPromise = ""


def in_language(value: str) -> str:
    """Return a value of the standings in the reader's number format: 66.67% is 66,67 % in French."""
    return _in_language(value, get_language())


@lru_cache(maxsize=5000)
def _in_language(value: str, _language: str | None) -> str:
    shown = value.replace(".", str(formats.get_format("DECIMAL_SEPARATOR")))
    return _("%(number)s%%") % {"number": shown[:-1]} if shown.endswith("%") else shown


def exact(value: int | Fraction) -> int | str:
    """Return a value of the standings unrounded: a whole number, or a fraction as 2/3."""
    return int(value) if Fraction(value).denominator == 1 else str(Fraction(value))


def _record(place: PlaceInStandings) -> str:
    """Return a won–lost record, with draws only if there are any, and byes in words."""
    standing = place.standing
    parts = [standing.wins, *([standing.draws] if standing.draws else []), standing.losses]
    said = "–".join(map(str, parts))
    byes = [_("bye")] if standing.byes else []
    byes += [_("awarded bye")] if standing.awarded_byes else []
    return f"{said} ({', '.join(byes)})" if byes else said


def _on(*media: Medium) -> frozenset[Medium]:
    return frozenset(media)


def _fact(name: str, value: Callable[[PlaceInStandings], Any]) -> Column:
    """Return a column that only data contain."""
    return Column(name, name, value, lambda place: str(value(place)), _on(Medium.DATA))


PLACE = Column(
    "rank",
    gettext_lazy("Place"),
    value=lambda place: place.place,
    text=lambda place: str(place.place),
    media=_on(Medium.PAGE, Medium.DATA),
)
NAME = Column(
    "name",
    gettext_lazy("Player"),
    value=lambda place: place.name,
    text=lambda place: place.entry.public_name,
    media=_on(Medium.PAGE, Medium.DISPLAY, Medium.DATA),
    is_number=False,
)
TEAM_HEADING = gettext_lazy("Team")
RECORD = Column(
    "record",
    gettext_lazy("Won–lost"),
    value=lambda place: place.match_points,
    text=_record,
    media=_on(Medium.PAGE),
    is_number=False,
    folds=True,
)


def _name_on_paper(place: PlaceInStandings) -> str:
    return place.entry.public_name + (f" ({_('dropped')})" if place.has_left else "")


BEFORE_CRITERIA = (
    PLACE,
    replace(PLACE, heading="", media=_on(Medium.PAPER)),
    replace(
        PLACE, text=lambda place: f"{place.place}=" if place.is_tied else str(place.place), media=_on(Medium.DISPLAY)
    ),
    _fact("id", lambda place: place.number),
    NAME,
    replace(NAME, text=_name_on_paper, media=_on(Medium.PAPER)),
    _fact("dropped", lambda place: place.has_left),
    _fact("level_with", lambda place: list(place.level)),
    _fact("match_points", lambda place: place.match_points),
    _fact("byes", lambda place: place.standing.byes),
    _fact("awarded_byes", lambda place: place.standing.awarded_byes),
    replace(
        RECORD,
        text=lambda place: f"{place.standing.wins}–{place.standing.losses}",
        media=_on(Medium.DISPLAY),
        is_number=True,
    ),
)


def _of_criterion(index: int, criterion: Criterion, *, on_display: bool, in_parts: bool) -> Column:
    language = get_language()
    return Column(
        criterion.name,
        criterion.title,
        value=lambda place: place.cells[index].value,
        text=lambda place: _in_language(
            criterion.text(place.cells[index].value, in_column=True, in_parts=in_parts), language
        ),
        media=frozenset(Medium) if on_display else frozenset(Medium) - {Medium.DISPLAY},
        folds=index >= SHOWN_ON_A_PHONE,
        criterion=index,
        explanation=criterion.explanation,
    )


def columns_of(
    cascade: Sequence[Criterion], medium: Medium, places: Sequence[PlaceInStandings] = (), *, of_teams: bool = False
) -> tuple[Column, ...]:
    """Return a medium's columns in order. If a value among `places` isn't whole, its column has a decimal everywhere.

    A display has room for one tie-breaker: the second, because the first is usually the wins, already in the record.
    """
    on_display = min(1, len(cascade) - 1)
    criteria = [
        _of_criterion(
            n,
            criterion,
            on_display=n == on_display,
            in_parts=any(one.cells[n].value.denominator != 1 for one in places),
        )
        for n, criterion in enumerate(cascade)
    ]
    columns = (*BEFORE_CRITERIA, *criteria, RECORD)
    if of_teams:
        columns = tuple(
            replace(column, heading=TEAM_HEADING) if column.name == NAME.name else column for column in columns
        )
    return tuple(column for column in columns if medium in column.media)


@dataclass(frozen=True)
class Printed:
    """Printable standings: headings, rows of text, which columns are numeric, and what each tie-breaker means."""

    headings: list[str]
    lines: list[list[str]]
    numbers: list[int]
    notes: list[str]


def printed(places: Sequence[PlaceInStandings], cascade: Sequence[Criterion], *, of_teams: bool = False) -> Printed:
    """Return printable standings, of players or of teams; without them there are no tie-breakers."""
    columns = columns_of(cascade if places else (), Medium.PAPER, places, of_teams=of_teams)
    return Printed(
        [str(column.heading) for column in columns],
        [[column.text(place) for column in columns] for place in places],
        [index for index, column in enumerate(columns) if column.is_number],
        [labelled(column.heading, column.explanation) for column in columns if column.criterion is not None],
    )


def printed_tables(event: Event, after_round: int | None = None) -> list[Printed]:
    """Return an event's printable standings: the teams', if teams play, then the players'."""
    cascade = cascade_of(event)
    teams = team_standings_of(event, after_round)
    found = [printed(teams, cascade, of_teams=True)] if teams else []
    return [*found, printed(standings_of(event, after_round), cascade)]


def standings_lines(event: Event, after_round: int | None = None, *, of_teams: bool = False) -> list[dict[str, Any]]:
    """Return the standings as plain values with full names, for the event file, the API and the result sheet.

    `of_teams`: those of the teams, whose ids are the teams' numbers; none in an event without teams.
    """
    columns = columns_of(cascade_of(event), Medium.DATA)
    facts = [column for column in columns if column.criterion is None]
    criteria = [column for column in columns if column.criterion is not None]
    return [
        {column.name: column.value(place) for column in facts}
        | {
            "columns": {
                column.name: {"exact": exact(cell.value), "shown": cell.text}
                for column, cell in zip(criteria, place.cells, strict=True)
            }
        }
        for place in (team_standings_of if of_teams else standings_of)(event, after_round)
    ]
