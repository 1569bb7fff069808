"""Reading rounds that were played in another tool: a line for each match, or for each player of each match.

Splits a text into matches and reports faults by line; the services decide what becomes of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.actions import Text
from events.names import name_key
from events.results.result import MAX_POINTS, PAIR, Result
from events.services.entries import Problem
from events.services.rounds.importing import Alone, ListedMatch

from .entries_list import MOST_ROUNDS
from .sheets import Column, Faulty, by_field, first_and_rest, taken

MAX_LINES = 5_000
MAX_TABLE = 999
MAX_NAME = 120
COLUMNS: dict[str, tuple[str, ...]] = {
    "round": ("round", "round number", "rd", "ronde", "runde", "tour"),
    "table": ("table", "table number", "board", "station", "table/station", "tisch"),
    "a": (
        "player 1", "player1", "player a", "p1", "name 1", "player 1 name", "team 1", "participant 1", "home", "player",
        "name", "player name", "joueur 1", "joueur",
    ),
    "b": (
        "player 2", "player2", "player b", "p2", "name 2", "player 2 name", "team 2", "participant 2", "away", "opponent",
        "opponent name", "joueur 2", "adversaire",
    ),
    "first_a": ("player 1 first name", "first name 1", "p1 first name"),
    "last_a": ("player 1 last name", "last name 1", "p1 last name"),
    "first_b": ("player 2 first name", "first name 2", "p2 first name"),
    "last_b": ("player 2 last name", "last name 2", "p2 last name"),
    "score_a": (
        "score 1", "points 1", "player 1 score", "player 1 points", "p1 score", "p1 points", "score a", "points a",
        "victory points 1", "vp 1", "points", "victory points", "player 1 victory points", "home score",
    ),
    "score_b": (
        "score 2", "points 2", "player 2 score", "player 2 points", "p2 score", "p2 points", "score b", "points b",
        "victory points 2", "vp 2", "opponent points", "opponent score", "opponent victory points",
        "player 2 victory points", "away score",
    ),
    "scores": ("score", "scores", "match score", "final score"),
    "winner": ("winner", "winner name", "winning player", "vainqueur", "sieger"),
    "result": ("result", "results", "outcome", "match result", "resultat", "ergebnis"),
}  # fmt: skip
"""The fields and how lists spell them: our own sheet, spreadsheets, and the files of the usual tools."""
LABELS: dict[str, Text] = {
    "round": gettext_lazy("Round"),
    "table": gettext_lazy("Table"),
    "a": gettext_lazy("Player 1"),
    "b": gettext_lazy("Player 2"),
    "first_a": gettext_lazy("First name of player 1"),
    "last_a": gettext_lazy("Last name of player 1"),
    "first_b": gettext_lazy("First name of player 2"),
    "last_b": gettext_lazy("Last name of player 2"),
    "score_a": gettext_lazy("Victory points of player 1"),
    "score_b": gettext_lazy("Victory points of player 2"),
    "scores": gettext_lazy("Victory points of both players"),
    "winner": gettext_lazy("Winner"),
    "result": gettext_lazy("Result"),
}
BYE = {"bye", "bye round", "exempt", "freilos", "*bye*", "(bye)", "-bye-", "awarded bye"}
MISSED = {"missed", "absent", "missed round", "no show", "assigned loss", "round missed (loss)"}
FIRST = {"a", "1", "player 1", "player1", "p1", "win", "won", "w", "victory", "gagne", "victoire"}
SECOND = {"b", "2", "player 2", "player2", "p2", "loss", "lost", "l", "defeat", "perdu", "defaite"}
BOTH_LOST = {"double loss", "both lost", "double defaite"}
TIED = {"draw", "tie", "tied", "drawn", "d", "t", "intentional draw", "id", "nul", "unentschieden"}
OPEN = {"", "-", "–", "open", "pending", "in progress", "not reported", "not started"}
"""Words of a cell that tells no result yet."""
WON = ("won", "wins", "defeated", "gagne")
BOTH, TIE = "both", "tie"
SCORES = re.compile(r"(?<![0-9])([0-9]{1,7})\s*[-–:/]\s*([0-9]{1,7})(?![0-9])")


@dataclass(frozen=True)
class RoundsList:
    """The list as read: matches, faults by line, and what each column was taken for."""

    lines: tuple[ListedMatch, ...]
    problems: tuple[Problem, ...]
    columns: tuple[Column, ...] = ()


def read_rounds(text: str, *, of_round: int | None = None, chosen: Mapping[int, str] | None = None) -> RoundsList:
    """Return the matches of a list. The first line names the columns; two of them name players.

    `of_round`: the round of lines that name none. `chosen`: what the columns at these places are.
    """
    lines: list[ListedMatch] = []
    problems: list[Problem] = []
    columns: tuple[Column, ...] = ()
    try:
        (number, first), rest = first_and_rest(text)
        columns = taken(first, COLUMNS, chosen)
        if first and (missing := _missing({column.field for column in columns}, of_round)):
            raise Faulty(number, missing)
        for number, cells in rest:
            if len(lines) + len(problems) >= MAX_LINES:
                raise Faulty(number, _("A list can have at most %(most)d lines.") % {"most": MAX_LINES})
            try:
                lines.append(_match(number, by_field(cells, columns), of_round))
            except ValueError as wrong:
                problems.append(Problem(number, str(wrong)))
    except Faulty as wrong:
        problems.append(Problem(wrong.line, wrong.message))
    if not lines and not problems:
        problems.append(
            Problem(1, _("The list has no matches. Enter one match on each line, with both players' names."))
        )
    return RoundsList(tuple(lines), tuple(problems), columns)


def _missing(fields: set[str], of_round: int | None) -> str:
    """Return what the first line must name and doesn't, or ""."""
    if not (fields & {"a", "first_a", "last_a"} and fields & {"b", "first_b", "last_b"}):
        return _("The first line must name the columns, including “player 1” and “player 2”. Choose them below.")
    if "round" not in fields and of_round is None:
        return _(
            "No column names the round. Choose the round's column below, or enter the round that these "
            "matches belong to."
        )
    return ""


