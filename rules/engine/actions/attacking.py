"""Attacks made by actions: the object, the helpers and the powers in use; `make_attack` then resolves them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.engine.action import Action
from rules.engine.actions.barred import barred_from_actions
from rules.engine.actions.turns import actions_left
from rules.engine.combat.attack import make_attack
from rules.engine.combat.captives import hands_full
from rules.engine.combat.destruction import destroy, goal_of
from rules.engine.combat.line_classes import line_class
from rules.engine.combat.strike import AttackResult
from rules.engine.combat.targets import can_target
from rules.engine.combat.tokens import give_token
from rules.engine.combat.unknown import not_adjudicated
from rules.engine.errors import Illegal
from rules.engine.figures.abilities import borrowing, keep_to, powers_of
from rules.engine.figures.adjacency import figures_adjacent
from rules.engine.figures.standing import figure_of
from rules.engine.figures.values import value_of
from rules.engine.met import Met
from rules.engine.play import Attack, AttackKind, Play, Strike, spot_of
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.position.objects import BattleObject, ObjectKind
from rules.engine.power import Power
from rules.engine.reasons import Modifier

HELPERS = "S.H.I.E.L.D."


def attack(play: Play, given: Action, kind: AttackKind) -> AttackResult | None:
    """Make the attack of an action; return None if it was against terrain or an object."""
    assert given.actor is not None
    attacker = play.character(given.actor)
    check_captives(play, attacker, kind)
    goals = [name for name in given.targets if goal_of(play, name) is not None]
    strike = strike_of(play, given, kind)
    if goals:
        if len(goals) != len(given.targets):
            raise Illegal(
                "One attack can't target both characters and objects or terrain.", ("targeting", "destroy-object")
            )
        if len(goals) != len(set(goals)) or len(goals) > 1:
            raise Illegal("One attack can destroy only 1 object, wall or square of terrain.", ("destroy-terrain",))
        _check_destroying(play, given, attacker)
        if strike.thrown and not play.edition.combat.thrown_at_terrain:
            raise Illegal(
                "An object can be thrown only at an opposing character.", ("thrown-object", "destroy-terrain")
            )
        agents = helped(play, given, kind, attacker)
        destroy(play, _with_agents(strike, agents), goals[0])
        _pay_agents(play, agents)
        return None
    return make_with_help(play, given, strike)


def as_attack(play: Play, given: Action, rows: Iterable[Power]) -> Action:
    """Return a free action by a power that is an attack as that attack (Free Actions, 2014 and 2020s).

    A power for either kind makes a close attack on those that it reaches so.
    """
    own = (play.edition.powers.get(row.name) for row in rows if "free" in row.action)
    kinds = next((row.action for row in own if row is not None and {"close", "ranged"}.issuperset(row.action)), ())
    if given.kind != "free" or not kinds:
        return given
    if given.then and not any(row.act is not None for row in rows):
        raise Illegal("A free action that is an attack grants no further action.", ("free-action", "actions"))
    return replace(given, kind="close" if "close" in kinds and (len(kinds) == 1 or _beside(play, given)) else "ranged")


def _beside(play: Play, given: Action) -> bool:
    """Return whether a close attack reaches all characters that are targets."""
    assert given.actor is not None
    found = [play.position.find(name) for name in given.targets]
    attacker = play.character(given.actor)
    return all(one is None or can_target(play, "close", attacker, one, given.using) for one in found)


def _check_destroying(play: Play, given: Action, attacker: Character) -> None:
    """Refuse powers and objects in an action that destroys, in editions where that isn't an attack (2020s)."""
    if not play.edition.combat.destroying_is_no_attack:
        return
    if given.with_object is not None:
        raise Illegal(
            "An object can't be used to destroy something: that isn't an attack.", ("object-attack", "destroy-terrain")
        )
    for power in powers_of(play, attacker):
        if power.name in given.using and power.action:
            text = f"{power.name} needs its own action, so it can't be used to destroy something."
            raise Illegal(text, (power.topic, "destroy-terrain", "costed-actions"))


def make_with_help(play: Play, given: Action, strike: Strike) -> AttackResult:
    """Make an attack with its helping agents, who each pay an action and a token for it, hit or miss."""
    agents = helped(play, given, strike.kind, play.character(strike.attacker))
    result = make_attack(play, _with_agents(strike, agents))
    _pay_agents(play, agents)
    return result


def _with_agents(strike: Strike, agents: list[Character]) -> Strike:
    each = tuple(Modifier(1, f"{agent.name} of {HELPERS}", "shield") for agent in agents)
    return replace(strike, added=(*strike.added, *each), helpers=tuple(agent.id for agent in agents))


def _pay_agents(play: Play, agents: list[Character]) -> None:
    for agent in agents:
        turn = play.this_turn
        play.this_turn = replace(turn, given=turn.given + 1, helpers=(*turn.helpers, agent.id))
        rows = [play.edition.team_abilities[HELPERS]]
        give_token(play, play.character(agent.id), ("shield", *borrowing(play, agent, rows)))


