"""Position files: JSON ↔ positions, questions and reports. The keys are those of FORMATS.md.

Reading raises `BadInput` with a pointer to whatever is wrong, also where a document is well formed
and its battle is not: a square off the map, two characters in one square, a name that nobody bears.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any, Final

from rules.engine.actions.questions import (
    Answer,
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
from rules.engine.adjudicate import Case, Outcome
from rules.engine.citations import Citation, Ruling
from rules.engine.combat.knock_back import DIRECTIONS
from rules.engine.documents.actions import check_actions, read_action
from rules.engine.documents.judge import check_decisions, read_decision
from rules.engine.documents.reader import (
    a_list,
    an_object,
    anything,
    flag,
    name,
    nullable,
    one_of,
    points,
    shown,
    text,
    whole_number,
)
from rules.engine.edition import Edition
from rules.engine.editions import EDITIONS
from rules.engine.errors import BadInput
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
    SpeedSymbol,
    Symbols,
)
from rules.engine.position.dial import Click, ValueName
from rules.engine.position.edges import Edge, read_edge
from rules.engine.position.maps import BattleMap, MapKind
from rules.engine.position.objects import BattleObject, ObjectKind
from rules.engine.position.position import Position, Side, Turn
from rules.engine.position.squares import Square, distance, read_square
from rules.engine.position.terrain import Area, Marker, MarkerKind, TerrainKind
from rules.engine.steps import Step

WIDEST_MAP: Final = 300
MOST_CLICKS: Final = 100
MOVEMENT_WORDS: Final = frozenset({"elevated", "hindering", "blocking", "outdoor-blocking", "characters"})
TARGETING_WORDS: Final = frozenset({"hindering", "elevated", "blocking", "characters", "adjacent"})


@dataclass(frozen=True, slots=True)
class PositionFile:
    """A position file as read: the case, and what is echoed."""

    case: Case
    id: str | None = None
    title: str | None = None
    note: str | None = None


# --- Reading squares and edges ---


def _square(value: Any) -> Square:
    found = read_square(text(value))
    if found is None:
        raise BadInput("", f"This must be a square such as D4, not {shown(value)}.")
    return found


def _edge(value: Any) -> Edge:
    found = read_edge(text(value))
    if found is None:
        raise BadInput("", f"This must be an edge between two squares side by side, such as D4|E4, not {shown(value)}.")
    return found


def _rectangle(value: Any) -> tuple[Square, ...]:
    """Read a square, or a rectangle between two of its corners such as D4:E6."""
    corners = text(value).split(":")
    if len(corners) == 1:
        return (_square(value),)
    found = [read_square(corner) for corner in corners]
    if len(found) != 2 or found[0] is None or found[1] is None:
        raise BadInput("", f"This must be a square or a rectangle such as D4:E6, not {shown(value)}.")
    one, other = found[0], found[1]
    columns = range(min(one.column, other.column), max(one.column, other.column) + 1)
    rows = range(min(one.row, other.row), max(one.row, other.row) + 1)
    if len(columns) > WIDEST_MAP or len(rows) > WIDEST_MAP:
        raise BadInput("", f"{shown(value)} is larger than any map.")
    return tuple(Square(column, row) for row in rows for column in columns)


def _number(least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        return whole_number(value, least, most)

    return read


def _word_of(words: frozenset[str]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if type(value) is str and value in words:
            return value
        raise BadInput("", f"This must be one of {', '.join(sorted(words))}, not {shown(value)}.")

    return read


def _one_or_more(read_one: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    def read(value: Any) -> tuple[Any, ...]:
        if type(value) is list:
            found = a_list(read_one)(value)
            if not found:
                raise BadInput("", "This must not be empty.")
            return found
        return (read_one(value),)

    return read


# --- Reading the map ---


def _area(
    type: TerrainKind, squares: tuple[tuple[Square, ...], ...], level: int = 2, player: str | None = None
) -> Area:
    return Area(type, tuple(square for some in squares for square in some), level, player)


_read_area = an_object(
    _area,
    {
        "type": one_of(TerrainKind),
        "squares": a_list(_rectangle),
        "level": _number(1, 99),
        "player": nullable(text),
    },
    ("type", "squares"),
)
_read_marker = an_object(Marker, {"kind": one_of(MarkerKind), "square": _square}, ("kind", "square"))


def _map(
    width: int,
    height: int,
    kind: MapKind = MapKind.OUTDOOR,
    terrain: tuple[Area, ...] = (),
    markers: tuple[Marker, ...] = (),
    **edges: tuple[Edge, ...],
) -> BattleMap:
    return BattleMap(
        width,
        height,
        kind,
        terrain,
        walls=frozenset(edges.get("walls", ())),
        windows=frozenset(edges.get("windows", ())),
        doors=frozenset(edges.get("doors", ())),
        stairs=frozenset(edges.get("stairs", ())),
        ladders=frozenset(edges.get("ladders", ())),
        markers=markers,
    )


read_map = an_object(
    _map,
    {
        "width": _number(1, WIDEST_MAP),
        "height": _number(1, WIDEST_MAP),
        "kind": one_of(MapKind),
        "terrain": a_list(_read_area),
        "walls": a_list(_edge),
        "windows": a_list(_edge),
        "doors": a_list(_edge),
        "stairs": a_list(_edge),
        "ladders": a_list(_edge),
        "markers": a_list(_read_marker),
    },
    ("width", "height"),
)


# --- Reading objects and characters ---


def _object(id: str, kind: ObjectKind, square: Square | None = None, **rest: Any) -> BattleObject:
    rest.pop("points", None)
    return BattleObject(id, kind, square, **rest)


_read_object = an_object(
    _object,
    {
        "id": name,
        "kind": one_of(ObjectKind),
        "square": nullable(_square),
        "special": flag,
        "name": text,
        "points": points,
        "removed": flag,
    },
    ("id", "kind"),
)

_value = _number(0, 1000)
_read_click = an_object(
    Click,
    {"speed": _value, "attack": _value, "defense": _value, "damage": _value, "powers": a_list(name)},
    ("speed", "attack", "defense", "damage"),
)
_read_symbols = an_object(
    Symbols,
    {
        "speed": _one_or_more(one_of(SpeedSymbol)),
        "attack": _one_or_more(one_of(AttackSymbol)),
        "defense": _one_or_more(one_of(DefenseSymbol)),
        "damage": _one_or_more(one_of(DamageSymbol)),
    },
)


def _given_modifier(value: ValueName, by: int, source: str = "a modifier") -> GivenModifier:
    return GivenModifier(value, by, source or "a modifier")


_read_modifier = an_object(
    _given_modifier, {"value": one_of(ValueName), "by": _number(-1000, 1000), "source": text}, ("value", "by")
)


def _replaced_by(value: Any) -> int | str:
    if value in ("halve", "double") and type(value) is str:
        return value
    if type(value) is str:
        raise BadInput("", f'This must be a number, "halve" or "double", not {shown(value)}.')
    return whole_number(value, 0, 1000)


def _given_replacement(value: ValueName, set: Any, locked: bool = False) -> GivenReplacement:
    return GivenReplacement(value, set, locked)


_read_replacement = an_object(
    _given_replacement, {"value": one_of(ValueName), "set": _replaced_by, "locked": flag}, ("value", "set")
)
_read_improved = an_object(
    lambda movement=(), targeting=(): Improved(frozenset(movement), frozenset(targeting)),
    {"movement": a_list(_word_of(MOVEMENT_WORDS)), "targeting": a_list(_word_of(TARGETING_WORDS))},
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


_CHARACTER_KEYS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "id": name,
    "name": name,
    "points": points,
    "square": nullable(_square),
    "squares": nullable(a_list(_square)),
    "base": one_of(BaseKind),
    "range": _value,
    "bolts": _number(0, 99),
    "symbols": _read_symbols,
    "teams": a_list(text),
    "keywords": a_list(text),
    "generic_keywords": a_list(text),
    "base_color": text,
    "set": text,
    "number": text,
    "dial": a_list(_read_click),
    "start": _number(1, MOST_CLICKS),
    "click": _number(1, 10 * MOST_CLICKS),
    "tokens": _number(0, 9),
    "acted": flag,
    "flight": nullable(one_of(Flight)),
    "level": nullable(_number(1, 99)),
    "holding": nullable(name),
    "improved": _read_improved,
    "countered": a_list(text),
    "modifiers": a_list(_read_modifier),
    "replacements": a_list(_read_replacement),
    "kind": one_of(CharacterKind),
    "stack": _number(1, 99),
    "stack_max": _number(1, 99),
    "captured_by": nullable(name),
    "last_damaged_by": nullable(text),
    "immune": nullable(flag),
    "attacks_made": _number(0, 99),
    "carried": flag,
    "used": a_list(text),
}
_read_character_object = an_object(_character, _CHARACTER_KEYS, ("id", "name", "dial"))


def _read_character(value: Any) -> Character:
    made: Character = _read_character_object(value)
    if "square" not in value and "squares" not in value:
        missing = "square" if made.base is BaseKind.SINGLE else "squares"
        raise BadInput("", f'"{missing}" is required.').under(missing)
    if not made.dial:
        raise BadInput("/dial", "A dial has at least one click.")
    if len(made.dial) > MOST_CLICKS:
        raise BadInput("/dial", f"A dial has at most {MOST_CLICKS} clicks.")
    _check_base(made, value)
    return made


def _check_base(made: Character, value: Mapping[str, Any]) -> None:
    """Check that a base covers as many squares as it has, side by side."""
    squares = made.squares
    if value.get("square") is not None and value.get("squares") is not None:
        raise BadInput("/squares", "Give square or squares, not both.")
    if not squares:
        return
    key = "squares" if value.get("squares") is not None else "square"
    wanted = {BaseKind.SINGLE: 1, BaseKind.PEANUT: 2, BaseKind.LARGE: 4}[made.base]
    if len(set(squares)) != len(squares):
        raise BadInput(f"/{key}", "A square is given twice.")
    if len(squares) != wanted:
        raise BadInput(f"/{key}", f"A base {made.base.value} covers {wanted} squares, not {len(squares)}.")
    if any(distance(one, other) > 1 for one, other in product(squares, squares)):
        raise BadInput(f"/{key}", "The squares of a base must touch each other.")


_read_side = an_object(
    Side,
    {
        "player": name,
        "characters": a_list(_read_character),
        "themed_team": nullable(text),
        "ttpc_used": _number(0, 99),
        "action_total_modifier": _number(-99, 99),
    },
    ("player",),
)


def _turn(active: str | None = None, number: int = 9) -> tuple[str | None, int]:
    return active, number


_read_turn = an_object(_turn, {"active": name, "number": _number(1, 100_000)})


# --- Reading questions ---


def _ask(make: Callable[..., Any], keys: Mapping[str, Callable[[Any], Any]], required: Iterable[str]) -> Any:
    def without_ask(ask: str, **given: Any) -> Any:
        return make(**given)

    return an_object(without_ask, {"ask": anything, **keys}, required)


_kind = _word_of(frozenset({"close", "ranged"}))
_purpose = _word_of(frozenset({"movement", "close", "ranged"}))
_direction = _word_of(frozenset(DIRECTIONS))
_names = a_list(text)

_QUESTIONS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "line-of-fire": _ask(
        lambda **given: AskLineOfFire(given["from"], given["to"]), {"from": text, "to": text}, ("from", "to")
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
        {"of": text, "from": text, "clicks": _number(0, 1000), "choose": nullable(_direction)},
        ("of", "from", "clicks"),
    ),
    "actions": _ask(AskActions, {"of": text}, ("of",)),
    "rulings": _ask(AskRulings, {"about": _names}, ("about",)),
}


def _read_question(value: Any) -> Question:
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


# --- Reading the whole ---


def _file(edition: Edition, map: BattleMap, sides: tuple[Side, ...], **rest: Any) -> dict[str, Any]:
    return {"edition": edition, "map": map, "sides": sides, **rest}


def _edition(value: Any) -> Edition:
    found = EDITIONS.get(value) if type(value) is str else None
    if found is None:
        raise BadInput("", f"This must be one of {', '.join(EDITIONS)}, not {shown(value)}.")
    return found


_read_file = an_object(
    _file,
    {
        "id": anything,
        "title": anything,
        "note": anything,
        "edition": _edition,
        "build_total": points,
        "map": read_map,
        "objects": a_list(_read_object),
        "sides": a_list(_read_side),
        "turn": _read_turn,
        "actions": a_list(read_action),
        "ask": a_list(_read_question),
        "judge": a_list(read_decision),
    },
    ("edition", "map", "sides"),
)


def read_position(document: Mapping[str, Any]) -> PositionFile:
    """Return what a position file says. Raises BadInput with a pointer to the first thing that is wrong."""
    found = _read_file(dict(document) if isinstance(document, Mapping) else document)
    edition, battle_map, sides = found["edition"], found["map"], found["sides"]
    check_map(battle_map, edition)
    if not sides:
        raise BadInput("/sides", "A battle has at least one side.")
    objects = found.get("objects", ())
    active, number = found.get("turn", (None, 9))
    _check_names(objects, sides)
    _check_places(battle_map, objects, sides)
    players = [side.player for side in sides]
    if active is not None and active not in players:
        raise BadInput("/turn/active", f"No side is played by {shown(active)}.")
    position = Position(found.get("build_total", 100), battle_map, objects, sides, Turn(active or players[0], number))
    questions = tuple(
        _settled(question, position, f"/ask/{place}", document["ask"][place])
        for place, question in enumerate(found.get("ask", ()))
    )
    actions = found.get("actions", ())
    check_actions(actions, position, "/actions")
    hands = found.get("judge", ())
    check_decisions(hands, position)
    case = Case(edition, position, actions, questions, hands)
    return PositionFile(case, found.get("id"), found.get("title"), found.get("note"))


def check_map(battle_map: BattleMap, edition: Edition, where: str = "/map") -> None:
    """Check that everything of a map lies on it and that the edition has it. Raises BadInput under `where`."""
    for place, area in enumerate(battle_map.terrain):
        for square in area.squares:
            if not battle_map.holds(square):
                raise BadInput(f"{where}/terrain/{place}/squares", f"{square} is not on the map.")
    for key in ("walls", "windows", "doors", "stairs", "ladders"):
        for edge in getattr(battle_map, key):
            if not (battle_map.holds(edge.first) and battle_map.holds(edge.second)):
                raise BadInput(f"{where}/{key}", f"{edge} is not on the map.")
    for place, marker in enumerate(battle_map.markers):
        if not battle_map.holds(marker.square):
            raise BadInput(f"{where}/markers/{place}/square", f"{marker.square} is not on the map.")
    for key in ("windows", "doors"):
        if getattr(battle_map, key) and not edition.board.windows_and_doors:
            raise BadInput(f"{where}/{key}", f"This edition has no {key}.")


def _check_names(objects: tuple[BattleObject, ...], sides: tuple[Side, ...]) -> None:
    taken: set[str] = set()
    for place, thing in enumerate(objects):
        _take(taken, thing.id, f"/objects/{place}/id")
    players: set[str] = set()
    for place, side in enumerate(sides):
        if side.player in players:
            raise BadInput(f"/sides/{place}/player", f"{shown(side.player)} plays another side already.")
        players.add(side.player)
        for number, character in enumerate(side.characters):
            _take(taken, character.id, f"/sides/{place}/characters/{number}/id")
    characters = {character.id for side in sides for character in side.characters}
    loose = {thing.id: thing for thing in objects}
    held: set[str] = set()
    for place, side in enumerate(sides):
        for number, character in enumerate(side.characters):
            where = f"/sides/{place}/characters/{number}"
            if character.captured_by is not None and character.captured_by not in characters:
                raise BadInput(f"{where}/captured_by", f"No character has the id {shown(character.captured_by)}.")
            if character.last_damaged_by is not None and character.last_damaged_by not in players:
                raise BadInput(f"{where}/last_damaged_by", f"No side is played by {shown(character.last_damaged_by)}.")
            if character.holding is not None:
                wanted = loose.get(character.holding)
                if wanted is None:
                    raise BadInput(f"{where}/holding", f"No object has the id {shown(character.holding)}.")
                if character.holding in held:
                    raise BadInput(f"{where}/holding", f"{shown(character.holding)} is held by somebody else.")
                if wanted.square is not None:
                    raise BadInput(
                        f"{where}/holding",
                        f"{shown(character.holding)} lies in {wanted.square}: a held object has no square.",
                    )
                held.add(character.holding)


def _take(taken: set[str], wanted: str, where: str) -> None:
    if wanted in taken:
        raise BadInput(where, f"The id {shown(wanted)} is given twice.")
    taken.add(wanted)


def _check_places(battle_map: BattleMap, objects: tuple[BattleObject, ...], sides: tuple[Side, ...]) -> None:
    for place, thing in enumerate(objects):
        if thing.square is not None and not battle_map.holds(thing.square):
            raise BadInput(f"/objects/{place}/square", f"{thing.square} is not on the map.")
    here: dict[Square, str] = {}
    for place, side in enumerate(sides):
        for number, character in enumerate(side.characters):
            key = "square" if len(character.squares) < 2 else "squares"
            where = f"/sides/{place}/characters/{number}/{key}"
            for square in character.squares:
                if not battle_map.holds(square):
                    raise BadInput(where, f"{square} is not on the map.")
                if not character.on_map:
                    continue
                if square in here:
                    raise BadInput(where, f"{here[square]} stands in {square} already.")
                here[square] = character.name


def _settled(question: Any, position: Position, where: str, written: Mapping[str, Any]) -> Question:
    """Return a question whose names have become characters and squares. Raises BadInput where nobody bears one."""
    players = {side.player for side in position.sides}

    def character(key: str) -> str:
        wanted = str(written[key])
        if position.find(wanted) is None:
            raise BadInput(f"{where}/{key}", f"No character has the id {shown(wanted)}.")
        return wanted

    def place(key: str) -> Place:
        wanted = str(written[key])
        if position.find(wanted) is not None:
            return wanted
        square = read_square(wanted)
        if square is None:
            raise BadInput(f"{where}/{key}", f"{shown(wanted)} is neither the id of a character nor a square.")
        if not position.map.holds(square):
            raise BadInput(f"{where}/{key}", f"{square} is not on the map.")
        return square

    match question:
        case AskLineOfFire():
            return AskLineOfFire(place("from"), place("to"))
        case AskAdjacent():
            return replace(question, one=place("a"), other=place("b"))
        case AskDistance():
            return AskDistance(place("from"), place("to"))
        case AskCanTarget():
            return replace(question, attacker=place("from"), target=place("to"))
        case AskValue():
            attacker = place("from") if written.get("from") is not None else None
            target = place("to") if written.get("to") is not None else None
            return replace(question, of=character("of"), attacker=attacker, target=target)
        case AskCanCarry():
            return AskCanCarry(character("of"), character("carried"))
        case AskBreakAway() | AskReachable() | AskActions():
            character("of")
            return question
        case AskKnockBack():
            return replace(question, of=character("of"), origin=place("from"))
        case AskActionTotal(player):
            if player not in players:
                raise BadInput(f"{where}/player", f"No side is played by {shown(player)}.")
            return question
        case AskRulings():
            return question
    raise TypeError(type(question))


# --- Writing ---


def write_position(file: PositionFile) -> dict[str, Any]:
    """Return a position file whose reading gives the same position again: `read_position(write_position(x))` is `x`.

    Its questions and actions are not written: a saved dispute keeps those as they were given.
    """
    position = file.case.position
    written: dict[str, Any] = {
        "edition": file.case.edition.name,
        "build_total": position.build_total,
        "map": write_map(position.map),
        "objects": [_write_object(thing) for thing in position.objects],
        "sides": [_write_side(side) for side in position.sides],
        "turn": {"active": position.turn.active, "number": position.turn.number},
    }
    for key, value in (("note", file.note), ("title", file.title), ("id", file.id)):
        if value is not None:
            written = {key: value, **written}
    return written


def write_map(battle_map: BattleMap) -> dict[str, Any]:
    """Return the `map` object of a position file."""
    areas = []
    for area in battle_map.terrain:
        shown_area: dict[str, Any] = {"type": area.kind.value, "squares": [square.name for square in area.squares]}
        if area.kind is TerrainKind.ELEVATED:
            shown_area["level"] = area.level
        if area.player is not None:
            shown_area["player"] = area.player
        areas.append(shown_area)
    written: dict[str, Any] = {"width": battle_map.width, "height": battle_map.height, "kind": battle_map.kind.value}
    written["terrain"] = areas
    for key in ("walls", "windows", "doors", "stairs", "ladders"):
        written[key] = [edge.name for edge in sorted(getattr(battle_map, key))]
    written["markers"] = [{"kind": m.kind.value, "square": m.square.name} for m in battle_map.markers]
    return written


def _write_object(thing: BattleObject) -> dict[str, Any]:
    written: dict[str, Any] = {
        "id": thing.id,
        "kind": thing.kind.value,
        "square": thing.square.name if thing.square is not None else None,
        "special": thing.special,
    }
    if thing.name:
        written["name"] = thing.name
    if thing.removed:
        written["removed"] = True
    return written


def _write_side(side: Side) -> dict[str, Any]:
    written: dict[str, Any] = {"player": side.player, "characters": [_write_character(c) for c in side.characters]}
    if side.themed_team is not None:
        written["themed_team"] = side.themed_team
    if side.ttpc_used:
        written["ttpc_used"] = side.ttpc_used
    if side.action_total_modifier:
        written["action_total_modifier"] = side.action_total_modifier
    return written


def _write_place(character: Character) -> dict[str, Any]:
    if character.base is BaseKind.SINGLE or not character.squares:
        return {"square": character.squares[0].name if character.squares else None}
    return {"squares": [square.name for square in character.squares]}


def _write_character(character: Character) -> dict[str, Any]:
    symbols = character.symbols
    written: dict[str, Any] = {
        "id": character.id,
        "name": character.name,
        "points": character.points,
        **_write_place(character),
        "base": character.base.value,
        "range": character.range,
        "bolts": character.bolts,
        "symbols": {
            key: kinds[0].value if len(kinds) == 1 else [kind.value for kind in kinds]
            for key, kinds in (
                ("speed", symbols.speed),
                ("attack", symbols.attack),
                ("defense", symbols.defense),
                ("damage", symbols.damage),
            )
        },
        "teams": list(character.teams),
        "keywords": list(character.keywords),
        "base_color": character.base_color,
        "set": character.set,
        "number": character.number,
        "dial": [
            {
                "speed": click.speed,
                "attack": click.attack,
                "defense": click.defense,
                "damage": click.damage,
                "powers": list(click.powers),
            }
            for click in character.dial
        ],
        "click": character.click,
        "tokens": character.tokens,
        "acted": character.acted,
        "flight": character.flight.value if character.flight is not None else None,
        "holding": character.holding,
    }
    plain = Character(character.id, character.name, (), character.dial)
    for key in ("start", "stack", "stack_max", "attacks_made", "carried", "captured_by", "last_damaged_by", "immune"):
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
    return written


def write_report(file: PositionFile, outcome: Outcome) -> dict[str, Any]:
    """Return the report of an outcome, as FORMATS.md defines it."""
    return {
        "id": file.id,
        "answers": [write_answer(given, file.case.edition) for given in outcome.answers],
        "steps": [_write_step(step) for step in outcome.play.steps],
        "legal": outcome.legal,
        "awaiting": outcome.awaiting,
        "state": write_state(outcome.play.position, file.case.position, outcome.play.memory.points),
        "unused": outcome.unused,
        "rulings": [ruling.as_dict() for ruling in outcome.rulings],
    }


def write_answer(given: Answer, edition: Edition) -> dict[str, Any]:
    """Return one answer as a report has it, with where the edition's book says so."""
    result = given.result
    if given.ask == "rulings":
        result = [ruling.as_dict() for ruling in result if isinstance(ruling, Ruling)]
    written = {
        "ask": given.ask,
        "result": result,
        "because": list(given.because),
        "citations": [citation.as_dict() for citation in edition.cite(given.topics)],
    }
    for key, value in given.beside.items():
        written[key] = _plain(value)
    return written


