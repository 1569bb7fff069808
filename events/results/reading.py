"""Read a result from form data: what is missing, what follows, what is contradictory."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from .result import MAX_POINTS, OTHER, PAIR, PAST_THE_POINTS, SEATS, Result, Seat

Given = Mapping[str, Any]
"""A result as typed, by the keys in `KEYS`."""
KEYS = frozenset(
    {
        "winner",
        "score_a",
        "score_b",
        "double_loss",
        "went_first",
        "map_by",
        "to_time",
        "roll_off",
        "late",
        "abandoned_by",
        "decided_by",
        "battle",
    }
)
FAR_TOO_MANY = 10
"""A score above this many build totals counts as a typing error (archenemies double, captives triple)."""

TIE_BREAK = {
    "ic-2002": "lowest-force",
    "car-2002": "lowest-force",
    "dc-2005": "lowest-force",
    "core-2014": "roll-off",
    "core-modern": "roll-off",
}
"""How each edition breaks a tie in victory points (the chapters "Victory!" and "Determining the Winner")."""

BESIDE_POINTS = {
    "ic-2002": ("scenario",),
    "car-2002": ("scenario",),
    "dc-2005": ("lowest-force", "scenario"),
    "core-2014": ("last-standing", "scenario"),
    "core-modern": ("last-standing", "scenario"),
}
"""What can override the points; dc-2005 gives a battle without a defeat to the smaller force."""


def _apart(name: str) -> str:
    """Return a right-to-left name isolated, so that it doesn't reorder the points beside it (UAX 9)."""
    turns = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    return f"\u2068{name}\u2069" if turns else name


@dataclass(frozen=True)
class ResultTerms:
    """What a result is judged by: edition, the event's settings, the names, the forces' points if known.

    `further` has the names of the third and fourth player at a table of more than two; `lost` are the seats there to
    which a penalty gives a loss, and `ties` says how players with equal points are placed there (`Event.TableTies`).
    """

    edition: str
    build_total: int
    tied_game: str = "edition"
    name_a: str = "A"
    name_b: str = "B"
    force_a: int | None = None
    force_b: int | None = None
    by_judge: bool = False
    further: tuple[str, ...] = ()
    lost: tuple[Seat, ...] = ()
    ties: str = "either"

    @property
    def names(self) -> dict[Seat, str]:
        """The players' names by seat."""
        return dict(zip(SEATS, (self.name_a, self.name_b, *self.further), strict=False))

    @property
    def tie_break(self) -> str:
        """The edition's own tie-break."""
        return TIE_BREAK.get(self.edition, "lowest-force")

    @property
    def beside_points(self) -> tuple[str, ...]:
        """The ways to win against the points."""
        judged = ("judge",) if self.by_judge else ()
        if self.further:
            by_force = ("lowest-force",) if self.tie_break == "lowest-force" else ()
            return (*by_force, *(way for way in PAST_THE_POINTS if way != "judge"), *judged)
        return (*BESIDE_POINTS.get(self.edition, ("scenario",)), "late", *judged)

    def name(self, side: str | None) -> str:
        """Return the name of a side, or a dash for None."""
        found = self.names.get(side or "")
        return "–" if found is None else _apart(found)


def read_score(given: object) -> int:
    """Return victory points from form data. Raise ValidationError with what is wrong."""
    if isinstance(given, bool) or given is None or given == "":
        raise ValidationError(_("Enter the victory points as a whole number, 0 for none."))
    if isinstance(given, int):
        number = given
    elif isinstance(given, str) and given.strip().isascii() and given.strip().isdecimal() and len(given.strip()) < 10:
        number = int(given.strip())
    else:
        raise ValidationError(
            _("“%(given)s” isn't a whole number. Enter the victory points in digits, such as 120."),
            params={"given": str(given)[:40]},
        )
    if not 0 <= number <= MAX_POINTS:
        raise ValidationError(_("Victory points are whole numbers from 0 to 1,000,000."))
    return number


def read_die_total(given: object) -> int:
    """Return the total of a roll-off from form data. Raise ValidationError with what is wrong."""
    number = read_score(given)
    if not 2 <= number <= 12:
        raise ValidationError(_("Enter a roll-off total from 2 to 12."))
    return number


