"""The questions that a position file may ask, and their answers, each a value with its reasons.

A question names characters by their ids, so it is answered on the position that the actions before it have left.
`documents.questions` reads questions from JSON, `documents.report` writes the answers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product
from typing import cast

from rules.engine.action import Action, ActionKind
from rules.engine.actions.moving import moving_with
from rules.engine.actions.openings import openings_of
from rules.engine.actions.turns import actions_this_turn
from rules.engine.combat.knock_back import knock_back
from rules.engine.combat.line_of_fire import Line, line_of_fire
from rules.engine.combat.targets import can_target, range_halves
from rules.engine.combat.unknown import told_to_judge
from rules.engine.figures.abilities import powers_of
from rules.engine.figures.adjacency import Purpose, spots_adjacent
from rules.engine.figures.standing import figure_of
from rules.engine.figures.values import value_of
from rules.engine.met import Met
from rules.engine.movement.break_away import break_away
from rules.engine.movement.carry import can_carry
from rules.engine.movement.reach import reachable
from rules.engine.play import Attack, AttackKind, Play, Spot, spot_of
from rules.engine.position.characters import Character, Flight
from rules.engine.position.dial import ValueName
from rules.engine.position.squares import Square, distance, in_squares
from rules.engine.reasons import Parts, Replacement, Tally, in_words

Place = str | Square
"""One end of a question: a character's id, or a square."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question: its result as documents write it, its reasons and topics, and further values.

    `parts` are the reasons of a computed number that is the result or part of it.
    """

    ask: str
    result: object
    because: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    beside: dict[str, object] = field(default_factory=dict)
    parts: Parts | None = None


@dataclass(frozen=True, slots=True)
class AskLineOfFire:
    """Is the line of fire clear, hindered or blocked, and what does it meet? With `using`: in an attack that uses these."""

    start: Place
    end: Place
    using: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AskAdjacent:
    """Are two characters or squares adjacent, perhaps for one purpose?"""

    one: Place
    other: Place
    purpose: Purpose | None = None


@dataclass(frozen=True, slots=True)
class AskDistance:
    """What is the distance between two characters or squares?"""

    start: Place
    end: Place


@dataclass(frozen=True, slots=True)
class AskCanTarget:
    """Can an attack of that kind target that character?"""

    kind: AttackKind
    attacker: Place
    target: Place
    using: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AskValue:
    """What is a combat value, now or in an attack in progress?"""

    of: str
    value: ValueName
    kind: AttackKind | None = None
    attacker: Place | None = None
    target: Place | None = None
    using: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AskCanCarry:
    """May one character carry another?"""

    of: str
    carried: str


@dataclass(frozen=True, slots=True)
class AskBreakAway:
    """Must the character break away before it moves, and what does the roll need?"""

    of: str


@dataclass(frozen=True, slots=True)
class AskReachable:
    """Where can a move of the character end?"""

    of: str
    using: tuple[str, ...] = ()
    flight: Flight | None = None


@dataclass(frozen=True, slots=True)
class AskActionTotal:
    """How many actions does the player have each turn?"""

    player: str


@dataclass(frozen=True, slots=True)
class AskKnockBack:
    """Where is the character knocked back to by that many clicks, and how much damage does it take?"""

    of: str
    origin: Place
    clicks: int
    direction: str | None = None


@dataclass(frozen=True, slots=True)
class AskActions:
    """Which actions can the character be given now?"""

    of: str


@dataclass(frozen=True, slots=True)
class AskRulings:
    """Which rulings are about these topics?"""

    about: tuple[str, ...]


Question = (
    AskLineOfFire
    | AskAdjacent
    | AskDistance
    | AskCanTarget
    | AskValue
    | AskCanCarry
    | AskBreakAway
    | AskReachable
    | AskActionTotal
    | AskKnockBack
    | AskActions
    | AskRulings
)


def answer(play: Play, question: Question) -> Answer:
    """Return the answer to a question on the current position; cards count as in the action that it is about."""
    with play.supposing(_supposed(play, question)):
        found = _answer(play, question)
        told = told_to_judge(play, found.ask, _concerned(play, question))
    return replace(found, because=(*found.because, *told)) if told else found


def _concerned(play: Play, question: Question) -> list[Character]:
    """Return the characters on whose cards the answer may depend."""
    match question:
        case AskLineOfFire(start, end) | AskCanTarget(_, start, end) | AskCanCarry(start, end):
            found = [_character_at(play, start), _character_at(play, end)]
        case AskValue(of) | AskReachable(of) | AskBreakAway(of):
            found = [play.character(of)]
        case _:
            found = []
    return [one for one in found if one is not None]


def _supposed(play: Play, question: Question) -> Action | None:
    """Return the action that a question is about, None if it is about none."""
    match question:
        case AskCanTarget(kind, start, end, using):
            return _attack(play, kind, start, end, using)
        case AskLineOfFire(start, end, using) if using:
            return _attack(play, "ranged", start, end, using)
        case AskValue(of, _, kind, start, end, using) if kind is not None:
            return _attack(play, kind, of if start is None else start, end, using)
        case AskReachable(of, using):
            return move_with(play, play.character(of), using)
        case AskBreakAway(of):
            return move_with(play, play.character(of), ())
        case AskCanCarry(of, carried):
            return replace(move_with(play, play.character(of), ()), carry=(carried,))
    return None


def _attack(play: Play, kind: AttackKind, start: Place, end: Place | None, using: tuple[str, ...]) -> Action | None:
    """Return the attack of the character in one place on the one in another."""
    attacker, target = _character_at(play, start), _character_at(play, end) if end is not None else None
    if attacker is None:
        return None
    return Action(kind=kind, actor=attacker.id, targets=() if target is None else (target.id,), using=using)


def move_with(play: Play, character: Character, using: tuple[str, ...]) -> Action:
    """Return a move of a character with these powers, as the kind of action that they need."""
    kinds = [kind for row in powers_of(play, character) if row.name in using for kind in row.action]
    kind = "move" if "move" in kinds or not kinds else cast(ActionKind, kinds[0])
    return Action(kind=kind, actor=character.id, using=moving_with(play, character, using))


def _answer(play: Play, question: Question) -> Answer:
    match question:
        case AskLineOfFire(start, end):
            return _line(play, start, end)
        case AskAdjacent(one, other, purpose):
            found = spots_adjacent(play, spot(play, one), spot(play, other), purpose)
            return Answer("adjacent", found.holds, found.because, found.topics)
        case AskDistance(start, end):
            return _distance(play, start, end)
        case AskCanTarget():
            return _target(play, question)
        case AskValue():
            return _value(play, question)
        case AskCanCarry(of, carried):
            found = can_carry(play, play.character(of), play.character(carried))
            return Answer("can-carry", found.holds, found.because, found.topics)
        case AskBreakAway(of):
            return _break_away(play, of)
        case AskReachable(of, using, flight):
            return _reach(play, of, using, flight)
        case AskActionTotal(player):
            return _action_total(play, player)
        case AskKnockBack():
            return _knocked_back(play, question)
        case AskActions(of):
            listed = [opening.written() for opening in openings_of(play, play.character(of))]
            return Answer("actions", listed, (), ("actions", "action-tokens"))
        case AskRulings(about):
            return _rulings(play, about)


def spot(play: Play, place: Place) -> Spot:
    """Return the spot for one end of a question: a bare square, or that of the character with that id."""
    if isinstance(place, Square):
        return Spot((place,))
    return spot_of(play.character(place))


def _missing(play: Play, ask: str, result: object, *places: Place) -> Answer | None:
    for place in places:
        if isinstance(place, str) and not play.character(place).on_map:
            return Answer(ask, result, (f"{play.character(place).name} isn't on the map.",), ("line-of-fire",))
    return None


def _line(play: Play, start: Place, end: Place) -> Answer:
    missing = _missing(play, "line-of-fire", "blocked", start, end)
    if missing is not None:
        return Answer(*(missing.ask, missing.result, missing.because, missing.topics), _beside_nothing(), ())
    line = line_of_fire(play, spot(play, start), spot(play, end))
    if line.result == "blocked":
        play.note(Met.LINE_BLOCKED)
    return Answer("line-of-fire", line.result, line.because, line.topics, beside_of(play, line), line.parts)


def _beside_nothing() -> dict[str, object]:
    return {"squares": [], "modifier": 0, "marks": []}


def beside_of(play: Play, line: Line) -> dict[str, object]:
    """Return the further values of a line of fire's answer: squares, modifier and marks along the line."""
    marks = [
        {
            "square": mark.square.name,
            "edge": mark.edge.name if mark.edge is not None else None,
            "becomes": mark.becomes,
            "topic": mark.topic,
            "because": mark.sentence,
            "citations": list(play.edition.cite((mark.topic,))),
        }
        for mark in line.marks
    ]
    return {"squares": [square.name for square in line.squares], "modifier": line.modifier, "marks": marks}


