"""Equipment: objects that a character is equipped with by a power action (Equipment, Equipment-Objects, 2020s)."""

from __future__ import annotations

from rules.engine.action import Action
from rules.engine.combat.ko import equip, why_not_equipped
from rules.engine.errors import Illegal
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.position.objects import BattleObject
from rules.engine.power import Power
from rules.engine.steps import StepName

TOPICS = ("equipment", "special-objects")


def _within_reach(play: Play, character: Character) -> list[BattleObject]:
    """Return the equipment in a character's squares, or that it holds."""
    return [
        thing
        for thing in play.position.objects
        if thing.equip is not None and (thing.square in character.squares or thing.id == character.holding)
    ]


def act(play: Play, given: Action, character: Character) -> None:
    """Equip the character with the object named, or the only one there."""
    play.this_action.next_step = StepName.PICK_UP
    things = [thing for thing in _within_reach(play, character) if not given.targets or thing.id in given.targets]
    if not things:
        raise Illegal(f"{character.name} neither shares a square with such equipment nor holds it.", TOPICS)
    why = why_not_equipped(play, character, things[0])
    if why:
        raise Illegal(why, TOPICS)
    equip(play, character, things[0])


def may_equip(play: Play, character: Character) -> bool:
    """Return whether equipment lies in a character's square, or is held by it."""
    return bool(play.position.objects) and bool(_within_reach(play, character))


EQUIP = Power(name="Equip", topic="equipment", action=("power",), implied_by="object", act=act, offered=may_equip)
