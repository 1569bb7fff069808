"""Relics: immobile special objects assigned by a die to the character in their square (Special Objects › Relics, 2014).

The results that succeed and the relic's effect are on its card: `relic` among the choices gives the lowest result.
"""

from __future__ import annotations

from dataclasses import replace

from rules.engine.action import Action
from rules.engine.errors import Illegal
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.position.objects import BattleObject, ObjectKind
from rules.engine.power import Power
from rules.engine.steps import StepName

TOPICS = ("relic", "special-objects")


def relic_roll(play: Play, given: Action, character: Character) -> None:
    """Roll a die for the relic in the character's square; a success assigns it to the character. No rerolls."""
    play.this_action.next_step = StepName.ROLL
    relic = _relic(play, given, character)
    roll = play.roll("relic", 1)[0]
    text = f"{character.name} rolls {roll} for the relic {relic.name or relic.id}. This roll can't be rerolled."
    play.record(StepName.ROLL, text, TOPICS, {"roll": roll})
    play.this_action.next_step = StepName.PICK_UP
    needed = play.this_action.choices.relic if relic.relic is None else relic.relic
    if needed is None:
        text = f"The card of {relic.name or relic.id} says which rolls succeed: decide by its card."
        play.record(StepName.RULING, text, TOPICS)
        return
    if not 1 <= needed <= 6:
        raise Illegal("The lowest result that assigns a relic must be from 1 to 6.", TOPICS)
    if roll < needed:
        play.record(StepName.RESOLVE, f"The relic needs {needed} or higher: it stays where it is.", TOPICS)
        return
    play.change_object(replace(relic, square=None, assigned_to=character.id))
    text = f"The relic needs {needed} or higher: it is assigned to {character.name} and placed on its card."
    play.record(StepName.PICK_UP, text, TOPICS)


def _relic(play: Play, given: Action, character: Character) -> BattleObject:
    here = [thing for thing in play.position.objects if thing.square in character.squares and not thing.removed]
    relics = [thing for thing in here if thing.special and thing.kind is ObjectKind.IMMOBILE]
    if given.targets:
        relics = [thing for thing in relics if thing.id in given.targets]
    if not relics:
        raise Illegal(f"No relic lies in {character.name}'s square.", TOPICS)
    return relics[0]


def stands_on_special_object(play: Play, character: Character) -> bool:
    """Return whether a special object, which may be a relic, is in the character's square."""
    return any(thing.square in character.squares and thing.special for thing in play.position.objects)


RELIC = Power(
    name="Relic",
    topic="relic",
    action=("power",),
    implied_by="object",
    act=relic_roll,
    offered=stands_on_special_object,
)
