"""Read the result of a table of three or four from form data: points, places, and who knocked out whom.

Places follow from the uncapped victory points, then from a roll-off among equal ones; without one they share the place.
The event may require the roll-off, or not have one (`ResultTerms.ties`).
Players with a loss come last; before them those who left, and those whom the battle's scoring excludes (`places` of
`score_battle`, docs/formats.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, groupby
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from rules.engine import BadInput, score_battle

from .reading import Given, Reading, ResultTerms, normalise, read_die_total
from .result import PAIR, SEATS, Result, Seat

KEYS = frozenset(
    {
        "winner",
        "decided_by",
        "went_first",
        "to_time",
        "roll_off",
        "abandoned_by",
        "knocked_out_by",
        "battle",
        "places",
        "lost",
        "double_loss",
    }
)
"""The keys of a result as typed, beside the points; its places are worked out from them."""


def read_result(given: Given, terms: ResultTerms) -> Result:
    """Return the complete result of a match of two to four. Raise ValidationError with a message for each field."""
    return normalise(given, terms) if len(terms.names) <= len(PAIR) else _read_table(given, terms)


def _read_table(given: Given, terms: ResultTerms) -> Result:
    seats = tuple(terms.names)
    unknown = sorted({key for key, value in given.items() if value} - KEYS - {f"score_{seat}" for seat in seats})
    if unknown:
        raise ValidationError(_("A result has no field “%(name)s”."), params={"name": str(unknown[0])[:40]})
    reading = Reading(given)
    scores = tuple(reading.score(seat, terms) for seat in seats)
    rolled = _roll_off(reading, seats)
    left = _named_seats(reading, "abandoned_by", seats)
    lost = _lost(reading, terms)
    knocked_out_by = _knocked_out_by(reading, seats)
    battle = given.get("battle") or None
    if battle is not None and not isinstance(battle, Mapping):
        reading.fault("battle", _("“battle” must be a battle file."))
    named, went_first = _seat(reading, "winner", seats), _seat(reading, "went_first", seats)
    if reading.faults:
        raise ValidationError(reading.faults)
    points = dict(zip(seats, (score or 0 for score in scores), strict=True))
    _must_be_tied(reading, points, rolled)
    _must_share(reading, terms, rolled)
    last = left + tuple(seat for seat in _excluded(battle) if seat in seats and seat not in left)
    places = _places(points, rolled, last, named, lost)
    winner = places[0][0] if len(places[0]) == 1 else None
    is_double = len(lost) == len(seats)
    winner = None if is_double else winner
    ahead = _places(points, rolled, last, None, lost)[0]
    way = None if is_double else _way(reading, terms, ahead, named, left + lost)
    _must_roll(reading, terms, places, rolled, last + lost)
    if reading.faults:
        raise ValidationError(reading.faults)
    by_roll = winner is not None and rolled.get(winner) is not None
    return Result(
        scores=tuple(points.values()),
        winner=winner,
        went_first=went_first,
        to_time=reading.flag("to_time"),
        roll_off=tuple(rolled.get(seat) for seat in seats) if rolled else (),
        abandoned=left,
        battle=battle,
        double_loss=is_double,
        lost=lost,
        decided_by="double-loss"
        if is_double
        else way or ("roll-off" if by_roll else "victory-points" if winner else None),
        places=places,
        knocked_out_by=knocked_out_by,
    )


def _excluded(battle: Mapping[str, Any] | None) -> tuple[Seat, ...]:
    """Return the seats that can't win by the scoring of the battle, whatever their points; none if it can't be read."""
    if battle is None:
        return ()
    try:
        report = score_battle({"ended": "time", **battle})
    except BadInput:
        return ()
    return tuple(one["player"].lower() for one in report["decision"]["excluded"])


def _places(
    points: Mapping[Seat, int],
    rolled: Mapping[Seat, int],
    last: tuple[Seat, ...],
    named: Seat | None,
    lost: tuple[Seat, ...],
) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats best first, tied ones together: a named winner, by points and roll-off, the `last`, then the `lost`."""

    def merit(seat: Seat) -> tuple[bool, int, int, int]:
        if seat in lost:
            return (True, 2, 0, 0)
        return (seat != named, seat in last, -points[seat], -rolled.get(seat, 0))

    return tuple(tuple(level) for _merit, level in groupby(sorted(points, key=merit), key=merit))


