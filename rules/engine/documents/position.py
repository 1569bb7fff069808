"""Position files: JSON ↔ the position, with its questions and actions. The keys are those of FORMATS.md.

Reading raises `BadInput` with a pointer to the fault, including impossible positions in well-formed documents: a square
off the map, two characters in one square, an unknown name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from rules.engine.actions.questions import Question
from rules.engine.adjudicate import Case
from rules.engine.battles import ScenarioName
from rules.engine.combat.scenario import CARRIED
from rules.engine.documents.actions import read_action, wrong_actions
from rules.engine.documents.cards import MAX_EFFECTS_OF_ALL, read_cards, write_cards
from rules.engine.documents.characters import read_character, write_character
from rules.engine.documents.edition import an_edition
from rules.engine.documents.event_dials import read_event_dial, write_event_dial, wrong_event_dial
from rules.engine.documents.faults import every_fault
from rules.engine.documents.judge import read_decision, wrong_overrides
from rules.engine.documents.maps import read_map, write_map, wrong_on_map
from rules.engine.documents.questions import read_question, settled
from rules.engine.documents.reader import (
    a_list,
    a_whole_number,
    a_word_of,
    an_object,
    anything,
    flag,
    name,
    nullable,
    one_of,
    points,
    shown,
    text,
)
from rules.engine.documents.squares import a_square
from rules.engine.edition import Edition
from rules.engine.errors import BadInput, escaped, refuse
from rules.engine.position.characters import Character
from rules.engine.position.maps import BattleMap
from rules.engine.position.objects import BattleObject, ObjectKind
from rules.engine.position.position import Position, Side, Turn
from rules.engine.position.squares import Square


@dataclass(frozen=True, slots=True)
class PositionFile:
    """A position file as read: the case, and the values that the report repeats."""

    case: Case
    id: str | None = None
    title: str | None = None
    note: str | None = None


def _object(id: str, kind: ObjectKind, square: Square | None = None, **rest: Any) -> BattleObject:
    return BattleObject(id, kind, square, **rest)


_read_object = an_object(
    _object,
    {
        "id": name,
        "kind": one_of(ObjectKind),
        "square": nullable(a_square),
        "special": flag,
        "name": text,
        "points": points,
        "removed": flag,
        "assigned_to": nullable(name),
        "player": nullable(name),
        "equip": nullable(a_word_of(("friendly", "any"))),
        "unequip": a_word_of(("ko", "drop")),
        "indestructible": flag,
        "relic": nullable(a_whole_number(1, 6)),
        "marker": flag,
        "cards": read_cards,
    },
    ("id", "kind"),
)
_read_side = an_object(
    Side,
    {
        "player": name,
        "characters": a_list(read_character),
        "themed_team": nullable(text),
        "ttpc_used": a_whole_number(0, 99),
        "action_total_modifier": a_whole_number(-99, 99),
        "cards": read_cards,
    },
    ("player",),
)


def _turn(active: str | None = None, number: int = 9) -> tuple[str | None, int]:
    return active, number


_read_turn = an_object(_turn, {"active": name, "number": a_whole_number(1, 100_000)})


def _file(edition: Edition, map: BattleMap, sides: tuple[Side, ...], **rest: Any) -> dict[str, Any]:
    return {"edition": edition, "map": map, "sides": sides, **rest}


DOCUMENT = an_object(
    _file,
    {
        "id": anything,
        "title": anything,
        "note": anything,
        "edition": an_edition,
        "build_total": points,
        "map": read_map,
        "objects": a_list(_read_object),
        "sides": a_list(_read_side),
        "turn": _read_turn,
        "actions": a_list(read_action),
        "ask": a_list(read_question),
        "judge": a_list(read_decision),
        "cards": read_cards,
        "scenario": nullable(one_of(ScenarioName)),
        "event_dial": nullable(read_event_dial),
        "fog_broke_up": nullable(a_whole_number(1, 100_000)),
        "rift": a_whole_number(0, 6),
    },
    ("edition", "map", "sides"),
)


@every_fault
def read_position(document: Mapping[str, Any]) -> PositionFile:
    """Return the contents of a position file. Raises BadInput with every fault."""
    found = DOCUMENT(dict(document) if isinstance(document, Mapping) else document)
    edition, battle_map, sides = found["edition"], found["map"], found["sides"]
    objects = found.get("objects", ())
    active, number = found.get("turn", (None, 9))
    players = [side.player for side in sides]
    turn = Turn(active or next(iter(players), ""), number)
    scenario = found.get("scenario")
    if scenario is not None and scenario not in edition.scoring.scenarios:
        raise BadInput("/scenario", "This edition has no such scenario.")
    cards = found.get("cards", ())
    position = Position(
        found.get("build_total", 100), battle_map, objects, sides, turn, cards, scenario or "", found.get("event_dial")
    )
    position = replace(position, fog_broke_up=found.get("fog_broke_up"), rift=found.get("rift", 1))
    asked, actions, overrides = found.get("ask", ()), found.get("actions", ()), found.get("judge", ())
    unknown: list[BadInput] = []
    questions: list[Question] = []
    for place, question in enumerate(asked):
        try:
            questions.append(settled(question, position, document["ask"][place]))
        except BadInput as fault:
            unknown.append(fault.under("ask", place))
    refuse(
        chain(
            wrong_on_map(battle_map, edition),
            _too_many_effects(position),
            _wrong_card_squares(position),
            wrong_event_dial(position, edition),
            _wrong_scenario_facts(position, found),
            _wrong_players(players, active),
            _given_twice(objects, sides),
            _wrong_names(objects, sides),
            _wrong_objects(objects, sides, edition),
            _wrong_markers(position),
            _replaced_in_a_circle(position),
            _wrong_places(battle_map, objects, sides),
            unknown,
            wrong_actions(actions, position, "/actions"),
            wrong_overrides(overrides, position),
        )
    )
    case = Case(edition, position, actions, tuple(questions), overrides)
    return PositionFile(case, found.get("id"), found.get("title"), found.get("note"))


def with_last_action(file: PositionFile, action: Mapping[str, Any]) -> PositionFile:
    """Return a position file with another last action. Raises BadInput."""
    before = file.case.actions[:-1]
    try:
        actions = (*before, read_action(action))
    except BadInput as fault:
        raise fault.under("actions", len(before)) from None
    refuse(wrong_actions(actions, file.case.position, "/actions"))
    return replace(file, case=replace(file.case, actions=actions))


def _too_many_effects(position: Position) -> Iterator[BadInput]:
    number = sum(len(card.effects) for card in position.every_card())
    if number > MAX_EFFECTS_OF_ALL:
        yield BadInput("/cards", f"All cards together can have at most {MAX_EFFECTS_OF_ALL:,} effects, not {number:,}.")


def _wrong_card_squares(position: Position) -> Iterator[BadInput]:
    """Yield the squares of cards that are off the map, and those of cards that can't have any."""
    places = [("/cards", position.cards, True)]
    for color, cards in position.event_dial.colors if position.event_dial is not None else ():
        places.append((f"/event_dial/colors/{escaped(color)}", cards, True))
    places += [(f"/objects/{place}/cards", thing.cards, False) for place, thing in enumerate(position.objects)]
    for number, side in enumerate(position.sides):
        places.append((f"/sides/{number}/cards", side.cards, True))
        for place, one in enumerate(side.characters):
            places.append((f"/sides/{number}/characters/{place}/cards", one.cards, False))
    for where, cards, may in places:
        for place, card in enumerate(cards):
            if card.squares and not may:
                yield BadInput(f"{where}/{place}/squares", "Only a card of the battle or of a side has squares.")
            elif any(not position.map.holds(square) for square in card.squares):
                yield BadInput(f"{where}/{place}/squares", "Not all of these squares are on the map.")


