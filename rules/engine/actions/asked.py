"""Facts about a question, noted to select rulings: the characters and squares it names, and what lies between them."""

from __future__ import annotations

from collections.abc import Iterable

from rules.engine.actions.questions import (
    AskAdjacent,
    AskBreakAway,
    AskCanCarry,
    AskCanTarget,
    AskKnockBack,
    AskLineOfFire,
    AskReachable,
    AskValue,
    Place,
    Question,
)
from rules.engine.actions.taking_part import (
    between,
    flight_and_range_of,
    held_by,
    note_board,
    standing_there,
    traits_of,
)
from rules.engine.combat.crossed import crossed
from rules.engine.figures.standing import figure_of
from rules.engine.met import Met
from rules.engine.movement.passed import left
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.position.squares import Square


def note_question(play: Play, question: Question) -> None:
    """Note facts about the characters and squares of a question."""
    note_board(play)
    if isinstance(question, AskAdjacent):
        play.note(Met.ASKS_ADJACENT)
    ends = _ends_of(question)
    people = [play.position.find(end) if isinstance(end, str) else None for end in ends]
    known = [one for one in people if one is not None]
    for one, role in zip(people, ("own", "target"), strict=False):
        if one is not None:
            play.note(*traits_of(play, one, role))
    if people and people[0] is not None:
        play.note(*flight_and_range_of(play, people[0]))
        play.note(*_of_mover(play, question, people[0]))
    if isinstance(question, AskKnockBack) and _oblique(play, question.origin, play.character(question.of)):
        play.note(Met.OBLIQUE)
    if len(known) == 2:
        first = figure_of(play, known[0])
        play.note(*between(play, *known), *(standing_there(play, first, "actor") if first is not None else ()))
    elif len(ends) == 2:
        squares = [
            one.squares[0] if one is not None and one.squares else end for one, end in zip(people, ends, strict=True)
        ]
        if isinstance(squares[0], Square) and isinstance(squares[1], Square):
            play.note(*crossed(play, squares[0], squares[1]))


def _ends_of(question: Question) -> list[Place]:
    match question:
        case AskLineOfFire(start, end) | AskAdjacent(start, end) | AskCanCarry(start, end):
            return [start, end]
        case AskCanTarget(_, start, end):
            return [start, end]
        case AskValue():
            return [end for end in (question.attacker, question.target) if end is not None] or [question.of]
        case AskKnockBack(of, origin):
            return [origin, of]
        case AskBreakAway(of) | AskReachable(of):
            return [of]
    return []


def _of_mover(play: Play, question: Question, character: Character) -> Iterable[str]:
    """Yield facts about the surroundings of a character that may want to move."""
    figure = figure_of(play, character)
    if figure is None or not isinstance(question, AskBreakAway | AskReachable):
        return
    held = list(held_by(play, figure))
    yield from held
    yield from left(play, figure, held=bool(held))
    if isinstance(question, AskReachable) and question.flight not in (None, character.flight):
        yield Met.CHANGES_FLIGHT


def _oblique(play: Play, origin: Place, thrown: Character) -> bool:
    """Return whether a knock back from there wouldn't follow a straight line."""
    source = play.position.find(origin) if isinstance(origin, str) else None
    squares = source.squares if source is not None else (origin,) if isinstance(origin, Square) else ()
    if not squares or not thrown.squares:
        return False
    one, other = squares[0], thrown.squares[0]
    columns, rows = abs(one.column - other.column), abs(one.row - other.row)
    return bool(columns and rows and columns != rows)
