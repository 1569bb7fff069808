"""Combat Experts and Exploit Weakness of each book: close and ranged attacks with stronger damage."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.combat.targets import can_target
from rules.engine.errors import Illegal, Untargeted
from rules.engine.figures.abilities import powers_of
from rules.engine.figures.values import value_of
from rules.engine.met import Met
from rules.engine.play import Play, Strike
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.power import Attacking, Power, ShapesAttack
from rules.engine.powers.costs import CLOSE_ACTIONS, RANGED_ACTIONS, others
from rules.engine.reasons import Modifier


def expert_2002(name: str, topic: str) -> ShapesAttack:
    """Return a Combat Expert: 2 more damage to a single target, with no other power except Probability Control (2002).

    Also excluded: objects, Charge and Running Shot, powers it has used earlier in the turn (Poison), and own values
    altered this turn by itself or a friendly character. What opponents subtract from its damage value and a
    Multi-Attack count. Team abilities may be used. Sources: Close Combat Expert and Ranged Combat Expert with their
    FAQ.
    """

    def shape(play: Play, strike: Strike) -> Strike:
        attacker = play.character(strike.attacker)
        topics = (topic, *strike.topics)
        if len(strike.targets) > 1:
            raise Illegal(f"{name} works only against a single target.", (*topics, "multiple-targets"))
        used = [play.edition.powers.get(one) for one in (*strike.using, *play.this_action.using) if one != name]
        other = next((row for row in used if row is not None and not row.named_by_anyone), None)
        if other is not None:
            if other.name in strike.using:
                play.note(Met.TWO_POWERS)
            raise Illegal(f"{name} can't be used with {other.name}.", (*topics, other.topic))
        if strike.object is not None and not strike.thrown:
            raise Illegal(f"{name} can't be used with a held object.", (*topics, "super-strength", "object-attack"))
        if strike.thrown:
            return strike
        if strike.kind == "close":
            _check_within_arms_reach(play, name, attacker, strike, topics)
        spent = [one for one in attacker.used if one in play.edition.powers and one != "Probability Control"]
        if spent:
            text = f"{attacker.name} has used {spent[0]} this turn, so it can't use {name}."
            raise Illegal(text, (*topics, play.edition.powers[spent[0]].topic))
        friends = [play.character(one.by) for one in play.battle.altered if one.of == attacker.id]
        by = next((f"{friend.name}'s " for friend in friends if play.friendly(attacker, friend)), "")
        if by or any(one.source == "Perplex" and one.by > 0 for one in attacker.modifiers):
            text = f"{by}Perplex modifies {attacker.name}'s values, so {attacker.name} can't use {name}."
            raise Illegal(text, (*topics, "perplex"))
        value = value_of(play, attacker, ValueName.DAMAGE).total
        return replace(
            strike,
            damage=value,
            because="as printed",
            topic=topic,
            unaided=True,
            added=(*strike.added, Modifier(2, name, topic)),
        )

    return shape


def _check_within_arms_reach(
    play: Play, name: str, attacker: Character, strike: Strike, topics: tuple[str, ...]
) -> None:
    """Refuse the expert's attack on a target that only another power reaches: Leap/Climb, on another elevation."""
    for target in [play.position.find(one) for one in strike.targets]:
        if target is None:
            continue
        found = can_target(play, "close", attacker, target, strike.using)
        power = next((row for row in powers_of(play, attacker) if row.attacking.reaches_other_elevations), None)
        if found and power is not None and power.topic in found.topics:
            raise Illegal(f"{name} can't be used with {power.name}.", (*topics, power.topic))


def exploiting(play: Play, strike: Strike) -> Strike:
    """Return a close attack with penetrating damage."""
    return replace(strike, penetrating="Exploit Weakness")


def _one_target(strike: Strike, name: str, topic: str) -> None:
    if not strike.targets:
        raise Untargeted("An attack needs a target.", (topic, "targeting"))
    if len(strike.targets) != 1:
        raise Illegal(f"{name} can attack only 1 character.", (topic, "targeting"))


def expert(name: str, topic: str) -> Power:
    """Return a Combat Expert: 2 added to the damage value in an attack on a single character."""

    def shapes(play: Play, strike: Strike) -> Strike:
        _one_target(strike, name, topic)
        return replace(strike, added_to_value=(*strike.added_to_value, Modifier(2, name, topic)))

    kind, names = ("close", CLOSE_ACTIONS) if name.startswith("Close") else ("ranged", RANGED_ACTIONS)
    return Power(
        name=name,
        topic=topic,
        action=(kind,),
        attacking=Attacking(shapes_attack=shapes),
        cannot_join=others(names, name),
    )


CLOSE_COMBAT_EXPERT_2002 = Power(
    name="Close Combat Expert",
    topic="close-combat-expert",
    action=("close",),
    attacking=Attacking(shapes_attack=expert_2002("Close Combat Expert", "close-combat-expert")),
    cannot_join=("Telekinesis", "Mind Control", "Support"),
)
RANGED_COMBAT_EXPERT_2002 = Power(
    name="Ranged Combat Expert",
    topic="ranged-combat-expert",
    action=("ranged",),
    attacking=Attacking(shapes_attack=expert_2002("Ranged Combat Expert", "ranged-combat-expert")),
    cannot_join=("Telekinesis", "Mind Control"),
)
CLOSE_COMBAT_EXPERT = expert("Close Combat Expert", "close-combat-expert")
RANGED_COMBAT_EXPERT = expert("Ranged Combat Expert", "ranged-combat-expert")
EXPLOIT_WEAKNESS = Power(
    name="Exploit Weakness",
    topic="exploit-weakness",
    action=("close",),
    attacking=Attacking(shapes_attack=exploiting),
    cannot_join=others(CLOSE_ACTIONS, "Exploit Weakness"),
)
