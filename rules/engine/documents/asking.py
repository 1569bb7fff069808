"""The engine's functions for position files, as commands, the API and pages call them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rules.engine import adjudicate as judge
from rules.engine.actions.questions import AskCanTarget, AskLineOfFire, AskReachable, Place, answer, move_with
from rules.engine.combat import line_classes
from rules.engine.documents.position import PositionFile, read_position, with_last_action
from rules.engine.documents.reader import shown
from rules.engine.documents.report import write_answer, write_report
from rules.engine.errors import BadInput
from rules.engine.limit import within_limit
from rules.engine.movement import reach
from rules.engine.play import AttackKind, Play
from rules.engine.position.characters import Character, Flight
from rules.engine.position.squares import read_square

Document = Mapping[str, Any]


@within_limit
def adjudicate(document: Document) -> dict[str, Any]:
    """Return the report of a position file: steps, state, answers and rulings. Raises BadInput with a pointer."""
    file = read_position(document)
    return write_report(file, judge.decide(file.case))


def endings(document: Document) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return a function that gives the report of a position file with another last action; the rest is read only once.

    It raises BadInput as `adjudicate` does.
    """
    file = functools.cache(lambda: read_position(document))

    @within_limit
    def ending(action: Mapping[str, Any]) -> dict[str, Any]:
        changed = with_last_action(file(), action)
        return write_report(changed, judge.decide(changed.case))

    return ending


@within_limit
def field_of_view(document: Document, of: str) -> dict[str, str]:
    """Return square → `clear`, `hindered` or `blocked` for every square of the map, as seen by the character `of`.

    Raises BadInput for a malformed position or an unknown id.
    """
    play, character = _opened(document, of)
    return {square.name: found for square, found in line_classes.field_of_view(play, character).items()}


@within_limit
def reachable(document: Document, of: str, *, using: Iterable[str] = (), flight: str | None = None) -> dict[str, int]:
    """Return square → minimum speed for every square in which a move of the character `of` may end.

    `using` names powers that change the move (Charge), `flight` the mode to end in. Raises BadInput.
    """
    play, character = _opened(document, of)
    with play.supposing(move_with(play, character, tuple(using))):
        found = reach.reachable(play, character, tuple(using), Flight(flight) if flight else None)
    return {} if found is None else {square.name: found.ends[square] for square in found.squares()}


@within_limit
def targets(document: Document, of: str, attacks: Iterable[tuple[AttackKind, str]]) -> list[tuple[AttackKind, str]]:
    """Return which of these attacks, each a kind and a target, the character `of` could make.

    Raises BadInput for a malformed position or an unknown id.
    """
    play, _character = _opened(document, of)
    return [(kind, goal) for kind, goal in attacks if answer(play, AskCanTarget(kind, of, goal)).result]


@within_limit
def way_to(document: Document, of: str, end: str, *, using: Iterable[str] = ()) -> list[str]:
    """Return the squares entered on a cheapest path of the character `of` to a square; empty if there is none.

    `using` names powers that change the move. Raises BadInput for a malformed position or an unknown id.
    """
    play, character = _opened(document, of)
    goal = read_square(end)
    if goal is None:
        return []
    with play.supposing(move_with(play, character, tuple(using))):
        return [square.name for square in reach.way_to(play, character, goal, tuple(using))]


@within_limit
def line_of_fire(document: Document, start: str, end: str) -> dict[str, Any]:
    """Return the answer about the line of fire between two ids or squares, with its squares, marks and citations.

    Raises BadInput for a malformed position, an unknown id or a square off the map.
    """
    file = read_position(document)
    question = AskLineOfFire(_place(file, start), _place(file, end))
    play = Play(file.case.edition, file.case.position)
    return write_answer(answer(play, question), file.case.edition)


@within_limit
def where_it_may_move(document: Document, of: str) -> dict[str, Any]:
    """Return the full answer about where the character `of` may end a move, with its reasons. Raises BadInput."""
    play, _character = _opened(document, of)
    return write_answer(answer(play, AskReachable(of)), play.edition)


def _opened(document: Document, of: str) -> tuple[Play, Character]:
    file = read_position(document)
    character = file.case.position.find(of)
    if character is None:
        raise BadInput("", f"No character has the id {shown(of)}.")
    return Play(file.case.edition, file.case.position), character


def _place(file: PositionFile, named: str) -> Place:
    if file.case.position.find(named) is not None:
        return named
    square = read_square(named)
    if square is None or not file.case.position.map.holds(square):
        raise BadInput("", f"{shown(named)} is neither the id of a character nor a square of the map.")
    return square
