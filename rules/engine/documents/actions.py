"""The actions of a position file: JSON → actions. Raises `BadInput` with a pointer, also for unknown names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from rules.engine.action import Action
from rules.engine.choices import NO_CHOICES, Choices, ChosenPlace, Declined, RerolledBy
from rules.engine.combat.roll import THEMED
from rules.engine.documents.reader import (
    a_list,
    a_mapping,
    a_whole_number,
    a_word_of,
    an_object,
    anything,
    name,
    nullable,
    shape_of,
    shaped,
    shown,
)
from rules.engine.documents.squares import a_square
from rules.engine.errors import BadInput, refuse
from rules.engine.position.characters import Flight
from rules.engine.position.edges import read_edge
from rules.engine.position.position import Position
from rules.engine.position.squares import Square, read_square

KINDS = ("move", "close", "ranged", "power", "double-power", "free", "pass", "end-turn")
TWO_DICE_OF_CARDS = "two-dice-"
TWO_DICE = frozenset(
    {"attack", "support", "capture", "countering-capture", "rescue", "wind-strength", "fog", "rift-growth", "rift"}
)
DEEPEST = 8


@shaped(lambda: {"enum": [mode.value for mode in Flight]})
def _flight(value: Any) -> Flight:
    for mode in Flight:
        if value == mode.value and type(value) is str:
            return mode
    raise BadInput("", f"This must be hovering or soaring, not {shown(value)}.")


_read_rolls = a_mapping(a_list(a_list(a_whole_number(1, 6))))
_as_written = a_mapping(anything)


@shaped(lambda: shape_of(_read_rolls))
def _rolls(value: Any) -> Mapping[str, tuple[tuple[int, ...], ...]]:
    found: Mapping[str, tuple[tuple[int, ...], ...]] = _read_rolls(value)
    refuse(_wrong_dice(found))
    return found


def _wrong_dice(rolls: Mapping[str, tuple[tuple[int, ...], ...]]) -> Iterator[BadInput]:
    for key, made in rolls.items():
        two = key.removesuffix("/reroll") in TWO_DICE or key.startswith(TWO_DICE_OF_CARDS)
        wanted = 2 if two else 1
        for number, dice in enumerate(made):
            if len(dice) != wanted:
                dies = "die" if wanted == 1 else "dice"
                yield BadInput("", f"This roll needs {wanted} {dies}, not {len(dice)}.").under(key, number)


@shaped(lambda: {"type": "object"})
def _choices(value: Any) -> Choices:
    """Return the choices made.

    A choice of the wrong kind isn't a fault of the document; the rule that needs it reports it.
    """
    made: dict[str, Any] = {}
    for key, choice in _as_written(value).items():
        kind, colon, character = key.partition(":")
        if kind == "mastermind" and colon:
            made.setdefault("masterminds", {})[character] = None if choice is None else str(choice)
        elif kind == "knock-back-direction" and colon and choice:
            made.setdefault("directions", {})[character] = str(choice)
        elif key in _CHOICES and choice is not None:
            name, read = _CHOICES[key]
            made[name] = read(choice)
    return Choices(**made) if made else NO_CHOICES


def _number(value: Any) -> int:
    """Return a whole number; for any other value 0, which no choice allows."""
    return value if type(value) is int else 0


def _yes_or_no(value: Any) -> bool | Literal["unclear"]:
    return value if isinstance(value, bool) else "unclear"


def _direction(value: Any) -> str | None:
    return str(value) if value else None


def _place(value: Any) -> ChosenPlace:
    named = value if isinstance(value, list) else [value]
    squares = [read_square(str(one)) for one in named]
    return ChosenPlace(str(value), tuple(square for square in squares if square is not None))


def _places(value: Any) -> dict[str, ChosenPlace]:
    named = value if isinstance(value, dict) else {}
    return {character: _place(place) for character, place in named.items() if place is not None}


def _squares(value: Any) -> tuple[Square | None, ...]:
    return tuple(read_square(str(one)) for one in value) if isinstance(value, list) else ()


def _token(value: Any) -> str | bool:
    return value if isinstance(value, bool) else str(value) if value else False


def _declined(value: Any) -> tuple[Declined, ...]:
    """Return a declined power; a text that isn't `POWER:ID` has no character."""
    named = [str(one).partition(":") for one in value] if isinstance(value, list) else [("", "", "")]
    return tuple(Declined(power, bearer if colon else None) for power, colon, bearer in named)