def _wrong_scenario_facts(position: Position, found: Mapping[str, Any]) -> Iterator[BadInput]:
    """Yield the facts of a scenario that isn't the document's."""
    for key, scenario in (("fog_broke_up", ScenarioName.BLACKOUT), ("rift", ScenarioName.DIMENSIONAL_RIFT)):
        if found.get(key) is not None and position.scenario != scenario:
            yield BadInput(f"/{key}", f"Only the scenario {scenario} has this.")


def _wrong_players(players: list[str], active: str | None) -> Iterator[BadInput]:
    if not players:
        yield BadInput("/sides", "A battle needs at least 1 side.")
    seen: set[str] = set()
    for place, player in enumerate(players):
        if player in seen:
            yield BadInput(f"/sides/{place}/player", f"{shown(player)} already plays another side.")
        seen.add(player)
    if players and active is not None and active not in seen:
        yield BadInput("/turn/active", f"{shown(active)} doesn't play any side.")


def _given_twice(objects: tuple[BattleObject, ...], sides: tuple[Side, ...]) -> Iterator[BadInput]:
    given = [(f"/objects/{place}/id", thing.id) for place, thing in enumerate(objects)]
    given += [
        (f"/sides/{place}/characters/{number}/id", character.id)
        for place, side in enumerate(sides)
        for number, character in enumerate(side.characters)
    ]
    taken: set[str] = set()
    for where, wanted in given:
        if wanted in taken:
            yield BadInput(where, f"The id {shown(wanted)} is used twice.")
        taken.add(wanted)