def strike_of(play: Play, given: Action, kind: AttackKind) -> Strike:
    """Return the attack described by an action, as shaped by the powers in use."""
    assert given.actor is not None
    attacker = play.character(given.actor)
    strike = Strike(kind=kind, attacker=given.actor, targets=given.targets, using=given.using, divide=given.divide)
    strike = with_object(play, given, strike, attacker)
    for power in powers_of(play, attacker):
        if power.name in given.using and power.attacking.shapes_attack is not None:
            strike = power.attacking.shapes_attack(play, replace(strike, topics=(*strike.topics, power.topic)))
        elif power.name in given.using:
            strike = replace(strike, topics=(*strike.topics, power.topic))
    return strike


def with_object(play: Play, given: Action, strike: Strike, attacker: Character) -> Strike:
    """Return the attack with the attacker's held object, if it must or is to be used.

    Sources: Objects › Super Strength Super Power (2002), Super Strength (2005), Using Objects as Weapons (2014), Using
    Objects as Weapons (2020s).
    """
    options = play.edition.combat
    held = play.position.object(attacker.holding) if attacker.holding is not None else None
    if held is not None and held.marker:
        held = None
    if given.with_object is not None and (held is None or held.id != given.with_object):
        raise Illegal(f"{attacker.name} doesn't hold that object.", ("held-object", "object-attack"))
    if held is None:
        return strike
    if strike.kind == "close":
        if options.object_in_hand == "named" and given.with_object is None:
            return strike
        if held.kind is ObjectKind.ULTRA_LIGHT:
            if given.with_object is not None:
                raise Illegal("An ultra light object can't be used in close combat.", ("ultra-light", "object-attack"))
            return strike
        return replace(strike, object=held, topics=(*strike.topics, "object-attack", "super-strength"))
    if given.with_object is None:
        return strike
    return thrown(play, strike, held, attacker)


def thrown(play: Play, strike: Strike, held: BattleObject, attacker: Character) -> Strike:
    """Return the attack with the object thrown: with the object's range and damage instead of the attacker's."""
    options = play.edition.combat
    found = options.thrown.get(held.kind)
    if found is None:
        raise Illegal(f"{held.kind.value.capitalize()} objects can't be thrown.", ("thrown-object", "ultra-heavy"))
    reach, damage = found
    if options.own_range_throws:
        own = value_of(play, attacker, ValueName.RANGE, Attack("ranged", attacker, None, strike.using))
        reach = max(reach, own.total)
    because = f"a thrown {held.kind.value} object"
    return replace(
        strike,
        object=held,
        thrown=True,
        reach=reach,
        damage=damage,
        because=because,
        topic="thrown-object",
        topics=(*strike.topics, "thrown-object", "super-strength"),
    )


def helped(play: Play, given: Action, kind: AttackKind, attacker: Character) -> list[Character]:
    """Return the S.H.I.E.L.D. agents that help a ranged attack: adjacent friendly characters, each given an action.

    Source: S.H.I.E.L.D. with its FAQ.
    """
    agents = []
    for number, name in enumerate(given.assist):
        agent = play.character(name)
        topics = ("shield", "action-total")
        row = next((row for row in powers_of(play, agent) if row.name == HELPERS), None)
        if row is None or not row.known:
            barring = f"{agent.name} can't use the {HELPERS} team ability."
            raise Illegal(barring if row is None else not_adjudicated(agent, row), ("shield",))
        if kind != "ranged":
            raise Illegal(f"{HELPERS} helps only ranged attacks.", ("shield",))
        one, other = figure_of(play, agent), figure_of(play, attacker)
        if one is None or other is None or not play.friendly(agent, attacker):
            raise Illegal(f"{agent.name} isn't a friendly character on the map.", ("shield",))
        near = figures_adjacent(play, one, other)
        if not near:
            raise Illegal(near.because[0], ("shield", *near.topics))
        barred = barred_from_actions(play, agent)
        if barred or name in given.assist[:number] or name in play.this_turn.helpers:
            raise Illegal(" ".join(barred) or f"{agent.name} can help only 1 attack a turn.", topics)
        left = actions_left(play, given_besides=number + (not play.this_action.uncounted))
        if not left:
            raise Illegal(f"No action is left for {agent.name}: {left.because[0]}", topics)
        keep_to(play, agent, row)
        agents.append(agent)
        _note_helper(play, given, agent)
    if len(agents) > 1:
        play.note(Met.SEVERAL_HELP)
    return agents


def _note_helper(play: Play, given: Action, agent: Character) -> None:
    targets = [found for name in given.targets if (found := play.position.find(name)) is not None and found.on_map]
    blind = any(line_class(play, spot_of(agent), spot_of(target)) == "blocked" for target in targets)
    if blind or value_of(play, agent, ValueName.RANGE).total <= 0:
        play.note(Met.HELPER_SEES_NOTHING)


def check_captives(play: Play, attacker: Character, kind: AttackKind) -> None:
    """Refuse close attacks by a captor that holds its maximum: two captives for a Sentinel (2002), three (2014)."""
    full = hands_full(play, attacker) if kind == "close" else None
    if full is not None:
        raise Illegal(full.because[0], full.topics)