def _distance(play: Play, start: Place, end: Place) -> Answer:
    one, other = spot(play, start), spot(play, end)
    if not one.squares or not other.squares:
        return Answer("distance", None, (f"{(other if one.squares else one).name} isn't on the map.",), ("range",))
    away = min(distance(a, b) for a, b in product(one.squares, other.squares))
    because = f"{one.name} and {other.name} are {in_squares(away)} apart: diagonals count 1."
    return Answer("distance", away, (because,), ("range",))


def _character_at(play: Play, place: Place) -> Character | None:
    if isinstance(place, str):
        return play.character(place)
    return next((c for c in play.position.characters() if c.on_map and place in c.squares), None)


def _target(play: Play, question: AskCanTarget) -> Answer:
    attacker, target = _character_at(play, question.attacker), _character_at(play, question.target)
    if attacker is None or target is None:
        return Answer("can-target", False, ("No character is in that square.",), ("targeting",))
    found = can_target(play, question.kind, attacker, target, question.using)
    return Answer("can-target", found.holds, found.because, found.topics)


def attack_of(
    play: Play, kind: AttackKind, attacker: Character, target: Character | None, using: tuple[str, ...] = ()
) -> Attack:
    """Return an attack in progress, with the hindering terrain modifier of its line of fire."""
    hindered = None
    if kind == "ranged" and target is not None and attacker.on_map and target.on_map:
        hindered = line_of_fire(play, spot_of(attacker), spot_of(target)).modifier > 0
    return Attack(kind, attacker, target, using, hindered)


