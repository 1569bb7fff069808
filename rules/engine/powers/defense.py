"""Defense powers of each book."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.action import Action
from rules.engine.combat.healing import heal
from rules.engine.combat.roll import roll_dice
from rules.engine.figures.abilities import why_unaffected
from rules.engine.play import Damage, Play, Strike
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.position.terrain import MarkerKind
from rules.engine.power import Defending, Evades, Lending, Power
from rules.engine.powers.building import (
    all_or,
    at_the_beginning,
    in_attacks,
    less,
    less_for_targets,
    shared_value,
    used_now,
)
from rules.engine.powers.markers import four_squares
from rules.engine.steps import StepName

SUCCEEDS = frozenset({5, 6})


def _targeted_without_psychic_blast(play: Play, strike: Strike, target: Character, targeted: bool) -> bool:
    """Return whether Impervious of 2002 evades: only if the character is a target, and not against Psychic Blast."""
    return targeted and (not strike.penetrating or bool(why_unaffected(play, target, "Psychic Blast")))


def half(play: Play, character: Character, damage: Damage) -> int:
    """Return the half of the damage that Invincible ignores (2014), so that it also applies to penetrating damage."""
    return -(-damage.amount // 2)


def shake_off(play: Play, given: Action, character: Character) -> None:
    """Roll a die at the beginning of the turn; 5 and 6 remove one action token (Willpower, 2020s)."""
    play.this_action.next_step = StepName.ROLL
    at_the_beginning(play, "Willpower")
    used_now(play, character, "Willpower")
    roll = roll_dice(play, f"willpower:{character.id}", 1, character)
    text = f"{character.name} rolls {roll.total} for Willpower."
    play.record(StepName.ROLL, text, ("willpower", "success-roll"), {"roll": roll.total})
    current = play.character(character.id)
    if roll.total in SUCCEEDS and current.tokens:
        play.change(replace(current, tokens=current.tokens - 1))
        text = f"{character.name}'s Willpower removes 1 action token."
        play.record(StepName.TOKEN, text, ("willpower", "action-tokens"), {"tokens": current.tokens - 1})


def regenerate(play: Play, given: Action, character: Character) -> None:
    """Roll a die and heal 2 less than the result, at least 0 (2002 to 2014)."""
    roll = roll_dice(play, "regeneration", 1, character)
    clicks = max(0, roll.total - 2)
    text = f"{character.name} rolls {roll.total} for Regeneration, which heals 2 less: {clicks}."
    play.record(StepName.ROLL, text, ("regeneration",), {"roll": roll.total, "clicks": clicks})
    heal(play, play.character(character.id), clicks, "Regeneration", ("regeneration",))


def regenerate_half(play: Play, given: Action, character: Character) -> None:
    """Roll a die and heal half the result, rounded up (2020s)."""
    roll = roll_dice(play, "regeneration", 1, character)
    clicks = -(-roll.total // 2)
    text = f"{character.name} rolls {roll.total} for Regeneration, which heals half of it, rounded up: {clicks}."
    play.record(StepName.ROLL, text, ("regeneration", "rounding"), {"roll": roll.total, "clicks": clicks})
    heal(play, play.character(character.id), clicks, "Regeneration", ("regeneration",))


def shrugging_off(on: frozenset[int]) -> Defending:
    """Return what Impervious does from 2005 on, where its roll succeeds on these results."""
    return Defending(reduce_damage=all_or(2, "impervious", on, "Impervious", "impervious"), reduces_all_on=on)


WILLPOWER = Power(name="Willpower", topic="willpower", defending=Defending(pushed_unhurt=True))
WILLPOWER_MODERN = Power(name="Willpower", topic="willpower", action=("free",), act=shake_off, starts_turn=True)
IMPERVIOUS_2002 = Power(
    name="Impervious",
    topic="impervious",
    defending=Defending(
        evade=Evades("impervious", frozenset({5, 6}), _targeted_without_psychic_blast),
        reduce_damage=less_for_targets(2),
    ),
)
IMPERVIOUS = Power(
    name="Impervious",
    topic="impervious",
    defending=shrugging_off(frozenset({5, 6})),
)
IMPERVIOUS_MODERN = replace(IMPERVIOUS, declinable="its-roll")
INVINCIBLE_2014 = Power(
    name="Invincible",
    topic="invincible",
    defending=Defending(reduce_damage=half, reduces_penetrating=True),
)
INVINCIBLE = Power(
    name="Invincible",
    topic="invincible",
    defending=Defending(reduce_damage=less(2), reduces_penetrating=True),
)
MASTERMIND = Power(
    name="Mastermind", topic="mastermind", named_by_anyone=True, defending=Defending(transfers_damage=True)
)
ENERGY_SHIELD_DEFLECTION = Power(
    name="Energy Shield/Deflection",
    topic="energy-shield-deflection",
    declinable="no",
    modify_value=in_attacks(ValueName.DEFENSE, 2, "ranged", "Energy Shield/Deflection", "energy-shield-deflection"),
)
COMBAT_REFLEXES = Power(
    name="Combat Reflexes",
    topic="combat-reflexes",
    modify_value=in_attacks(ValueName.DEFENSE, 2, "close", "Combat Reflexes", "combat-reflexes"),
)
SUPER_SENSES = Power(
    name="Super Senses", topic="super-senses", defending=Defending(evade=Evades("super-senses", frozenset({5, 6})))
)
BARRIER_2002 = Power(name="Barrier", topic="barrier", action=("move",), act=four_squares("Barrier", MarkerKind.BARRIER))
BARRIER = Power(name="Barrier", topic="barrier", action=("power",), act=four_squares("Barrier", MarkerKind.BARRIER))
TOUGHNESS = Power(name="Toughness", topic="toughness", declinable="no", defending=Defending(reduce_damage=less(1)))
INVULNERABILITY = Power(
    name="Invulnerability", topic="invulnerability", declinable="no", defending=Defending(reduce_damage=less(2))
)
DEFEND_2002 = Power(
    name="Defend",
    topic="defend",
    lending=Lending(share_value=shared_value(ValueName.DEFENSE), shares_onward=True),
)
DEFEND = Power(name="Defend", topic="defend", lending=Lending(share_value=shared_value(ValueName.DEFENSE)))
REGENERATION_2002 = Power(name="Regeneration", topic="regeneration", action=("move",), act=regenerate)
REGENERATION = Power(name="Regeneration", topic="regeneration", action=("power",), act=regenerate)
REGENERATION_MODERN = replace(REGENERATION, act=regenerate_half)
