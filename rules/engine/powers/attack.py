"""Attack powers of each book, except those built into the attack sequence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from rules.engine.action import Action
from rules.engine.combat.damage import take
from rules.engine.combat.healing import heal
from rules.engine.combat.targets import line_to, range_within, spared, still_immune, why_not_targeted
from rules.engine.combat.tokens import give_token
from rules.engine.errors import Illegal
from rules.engine.figures.abilities import why_unaffected
from rules.engine.figures.adjacency import figures_adjacent, opponents_beside
from rules.engine.figures.standing import SENTINEL, Figure, figure_of, standing_of
from rules.engine.figures.values import value_of
from rules.engine.memory import HealingDue
from rules.engine.met import Met
from rules.engine.play import Attack, Damage, Play, Strike
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.position.squares import distance, in_squares
from rules.engine.position.terrain import MarkerKind
from rules.engine.power import Attacking, Moving, Power
from rules.engine.powers.building import at_the_beginning, used_now, when_used
from rules.engine.powers.costs import CLOSE_ACTIONS, RANGED_ACTIONS, one_to_an_action, others
from rules.engine.powers.markers import four_squares
from rules.engine.reasons import Part, ReasonedAnswer, Replacement, listed
from rules.engine.steps import StepName

_HALF_RANGE = Replacement("halve", "Pulse Wave halves the range", "pulse-wave")
QUAKE_DAMAGE = 2
PAST_CHARACTERS = frozenset({"characters"})


def poison(play: Play, given: Action, character: Character) -> None:
    """Deal 1 click to each adjacent opponent at the beginning of the turn; Sentinels (2002) are unaffected."""
    play.this_action.next_step = StepName.DAMAGE_DEALT
    at_the_beginning(play, "Poison")
    used_now(play, character, "Poison")
    figure = figure_of(play, character)
    if figure is None:
        return
    _note_out_of_reach_of_poison(play, figure)
    concerned = []
    for one in (f.character for f in opponents_beside(play, figure, "close")):
        if why := why_unaffected(play, one, "Poison"):
            text = f"Poison doesn't affect {one.name}: {why}."
            play.record(StepName.NOTE, text, ("poison", "sentinel"), of=one.id)
        elif spared(play, one, character):
            text = f"Poison doesn't affect {one.name}. {still_immune(play, one.name)}"
            play.record(StepName.NOTE, text, ("poison", "first-turn-immunity"), of=one.id)
        else:
            concerned.append(one)
    if not concerned:
        play.record(StepName.RESOLVE, f"{character.name}'s Poison damages no one.", ("poison",))
        return
    text = f"{character.name}'s Poison deals 1 damage to {' and '.join(one.name for one in concerned)}."
    parts = {"damage": (Part("printed", 1, "Poison deals 1 damage", "poison"),)}
    play.record(StepName.DAMAGE_DEALT, text, ("poison", "damage-dealt"), {"damage": 1}, parts=parts)
    take(play, [Damage(one, 1, "power", character, targeted=False) for one in concerned])


def _note_out_of_reach_of_poison(play: Play, figure: Figure) -> None:
    """Note the opponents in neighbouring squares that aren't adjacent, so that Poison deals them nothing."""
    for other, found in _touching_but_not_adjacent(play, figure):
        text = f"Poison doesn't reach {other.name}. {found.because[0]}"
        play.record(StepName.NOTE, text, ("poison", *found.topics), of=other.character.id)


def _touching_but_not_adjacent(play: Play, figure: Figure) -> Iterator[tuple[Figure, ReasonedAnswer]]:
    """Yield the opponents in neighbouring squares that aren't adjacent for close attacks, and why."""
    for other in standing_of(play).figures.values():
        near = min(distance(a, b) for a in figure.character.squares for b in other.character.squares) == 1
        if not near or other.player == figure.player:
            continue
        found = figures_adjacent(play, figure, other, "close")
        if not found:
            if other.level != figure.level:
                play.note(Met.DIFFERENT_LEVELS, Met.BESIDE_THE_RIM, of=other.character.id)
            yield other, found


def penetrating(name: str) -> Callable[[Play, Strike], Strike]:
    """Return the effect of that power on an attack: damage that can't be reduced."""
    return lambda play, strike: replace(strike, penetrating=name)


def by_a_die(play: Play, strike: Strike) -> Strike:
    """Return the attack with a die in place of the damage value (Blades/Claws/Fangs)."""
    return replace(strike, die="damage")


def incapacitating(play: Play, strike: Strike) -> Strike:
    """Return an attack that gives action tokens and deals no damage (from 2005 on)."""
    return replace(incapacitating_for_0(play, strike), deals_damage=False)


def incapacitating_for_0(play: Play, strike: Strike) -> Strike:
    """Return an attack that gives action tokens, with a damage value of 0 (2002)."""
    because = "Incapacitate"
    return replace(strike, damage=0, because=because, topic="incapacitate", effect=_incapacitate, object=None)


