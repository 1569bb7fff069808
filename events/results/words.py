"""Results in words: each line's label and text, where two reports differ, and a result in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from .reading import ResultTerms
from .result import PAIR, SEATS, Result, Seat

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

WAYS = {
    "victory-points": gettext_lazy("more victory points"),
    "lowest-force": gettext_lazy("the force built with fewer points"),
    "roll-off": gettext_lazy("a roll-off with two dice"),
    "last-standing": gettext_lazy("the last characters standing"),
    "scenario": gettext_lazy("the scenario's own rule"),
    "late": gettext_lazy("the opponent arrived too late"),
    "abandoned": gettext_lazy("the opponent left the match"),
    "judge": gettext_lazy("a judge's decision"),
    "double-loss": gettext_lazy("double loss"),
    "bye": gettext_lazy("a bye"),
    "missed": gettext_lazy("the player missed the round"),
}


class Difference(NamedTuple):
    """A line in which two reports differ, in words."""

    what: str
    one: str
    other: str


def _side(seat: Seat | None, terms: ResultTerms) -> str:
    return terms.name(seat)


def _seats(seats: Sequence[Seat], terms: ResultTerms) -> str:
    if len(seats) > 1 and len(terms.names) == len(seats) == 2:
        return _("both")
    return ", ".join(map(terms.name, seats)) or terms.name(None)


def _places(places: Sequence[Sequence[Seat]], terms: ResultTerms) -> str:
    return " > ".join(" = ".join(map(terms.name, level)) for level in places)


def _knocked_out(by: Sequence[Seat | None], terms: ResultTerms) -> str:
    told = (
        _("%(one)s by %(other)s") % {"one": terms.name(seat), "other": terms.name(other)}
        for seat, other in zip(SEATS, by, strict=False)
        if other is not None
    )
    return ", ".join(told) or "–"


def roll_off_in_words(rolls: Sequence[int | None], name: Callable[[Seat], str]) -> str:
    """Return the totals of a roll-off: "4 : 9" of two players, "Ben 9 > Ada 4" of those who rolled of more."""
    if len(rolls) > len(PAIR):
        of_seats = [(roll, seat) for seat, roll in zip(SEATS, rolls, strict=False) if roll is not None]
        of_seats.sort(key=lambda one: -one[0])
        levels = groupby(of_seats, key=itemgetter(0))
        return " > ".join(" = ".join(f"{name(seat)} {roll}" for roll, seat in level) for _roll, level in levels)
    return " : ".join("–" if roll is None else str(roll) for roll in rolls) or "–"


def _rolled(rolls: Sequence[int | None], terms: ResultTerms) -> str:
    return roll_off_in_words(rolls, terms.name)


def _score_of(seat: Seat) -> Callable[[Result], int | None]:
    return lambda result: result.score(seat) if seat in result.seats else None


def _flag(value: bool, terms: ResultTerms) -> str:
    return _("yes") if value else _("no")


def _points(value: int | None, terms: ResultTerms) -> str:
    return "–" if value is None else str(value)


@dataclass(frozen=True)
class ResultLine:
    """A line of a result: its label, its value in a result, and its text.

    `always`: two reports must agree on it; other lines count only if both reports give them.
    """

    label: StrOrPromise
    value: Callable[[Result], Any]
    said: Callable[[Any, ResultTerms], str]
    always: bool = False

    def called(self, terms: ResultTerms) -> str:
        """Return the line's label, with the players' names."""
        return str(self.label) % {**dict.fromkeys(SEATS, ""), **terms.names}

    def words(self, result: Result, terms: ResultTerms) -> str:
        """Return the line's text for a result."""
        return self.said(self.value(result), terms)