def _wrong_names(objects: tuple[BattleObject, ...], sides: tuple[Side, ...]) -> Iterator[BadInput]:
    players = {side.player for side in sides}
    characters = {character.id for side in sides for character in side.characters}
    loose = {thing.id: thing for thing in objects}
    held: set[str] = set()
    for place, side in enumerate(sides):
        for number, character in enumerate(side.characters):
            where = f"/sides/{place}/characters/{number}"
            if character.captured_by is not None and character.captured_by not in characters:
                yield BadInput(f"{where}/captured_by", f"No character has the id {shown(character.captured_by)}.")
            for key in ("generated_by", "replaces"):
                named = getattr(character, key)
                if named is not None and (named not in characters or named == character.id):
                    yield BadInput(f"{where}/{key}", f"No other character has the id {shown(named)}.")
            for token in character.named_tokens:
                if token.by is not None and token.by not in characters:
                    yield BadInput(f"{where}/named_tokens/{token.name}", f"No character has the id {shown(token.by)}.")
            if character.last_damaged_by is not None and character.last_damaged_by not in players:
                yield BadInput(f"{where}/last_damaged_by", f"{shown(character.last_damaged_by)} doesn't play any side.")
            if character.holding is not None:
                wrong = _wrong_hold(character.holding, loose, held)
                if wrong:
                    yield BadInput(f"{where}/holding", wrong)
                held.add(character.holding)


def _wrong_objects(objects: tuple[BattleObject, ...], sides: tuple[Side, ...], edition: Edition) -> Iterator[BadInput]:
    """Yield what is wrong with the cards that objects lie on, with equipment, and with relics."""
    players = {side.player for side in sides}
    bearers = {character.id: character for side in sides for character in side.characters}
    held = {character.holding for character in bearers.values()}
    equipped: set[str] = set()
    for place, thing in enumerate(objects):
        where = f"/objects/{place}"
        if thing.player is not None and thing.player not in players:
            yield BadInput(f"{where}/player", f"{shown(thing.player)} doesn't play any side.")
        if thing.equip is not None and "Equip" not in edition.inherent:
            yield BadInput(f"{where}/equip", "This edition has no equipment.")
        if thing.equip == "friendly" and thing.player is None:
            yield BadInput(f"{where}/player", "Say on whose force it is: only its friends may equip it.")
        if thing.relic is not None and "Relic" not in edition.inherent:
            yield BadInput(f"{where}/relic", "This edition has no relics.")
        if thing.relic is not None and (thing.kind is not ObjectKind.IMMOBILE or not thing.special):
            yield BadInput(f"{where}/relic", "A relic is an immobile special object.")
        if thing.assigned_to is None:
            continue
        if thing.assigned_to not in bearers:
            yield BadInput(f"{where}/assigned_to", f"No character has the id {shown(thing.assigned_to)}.")
        elif thing.square is not None or thing.id in held:
            lies = f"lies in {thing.square}" if thing.square is not None else "is held"
            yield BadInput(f"{where}/assigned_to", f"{shown(thing.id)} {lies}: it can't be on a card, too.")
        elif thing.equip is not None and thing.assigned_to in equipped:
            yield BadInput(f"{where}/assigned_to", f"{shown(thing.assigned_to)} is already equipped with something.")
        if thing.equip is not None:
            equipped.add(thing.assigned_to)


