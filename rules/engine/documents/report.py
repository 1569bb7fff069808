"""The report of a position file: steps, answers and changes → JSON (FORMATS.md, "Position file")."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rules.engine.actions.questions import Answer
from rules.engine.adjudicate import Outcome
from rules.engine.battles import ScenarioName
from rules.engine.citations import Citation, Ruling
from rules.engine.documents.characters import write_place, write_tokens
from rules.engine.documents.maps import write_markers
from rules.engine.documents.position import PositionFile
from rules.engine.edition import Edition
from rules.engine.position.characters import Character, CharacterKind
from rules.engine.position.edges import Edge
from rules.engine.position.event_dials import EventDial
from rules.engine.position.maps import BattleMap
from rules.engine.position.objects import BattleObject
from rules.engine.position.position import Position
from rules.engine.reasons import Parts
from rules.engine.steps import Step


def write_report(file: PositionFile, outcome: Outcome) -> dict[str, Any]:
    """Return the report of an outcome, as FORMATS.md defines it."""
    return {
        "id": file.id,
        "answers": [write_answer(given, file.case.edition) for given in outcome.answers],
        "steps": [_write_step(step) for step in outcome.play.steps],
        "legal": outcome.legal,
        "awaiting": outcome.awaiting,
        "state": write_state(outcome.play.position, file.case.position, outcome.play.battle.points),
        "unused": outcome.unused,
        "rulings": [ruling.as_dict() for ruling in outcome.rulings],
    }


def write_answer(given: Answer, edition: Edition) -> dict[str, Any]:
    """Return one answer for a report, with its citations of the edition's book."""
    result = given.result
    if isinstance(result, tuple):
        result = [ruling.as_dict() for ruling in result if isinstance(ruling, Ruling)]
    written = {
        "ask": given.ask,
        "result": result,
        "because": list(given.because),
        "citations": [citation.as_dict() for citation in edition.cite(given.topics)],
    }
    if given.parts is not None:
        written["parts"] = write_parts(given.parts)
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


def write_parts(parts: Parts) -> list[dict[str, Any]]:
    """Return the parts of a number for a report."""
    return [part._asdict() for part in parts]


def _write_sums(sums: Mapping[str, Parts]) -> dict[str, Any]:
    return {name: write_parts(parts) for name, parts in sums.items()}


def _write_step(step: Step) -> dict[str, Any]:
    written = {
        "action": step.action,
        "step": step.step.value,
        "text": step.text,
        "numbers": {**step.numbers, "parts": _write_sums(step.parts)} if step.parts else step.numbers,
        "topics": list(step.topics),
        "citations": [citation.as_dict() for citation in step.citations],
        "rulings": list(step.rulings),
        "changes": write_changes(step),
    }
    if step.moment is not None:
        written["before"] = {
            "action": step.moment.action,
            "then": list(step.moment.then),
            "step": step.moment.step.value,
        }
    return written


def write_state(position: Position, before: Position, points: Mapping[str, Fraction]) -> dict[str, Any]:
    """Return the state of a position for a report; `before` is compared to find destroyed walls."""
    held = _holders(position)
    return {
        "characters": {character.id: write_standing(character) for character in position.characters()},
        **_write_facts(position),
        "objects": {thing.id: _write_thing(thing, held) for thing in position.objects},
        "markers": write_markers(position.map),
        "walls_destroyed": [edge.name for edge in sorted(_edges(before.map) - _edges(position.map))],
        "victory_points": {side.player: _exact(points[side.player]) for side in position.sides},
    }


def _write_facts(position: Position) -> dict[str, Any]:
    """Return the event dial, the fog and the rift, if there are any."""
    facts: dict[str, Any] = {}
    if position.event_dial is not None:
        facts["event_dial"] = _write_dial(position.event_dial)
    if position.fog_broke_up is not None:
        facts["fog_broke_up"] = position.fog_broke_up
    if position.scenario == ScenarioName.DIMENSIONAL_RIFT:
        facts["rift"] = position.rift
    return facts


def _write_dial(dial: EventDial) -> dict[str, Any]:
    return {"click": dial.click, "colors": list(dial.showing)}


def _exact(value: Fraction | int) -> int | float:
    return int(value) if value == int(value) else float(value)


def write_changes(step: Step) -> dict[str, Any]:
    """Return the changes of a step: merging them step after step gives the board at each step."""
    changes: dict[str, Any] = {}
    before, after = step.before, step.after
    if before is not after:
        assert before is not None
        assert after is not None
        old = {character.id: character for character in before.characters()}
        characters = {}
        for one in after.characters():
            was = old.get(one.id)
            if difference := _difference(write_standing(was) if was else {}, write_standing(one)):
                characters[one.id] = difference
        if characters:
            changes["characters"] = characters
        held, held_before = _holders(after), _holders(before)
        objects = {}
        for thing in after.objects:
            was_thing = before.object(thing.id)
            if was_thing is not thing or held.get(thing.id) != held_before.get(thing.id):
                objects[thing.id] = _write_thing(thing, held)
        if objects:
            changes["objects"] = objects
        if before.map is not after.map:
            changes["markers"] = write_markers(after.map)
            changes["walls_destroyed"] = [edge.name for edge in sorted(_edges(before.map) - _edges(after.map))]
        changes |= _difference(_write_facts(before), _write_facts(after))
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
    on_card = {"assigned_to": thing.assigned_to} if thing.equip is not None or thing.relic is not None else {}
    return {
        "square": thing.square.name if thing.square is not None else None,
        "removed": thing.removed,
        "held_by": held.get(thing.id) or thing.assigned_to,
        **on_card,
    }


def _edges(battle_map: BattleMap) -> frozenset[Edge]:
    return battle_map.walls | battle_map.windows | battle_map.doors


def write_standing(character: Character) -> dict[str, Any]:
    """Return the state of one character for a report."""
    place: dict[str, Any] = {"square": None}
    if character.on_map:
        place = write_place(character)
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
    if character.named_tokens:
        names = dict.fromkeys(one.name for one in character.named_tokens)
        written["named_tokens"] = {name: character.tokens_named(name) for name in names}
        if any(one.by is not None for one in character.named_tokens):
            written["named_tokens_by"] = write_tokens(character.named_tokens)
    if character.dials:
        written["dials_left"] = len(character.dials)
    if character.left:
        written["left"] = True
    for key in ("generated_by", "replaces", "copies"):
        if getattr(character, key) is not None:
            written[key] = getattr(character, key)
    if character.kind is CharacterKind.HORDE:
        written["stack"] = character.stack
        if character.stack_lost:
            written["stack_lost"] = character.stack_lost
    return written
