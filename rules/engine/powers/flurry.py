"""Flurry of each book: two close attacks with one action."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.action import Action
from rules.engine.actions.attacking import attack
from rules.engine.combat.targets import can_target
from rules.engine.errors import Illegal, TargetRefused, Untargeted
from rules.engine.figures.abilities import can_use, powers_of
from rules.engine.met import Met
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.power import Power
from rules.engine.powers.costs import CLOSE_ACTIONS, others
from rules.engine.steps import StepName


def flurry(play: Play, given: Action, character: Character, *, resolves: bool = False) -> None:
    """Make two close attacks with one action, each resolved separately, against one or two adjacent figures.

    Each may use a power that requires a close combat action, including one without damage (Support). The second isn't
    made if the first has cost the character the power or its place on the map, or has put the same target out of reach;
    `resolves` says that an action in progress continues without the power (2014, 2020s). Raises TargetRefused if
    neither was made.
    """
    refused = 0
    others = tuple(name for name in given.using if name != "Flurry")
    targets = given.targets
    if not targets:
        raise Untargeted("Flurry makes 2 attacks: name a target for each.", ("flurry",))
    if len(targets) > 2:
        raise Illegal("Flurry makes 2 attacks: name a target for each.", ("flurry",))
    if play.edition.combat.destroying_is_no_attack and any(play.position.find(name) is None for name in targets):
        raise Illegal(
            "Flurry can't be used to destroy something: that isn't an attack.",
            ("flurry", "destroy-terrain", "costed-actions"),
        )
    for number, name in enumerate(targets):
        current = play.character(character.id)
        if number and not (current.on_map and (resolves or can_use(play, current, "Flurry"))):
            text = f"{character.name} can't use Flurry any more, so the second attack isn't made."
            play.record(StepName.RESOLVE, text, ("flurry",))
            return
        if number and play.position.find(name) is not None and not play.character(name).on_map:
            play.note(Met.SECOND_LOST)
            text = f"{play.character(name).name} is off the map, so the second attack isn't made."
            play.record(StepName.RESOLVE, text, ("flurry",))
            return
        if number and name == targets[0] and _out_of_reach(play, given, current, name):
            play.note(Met.SECOND_LOST)
            text = f"{play.character(name).name} is out of reach now, so the second attack isn't made."
            play.record(StepName.RESOLVE, text, ("flurry", "knockback"))
            return
        play.record(StepName.RESOLVE, f"Attack {number + 1} of Flurry.", ("flurry",))
        held = given.with_object if given.with_object == current.holding else None
        one = replace(given, targets=(name,), using=others, with_object=held)
        act = next((power.act for power in powers_of(play, current) if power.name in others and power.act), None)
        try:
            if act is not None:
                act(play, one, current)
            else:
                attack(play, one, "close")
        except TargetRefused:
            refused += 1
    if refused == len(targets):
        raise TargetRefused


def _out_of_reach(play: Play, given: Action, attacker: Character, name: str) -> bool:
    """Return whether the first attack has put its target out of the second's reach, by knock back or otherwise."""
    target = play.position.find(name)
    return target is not None and not can_target(play, "close", attacker, target, given.using)


def flurry_that_goes_on(play: Play, given: Action, character: Character) -> None:
    """Make two close attacks, the second even if the first has cost the character the power.

    Sources: Powers and Abilities (2014), Stopping Effects (2020s).
    """
    flurry(play, given, character, resolves=True)


FLURRY_2002 = Power(name="Flurry", topic="flurry", action=("close",), act=flurry)
FLURRY_2005 = replace(FLURRY_2002, cannot_join=others(CLOSE_ACTIONS, "Flurry"))
FLURRY = replace(FLURRY_2005, act=flurry_that_goes_on)