class Reading:
    """The faults found so far, by field, while a result is read."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given
        self.faults: dict[str, list[str]] = {}

    def fault(self, field: str, message: str) -> None:
        """Add a fault of a field."""
        self.faults.setdefault(field, []).append(message)

    def number(self, field: str, reader: Any = read_score) -> int | None:
        """Return a number; None where it is a fault."""
        try:
            return reader(self.given.get(field))
        except ValidationError as wrong:
            self.fault(field, " ".join(wrong.messages))
            return None

    def score(self, seat: Seat, terms: ResultTerms) -> int | None:
        """Return a seat's victory points; far too many are a fault."""
        field = f"score_{seat}"
        score = self.number(field)
        if score is not None and terms.build_total and score > FAR_TOO_MANY * terms.build_total:
            self.fault(
                field,
                _("A %(total)d-point match can't give %(score)d victory points. Check the number.")
                % {"score": score, "total": terms.build_total},
            )
        return score

    def side(self, field: str, *more: str) -> str | None:
        """Return one of the two seats, or one of `more`; None if none is named."""
        value = self.given.get(field) or None
        if value is not None and value not in (*PAIR, *more):
            self.fault(field, _("Choose one of the two players."))
            return None
        return value

    def flag(self, field: str) -> bool:
        """Return whether a box is ticked."""
        return self.given.get(field) in (True, "true", "on", "yes", "1", 1)

    def seats(self, field: str, *more: str) -> tuple[Seat, ...]:
        """Return the seats named: none, one, or both."""
        named = self.side(field, *more)
        return PAIR if named == "both" else (named,) if named else ()

    def roll_off(self) -> tuple[int, ...]:
        """Return both totals of a roll-off; nothing without one."""
        given = self.given.get("roll_off")
        if not given:
            return ()
        if not isinstance(given, Mapping) or set(given) != set(PAIR):
            self.fault("roll_off", _("Enter a roll-off total for each player."))
            return ()
        try:
            return tuple(read_die_total(given[side]) for side in PAIR)
        except ValidationError as wrong:
            self.fault("roll_off", " ".join(wrong.messages))
            return ()


def normalise(given: Given, terms: ResultTerms) -> Result:
    """Return the complete result, with its winner and how it was decided.

    The winner follows from the uncapped scores. Equal scores need the edition's tie-break; if no one scored and the
    event says so, they are a double loss. Winning against the points must name one of the ways allowed. Raise
    ValidationError with a message for each field.
    """
    reading = Reading(given)
    unknown = sorted(set(given) - KEYS)
    if unknown:
        raise ValidationError(_("A result has no field “%(name)s”."), params={"name": str(unknown[0])[:40]})
    score_a, score_b = (reading.score(seat, terms) for seat in PAIR)
    said = Result(
        went_first=reading.side("went_first"),
        map_by=reading.side("map_by"),
        late=reading.seats("late", "both"),
        abandoned=reading.seats("abandoned_by"),
        to_time=reading.flag("to_time"),
        roll_off=reading.roll_off(),
    )
    battle = given.get("battle")
    if battle is not None and not isinstance(battle, Mapping):
        reading.fault("battle", _("“battle” must be a battle file."))
    named, way = reading.side("winner"), given.get("decided_by") or None
    if reading.faults or score_a is None or score_b is None:
        raise ValidationError(reading.faults)
    result = replace(said, scores=(score_a, score_b), battle=battle or None)
    winner, decided = _decide(reading, result, terms, named, way)
    if reading.faults:
        raise ValidationError(reading.faults)
    return replace(result, winner=winner, decided_by=decided, double_loss=decided == "double-loss")