def _plain(value: Any) -> Any:
    if isinstance(value, Citation):
        return value.as_dict()
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value


def _write_step(step: Step) -> dict[str, Any]:
    return {
        "action": step.action,
        "step": step.step.value,
        "text": step.text,
        "numbers": step.numbers,
        "topics": list(step.topics),
        "citations": [citation.as_dict() for citation in step.citations],
        "rulings": list(step.rulings),
        "changes": write_changes(step),
    }


def write_state(position: Position, before: Position, points: Mapping[str, Fraction] | None = None) -> dict[str, Any]:
    """Return the state of a position for a report; walls destroyed are those that stood `before`."""
    held = {c.holding: c.id for c in position.characters() if c.holding is not None}
    return {
        "characters": {character.id: write_standing(character) for character in position.characters()},
        "objects": {
            thing.id: {
                "square": thing.square.name if thing.square is not None else None,
                "removed": thing.removed,
                "held_by": held.get(thing.id) or thing.assigned_to,
            }
            for thing in position.objects
        },
        "markers": [{"kind": m.kind.value, "square": m.square.name} for m in position.map.markers],
        "walls_destroyed": [edge.name for edge in sorted(_edges(before.map) - _edges(position.map))],
        "victory_points": {side.player: _exact((points or {}).get(side.player, 0)) for side in position.sides},
    }


