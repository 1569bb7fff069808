"""The overrides of a position file (`judge`): JSON → overrides. Raises `BadInput` with a pointer.

`"judge": [{"before": {"action": 0, "step": "hit"}, "set": {"hit": false}, "text": "…", "by": "…"}]`. Every key is
optional:

- `before`: when the override applies. `action` (0) and `step` as the report names them (none: before the action); `of`:
  the character that the step is about; `time`: which such step, counted from 1.
- `set`: the decisions about that step: `hit`, `total` (before `attack-roll`), `succeeds` (`evade`, `shape-change`,
  `break-away`), `line` (`clear`, `hindered`, `blocked` before `line-of-fire`), `damage` (`damage-dealt`,
  `damage-taken`, `push`), `clicks` (`heal`), `knock-back` and `squares` (`knock-back`), `legal` (false: anywhere; true:
  before `declare`, `targets`, `move`); and `characters`: id → `click`, `tokens`, `square` or `squares`, `flight`,
  `acted`, `countered`; `victory_points`: player → the
  player's points; `event_dial`: the click that the event dial is turned to; `rift`: the number on the die of the
  dimensional rift.
- `modifiers`: `[{"of": id, "value": "attack", "by": 1}]`, `replacements`: `[{"of": id, "value": "damage", "set": 2,
  "locked": false}]`: from then on.
- `text`, `by`: the judge's words and name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rules.engine.battles import ScenarioName
from rules.engine.documents.characters import new_value
from rules.engine.documents.reader import (
    Reader,
    a_list,
    a_mapping,
    a_whole_number,
    an_object,
    flag,
    name,
    nullable,
    one_of,
    points,
    shape_of,
    shaped,
    shown,
    text,
)
from rules.engine.documents.squares import a_square
from rules.engine.errors import BadInput, escaped, refuse
from rules.engine.overrides import BY_JUDGE, DECIDES, SAME_MOMENT, Override, Placing
from rules.engine.position.characters import Flight, GivenModifier, GivenReplacement
from rules.engine.position.dial import ValueName
from rules.engine.position.position import Position
from rules.engine.position.squares import Square
from rules.engine.steps import StepName


@shaped(lambda: {"enum": ["clear", "hindered", "blocked"]})
def _line(value: Any) -> str:
    if type(value) is str and value in ("clear", "hindered", "blocked"):
        return value
    raise BadInput("", f"This must be clear, hindered or blocked, not {shown(value)}.")


def _fields(square: Square | None = None, squares: tuple[Square, ...] | None = None, **rest: Any) -> Mapping[str, Any]:
    if squares is not None:
        rest["squares"] = squares
    elif square is not None:
        rest["squares"] = (square,)
    return rest


_read_fields = an_object(
    _fields,
    {
        "click": a_whole_number(1, 1000),
        "tokens": a_whole_number(0, 2),
        "square": a_square,
        "squares": a_list(a_square),
        "flight": nullable(one_of(Flight)),
        "acted": flag,
        "countered": a_list(name),
    },
)
_read_placings = a_mapping(_read_fields)


@shaped(lambda: shape_of(_read_placings))
def _placings(value: Any) -> tuple[Placing, ...]:
    return tuple(Placing(who, fields) for who, fields in _read_placings(value).items())


_SET: Final[Mapping[str, Reader[Any]]] = {
    "legal": flag,
    "hit": flag,
    "succeeds": flag,
    "knock-back": flag,
    "line": _line,
    "total": a_whole_number(-1000, 1000),
    "damage": a_whole_number(0, 1000),
    "clicks": a_whole_number(0, 1000),
    "squares": a_whole_number(0, 1000),
    "characters": _placings,
    "victory_points": a_mapping(points),
    "event_dial": a_whole_number(1, 100),
    "rift": a_whole_number(0, 6),
}
_read_set = an_object(lambda **decided: decided, _SET)
_read_before = an_object(
    lambda action=0, step=None, of=None, time=1: {"action": action, "step": step, "of": of, "time": time},
    {
        "action": a_whole_number(0, 100_000),
        "step": nullable(one_of(StepName)),
        "of": nullable(name),
        "time": a_whole_number(1, 1000),
    },
)
_read_modifier = an_object(
    lambda of, value, by: (of, GivenModifier(value, by, BY_JUDGE)),
    {"of": name, "value": one_of(ValueName), "by": a_whole_number(-1000, 1000)},
    ("of", "value", "by"),
)
_read_replacement = an_object(
    lambda of, value, locked=False, **given: (of, GivenReplacement(value, given["set"], locked, BY_JUDGE)),
    {"of": name, "value": one_of(ValueName), "set": new_value, "locked": flag},
    ("of", "value", "set"),
)


def _hand(
    before: Mapping[str, Any] | None = None,
    by: str | None = None,
    modifiers: tuple[Any, ...] = (),
    replacements: tuple[Any, ...] = (),
    **rest: Any,
) -> Override:
    decided = dict(rest.get("set") or {})
    placings = decided.pop("characters", ())
    scored = decided.pop("victory_points", {})
    dialled = decided.pop("event_dial", None)
    rift = decided.pop("rift", None)
    forbids = decided.get("legal") is False
    if forbids:
        del decided["legal"]
    return Override(
        **(before or {}),
        text=rest.get("text") or "",
        by=by or "",
        decides=decided,
        forbids=forbids,
        placings=placings,
        modifiers=modifiers,
        replacements=replacements,
        points=scored,
        event_dial=dialled,
        rift=rift,
    )


_read_override = an_object(
    _hand,
    {
        "before": nullable(_read_before),
        "set": nullable(_read_set),
        "modifiers": a_list(_read_modifier),
        "replacements": a_list(_read_replacement),
        "text": nullable(text),
        "by": nullable(text),
    },
)


@shaped(lambda: shape_of(_read_override))
def read_decision(value: Any) -> Override:
    """Return one override. Raises BadInput, also if the step has no such decision."""
    made: Override = _read_override(value)
    moment = SAME_MOMENT.get(made.step, made.step) if made.step is not None else StepName.DECLARE
    known = DECIDES.get(moment, frozenset())
    refuse(_not_decided_then(key, moment) for key in made.decides if key not in known)
    return made


def _not_decided_then(key: str, moment: StepName) -> BadInput:
    steps = ", ".join(sorted(step.value for step, names in DECIDES.items() if key in names))
    return BadInput(f"/set/{key}", f"{shown(key)} can be set only before {steps}, not before {moment.value}.")


def wrong_overrides(overrides: tuple[Override, ...], position: Position) -> Iterator[BadInput]:
    """Yield a fault for each name in the overrides that isn't in the battle, and each square off the map."""
    names = {character.id for character in position.characters()}
    players = {side.player for side in position.sides}
    for place, override in enumerate(overrides):
        here = f"/judge/{place}"
        if override.of is not None and override.of not in names:
            yield BadInput(f"{here}/before/of", f"No character has the id {shown(override.of)}.")
        for key, given in (("modifiers", override.modifiers), ("replacements", override.replacements)):
            for number, (of, _given) in enumerate(given):
                if of not in names:
                    yield BadInput(f"{here}/{key}/{number}/of", f"No character has the id {shown(of)}.")
        dial = position.event_dial
        if override.event_dial is not None and (dial is None or override.event_dial > len(dial.clicks)):
            has = f"has {len(dial.clicks)} clicks" if dial is not None else "isn't in this battle"
            yield BadInput(f"{here}/set/event_dial", f"The event dial {has}.")
        if override.rift is not None and position.scenario != ScenarioName.DIMENSIONAL_RIFT:
            yield BadInput(f"{here}/set/rift", "This battle has no dimensional rift.")
        for player in override.points:
            if player not in players:
                yield BadInput(
                    f"{here}/set/victory_points/{escaped(player)}", f"{shown(player)} doesn't play any side."
                )
        for placing in override.placings:
            where = f"{here}/set/characters/{escaped(placing.character)}"
            if placing.character not in names:
                yield BadInput(where, f"No character has the id {shown(placing.character)}.")
            else:
                yield from _wrong_squares(position, placing, where)


def _wrong_squares(position: Position, placing: Placing, where: str) -> Iterator[BadInput]:
    squares = placing.fields.get("squares", ())
    character = position.character(placing.character)
    key = "square" if len(squares) == 1 else "squares"
    off = next((square for square in squares if not position.map.holds(square)), None)
    if off is not None:
        yield BadInput(f"{where}/{key}", f"{off} isn't on the map.")
    elif squares and len(squares) != max(1, len(character.squares)):
        yield BadInput(f"{where}/{key}", f"{character.name} covers {len(character.squares)} squares.")