def _replaced_in_a_circle(position: Position) -> Iterator[BadInput]:
    """Yield the characters that have replaced, through others, themselves."""
    before = {one.id: one.replaces for one in position.characters()}
    for place, side in enumerate(position.sides):
        for number, character in enumerate(side.characters):
            seen, one = {character.id}, character.replaces
            while one is not None and one in before and one not in seen:
                seen.add(one)
                one = before[one]
            if one == character.id and character.replaces != character.id:
                where = f"/sides/{place}/characters/{number}/replaces"
                yield BadInput(where, f"{character.name} can't have replaced itself, not even through others.")


def _wrong_markers(position: Position) -> Iterator[BadInput]:
    for place, thing in enumerate(position.objects):
        if thing.marker and position.scenario not in CARRIED:
            names = ", ".join(sorted(CARRIED))
            yield BadInput(f"/objects/{place}/marker", f"Only these scenarios have a marker to carry: {names}.")


def _wrong_hold(holding: str, objects: Mapping[str, BattleObject], held: set[str]) -> str:
    """Return why an object can't be held, or ""."""
    if holding not in objects:
        return f"No object has the id {shown(holding)}."
    if holding in held:
        return f"Another character already holds {shown(holding)}."
    square = objects[holding].square
    return "" if square is None else f"{shown(holding)} lies in {square}: a held object has no square."


def _wrong_places(
    battle_map: BattleMap, objects: tuple[BattleObject, ...], sides: tuple[Side, ...]
) -> Iterator[BadInput]:
    for place, thing in enumerate(objects):
        if thing.square is not None and not battle_map.holds(thing.square):
            yield BadInput(f"/objects/{place}/square", f"{thing.square} isn't on the map.")
    here: dict[Square, str] = {}
    for place, side in enumerate(sides):
        for number, character in enumerate(side.characters):
            key = "square" if len(character.squares) < 2 else "squares"
            wrong = next(_wrong_stand(battle_map, character, here), None)
            if wrong:
                yield BadInput(f"/sides/{place}/characters/{number}/{key}", wrong)
            elif character.on_map:
                here |= dict.fromkeys(character.squares, character.name)


def _wrong_stand(battle_map: BattleMap, character: Character, here: Mapping[Square, str]) -> Iterator[str]:
    for square in character.squares:
        if not battle_map.holds(square):
            yield f"{square} isn't on the map."
        elif character.on_map and square in here:
            yield f"{here[square]} already occupies {square}."


def write_position(file: PositionFile) -> dict[str, Any]:
    """Return the position file for a position: `read_position(write_position(x))` is `x`.

    Questions and actions aren't written; a saved dispute keeps those as given.
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
    if position.cards:
        written["cards"] = write_cards(position.cards)
    if position.scenario:
        written["scenario"] = position.scenario
    if position.fog_broke_up is not None:
        written["fog_broke_up"] = position.fog_broke_up
    if position.scenario == ScenarioName.DIMENSIONAL_RIFT:
        written["rift"] = position.rift
    if position.event_dial is not None:
        written["event_dial"] = write_event_dial(position.event_dial)
    for key, value in (("note", file.note), ("title", file.title), ("id", file.id)):
        if value is not None:
            written = {key: value, **written}
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
    plain = BattleObject(thing.id, thing.kind, thing.square)
    for key in ("points", "player", "assigned_to", "equip", "unequip", "indestructible", "relic", "marker"):
        if getattr(thing, key) != getattr(plain, key):
            written[key] = getattr(thing, key)
    if thing.cards:
        written["cards"] = write_cards(thing.cards)
    return written


def _write_side(side: Side) -> dict[str, Any]:
    written: dict[str, Any] = {"player": side.player, "characters": [write_character(c) for c in side.characters]}
    if side.themed_team is not None:
        written["themed_team"] = side.themed_team
    if side.ttpc_used:
        written["ttpc_used"] = side.ttpc_used
    if side.action_total_modifier:
        written["action_total_modifier"] = side.action_total_modifier
    if side.cards:
        written["cards"] = write_cards(side.cards)
    return written