def _value(play: Play, question: AskValue) -> Answer:
    character = play.character(question.of)
    attack = None
    if question.kind is not None:
        attacker = _character_at(play, question.attacker) if question.attacker is not None else None
        target = _character_at(play, question.target) if question.target is not None else None
        attack = attack_of(play, question.kind, attacker or character, target, question.using)
    tally = value_of(play, character, question.value, attack, replacements=_halves(play, character, question, attack))
    return Answer("value", tally.total, (_told(character, tally),), ("combat-values", *tally.topics), parts=tally.parts)


def _told(character: Character, tally: Tally) -> str:
    """Return a value in a sentence, with everything that changes it."""
    how = f": {in_words(tally.parts)}" if len(tally.parts) > 1 else ", as printed"
    return f"{character.name}'s {tally.name} is {tally.total}{how}."


def _halves(play: Play, character: Character, question: AskValue, attack: Attack | None) -> tuple[Replacement, ...]:
    """Return the halving of the range, if the question asks for the range of a ranged attack in progress."""
    if question.value is not ValueName.RANGE or attack is None or attack.kind != "ranged" or attack.target is None:
        return ()
    own, target = figure_of(play, character), figure_of(play, attack.target)
    return () if own is None or target is None else range_halves(play, own, target)


def _break_away(play: Play, of: str) -> Answer:
    found = break_away(play, play.character(of))
    result = {"needed": found.needed, "succeeds_on": list(found.succeeds_on), "from": list(found.opponents)}
    return Answer("break-away", result, found.because, found.topics)


def _reach(play: Play, of: str, using: tuple[str, ...], flight: Flight | None) -> Answer:
    character = play.character(of)
    found = reachable(play, character, using, flight)
    if found is None:
        return Answer("reachable", [], (f"{character.name} isn't on the map.",), ("movement",))
    squares = [square.name for square in found.squares()]
    because = (
        f"{character.name} can end its move in {in_squares(len(squares))}.",
        _told(character, found.speed),
    )
    return Answer("reachable", squares, because, ("movement", *found.speed.topics))


def _action_total(play: Play, player: str) -> Answer:
    side = next(side for side in play.position.sides if side.player == player)
    total, because = actions_this_turn(play, side)
    return Answer("action-total", total, because, ("action-total",))


def _knocked_back(play: Play, question: AskKnockBack) -> Answer:
    character = play.character(question.of)
    missing = _missing(play, "knock-back", {"ends": None, "damage": 0}, question.of, question.origin)
    if missing is not None:
        return replace(missing, parts=())
    found = knock_back(play, character, spot(play, question.origin), question.clicks, question.direction)
    if found.over_edge:
        play.note(Met.OVER_THE_EDGE)
    ends: str | list[str] = found.ends[0].name if len(found.ends) == 1 else [square.name for square in found.ends]
    result: dict[str, object] = {"ends": ends, "damage": found.damage, "because": " ".join(found.because)}
    if found.choices:
        result = {"choices": list(found.choices), "because": " ".join(found.because)}
    beside: dict[str, object] = {"path": [square.name for square in found.path]} if found.path else {}
    parts = None if found.choices else found.parts
    return Answer("knock-back", result, found.because, found.topics, beside, parts)


def _rulings(play: Play, about: tuple[str, ...]) -> Answer:
    found = play.edition.rulings(topics=about, limit=None) if about else ()
    count = f"{len(found)} ruling{'' if len(found) == 1 else 's'} about {', '.join(about)}."
    return Answer("rulings", found, (count,), (*about, "reading-the-rules"))