WINNER = ResultLine(
    gettext_lazy("winner"),
    lambda result: result.winner,
    lambda winner, terms: _("no one") if winner is None else terms.name(winner),
    always=True,
)
SCORES = (
    ResultLine(gettext_lazy("%(a)s's victory points"), lambda result: result.score("a"), _points, always=True),
    ResultLine(gettext_lazy("%(b)s's victory points"), lambda result: result.score("b"), _points, always=True),
    ResultLine(gettext_lazy("%(c)s's victory points"), _score_of("c"), _points, always=True),
    ResultLine(gettext_lazy("%(d)s's victory points"), _score_of("d"), _points, always=True),
    ResultLine(gettext_lazy("places"), lambda result: result.places, _places, always=True),
)
DECIDED_BY = ResultLine(
    gettext_lazy("decided by"), lambda result: result.decided_by, lambda way, terms: str(WAYS.get(str(way), "–"))
)
DOUBLE_LOSS = ResultLine(gettext_lazy("double loss"), lambda result: result.double_loss, _flag, always=True)
MORE = (
    DOUBLE_LOSS,
    ResultLine(
        gettext_lazy("roll-off"),
        lambda result: result.roll_off,
        _rolled,
    ),
    ResultLine(gettext_lazy("went first"), lambda result: result.went_first, _side),
    ResultLine(gettext_lazy("chose the map"), lambda result: result.map_by, _side),
    ResultLine(gettext_lazy("late arrival"), lambda result: result.late, _seats),
    ResultLine(gettext_lazy("loss"), lambda result: result.lost, _seats, always=True),
    ResultLine(gettext_lazy("left the match"), lambda result: result.abandoned, _seats),
    ResultLine(gettext_lazy("went to time"), lambda result: result.to_time, _flag),
    ResultLine(gettext_lazy("knocked out"), lambda result: result.knocked_out_by, _knocked_out),
)
COMPARED = (WINNER, *SCORES, *MORE)


class Scored(NamedTuple):
    """A line of a result card: a player, the victory points, the outcome in words, and whether it is a win."""

    name: str
    points: int | str
    said: str
    wins: bool


def result_card(result: Result | None, terms: ResultTerms) -> list[Scored]:
    """Return a result's players with their points, the winner first; nothing without a result."""
    if result is None:
        return []
    if result.places:
        return [
            Scored(
                terms.name(seat),
                result.score(seat),
                _("loss") if seat in result.lost else place_words(result.place(seat)),
                result.winner == seat,
            )
            for level in result.places
            for seat in level
        ]
    words = {"win": _("won"), "draw": _("drawn"), "loss": _("double loss") if result.double_loss else _("lost")}
    card = [
        Scored(terms.name(seat), result.score(seat), words[result.outcome(seat)], result.winner == seat)
        for seat in result.seats
    ]
    return sorted(card, key=lambda line: not line.wins)


def place_words(place: int) -> str:
    """Return a place at a table in words."""
    return _("place %(n)d") % {"n": place}


def details_of(result: Result, terms: ResultTerms) -> list[tuple[str, str]]:
    """Return labels and texts of what is known of a result beside its card."""
    lines = [DECIDED_BY, *(line for line in MORE if line is not DOUBLE_LOSS and line.value(result))]
    return [(line.called(terms), line.words(result, terms)) for line in lines if line.value(result)]


def compare(one: Result, other: Result, terms: ResultTerms) -> list[Difference]:
    """Return the lines in which two reports contradict each other; missing values contradict nothing."""
    found = []
    for line in COMPARED:
        mine, theirs = line.value(one), line.value(other)
        silent = not line.always and (not mine or not theirs)
        if mine != theirs and not silent:
            found.append(Difference(line.called(terms), line.said(mine, terms), line.said(theirs, terms)))
    return found


def merge(one: Result, other: Result) -> Result:
    """Return the combined statements of two reports that don't contradict each other."""
    return Result(
        **{column.name: getattr(one, column.name) or getattr(other, column.name) for column in fields(Result)}
    )


def sentence(result: Result | None, terms: ResultTerms) -> str:
    """Return the result in one line, for lists, messages and the audit log; "" without a result."""
    if result is None:
        return ""
    if result.places:
        return _at_a_table(result, terms)
    a, b = result.scores[:2]
    scores = {"a": terms.name("a"), "b": terms.name("b"), "score_a": a, "score_b": b}
    if result.decided_by == "bye":
        return _("%(a)s has a bye (%(score_a)d)") % scores
    if result.decided_by == "missed":
        return _("%(a)s missed the round (loss)") % scores
    if result.double_loss:
        return _("%(a)s %(score_a)d : %(score_b)d %(b)s, double loss") % scores
    said = _("%(a)s %(score_a)d : %(score_b)d %(b)s, %(winner)s wins") % (
        scores | {"winner": terms.name(result.winner)}
    )
    if result.decided_by not in (None, "victory-points"):
        said += f" ({DECIDED_BY.words(result, terms)})"
    return said