def _decide(
    reading: Reading, result: Result, terms: ResultTerms, named: str | None, way: object
) -> tuple[str | None, str | None]:
    """Return the winner and what decided; report what is missing or contradictory as faults."""
    a, b = result.scores
    ahead = "a" if a > b else "b" if b > a else None
    if result.abandoned:
        (left,) = result.abandoned
        if reading.flag("double_loss") or named == left:
            reading.fault("winner", _("A player who leaves a match can't win it. The opponent wins."))
        return OTHER[left], "abandoned"
    if reading.flag("double_loss") or (ahead is None and a == 0 and terms.tied_game == "double-loss" and not named):
        return None, _double_loss(reading, result, terms, named)
    if way == "judge" and not terms.by_judge:
        reading.fault("decided_by", _("Only a judge can decide this, and must give a reason."))
        return None, None
    if ahead is None:
        if result.roll_off:
            return _rolled(reading, result, terms, named)
        return _tied(reading, result, terms, named, way)
    if result.roll_off:
        reading.fault(
            "roll_off",
            _(
                "The victory points aren't equal, so a roll-off can't decide the match. Check the points or "
                "clear the roll-off."
            ),
        )
        return None, None
    if named in (None, ahead) and way in (None, "victory-points"):
        return ahead, "victory-points"
    if way in terms.beside_points:
        return _beside_the_points(reading, result, terms, named, str(way))
    if way not in (None, "victory-points"):
        reading.fault(
            "decided_by",
            _(
                "At this event, the option you chose can't decide a match with unequal victory points. Choose another option."
            ),
        )
    else:
        reading.fault(
            "winner",
            _("%(ahead)s has more victory points. If %(named)s still won, choose what decided the match.")
            % {"ahead": terms.name(ahead), "named": terms.name(named)},
        )
    return None, None


def _double_loss(reading: Reading, result: Result, terms: ResultTerms, named: str | None) -> str:
    if named:
        reading.fault("winner", _("A double loss has no winner. Clear the winner or the double loss."))
    by_event = not any(result.scores) and terms.tied_game == "double-loss"
    if not (by_event or result.late == PAIR or terms.by_judge):
        reading.fault(
            "double_loss",
            _("Only a judge can record a double loss.")
            if terms.tied_game != "double-loss"
            else _(
                "At this event, both players lose if neither scored. Otherwise only a judge can record a double loss."
            ),
        )
    return "double-loss"


def _rolled(reading: Reading, result: Result, terms: ResultTerms, named: str | None) -> tuple[str | None, str | None]:
    a, b = result.rolled("a") or 0, result.rolled("b") or 0
    smaller = _smaller_force(terms)
    if terms.tie_break == "lowest-force" and smaller:
        reading.fault(
            "roll_off",
            _("In this edition, the force built with fewer points wins a tie, without a roll-off. Clear the roll-off."),
        )
        return None, None
    if a == b:
        reading.fault("roll_off", _("The roll-off totals are equal. Roll again and enter the new totals."))
        return None, None
    winner = "a" if a > b else "b"
    if named and named != winner:
        reading.fault(
            "winner", _("%(name)s won the roll-off. Choose them as the winner.") % {"name": terms.name(winner)}
        )
    return winner, "roll-off"


def _smaller_force(terms: ResultTerms) -> str | None:
    if terms.force_a is None or terms.force_b is None or terms.force_a == terms.force_b:
        return None
    return "a" if terms.force_a < terms.force_b else "b"


def _beside_the_points(
    reading: Reading, result: Result, terms: ResultTerms, named: str | None, way: str
) -> tuple[str | None, str]:
    """Return the winner by something other than points, who must be named and able to win so."""
    smaller = _smaller_force(terms)
    if named is None:
        reading.fault("winner", _("Choose the winner."))
    elif way == "late" and result.late != (OTHER[named],):
        reading.fault("late", _("Mark %(name)s as the late player.") % {"name": terms.name(OTHER[named])})
    elif way == "lowest-force" and smaller and named != smaller:
        reading.fault(
            "winner",
            _("%(name)s's force was built with fewer points. Choose %(name)s as the winner.")
            % {"name": terms.name(smaller)},
        )
    return named, way


def _tied(
    reading: Reading, result: Result, terms: ResultTerms, named: str | None, way: object
) -> tuple[str | None, str | None]:
    """Return the winner of a tie without a roll: the smaller force in some editions, otherwise as named."""
    if way in terms.beside_points and way != "lowest-force":
        return _beside_the_points(reading, result, terms, named, str(way))
    if terms.tie_break == "roll-off":
        reading.fault("roll_off", _("The victory points are equal. Enter each player's roll-off total."))
        return None, None
    smaller = _smaller_force(terms)
    if smaller and named and named != smaller:
        reading.fault(
            "winner",
            _("In this edition, the force built with fewer points wins a tie. Choose %(name)s as the winner.")
            % {"name": terms.name(smaller)},
        )
    winner = smaller or named
    if winner is None:
        reading.fault(
            "winner",
            _("The victory points are equal. The force built with fewer points wins: choose its player as the winner."),
        )
    return winner, "lowest-force"