def _incapacitate(play: Play, strike: Strike, target: Character) -> None:
    if not target.on_map or why_unaffected(play, target, "Incapacitate"):
        return
    if target.tokens >= 2:
        text = f"{target.name} already has 2 action tokens, so Incapacitate has no effect."
        play.record(StepName.RESOLVE, text, ("incapacitate",))
        return
    give_token(play, target, ("incapacitate",), acted=False)


def exploding(play: Play, strike: Strike) -> Strike:
    """Return an attack that also affects characters adjacent to a hit target, each explosion dealing 1 (2002)."""
    if strike.thrown:
        raise Illegal("Energy Explosion can't be used with a thrown object.", ("energy-explosion", "thrown-object"))
    because = "Energy Explosion"
    return replace(strike, splash=True, damage=1, because=because, topic="energy-explosion")


def _is_protected(play: Play, character: Character, attacker: Character, power: str) -> bool:
    """Return whether a card protects a character from the attacker's power, and say so."""
    why = why_unaffected(play, character, power, friendly=play.friendly(character, attacker))
    if why:
        topic = play.edition.powers[power].topic
        play.record(StepName.NOTE, f"{power} doesn't affect {character.name}: {why}.", (topic,), of=character.id)
    return bool(why)


def waving(play: Play, strike: Strike) -> Strike:
    """Return an attack on all characters within half the range: 1 click to each of several.

    Figures don't block its lines of fire. A single one is the target and takes normal damage. Source: Pulse Wave with
    its FAQ.
    """
    attacker = play.character(strike.attacker)
    figure = figure_of(play, attacker)
    if figure is None:
        raise Illegal(f"{attacker.name} isn't on the map.", ("pulse-wave",))
    near = opponents_beside(play, figure, "ranged")
    if near and not figure.hovering and figure.size != SENTINEL:
        names = listed([other.name for other in near])
        topics = ("pulse-wave", "ranged-combat", "adjacency")
        raise Illegal(f"{attacker.name} can't shoot: it is adjacent to {names}.", topics)
    reach = value_of(play, attacker, ValueName.RANGE, Attack("ranged", attacker, None, strike.using)).total
    reached, missed = [], []
    for other in standing_of(play).figures.values():
        one = other.character
        if one.id == attacker.id or spared(play, one, attacker) or _is_protected(play, one, attacker, "Pulse Wave"):
            continue
        away = min(distance(a, b) for a in attacker.squares for b in one.squares)
        far = range_within(play, figure, other, reach)
        line = line_to(play, attacker, one, PAST_CHARACTERS)
        if away <= far and line.result != "blocked":
            reached.append(one.id)
        elif one.id in strike.targets:
            beyond = f"{one.name} is {in_squares(away)} away, beyond its reach of {far}."
            why = beyond if away > far else line.because[0]
            text = f"The Pulse Wave doesn't reach {one.name}: {why}"
            missed.append(text)
            play.record(StepName.NOTE, text, ("pulse-wave", "range", *line.topics), of=one.id)
    if not reached:
        reason = f"The Pulse Wave reaches no one within {in_squares(reach)} and in a clear line of fire."
        raise Illegal(" ".join((*missed, reason)), ("pulse-wave", "line-of-fire"))
    shaped = replace(strike, targets=tuple(reached), area=True, sees_past=PAST_CHARACTERS)
    if len(reached) > 1:
        because = "Pulse Wave deals 1 damage to each of several characters"
        shaped = replace(shaped, damage=1, because=because, topic="pulse-wave")
    return shaped


def waving_past_powers(play: Play, strike: Strike) -> Strike:
    """Return a Pulse Wave that ignores the powers and abilities of the characters it reaches.

    Source: Common Questions, counter and ignore (2014); Can't Use (2020s).
    """
    return replace(waving(play, strike), ignores_powers=True)


def quaking(play: Play, strike: Strike) -> Strike:
    """Attack every adjacent opponent at once: 2 damage to each one hit, and each is knocked back."""
    figure = figure_of(play, play.character(strike.attacker))
    beside = opponents_beside(play, figure, "close") if figure is not None else []
    alone, attacker = not beside, play.character(strike.attacker)
    beside = [other for other in beside if not spared(play, other.character, attacker)]
    beside = [other for other in beside if not _is_protected(play, other.character, attacker, "Quake")]
    if play.carded:
        beside = _that_can_be_targets(play, strike, beside)
    if not beside:
        apart = [why for _, why in _touching_but_not_adjacent(play, figure)] if figure is not None else []
        none = "No opponent is adjacent" if alone else "No adjacent opponent can be a target"
        reasons = " ".join((f"{none}, so Quake has no target.", *(why.because[0] for why in apart)))
        raise Illegal(reasons, ("quake", "targeting", *(topic for why in apart for topic in why.topics)))
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


