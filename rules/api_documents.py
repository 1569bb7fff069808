"""What the API of the rules is sent: force files, battle files and position files, in JSON Schema with examples.

Keys, types, words and limits come from the engine's readers, the examples from the samples of the commands. Only the
words about a key are here.
"""

from __future__ import annotations

import json
from typing import Any

from rules.engine import file_shapes
from rules.management.samples import SAMPLES

Schema = dict[str, Any]
FILES = {"force": "ForceFile", "battle": "BattleFile", "position": "PositionFile"}
"""The kinds of documents, each with the name of its schema."""
WORDS = {
    # every document
    "id": "The document's own name, repeated in its report.",
    "title": "A title; it has no effect.",
    "note": "A note; it has no effect.",
    "edition": "The rulebook.",
    # forces
    "event": "The event at which the force plays.",
    "build_total": "The build total in points; null only in a Battle Royale, which may have none.",
    "position.build_total": "The build total in points, 100 if left out.",
    "format": "How players obtain their figures.",
    "sanctioned": "Whether the event is sanctioned; true if left out.",
    "date": "The day of the event.",
    "sets": "The sets that are allowed; empty: all.",
    "event_dial": "Whether an event dial is used.",
    "tactics": "The optional elements that are allowed; all that the edition has if left out.",
    "force": "The force: lists of elements, all optional.",
    "characters": "The characters.",
    "feats": "The feats.",
    "objects": "The objects.",
    "battlefield_conditions": "The battlefield conditions.",
    "resources": "The resources.",
    "team_ability_cards": "The team ability cards.",
    "other": "Other elements, such as equipment and ID cards.",
    "sideline": "The figures on the sideline.",
    "sideline_allowed_by": "The refs of the elements that allow the sideline.",
    "ref": "A name for this element, which others and the report use; made from its place if left out.",
    "name": "Its name, as printed.",
    "set": "The code of its set.",
    "number": "Its collector number.",
    "points": "Its points.",
    "rank": "The ring on its base; `common`, `uncommon`, `rare` and `chase` mean none.",
    "rarity": "How rare it is; it has no effect.",
    "kind": "Its kind.",
    "base_color": "The colour of its base, for archenemies.",
    "teams": "Its teams.",
    "keywords": "Its keywords.",
    "generic_keywords": "Its generic keywords.",
    "dial": "The clicks of its dial.",
    "dials": "The dials that follow, each a list of clicks from its starting line on.",
    "speed": "The speed value.",
    "attack": "The attack value.",
    "defense": "The defense value.",
    "damage": "The damage value.",
    "range": "The range value.",
    "powers": "The names of powers.",
    "point_options": "The point values at which it may be played, without orange ones.",
    "street_date": "The day its product was released.",
    "promotional": "Whether it is marked Promotional.",
    "proxy": "Whether the figure is a proxy.",
    "from_sealed_product": "Whether it came from the player's sealed product; true if left out.",
    "dial_number": "The number on its dial, if it may differ from the number on its base.",
    "optional_points": "The total cost of its costed traits, if the player pays for them.",
    "card_rules": "Rules about building a force that are on its card and in no book.",
    "assigned_to": "The refs of the characters to which it is assigned.",
    "requires": "Its prerequisites; without them they can't be checked.",
    "values": "The least value of each kind.",
    "special": "Whether it is special: an object with its own card, or a special marker.",
    "cost_per_character": "Its points for each character.",
    # battles
    "ended": "How the battle ended.",
    "abandoned_by": "The player who abandoned the battle.",
    "scenario": "The scenario, if one was played.",
    "scenario_winner": "The player whom the scenario itself names as winner.",
    "battle.turn": "How many turns each player has taken.",
    "attacker": "The player who is the scenario's attacker.",
    "defender": "The player who is the scenario's defender.",
    "roll_off": "Each player's total of two dice; leave tied roll-offs out.",
    "sides": "The players' sides.",
    "player": "The player's name.",
    "sides.points": "The force's cost; worked out if left out.",
    "fate": "Its fate.",
    "by": "The ref of the character that dealt the last damage, or captured it.",
    "cause": "The source of its last click of damage.",
    "last_damaged_by": "The player who last damaged it.",
    "on_turn_of": "The active player at that moment.",
    "controller": "The ref of the character that mind-controlled `by`.",
    "replaces": "The character that it replaced.",
    "replaced": "Whether another character replaced it.",
    "order": "Its place in the order of defeats, where three or more play.",
    "per_character": "Whether its cost is for each character.",
    # positions
    "map": "The map.",
    "width": "The number of columns.",
    "height": "The number of rows.",
    "map.kind": "Whether the map is outdoors, indoors or both.",
    "terrain": "Areas of terrain; a square may be in several.",
    "type": "The kind of terrain.",
    "terrain.squares": "Squares such as B4, and rectangles such as E4:F5.",
    "cards.squares": "The squares where the card counts.",
    "level": "The level of elevated terrain, 2 if left out.",
    "terrain.player": "The player whose starting area it is.",
    "walls": "The edges with a wall, such as C4|D4.",
    "windows": "The edges with a window.",
    "doors": "The edges with a door.",
    "stairs": "The edges with stairs.",
    "ladders": "The edges with a ladder.",
    "markers": "The markers on the map, oldest first.",
    "square": "The square where it is, such as B4; null if it isn't on the map.",
    "turn": "Whose turn it is.",
    "active": "The active player; the first one if left out.",
    "turn.number": "The number of the turn; each player's turn counts.",
    "actions": "The actions, in order.",
    "ask": "The questions.",
    "judge": "The judge's overrides.",
    "cards": "The cards, with what they say as effects (docs/formats.md, “Cards”).",
    "position.objects": "The objects on the map or held.",
    "objects.id": "A name for this object, which others and the report use.",
    "objects.assigned_to": "The character on whose card it is: equipment or a relic.",
    "objects.player": "The player on whose force it came.",
    "removed": "Whether it is out of the game.",
    "equip": "The characters that may equip it: friendly ones, or any.",
    "unequip": "When it is unequipped: at a KO, or when it is dropped.",
    "indestructible": "Whether only its use in an attack, or its own effect, removes it.",
    "relic": "The lowest roll that assigns the relic.",
    "marker": "Whether it is the marker that the scenario's characters carry.",
    "themed_team": "The keyword of the side's themed team.",
    "ttpc_used": "How often the side has used its themed team's probability control.",
    "action_total_modifier": "A change to the side's action total.",
    "characters.id": "A name for this character, which others and the report use.",
    "base": "The squares that its base covers.",
    "bolts": "The number of lightning bolts beside its range.",
    "symbols": "The symbols beside its values; a value may have several.",
    "symbols.speed": "The symbol of the speed value.",
    "symbols.attack": "The symbol of the attack value.",
    "symbols.defense": "The symbol of the defense value.",
    "symbols.damage": "The symbol of the damage value.",
    "start": "The click at its starting line, from 1.",
    "click": "The click that shows now, from 1; one past the dial's end is a KO.",
    "tokens": "Its action tokens.",
    "acted": "Whether it was given an action this turn.",
    "flight": "Its flight mode.",
    "characters.level": "Not used: the level is that of the terrain.",
    "holding": "The object that it holds.",
    "improved": "Its improved movement and targeting.",
    "movement": "The things that its movement ignores.",
    "targeting": "The things that its lines of fire ignore.",
    "countered": "The powers that are countered now.",
    "modifiers": "Changes to its values.",
    "modifiers.by": "How much the value changes.",
    "source": "The source of the change.",
    "replacements": "Values that replace its own.",
    "replacements.set": "The new value; or whether the value is halved or doubled.",
    "locked": "Whether nothing modifies the new value.",
    "value": "The kind of value.",
    "stack": "The height of a horde's stack.",
    "stack_max": "The greatest height of a horde's stack.",
    "captured_by": "The character that holds it captive.",
    "immune": "Whether it is immune on its first turn.",
    "attacks_made": "How many attacks it has made this turn.",
    "carried": "Whether it was carried this turn.",
    "moved": "Whether it has moved this turn.",
    "used": "The powers and cards used this turn that can be used once a turn.",
    "named_tokens": "Tokens of other names than action tokens: their number, or the number by giver.",
    "generated_by": "The character that generated it.",
    "copies": "The team ability that a wild card uses.",
    "left": "Whether it has left the map, as the scenario allows.",
    "slot": "The value whose place a special power takes.",
    "clicks": "A number of clicks.",
    "cards.clicks": "The clicks on which the card counts.",
    "text": "The words, shown where a judge decides.",
    "effects": "The effects, each with its kind as `do` (docs/formats.md, “Cards”).",
    "action": "The kind of action.",
    "actor": "The character that is given the action.",
    "path": "The squares entered, in order.",
    "targets": "The characters targeted; or the squares, edges or objects to destroy.",
    "using": "The powers, team abilities and feats used.",
    "choose": "Choices that are the player's, by their names.",
    "assist": "The characters that help, and pay for it.",
    "divide": "The damage for each target that is hit.",
    "carry": "The characters that are carried.",
    "pick_up": "The object that is picked up.",
    "put_down": "The square where the held object is put down.",
    "with_object": "The object used in the attack.",
    "then": "The actions that this one grants, in order, with the same keys.",
    "attacks": "The maximum number of attacks of one Hypersonic close combat.",
    "at": "The square of the path where an action in mid-move takes place.",
    "rolls": "The dice, by the roll's name: a list for each time it is rolled.",
    "actions.by": "The player who gives the action; it has no effect.",
    "ask.ask": "The question.",
    "from": "The character or square where it begins.",
    "to": "The character or square where it ends.",
    "a": "A character or a square.",
    "b": "Another character or square.",
    "for": "The purpose: movement, or a kind of attack.",
    "ask.attack": "The kind of attack.",
    "of": "The character that it is about.",
    "ask.carried": "The character to be carried.",
    "ask.choose": "The direction that the attacker chooses.",
    "about": "Topics.",
    "before": "The step before which the override applies.",
    "before.action": "The place of the action, from 0.",
    "step": "The step; the beginning of the action if left out.",
    "time": "Which such step, from 1.",
    "judge.set": "The decisions about that step.",
    "legal": "Whether it is legal.",
    "hit": "Whether the attack hits.",
    "succeeds": "Whether the roll succeeds.",
    "knock-back": "Whether the character is knocked back.",
    "line": "The result of the line of fire.",
    "total": "The attack total.",
    "set.damage": "The damage.",
    "set.squares": "The number of squares.",
    "set.characters": "New values of characters from then on, by their ids.",
    "characters.squares": "The squares that its base covers, if there are several.",
    "victory_points": "Each player's victory points.",
    "position.event_dial": "The battle's event dial.",
    "event_dial.clicks": "The colours in its slot, click by click from the green line on.",
    "event_dial.click": "The click that it shows.",
    "red_line": "Whether its last click shows the red line, where it stops.",
    "turns": "The moments at which its event card turns it.",
    "moment": "The moment.",
    "turns.of": "The player whose turn or character it is; anyone's if left out.",
    "turns.by": "How many clicks it turns; negative to turn it back.",
    "colors": "The effects of each colour, as cards of the battle.",
    "fog_broke_up": "The full turn after which the fog broke up.",
    "rift": "The number on the die of the dimensional rift.",
    "stack_lost": "How many of the stack's tokens have been defeated.",
    "set.event_dial": "The click that the event dial is turned to.",
    "judge.text": "The judge's words.",
    "judge.by": "The judge's name.",
}
"""The words about each key of a document, or about `parent.key` where it holds something else there."""
ALIKE = {"colors": "cards"}
"""Keys that hold the same as another one."""


def file_schemas() -> dict[str, Schema]:
    """Return the schema of each kind of document by its name, with words and an example."""
    shapes, found = file_shapes(), {}
    for kind, name in FILES.items():
        shape = _with_words(shapes[kind], kind)
        found[name] = {"title": name, **shape, "examples": [sample(kind)]}
    return found


def sample(kind: str) -> dict[str, Any]:
    """Return the sample document that the command of this kind prints."""
    document: dict[str, Any] = json.loads((SAMPLES / f"{kind}.json").read_text(encoding="utf-8"))
    return document


def _with_words(shape: Schema, parent: str) -> Schema:
    """Return a schema whose properties, at any depth, have the words about them."""
    found = dict(shape)
    if "properties" in shape:
        found["properties"] = {
            key: {**_with_words(inner, ALIKE.get(key, key)), "description": WORDS.get(f"{parent}.{key}") or WORDS[key]}
            for key, inner in shape["properties"].items()
        }
    for part in ("items", "additionalProperties"):
        if isinstance(shape.get(part), dict):
            found[part] = _with_words(shape[part], parent)
    if "anyOf" in shape:
        found["anyOf"] = [_with_words(one, parent) for one in shape["anyOf"]]
    return found