def _rerolls_by(value: Any) -> str | tuple[RerolledBy, ...]:
    """Return who makes a roll again; a list has one entry for each reroll, `{"by": ID, "with": POWER}` or an id."""
    if not isinstance(value, list):
        return str(value)
    named = [one if isinstance(one, dict) else {"by": one} for one in value]
    return tuple(RerolledBy(str(one.get("by")), one.get("with") == THEMED) for one in named)


_CHOICES: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "counter": ("counter", str),
    "value": ("value", str),
    "by": ("by", _number),
    "square": ("square", _place),
    "squares": ("squares", _squares),
    "place": ("places", _places),
    "knock-back": ("knock_back", _yes_or_no),
    "knock-back-direction": ("direction", _direction),
    "reroll-by": ("reroll_by", _rerolls_by),
    "relic": ("relic", _number),
    "unstack": ("unstack", _token),
    "team": ("team", str),
    "decline": ("declined", _declined),
}
"""The key of a choice → its field in `Choices` and its reader; `_choices` reads the keys that name a character."""


def _make(action: str, **rest: Any) -> Action:
    flight = rest.pop("flight", None)
    given = {key: value for key, value in rest.items() if value is not None}
    return Action(kind=action, flight=flight, **given)  # type: ignore[arg-type]


@shaped(lambda: {"type": "array", "items": {"type": "object"}})
def _then(value: Any) -> tuple[Action, ...]:
    return a_list(read_action)(value)


_KEYS: dict[str, Any] = {
    "action": a_word_of(KINDS),
    "actor": nullable(name),
    "path": nullable(a_list(a_square)),
    "targets": nullable(a_list(name)),
    "using": nullable(a_list(name)),
    "choose": nullable(_choices),
    "assist": nullable(a_list(name)),
    "divide": nullable(a_mapping(a_whole_number(0, 1000))),
    "carry": nullable(a_list(name)),
    "pick_up": nullable(name),
    "put_down": nullable(a_square),
    "with_object": nullable(name),
    "flight": nullable(_flight),
    "then": nullable(_then),
    "attacks": nullable(a_whole_number(0, 1000)),
    "at": nullable(a_square),
    "rolls": nullable(_rolls),
    "note": anything,
    "by": anything,
}


def _without_notes(**given: Any) -> Action:
    given.pop("note", None)
    given.pop("by", None)
    return _make(**given)


read_action = an_object(_without_notes, _KEYS, ("action",))


def wrong_actions(actions: tuple[Action, ...], position: Position, where: str, depth: int = 0) -> Iterator[BadInput]:
    """Yield a fault for each name in these actions that is no character or object, and each square off the map."""
    objects = {thing.id for thing in position.objects}
    characters = {character.id for character in position.characters()}
    if depth > DEEPEST:
        yield BadInput(where, "Actions are nested too deeply.")
        return
    for number, action in enumerate(actions):
        here = f"{where}/{number}"
        if action.actor is not None and action.actor not in characters:
            yield BadInput(f"{here}/actor", f"No character has the id {shown(action.actor)}.")
        if action.actor is None and depth == 0 and action.kind not in ("end-turn", "pass"):
            yield BadInput(f"{here}/actor", '"actor" is required.')
        for key, names in (("assist", action.assist), ("carry", action.carry)):
            for place, one in enumerate(names):
                if one not in characters:
                    yield BadInput(f"{here}/{key}/{place}", f"No character has the id {shown(one)}.")
        for place, one in enumerate(action.targets):
            if one not in characters | objects and not _is_place(one, position):
                yield BadInput(f"{here}/targets/{place}", f"{shown(one)} isn't a character, object, square or edge.")
        for key in ("pick_up", "with_object"):
            one = getattr(action, key)
            if one is not None and one not in objects:
                yield BadInput(f"{here}/{key}", f"No object has the id {shown(one)}.")
        for place, square in enumerate(action.path):
            if not position.map.holds(square):
                yield BadInput(f"{here}/path/{place}", f"{square} isn't on the map.")
        for key in ("put_down", "at"):
            square = getattr(action, key)
            if square is not None and not position.map.holds(square):
                yield BadInput(f"{here}/{key}", f"{square} isn't on the map.")
        yield from wrong_actions(action.then, position, f"{here}/then", depth + 1)


def _is_place(named: str, position: Position) -> bool:
    square, edge = read_square(named), read_edge(named)
    if square is not None:
        return position.map.holds(square)
    return edge is not None and position.map.holds(edge.first) and position.map.holds(edge.second)
