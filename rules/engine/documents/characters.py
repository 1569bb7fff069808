"""Characters of position files: JSON ↔ characters, with their dials, modifiers and bases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, product
from typing import Any, Final

from rules.engine.documents.cards import MOVEMENT_WORDS, TARGETING_WORDS, read_cards, write_cards
from rules.engine.documents.reader import (
    Reader,
    a_list,
    a_mapping,
    a_whole_number,
    a_word_of,
    an_object,
    flag,
    name,
    nullable,
    one_of,
    one_or_more,
    points,
    shape_of,
    shaped,
    shown,
    text,
    whole_number,
)
from rules.engine.documents.squares import a_square
from rules.engine.errors import BadInput, refuse
from rules.engine.position.characters import (
    AttackSymbol,
    BaseKind,
    Character,
    CharacterKind,
    DamageSymbol,
    DefenseSymbol,
    Flight,
    GivenModifier,
    GivenReplacement,
    Improved,
    NamedTokens,
    SpeedSymbol,
    Symbols,
)
from rules.engine.position.dial import Click, ValueName
from rules.engine.position.squares import Square, distance

MAX_CLICKS: Final = 100


_value = a_whole_number(0, 1000)
_read_click = an_object(
    Click,
    {"speed": _value, "attack": _value, "defense": _value, "damage": _value, "powers": a_list(name)},
    ("speed", "attack", "defense", "damage"),
)
_read_symbols = an_object(
    Symbols,
    {
        "speed": one_or_more(one_of(SpeedSymbol)),
        "attack": one_or_more(one_of(AttackSymbol)),
        "defense": one_or_more(one_of(DefenseSymbol)),
        "damage": one_or_more(one_of(DamageSymbol)),
    },
)


def _given_modifier(value: ValueName, by: int, source: str = "a modifier") -> GivenModifier:
    return GivenModifier(value, by, source or "a modifier")


_read_modifier = an_object(
    _given_modifier, {"value": one_of(ValueName), "by": a_whole_number(-1000, 1000), "source": text}, ("value", "by")
)


@shaped(lambda: {"anyOf": [shape_of(_value), {"enum": ["halve", "double"]}]})
def new_value(value: Any) -> int | str:
    """Return the value set by a replacement: a number, `halve` or `double`."""
    if value in ("halve", "double") and type(value) is str:
        return value
    if type(value) is str:
        raise BadInput("", f'This must be a number, "halve" or "double", not {shown(value)}.')
    return whole_number(value, 0, 1000)


def _given_replacement(value: ValueName, set: Any, locked: bool = False) -> GivenReplacement:
    return GivenReplacement(value, set, locked)


_read_replacement = an_object(
    _given_replacement, {"value": one_of(ValueName), "set": new_value, "locked": flag}, ("value", "set")
)
_read_improved = an_object(
    lambda movement=(), targeting=(): Improved(frozenset(movement), frozenset(targeting)),
    {"movement": a_list(a_word_of(sorted(MOVEMENT_WORDS))), "targeting": a_list(a_word_of(sorted(TARGETING_WORDS)))},
)


def _character(
    id: str,
    name: str,
    dial: tuple[Click, ...],
    square: Square | None = None,
    squares: tuple[Square, ...] | None = None,
    **rest: Any,
) -> Character:
    rest.pop("level", None)
    stands = squares if squares is not None else ((square,) if square is not None else ())
    return Character(id=id, name=name, squares=stands, dial=dial, **rest)


_a_number_of_tokens = a_whole_number(0, 99)
_tokens_by_giver = a_mapping(_a_number_of_tokens)


@shaped(lambda: {"anyOf": [shape_of(_a_number_of_tokens), shape_of(_tokens_by_giver)]})
def _tokens(value: Any) -> Any:
    return _tokens_by_giver(value) if isinstance(value, dict) else _a_number_of_tokens(value)


_all_tokens = a_mapping(_tokens)


@shaped(lambda: shape_of(_all_tokens))
def _read_tokens(value: Any) -> tuple[NamedTokens, ...]:
    """Return tokens that cards name, other than action tokens: their number, or the number of each giver."""
    return tuple(
        NamedTokens(key, number, by or None)
        for key, found in _all_tokens(value).items()
        for by, number in (found.items() if isinstance(found, Mapping) else [(None, found)])
        if number
    )


def write_tokens(tokens: tuple[NamedTokens, ...]) -> dict[str, Any]:
    """Return named tokens as they are read."""
    written: dict[str, Any] = {}
    for kind in dict.fromkeys(one.name for one in tokens):
        given = {one.by or "": one.number for one in tokens if one.name == kind}
        written[kind] = given if given.keys() != {""} else given[""]
    return written


_CHARACTER_KEYS: Final[Mapping[str, Reader[Any]]] = {
    "id": name,
    "name": name,
    "points": points,
    "square": nullable(a_square),
    "squares": nullable(a_list(a_square)),
    "base": one_of(BaseKind),
    "range": _value,
    "bolts": a_whole_number(0, 99),
    "symbols": _read_symbols,
    "teams": a_list(text),
    "keywords": a_list(text),
    "generic_keywords": a_list(text),
    "base_color": text,
    "set": text,
    "number": text,
    "dial": a_list(_read_click),
    "start": a_whole_number(1, MAX_CLICKS),
    "click": a_whole_number(1, 10 * MAX_CLICKS),
    "tokens": a_whole_number(0, 9),
    "acted": flag,
    "flight": nullable(one_of(Flight)),
    "level": nullable(a_whole_number(1, 99)),
    "holding": nullable(name),
    "improved": _read_improved,
    "countered": a_list(text),
    "modifiers": a_list(_read_modifier),
    "replacements": a_list(_read_replacement),
    "kind": one_of(CharacterKind),
    "stack": a_whole_number(1, 99),
    "stack_max": a_whole_number(1, 99),
    "stack_lost": a_whole_number(0, 99),
    "captured_by": nullable(name),
    "last_damaged_by": nullable(text),
    "immune": nullable(flag),
    "attacks_made": a_whole_number(0, 99),
    "carried": flag,
    "moved": flag,
    "used": a_list(text),
    "named_tokens": _read_tokens,
    "dials": a_list(a_list(_read_click)),
    "generated_by": nullable(name),
    "replaces": nullable(name),
    "copies": nullable(text),
    "left": flag,
    "cards": read_cards,
}
_read_character_object = an_object(_character, _CHARACTER_KEYS, ("id", "name", "dial"))


@shaped(lambda: shape_of(_read_character_object) | {"anyOf": [{"required": ["square"]}, {"required": ["squares"]}]})
def read_character(value: Any) -> Character:
    """Return one character of a side."""
    made: Character = _read_character_object(value)
    refuse(chain(_wrong_dial(made), _wrong_base(made, value)))
    return made


def _wrong_dial(made: Character) -> Iterator[BadInput]:
    if not made.dial:
        yield BadInput("/dial", "A dial needs at least 1 click.")
    for place, dial in enumerate(made.dials):
        if not dial:
            yield BadInput(f"/dials/{place}", "A dial needs at least 1 click.")
    if len(made.dial) + sum(map(len, made.dials)) > MAX_CLICKS:
        yield BadInput("/dial", f"A dial can have at most {MAX_CLICKS} clicks.")


def _wrong_base(made: Character, value: Mapping[str, Any]) -> Iterator[BadInput]:
    """Yield what is wrong with the squares of a base: how many it covers, and whether they lie side by side."""
    squares = made.squares
    key = "squares" if value.get("squares") is not None else "square"
    wanted = {BaseKind.SINGLE: 1, BaseKind.PEANUT: 2, BaseKind.LARGE: 4}[made.base]
    if "square" not in value and "squares" not in value:
        missing = "square" if made.base is BaseKind.SINGLE else "squares"
        yield BadInput(f"/{missing}", f'"{missing}" is required.')
    elif value.get("square") is not None and value.get("squares") is not None:
        yield BadInput("/squares", "Give square or squares, not both.")
    elif not squares:
        return
    elif len(set(squares)) != len(squares):
        yield BadInput(f"/{key}", "A square is given twice.")
    elif len(squares) != wanted:
        yield BadInput(f"/{key}", f"A {made.base.value} base covers {wanted} squares, not {len(squares)}.")
    elif any(distance(one, other) > 1 for one, other in product(squares, squares)):
        yield BadInput(f"/{key}", "The squares of a base must touch each other.")


def write_place(character: Character) -> dict[str, Any]:
    """Return the key `square` or `squares` of a character with its value."""
    if character.base is BaseKind.SINGLE or not character.squares:
        return {"square": character.squares[0].name if character.squares else None}
    return {"squares": [square.name for square in character.squares]}


def write_character(character: Character) -> dict[str, Any]:
    """Return one character of a position file; keys with their default are left out, except the usual ones."""
    written: dict[str, Any] = {
        "id": character.id,
        "name": character.name,
        "points": character.points,
        **write_place(character),
        "base": character.base.value,
        "range": character.range,
        "bolts": character.bolts,
        "symbols": _write_symbols(character.symbols),
        "teams": list(character.teams),
        "keywords": list(character.keywords),
        "base_color": character.base_color,
        "set": character.set,
        "number": character.number,
        "dial": [_write_click(click) for click in character.dial],
        "click": character.click,
        "tokens": character.tokens,
        "acted": character.acted,
        "flight": character.flight.value if character.flight is not None else None,
        "holding": character.holding,
    }
    plain = Character(character.id, character.name, (), character.dial)
    plainly = ("start", "stack", "stack_max", "stack_lost", "attacks_made", "carried", "moved")
    for key in (*plainly, "captured_by", "last_damaged_by", "immune", "generated_by", "replaces", "copies", "left"):
        if getattr(character, key) != getattr(plain, key):
            written[key] = getattr(character, key)
    for key in ("generic_keywords", "countered", "used"):
        if getattr(character, key):
            written[key] = list(getattr(character, key))
    if character.kind is not CharacterKind.CHARACTER:
        written["kind"] = character.kind.value
    if character.improved != Improved():
        written["improved"] = {
            "movement": sorted(character.improved.movement),
            "targeting": sorted(character.improved.targeting),
        }
    if character.modifiers:
        written["modifiers"] = [{"value": m.value.value, "by": m.by, "source": m.source} for m in character.modifiers]
    if character.replacements:
        written["replacements"] = [
            {"value": r.value.value, "set": r.to, "locked": r.locked} for r in character.replacements
        ]
    if character.named_tokens:
        written["named_tokens"] = write_tokens(character.named_tokens)
    if character.dials:
        written["dials"] = [[_write_click(click) for click in dial] for dial in character.dials]
    if character.cards:
        written["cards"] = write_cards(character.cards)
    return written


def _write_symbols(symbols: Symbols) -> dict[str, Any]:
    slots = {
        "speed": symbols.speed,
        "attack": symbols.attack,
        "defense": symbols.defense,
        "damage": symbols.damage,
    }
    return {
        slot: kinds[0].value if len(kinds) == 1 else [kind.value for kind in kinds] for slot, kinds in slots.items()
    }


def _write_click(click: Click) -> dict[str, Any]:
    return {
        "speed": click.speed,
        "attack": click.attack,
        "defense": click.defense,
        "damage": click.damage,
        "powers": list(click.powers),
    }