def _that_can_be_targets(play: Play, strike: Strike, beside: list[Figure]) -> list[Figure]:
    """Return those of the characters that cards let be targets of an attack on all of them, and say who isn't one."""
    before, play.strike = play.strike, replace(strike, targets=tuple(other.character.id for other in beside))
    try:
        reasons = [why_not_targeted(play, strike.kind, other.character, strike.using) for other in beside]
    finally:
        play.strike = before
    for other, reason in zip(beside, reasons, strict=True):
        if reason is not None:
            play.record(StepName.NOTE, reason, ("quake", "targeting"), of=other.character.id)
    return [other for other, reason in zip(beside, reasons, strict=True) if reason is None]


def steal_energy(play: Play, character: Character, damage: Damage) -> None:
    """Heal the character 1 click when its close attack has dealt damage; Sentinels (2002) are unaffected."""
    if damage.attack is None or damage.attack.kind != "close" or damage.amount <= 0:
        return
    if why_unaffected(play, damage.character, "Steal Energy"):
        return
    heal(play, character, 1, "Steal Energy", ("steal-energy",))


def steal_energy_afterwards(play: Play, character: Character, damage: Damage) -> None:
    """Heal the character 1 click for a close attack that dealt damage, once everything has resolved (2020s)."""
    if damage.attack is None or damage.attack.kind != "close" or damage.amount <= 0:
        return
    due = HealingDue(character.id, 1, "Steal Energy", "steal-energy")
    if due in play.this_action.healing_due:
        play.note(Met.HEALS_TWICE)
    play.this_action.healing_due = (*play.this_action.healing_due, due)


def in_close_combat(strike: Strike) -> bool:
    """Return whether the attack knocks back without doubles: in close combat (Super Strength, 2020s)."""
    return strike.kind == "close"


SMOKE_CLOUD_2002 = Power(
    name="Smoke Cloud", topic="smoke-cloud", action=("move",), act=four_squares("Smoke Cloud", MarkerKind.SMOKE)
)
SMOKE_CLOUD = Power(
    name="Smoke Cloud", topic="smoke-cloud", action=("power",), act=four_squares("Smoke Cloud", MarkerKind.SMOKE)
)
POISON = Power(name="Poison", topic="poison", action=("free",), act=poison, starts_turn=True)
PSYCHIC_BLAST = Power(
    name="Psychic Blast",
    topic="psychic-blast",
    action=("ranged",),
    attacking=Attacking(shapes_attack=penetrating("Psychic Blast")),
)
PENETRATING_PSYCHIC_BLAST = Power(
    name="Penetrating/Psychic Blast",
    topic="penetrating-psychic-blast",
    action=("ranged",),
    attacking=Attacking(shapes_attack=penetrating("Penetrating/Psychic Blast")),
)
SUPER_STRENGTH = Power(name="Super Strength", topic="super-strength", moving=Moving(lifts=True))
SUPER_STRENGTH_MODERN = replace(SUPER_STRENGTH, attacking=Attacking(always_knocks_back=in_close_combat))
BLADES_CLAWS_FANGS = Power(
    name="Blades/Claws/Fangs",
    topic="blades-claws-fangs",
    action=("close",),
    attacking=Attacking(shapes_attack=by_a_die),
)
BLADES_CLAWS_FANGS_2002 = one_to_an_action(BLADES_CLAWS_FANGS)
INCAPACITATE = Power(
    name="Incapacitate",
    topic="incapacitate",
    action=("close", "ranged"),
    attacking=Attacking(shapes_attack=incapacitating),
)
INCAPACITATE_2002 = replace(one_to_an_action(INCAPACITATE), attacking=Attacking(shapes_attack=incapacitating_for_0))
ENERGY_EXPLOSION = Power(
    name="Energy Explosion", topic="energy-explosion", action=("ranged",), attacking=Attacking(shapes_attack=exploding)
)
ENERGY_EXPLOSION_2002 = one_to_an_action(ENERGY_EXPLOSION)
PULSE_WAVE_2005 = Power(
    name="Pulse Wave",
    topic="pulse-wave",
    action=("ranged",),
    replace_value=when_used("Pulse Wave", ValueName.RANGE, _HALF_RANGE),
    targets="all",
    attacking=Attacking(shapes_attack=waving),
)
PULSE_WAVE_2002 = one_to_an_action(PULSE_WAVE_2005)
PULSE_WAVE = replace(
    PULSE_WAVE_2005,
    attacking=Attacking(shapes_attack=waving_past_powers),
    cannot_join=others(RANGED_ACTIONS, "Pulse Wave"),
)
STEAL_ENERGY = Power(
    name="Steal Energy", topic="steal-energy", declinable="no", attacking=Attacking(after_damaging=steal_energy)
)
STEAL_ENERGY_MODERN = replace(STEAL_ENERGY, attacking=Attacking(after_damaging=steal_energy_afterwards))
QUAKE = Power(
    name="Quake",
    topic="quake",
    action=("close",),
    attacking=Attacking(shapes_attack=quaking),
    cannot_join=others(CLOSE_ACTIONS, "Quake"),
)
PRECISION_STRIKE = Power(name="Precision Strike", topic="precision-strike", known=False)