def _match(line: int, said: Mapping[str, str], of_round: int | None) -> ListedMatch:
    """Return the match of a line. Raise ValueError with what is wrong."""
    a, b = (_name(said, seat) for seat in PAIR)
    if not a:
        raise ValueError(_("The name of player 1 is missing."))
    if max(len(a), len(b)) > MAX_NAME:
        raise ValueError(_("The name is longer than 120 characters."))
    number = _round(said.get("round", ""), of_round)
    table = _whole(said.get("table", ""), 1, MAX_TABLE, _("“%(said)s” isn't a table number (1 to 999)."))
    alone = _alone(b, said)
    if alone is not None:
        return ListedMatch(line, number, None, a, alone=alone)
    return ListedMatch(line, number, table, a, b, _result(a, b, said))


def _name(said: Mapping[str, str], seat: str) -> str:
    return said.get(seat) or " ".join(filter(None, (said.get(f"first_{seat}", ""), said.get(f"last_{seat}", ""))))


def _round(text: str, of_round: int | None) -> int:
    if not text and of_round is not None:
        return of_round
    found = re.fullmatch(r"(?:[^\W\d]+\.?\s*)?([0-9]{1,3})", text)
    if found is None or not 1 <= int(found[1]) <= MOST_ROUNDS:
        raise ValueError(
            _("“%(said)s” isn't the number of a round (1 to %(most)d).") % {"said": text, "most": MOST_ROUNDS}
        )
    return int(found[1])


def _whole(text: str, least: int, most: int, words: str) -> int | None:
    """Return a whole number; None for nothing or a dash."""
    if text in ("", "-", "–"):
        return None
    shown = re.sub(r"[.,]0+$", "", text)
    if not (shown.isascii() and shown.isdecimal() and least <= int(shown[:9]) <= most):
        raise ValueError(words % {"said": text})
    return int(shown)


def _alone(b: str, said: Mapping[str, str]) -> Alone | None:
    """Return what a line without an opponent stands for; None if there is one."""
    words = {word_key(b), word_key(said.get("result", ""))}
    if words & MISSED:
        return Alone.MISSED
    return Alone.BYE if words & BYE or not b else None


def _result(a: str, b: str, said: Mapping[str, str]) -> Result | None:
    """Return the result that a line tells, None if it tells none. Raise ValueError if it can't be understood."""
    told = [text for text in (said.get("winner", ""), said.get("result", "")) if word_key(text) not in OPEN]
    winner = next((who for text in told if (who := _who(text, a, b))), None)
    points = _("“%(said)s” isn't a number of victory points.")
    scores = [_whole(said.get(f"score_{seat}", ""), 0, MAX_POINTS, points) for seat in PAIR]
    both = said.get("scores", "")
    if scores == [None, None]:
        scores = _scores(both, told, winner)
    if winner is None and scores == [None, None]:
        if told or word_key(both) not in OPEN:
            raise ValueError(
                _("“%(said)s” names neither a winner nor points. Enter one of them.") % {"said": (*told, both)[0]}
            )
        return None
    if (scores[0] is None) != (scores[1] is None):
        raise ValueError(_("The victory points of one player are missing."))
    one, other = (score or 0 for score in scores)
    if winner == BOTH:
        return Result((one, other), double_loss=True, decided_by="double-loss")
    if winner == TIE or (winner is None and one == other):
        raise ValueError(_("This match has no winner. Name the winner, or write “double loss”."))
    ahead = "a" if one > other else "b" if other > one else None
    return Result(
        (one, other), winner=winner or ahead, decided_by="victory-points" if winner in (None, ahead) else "judge"
    )


def _scores(both: str, told: Sequence[str], winner: str | None) -> list[int | None]:
    """Return both scores from a cell that has both, such as "300-150" or "Ben won 2-0"."""
    if found := SCORES.search(both):
        return [int(found[1]), int(found[2])]
    for text in told:
        if found := SCORES.search(text):
            scores: list[int | None] = [int(found[1]), int(found[2])]
            return scores[::-1] if winner == "b" and int(found[1]) > int(found[2]) else scores
    return [None, None]


def word_key(text: str) -> str:
    """Return what words and names are compared by: lower case, without accents and double spaces."""
    return " ".join(name_key(text).split())


def _who(text: str, a: str, b: str) -> str | None:
    """Return whom a cell names as the winner: a seat, BOTH lost, TIE, or None."""
    word = word_key(text)
    names = {"a": word_key(a), "b": word_key(b)}
    named = [seat for seat, name in names.items() if word == name]
    named = named or [seat for seat, name in names.items() if word.startswith(tuple(f"{name} {verb}" for verb in WON))]
    if named:
        return named[0] if len(named) == 1 else None
    for words, meant in ((FIRST, "a"), (SECOND, "b"), (BOTH_LOST, BOTH), (TIED, TIE)):
        if word in words:
            return meant
    return TIE if re.search(r"\b(draw|drawn|tie|tied)\b", word) else None