def _way(
    reading: Reading,
    terms: ResultTerms,
    ahead: tuple[Seat, ...],
    named: Seat | None,
    left: tuple[Seat, ...],
) -> str | None:
    """Return what decided against the points, None if they decided; report contradictions as faults."""
    way = reading.given.get("decided_by") or None
    if named in left:
        reading.fault("winner", _("A player who leaves a match or is given a loss can't win it."))
    elif way == "roll-off" and named in ahead and len(ahead) > 1:
        return str(way)
    elif way in (None, "victory-points", "roll-off"):
        if named is not None and named not in ahead:
            reading.fault(
                "winner",
                _("%(named)s has fewer victory points. If %(named)s still won, choose what decided the match.")
                % {"named": terms.name(named)},
            )
        elif named is not None and len(ahead) > 1:
            reading.fault(
                "winner",
                _(
                    "Several players have the most victory points. Enter their roll-off totals, or choose the "
                    "roll-off under “Decided by”."
                ),
            )
    elif way != "judge" and way not in terms.beside_points:
        reading.fault(
            "decided_by", _("At this event, the option you chose can't decide a match. Choose another option.")
        )
    elif way == "judge" and not terms.by_judge:
        reading.fault("decided_by", _("Only a judge can decide this, and must give a reason."))
    elif named is None:
        reading.fault("winner", _("Choose the winner."))
    else:
        return str(way)
    return None


def _must_be_tied(reading: Reading, points: Mapping[Seat, int], rolled: Mapping[Seat, int]) -> None:
    for seat in rolled:
        if sum(points[seat] == other for other in points.values()) < len(PAIR):
            reading.fault(
                "roll_off", _("Only players with equal victory points roll off. Clear the other roll-off totals.")
            )
            return


def _must_share(reading: Reading, terms: ResultTerms, rolled: Mapping[Seat, int]) -> None:
    """Allow no roll-off where players with equal points share their place."""
    if terms.ties != "shared":
        return
    said = _("At this event, players with equal victory points share their place. Clear the roll-off.")
    if rolled:
        reading.fault("roll_off", said)
    elif reading.given.get("decided_by") == "roll-off":
        reading.fault("decided_by", said)


def _must_roll(
    reading: Reading,
    terms: ResultTerms,
    places: tuple[tuple[Seat, ...], ...],
    rolled: Mapping[Seat, int],
    out: tuple[Seat, ...],
) -> None:
    """Require a roll-off of players who would share a place, where the event breaks ties so; not of those in `out`."""
    tied = [level for level in places if len(level) > 1 and not set(level) <= {*out}]
    if terms.ties != "roll-off" or not tied or reading.faults:
        return
    names = ", ".join(terms.name(seat) for seat in chain(*tied))
    said = (
        _("The roll-off totals are equal. Roll again and enter the new totals.")
        if any(seat in rolled for seat in chain(*tied))
        else _("At this event, a roll-off breaks ties. Enter the roll-off totals of %(names)s.") % {"names": names}
    )
    reading.fault("roll_off", said)


def _roll_off(reading: Reading, seats: tuple[Seat, ...]) -> dict[Seat, int]:
    given = reading.given.get("roll_off") or {}
    if not isinstance(given, Mapping) or not set(given) <= set(seats):
        reading.fault("roll_off", _("Enter a roll-off total for each player."))
        return {}
    try:
        return {seat: read_die_total(given[seat]) for seat in seats if given.get(seat) not in (None, "")}
    except ValidationError as wrong:
        reading.fault("roll_off", " ".join(wrong.messages))
        return {}


def _seat(reading: Reading, field: str, seats: tuple[Seat, ...]) -> Seat | None:
    value = reading.given.get(field) or None
    if value is not None and not (isinstance(value, str) and value in seats):
        reading.fault(field, _("Choose one of the players at this table."))
        return None
    return value


def _lost(reading: Reading, terms: ResultTerms) -> tuple[Seat, ...]:
    """Return the seats with a loss: by a penalty, and those that a judge named."""
    named = _named_seats(reading, "lost", tuple(terms.names))
    if not set(named) <= set(terms.lost) and not terms.by_judge:
        reading.fault("lost", _("Only a judge can decide this, and must give a reason."))
    if reading.flag("double_loss") and len(named) < len(terms.names):
        reading.fault(
            "lost",
            _(
                "At this table, a double loss is a loss for every player. Give every player a loss, or clear "
                "the double loss."
            ),
        )
    return tuple(seat for seat in terms.names if seat in named or seat in terms.lost)


def _named_seats(reading: Reading, field: str, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return the seats that a field names, one seat or a list."""
    given = reading.given.get(field) or []
    named = [given] if isinstance(given, str) else given
    if not isinstance(named, list | tuple) or not all(isinstance(one, str) and one in seats for one in named):
        reading.fault(field, _("Choose one of the players at this table."))
        return ()
    return tuple(seat for seat in seats if seat in named)


def _knocked_out_by(reading: Reading, seats: tuple[Seat, ...]) -> tuple[Seat | None, ...]:
    given = reading.given.get("knocked_out_by") or {}
    if not isinstance(given, Mapping) or not set(given) <= set(seats):
        reading.fault("knocked_out_by", _("Choose one of the players at this table."))
        return ()
    found = tuple(given.get(seat) or None for seat in seats)
    for seat, by in zip(seats, found, strict=True):
        if by is not None and (by == seat or by not in SEATS[: len(seats)]):
            reading.fault("knocked_out_by", _("Choose another player at this table."))
            return ()
    return found if any(found) else ()