def _exact(value: Fraction | int) -> int | float:
    return int(value) if value == int(value) else float(value)


def write_changes(step: Step) -> dict[str, Any]:
    """Return what a step changed: merged over the position step after step, the board at each of them."""
    changes: dict[str, Any] = {}
    before, after = step.before, step.after
    if before is not None and after is not None and before is not after:
        old = {character.id: character for character in before.characters()}
        characters = {}
        for one in after.characters():
            was = old.get(one.id)
            if was is not one:
                characters[one.id] = _difference(write_standing(was) if was else {}, write_standing(one))
        if any(characters.values()):
            changes["characters"] = {name: written for name, written in characters.items() if written}
        held, held_before = _holders(after), _holders(before)
        objects = {}
        for thing in after.objects:
            was_thing = before.object(thing.id)
            if was_thing is not thing or held.get(thing.id) != held_before.get(thing.id):
                objects[thing.id] = _write_thing(thing, held)
        if objects:
            changes["objects"] = objects
        if before.map is not after.map:
            changes["markers"] = [{"kind": m.kind.value, "square": m.square.name} for m in after.map.markers]
            changes["walls_destroyed"] = [edge.name for edge in sorted(_edges(before.map) - _edges(after.map))]
        if before.turn != after.turn:
            changes["turn"] = {"active": after.turn.active, "number": after.turn.number}
    if step.points is not None:
        changes["victory_points"] = {player: _exact(value) for player, value in step.points.items()}
    return changes


