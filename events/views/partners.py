"""Who plays with whom at a table: partners at the same table of four, or at two tables of a team's round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from events.forms.results import JudgedForm, TableResultForm
from events.models import Event, Match
from events.results.reading import ResultTerms
from events.results.result import Seat


def facts_of_partners(
    event: Event, match: Match, terms: ResultTerms, side: Seat | None, form: JudgedForm
) -> dict[str, Any]:
    """Return what a table's page shows of teams, with the names of `terms`; `side` is the reader's own seat.

    `seat_groups` are the fields of a form of three or four: one group, or one for each pair, with its names.
    """
    pairs = [tuple(map(match.seat_of, pair)) for pair in match.pairs]
    own = next((pair for pair in pairs if side in pair), (side,))
    return {
        "pairs": [_together(pair, terms) for pair in pairs],
        "partner": ", ".join(terms.name(seat) for seat in own if seat != side),
        "opponent": ", ".join(terms.name(seat) for seat in terms.names if seat not in own) if side else "",
        "elsewhere": _elsewhere(event, match, terms),
        "seat_groups": _groups(pairs, terms, form),
    }


def _together(pair: Sequence[Seat], terms: ResultTerms) -> str:
    return " & ".join(map(terms.name, pair))


def _groups(pairs: Sequence[Sequence[Seat]], terms: ResultTerms, form: JudgedForm) -> list[tuple[str, list[Any]]]:
    if not isinstance(form, TableResultForm):
        return []
    fields = dict(zip(terms.names, form.seats, strict=True))
    if not pairs:
        return [("", list(fields.values()))]
    return [(_together(pair, terms), [fields[seat] for seat in pair]) for pair in pairs]


def _elsewhere(event: Event, match: Match, terms: ResultTerms) -> list[tuple[str, str, int]]:
    """Return the players whose partner plays at another table: their name, the partner's public name, that table."""
    seats = {entry.team_id: match.seat_of(entry) for entry in match.entries if entry.team_id}
    if not event.teams_of_two or match.pairs or not seats:
        return []
    others = match.round.matches.exclude(pk=match.pk).filter(table__isnull=False).with_entries()
    found = []
    for other in others.filter(a__team__in=seats) | others.filter(b__team__in=seats):
        for entry in other.entries:
            if entry.team_id in seats:
                entry.event = event
                found.append((terms.name(seats[entry.team_id]), entry.public_name, other.table or 0))
    return found