def _at_a_table(result: Result, terms: ResultTerms) -> str:
    """Return the result of a table of three or four in one line, best first: "1. Ada 120 · 2. Ben 80 …"."""
    told = (
        f"{result.place(seat)}. {terms.name(seat)} {result.score(seat)}" for level in result.places for seat in level
    )
    said = " · ".join(told)
    ways = [] if result.decided_by in (None, "victory-points") else [DECIDED_BY.words(result, terms)]
    if any(result.roll_off):
        rolled = _("roll-off: %(totals)s") % {"totals": _rolled(result.roll_off, terms)}
        ways = [*(way for way in ways if result.decided_by != "roll-off"), rolled]
    if any(result.knocked_out_by):
        ways.append(_("knocked out: %(names)s") % {"names": _knocked_out(result.knocked_out_by, terms)})
    if result.lost and not result.double_loss:
        ways.append(_("loss: %(names)s") % {"names": _seats(result.lost, terms)})
    return f"{said} ({'; '.join(ways)})" if ways else said


class RoundWords(NamedTuple):
    """The names of a kind of round: by itself, after a verb, after a preposition."""

    alone: StrOrPromise
    after_verb: StrOrPromise
    after_preposition: StrOrPromise


OUTSIDE_A_BRACKET = RoundWords(
    gettext_lazy("Round %(number)d"),
    pgettext_lazy("after a verb", "round %(number)d"),
    pgettext_lazy("after a preposition", "round %(number)d"),
)
EARLY_STAGE = RoundWords(
    gettext_lazy("Round of %(players)d"),
    pgettext_lazy("after a verb", "round of %(players)d"),
    pgettext_lazy("after a preposition", "the round of %(players)d"),
)
STAGES = {
    2: RoundWords(
        gettext_lazy("Final"), pgettext_lazy("after a verb", "final"), pgettext_lazy("after a preposition", "the final")
    ),
    4: RoundWords(
        gettext_lazy("Semifinals"),
        pgettext_lazy("after a verb", "semifinals"),
        pgettext_lazy("after a preposition", "the semifinals"),
    ),
    8: RoundWords(
        gettext_lazy("Quarterfinals"),
        pgettext_lazy("after a verb", "quarterfinals"),
        pgettext_lazy("after a preposition", "the quarterfinals"),
    ),
    16: RoundWords(
        gettext_lazy("Round of 16"),
        pgettext_lazy("after a verb", "round of 16"),
        pgettext_lazy("after a preposition", "the round of 16"),
    ),
    32: RoundWords(
        gettext_lazy("Round of 32"),
        pgettext_lazy("after a verb", "round of 32"),
        pgettext_lazy("after a preposition", "the round of 32"),
    ),
}
"""The stages of a bracket by its places in that round; an earlier one is an `EARLY_STAGE`."""
THIRD_PLACE = gettext_lazy("Third place")


def _words_of(number: int, size: int | None) -> RoundWords:
    facts = {"number": number, "players": size}
    known = STAGES.get(size, EARLY_STAGE) if size else OUTSIDE_A_BRACKET
    return RoundWords(*(str(words) % facts for words in known))


def stage_name(size: int) -> str:
    """Return the name of a bracket's round by its places: 2 for the final, 4 for the semifinals."""
    return round_heading(0, size)


def round_heading(number: int, size: int | None) -> str:
    """Return a round's name as the heading of a column: "Round 4", "Semifinals"."""
    return str(_words_of(number, size).alone)


def round_mark(number: int, size: int | None) -> str:
    """Return a round as it stands below the heading "Round": "4", "Semifinals"."""
    return stage_name(size) if size else str(number)


def round_name(number: int, size: int | None) -> str:
    """Return a round's name; one of a bracket of this size has its stage's name before it."""
    name = round_heading(number, None)
    return f"{stage_name(size)} · {name}" if size else name


def is_for_third_place(size: int | None, slot: int | None) -> bool:
    """Return whether the losing semifinalists play a match in this place of a bracket of this size."""
    return (size, slot) == (2, 1)


def third_place_name(number: int) -> str:
    """Return the name of the round for those who play for third place."""
    return f"{THIRD_PLACE} · {round_heading(number, None)}"


def short_round_name(number: int, size: int | None) -> str:
    """Return a round's name as it follows a verb: "round 4", "semifinals"."""
    return str(_words_of(number, size).after_verb)


def the_round(number: int, size: int | None) -> str:
    """Return a round's name as it follows a preposition: "round 4", "the semifinals"."""
    return str(_words_of(number, size).after_preposition)


def left_after(number: int, size: int | None) -> str:
    """Return in words after which round a player left the event; 0 is before the first."""
    return _("left after %(round)s") % {"round": the_round(number, size)} if number else _("left before round 1")