def _difference(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    changed = {key: value for key, value in after.items() if key not in before or before[key] != value}
    changed.update({key: None for key in before if key not in after and key != "squares"})
    return changed


def _holders(position: Position) -> dict[str, str]:
    return {c.holding: c.id for c in position.characters() if c.holding is not None}


def _write_thing(thing: BattleObject, held: Mapping[str, str]) -> dict[str, Any]:
    return {
        "square": thing.square.name if thing.square is not None else None,
        "removed": thing.removed,
        "held_by": held.get(thing.id) or thing.assigned_to,
    }


def _edges(battle_map: BattleMap) -> frozenset[Edge]:
    return battle_map.walls | battle_map.windows | battle_map.doors


def write_standing(character: Character) -> dict[str, Any]:
    """Return how one character stands, for the state of a report."""
    place: dict[str, Any] = {"square": None}
    if character.on_map:
        place = _write_place(character)
    written = {
        **place,
        "click": character.click,
        "tokens": character.tokens,
        "ko": character.knocked_out,
        "holding": character.holding,
    }
    if character.captured_by is not None:
        written["captured_by"] = character.captured_by
    if character.flight is not None:
        written["flight"] = character.flight.value
    if character.countered:
        written["countered"] = list(character.countered)
    if character.kind is CharacterKind.HORDE:
        written["stack"] = character.stack
    return written
