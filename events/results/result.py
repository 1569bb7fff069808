"""A match's result for two to four seats, and its JSON for the database and event files.

Seats are "a" to "d" in the order of the pairing. Points are victory points before any cap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeGuard

Seat = str
Outcome = Literal["win", "loss", "draw"]

SEATS: tuple[Seat, ...] = ("a", "b", "c", "d")
PAIR: tuple[Seat, ...] = SEATS[:2]
OTHER = {"a": "b", "b": "a"}
MAX_POINTS = 1_000_000
PAST_THE_POINTS = ("last-standing", "scenario", "judge")
"""How a player can win a table of three or four against the points."""


class BadResult(ValueError):
    """An impossible result, or JSON that isn't one; the message says why."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a match.

    `scores` has one number per seat, at least two: the second seat of a bye is empty and has 0. Without a `winner` the
    match is a draw or, with `double_loss`, everyone lost. `roll_off` holds each seat's roll (None if that seat didn't
    roll), or is empty. `late` and `abandoned` list seats in order. `battle` is the battle file that the points come
    from. If three or four played, `places` lists the seats, best first, tied ones together, `knocked_out_by` may hold,
    for each seat, the one that knocked it out (None if it wasn't), and `lost` has the seats that a judge gave a loss (a
    game loss, a no-show): they are last, whatever their points; with all of them, it is a double loss.
    """

    scores: tuple[int, ...] = (0, 0)
    winner: Seat | None = None
    double_loss: bool = False
    went_first: Seat | None = None
    map_by: Seat | None = None
    to_time: bool = False
    roll_off: tuple[int | None, ...] = ()
    late: tuple[Seat, ...] = ()
    abandoned: tuple[Seat, ...] = ()
    decided_by: str | None = None
    battle: Mapping[str, Any] | None = None
    places: tuple[tuple[Seat, ...], ...] = ()
    knocked_out_by: tuple[Seat | None, ...] = ()
    lost: tuple[Seat, ...] = ()

    def __post_init__(self) -> None:
        """Raise BadResult for an impossible result."""
        seats = self.seats
        if len(self.scores) < len(PAIR) or len(seats) != len(self.scores):
            raise BadResult(f"A match has two to four seats, not {len(self.scores)}.")
        if self.roll_off and len(self.roll_off) != len(seats):
            raise BadResult("A roll-off needs a total for each seat.")
        if self.knocked_out_by and len(self.knocked_out_by) != len(seats):
            raise BadResult("Each seat needs a value for who knocked it out.")
        if any(seat == by for seat, by in zip(seats, self.knocked_out_by, strict=False)):
            raise BadResult("A seat can't knock itself out.")
        named = [
            self.winner,
            self.went_first,
            self.map_by,
            *self.late,
            *self.abandoned,
            *self.lost,
            *self.knocked_out_by,
        ]
        placed = [seat for level in self.places for seat in level]
        if not {*named, *placed} - {None} <= set(seats):
            raise BadResult("The result names a seat that its match doesn't have.")
        if placed and sorted(placed) != list(seats):
            raise BadResult("The places must name each seat once.")

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the match, in order."""
        return SEATS[: len(self.scores)]

    def score(self, seat: Seat) -> int:
        """Return a seat's victory points."""
        return self.scores[SEATS.index(seat)]

    def rolled(self, seat: Seat) -> int | None:
        """Return a seat's total in the roll-off, or None."""
        return self.roll_off[SEATS.index(seat)] if self.roll_off else None

    def place(self, seat: Seat) -> int:
        """Return a seat's place in the match: 1 for a winner or a tie for first; a double loss leaves both second."""
        if seat in self.lost:
            return len(self.seats)
        if not self.places:
            return 1 if self.outcome(seat) in ("win", "draw") else 2
        better = 1
        for level in self.places:
            if seat in level:
                break
            better += len(level)
        return better

    def winning_pair(self, pairs: Sequence[tuple[Seat, ...]]) -> tuple[Seat, ...]:
        """Return the pair that won a table at which two pairs played, or () if they are equal.

        A player who won against the points wins for the pair. Otherwise it's the pair with more victory points
        together, then the one with the better best place; a pair whose players all left or were given a loss can't win.
        """
        there = [pair for pair in pairs if not set(pair) <= {*self.abandoned, *self.lost}]
        if len(there) < len(PAIR):
            return there[0] if there else ()
        if self.winner is not None and self.decided_by in PAST_THE_POINTS:
            return next((pair for pair in there if self.winner in pair), ())
        merits = [(sum(map(self.score, pair)), -min(map(self.place, pair))) for pair in there]
        best = [pair for pair, merit in zip(there, merits, strict=True) if merit == max(merits)]
        return best[0] if len(best) == 1 else ()

    def outcome(self, seat: Seat) -> Outcome:
        """Return the match's outcome for a seat; those tied for first place at a table of three or four drew."""
        if self.winner is not None:
            return "win" if self.winner == seat else "loss"
        beaten = bool(self.places) and seat not in self.places[0]
        return "loss" if self.double_loss or beaten else "draw"


