"""Attack powers of the later books, where they differ from those of 2002: Quake, Pulse Wave, Steal Energy, Telekinesis."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.action import Action
from rules.engine.combat.targets import spared
from rules.engine.errors import Illegal
from rules.engine.figures.adjacency import opponents_beside
from rules.engine.figures.standing import GIANT, figure_of, size_of
from rules.engine.memory import HealingDue
from rules.engine.play import Damage, Play, Strike
from rules.engine.position.characters import BaseKind, Character
from rules.engine.position.objects import ObjectKind
from rules.engine.power import Power
from rules.engine.powers import attack
from rules.engine.powers.later_damage import CLOSE_ACTIONS, RANGED_ACTIONS, others
from rules.engine.powers.telekinesis import LIFTING, telekinesis

QUAKE_DAMAGE = 2


def quaking(play: Play, strike: Strike) -> Strike:
    """Attack every adjacent opponent at once: 2 damage to each that is hit, and each is knocked back."""
    figure = figure_of(play, play.character(strike.attacker))
    beside = opponents_beside(play, figure, "close") if figure is not None else []
    beside = [other for other in beside if not spared(play, other.character, play.character(strike.attacker))]
    if not beside:
        raise Illegal("Nobody is adjacent to be shaken by the Quake.", ("quake", "targeting"))
    return replace(
        strike,
        targets=tuple(other.character.id for other in beside),
        area=True,
        damage=QUAKE_DAMAGE,
        because="Quake deals 2 damage",
        topic="quake",
        always_knocks_back=True,
        object=None,
    )


def waving_past_powers(play: Play, strike: Strike) -> Strike:
    """A Pulse Wave during which the powers and abilities of those it reaches do not matter.

    Source: Common Questions, counter and ignore (2014); Can't Use (2020s).
    """
    return replace(attack.waving(play, strike), ignores_powers=True)


def steal_energy_afterwards(play: Play, character: Character, damage: Damage) -> None:
    """A close attack that has damaged somebody heals its bearer 1 click once everything has resolved (2020s)."""
    if damage.attack is None or damage.attack.kind != "close" or damage.amount <= 0:
        return
    due = HealingDue(character.id, 1, "Steal Energy", "steal-energy")
    play.this_action.healing_due = (*play.this_action.healing_due, due)


def lift(play: Play, given: Action, character: Character) -> None:
    """Move an adjacent character or an object, or attack with one; the large and the immobile are not moved.

    Sources: Telekinesis, Double-base, Giant and Big Characters (2005); Multi-base Characters, Immobile and Ultra
    Heavy Objects (2014).
    """
    for name in (*given.targets, *((given.with_object,) if given.with_object is not None else ())):
        thing = play.position.object(name)
        if thing is not None and thing.kind in (ObjectKind.IMMOBILE, ObjectKind.ULTRA_HEAVY):
            raise Illegal(f"An object of the kind {thing.kind.value} is not moved.", ("telekinesis", thing.kind.value))
        moved = play.position.find(name) if given.with_object is None else None
        if moved is None:
            continue
        if moved.base is not BaseKind.SINGLE:
            raise Illegal(f"{moved.name} stands on a larger base and is not moved.", ("telekinesis", "multi-base"))
        if size_of(moved) >= GIANT and play.edition.movement.giants_break_away:
            raise Illegal(f"{moved.name} is a giant or big character and is not moved.", ("telekinesis", "giant"))
    telekinesis(play, given, character, LIFTING)


QUAKE = replace(
    attack.QUAKE,
    attacking=replace(attack.QUAKE.attacking, shapes_attack=quaking),
    cannot_join=others(CLOSE_ACTIONS, "Quake"),
)
PULSE_WAVE = replace(
    attack.PULSE_WAVE,
    attacking=replace(attack.PULSE_WAVE.attacking, shapes_attack=waving_past_powers),
    cannot_join=others(RANGED_ACTIONS, "Pulse Wave"),
)
STEAL_ENERGY_MODERN = replace(
    attack.STEAL_ENERGY, attacking=replace(attack.STEAL_ENERGY.attacking, after_damaging=steal_energy_afterwards)
)
TELEKINESIS = replace(attack.TELEKINESIS, act=lift)
PRECISION_STRIKE = Power(name="Precision Strike", topic="precision-strike", known=False)
