"""Defense powers of the later books, where they differ from those of 2002: Invincible, Willpower, Regeneration."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.action import Action
from rules.engine.combat.healing import heal
from rules.engine.combat.roll import roll_dice
from rules.engine.play import Damage, Play
from rules.engine.position.characters import Character
from rules.engine.power import Defending, Power
from rules.engine.powers import defense
from rules.engine.powers.building import at_the_beginning, less, used_now
from rules.engine.steps import StepName

SUCCEEDS = frozenset({5, 6})


def half(play: Play, character: Character, damage: Damage) -> int:
    """Half the damage, rounded up, is ignored (Invincible, 2014): not reduced, so of penetrating damage too."""
    return -(-damage.amount // 2)


def shake_off(play: Play, given: Action, character: Character) -> None:
    """Roll a die at the beginning of the turn; 5 and 6 take one action token off its bearer (Willpower, 2020s)."""
    play.this_action.next_step = StepName.ROLL
    at_the_beginning(play, "Willpower")
    used_now(play, character, "Willpower")
    roll = roll_dice(play, f"willpower:{character.id}", 1, character)
    text = f"{character.name} rolls {roll.total} for Willpower."
    play.record(StepName.ROLL, text, ("willpower", "success-roll"), {"roll": roll.total})
    current = play.character(character.id)
    if roll.total in SUCCEEDS and current.tokens:
        play.change(replace(current, tokens=current.tokens - 1))
        text = f"{character.name} loses an action token by Willpower."
        play.record(StepName.TOKEN, text, ("willpower", "action-tokens"), {"tokens": current.tokens - 1})


def regenerate_half(play: Play, given: Action, character: Character) -> None:
    """Roll a die and heal half of what it shows, rounded up (2020s)."""
    roll = roll_dice(play, "regeneration", 1, character)
    clicks = -(-roll.total // 2)
    text = f"{character.name} rolls {roll.total} for Regeneration: half of it, rounded up, heals {clicks}."
    play.record(StepName.ROLL, text, ("regeneration", "rounding"), {"roll": roll.total, "clicks": clicks})
    heal(play, play.character(character.id), clicks, "Regeneration", ("regeneration",))


IMPERVIOUS_MODERN = replace(defense.IMPERVIOUS, declinable="its-roll")
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
WILLPOWER_MODERN = Power(name="Willpower", topic="willpower", action=("free",), act=shake_off, starts_turn=True)
REGENERATION_MODERN = replace(defense.REGENERATION, act=regenerate_half)