def as_json(result: Result) -> dict[str, Any]:
    """Return a result's JSON for the database and event files; `from_json` reads it.

    Two seats have the keys `score_a` and `score_b`, further ones `score_c` and `score_d`.
    """
    written: dict[str, Any] = {"winner": result.winner}
    written |= {f"score_{seat}": score for seat, score in zip(result.seats, result.scores, strict=True)}
    rolled = {seat: result.rolled(seat) for seat in result.seats if result.rolled(seat) is not None}
    written |= {
        "double_loss": result.double_loss,
        "went_first": result.went_first,
        "map_by": result.map_by,
        "to_time": result.to_time,
        "roll_off": rolled or None,
        "late": _written_seats(result.late, result.seats),
        "abandoned_by": _written_seats(result.abandoned, result.seats),
        "decided_by": result.decided_by,
        "battle": result.battle,
    }
    if result.places:
        written["places"] = [list(level) for level in result.places]
    if result.lost:
        written["lost"] = list(result.lost)
    if any(result.knocked_out_by):
        written["knocked_out_by"] = {
            seat: by for seat, by in zip(result.seats, result.knocked_out_by, strict=True) if by is not None
        }
    return written


def from_json(written: Mapping[str, Any]) -> Result:
    """Return the result in JSON written by `as_json`; keys may be missing. Raise BadResult if it is invalid."""
    count = 2 + sum(f"score_{seat}" in written for seat in SEATS[2:])
    seats = SEATS[:count]
    rolled = written.get("roll_off") or {}
    battle = written.get("battle")
    knocked_out = written.get("knocked_out_by") or {}
    if not all(isinstance(one, Mapping) for one in (rolled, battle or {}, knocked_out)):
        raise BadResult("A roll-off, a battle and the knockouts must be objects.")
    decided = written.get("decided_by")
    if not (decided is None or isinstance(decided, str)):
        raise BadResult("What decided the match must be text.")
    return Result(
        scores=tuple(_points(written.get(f"score_{seat}", 0)) for seat in seats),
        winner=_seat(written.get("winner")),
        double_loss=bool(written.get("double_loss")),
        went_first=_seat(written.get("went_first")),
        map_by=_seat(written.get("map_by")),
        to_time=bool(written.get("to_time")),
        roll_off=tuple(None if rolled.get(seat) is None else _points(rolled[seat]) for seat in seats) if rolled else (),
        late=_seats(written.get("late"), seats),
        abandoned=_seats(written.get("abandoned_by"), seats),
        decided_by=decided,
        battle=battle,
        places=_places(written.get("places"), seats),
        knocked_out_by=tuple(_seat(knocked_out.get(seat)) for seat in seats) if knocked_out else (),
        lost=_seats(written.get("lost"), seats),
    )


def _written_seats(named: Sequence[Seat], seats: Sequence[Seat]) -> str | list[Seat] | None:
    """Return seats as JSON: null, one seat, "both" of two, else a list."""
    if not named:
        return None
    if len(named) == 1:
        return named[0]
    return "both" if len(seats) == len(PAIR) else list(named)


def _seats(value: Any, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    if not value:
        return ()
    if value == "both":
        return PAIR
    named = value if isinstance(value, list | tuple) else [value]
    if not all(_is_seat(seat) and seat in seats for seat in named) or len(set(named)) != len(named):
        raise BadResult(f"{value!r} doesn't name seats of this match.")
    return tuple(seat for seat in seats if seat in named)


def _places(value: Any, seats: Sequence[Seat]) -> tuple[tuple[Seat, ...], ...]:
    if not value:
        return ()
    if not isinstance(value, list):
        raise BadResult("The places must be a list of lists.")
    return tuple(_seats(level, seats) for level in value)


def _seat(value: Any) -> Seat | None:
    if value is None or value == "":
        return None
    if not _is_seat(value):
        raise BadResult(f"{value!r} isn't a seat.")
    return value


def _is_seat(value: Any) -> TypeGuard[Seat]:
    return isinstance(value, str) and value in SEATS


def _points(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= MAX_POINTS:
        raise BadResult(f"{value!r} isn't a number of points.")
    return value


def bye(points: int) -> Result:
    """Return the result of a bye, always on seat a: a win with these victory points."""
    return Result((points, 0), winner="a", decided_by="bye")


def missed() -> Result:
    """Return the result of a missed round: a loss without victory points, and no winner."""
    return Result(decided_by="missed")


def recorded(score: int, build_total: int, capped: bool) -> int:
    """Return the victory points that count in the standings: at most the build total if the event has one and caps them."""
    return min(score, build_total) if capped and build_total else score
