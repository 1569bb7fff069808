"""Questions of position files: JSON → questions about characters and squares of the position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from rules.engine.actions.questions import (
    AskActions,
    AskActionTotal,
    AskAdjacent,
    AskBreakAway,
    AskCanCarry,
    AskCanTarget,
    AskDistance,
    AskKnockBack,
    AskLineOfFire,
    AskReachable,
    AskRulings,
    AskValue,
    Place,
    Question,
)
from rules.engine.combat.knock_back import DIRECTIONS
from rules.engine.documents.reader import (
    Reader,
    Shape,
    a_list,
    a_whole_number,
    a_word_of,
    an_object,
    anything,
    nullable,
    one_of,
    shape_of,
    shaped,
    shown,
    text,
)
from rules.engine.errors import BadInput, refuse
from rules.engine.position.characters import Flight
from rules.engine.position.dial import ValueName
from rules.engine.position.position import Position
from rules.engine.position.squares import read_square


def _ask(make: Callable[..., Any], keys: Mapping[str, Reader[Any]], required: Iterable[str]) -> Any:
    def without_ask(ask: str, **given: Any) -> Any:
        return make(**given)

    return an_object(without_ask, {"ask": anything, **keys}, required)


_kind = a_word_of(("close", "ranged"))
_purpose = a_word_of(("close", "movement", "ranged"))
_direction = a_word_of(sorted(DIRECTIONS))
_names = a_list(text)

_QUESTIONS: Final[Mapping[str, Reader[Any]]] = {
    "line-of-fire": _ask(
        lambda using=(), **given: AskLineOfFire(given["from"], given["to"], using or ()),
        {"from": text, "to": text, "using": nullable(_names)},
        ("from", "to"),
    ),
    "adjacent": _ask(
        lambda a, b, **given: AskAdjacent(a, b, given.get("for")),
        {"a": text, "b": text, "for": nullable(_purpose)},
        ("a", "b"),
    ),
    "distance": _ask(
        lambda **given: AskDistance(given["from"], given["to"]), {"from": text, "to": text}, ("from", "to")
    ),
    "can-target": _ask(
        lambda attack, using=(), **given: AskCanTarget(attack, given["from"], given["to"], using or ()),
        {"attack": _kind, "from": text, "to": text, "using": nullable(_names)},
        ("attack", "from", "to"),
    ),
    "value": _ask(
        lambda of, value, attack=None, using=(), **given: AskValue(
            of, value, attack, given.get("from"), given.get("to"), using or ()
        ),
        {
            "of": text,
            "value": one_of(ValueName),
            "attack": nullable(_kind),
            "from": nullable(text),
            "to": nullable(text),
            "using": nullable(_names),
        },
        ("of", "value"),
    ),
    "can-carry": _ask(AskCanCarry, {"of": text, "carried": text}, ("of", "carried")),
    "break-away": _ask(AskBreakAway, {"of": text}, ("of",)),
    "reachable": _ask(
        lambda of, using=(), flight=None: AskReachable(of, using or (), flight),
        {"of": text, "using": nullable(_names), "flight": nullable(one_of(Flight))},
        ("of",),
    ),
    "action-total": _ask(AskActionTotal, {"player": text}, ("player",)),
    "knock-back": _ask(
        lambda of, clicks, choose=None, **given: AskKnockBack(of, given["from"], clicks, choose),
        {"of": text, "from": text, "clicks": a_whole_number(0, 1000), "choose": nullable(_direction)},
        ("of", "from", "clicks"),
    ),
    "actions": _ask(AskActions, {"of": text}, ("of",)),
    "rulings": _ask(AskRulings, {"about": _names}, ("about",)),
}


def _shape() -> Shape:
    """Return the shapes of all questions, each with its own word for `ask`."""
    shapes = {asked: shape_of(read) for asked, read in _QUESTIONS.items()}
    return {
        "anyOf": [
            {
                **shape,
                "properties": shape["properties"] | {"ask": {"const": asked}},
                "required": ["ask", *shape["required"]],
            }
            for asked, shape in shapes.items()
        ]
    }


@shaped(_shape)
def read_question(value: Any) -> Question:
    """Return a question as written, with unresolved names; `settled` resolves them."""
    if type(value) is not dict:
        raise BadInput("", f"This must be an object, not {shown(value)}.")
    if "ask" not in value:
        raise BadInput("/ask", '"ask" is required.')
    asked = value["ask"]
    reader = _QUESTIONS.get(asked) if type(asked) is str else None
    if reader is None:
        raise BadInput("/ask", f"This must be one of {', '.join(_QUESTIONS)}, not {shown(asked)}.")
    question: Question = reader(value)
    return question


def settled(question: Any, position: Position, written: Mapping[str, Any]) -> Question:
    """Return a question with its names resolved to characters and squares. Raises BadInput for unknown ones."""
    faults: list[BadInput] = []

    def character(key: str) -> str:
        wanted = str(written[key])
        if position.find(wanted) is None:
            faults.append(BadInput(f"/{key}", f"No character has the id {shown(wanted)}."))
        return wanted

    def place(key: str) -> Place:
        wanted = str(written[key])
        if position.find(wanted) is not None:
            return wanted
        square = read_square(wanted)
        if square is None:
            faults.append(BadInput(f"/{key}", f"{shown(wanted)} is neither the id of a character nor a square."))
            return wanted
        if not position.map.holds(square):
            faults.append(BadInput(f"/{key}", f"{square} isn't on the map."))
        return square

    def player(name: str) -> None:
        if name not in [side.player for side in position.sides]:
            faults.append(BadInput("/player", f"{shown(name)} doesn't play any side."))

    made: Question = question
    match question:
        case AskLineOfFire():
            made = replace(question, start=place("from"), end=place("to"))
        case AskAdjacent():
            made = replace(question, one=place("a"), other=place("b"))
        case AskDistance():
            made = AskDistance(place("from"), place("to"))
        case AskCanTarget():
            made = replace(question, attacker=place("from"), target=place("to"))
        case AskValue():
            attacker = place("from") if written.get("from") is not None else None
            target = place("to") if written.get("to") is not None else None
            made = replace(question, of=character("of"), attacker=attacker, target=target)
        case AskCanCarry():
            made = AskCanCarry(character("of"), character("carried"))
        case AskBreakAway() | AskReachable() | AskActions():
            character("of")
        case AskKnockBack():
            made = replace(question, of=character("of"), origin=place("from"))
        case AskActionTotal(named):
            player(named)
        case AskRulings():
            pass
        case _:
            raise TypeError(type(question))
    refuse(faults)
    return made
