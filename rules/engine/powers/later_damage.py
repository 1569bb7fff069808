"""Damage powers of the later books, where they differ from those of 2002: experts, Exploit Weakness, Leadership, Perplex."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.action import Action
from rules.engine.combat.roll import roll_dice
from rules.engine.errors import Illegal, Untargeted
from rules.engine.figures.adjacency import figures_adjacent
from rules.engine.figures.standing import figure_of
from rules.engine.play import Play, Strike
from rules.engine.position.characters import Character
from rules.engine.power import Act, Attacking, Lending, Power
from rules.engine.powers import damage
from rules.engine.powers.building import at_the_beginning, more_actions, only_target, used_now
from rules.engine.reasons import Change
from rules.engine.steps import StepName

CLOSE_ACTIONS = ("Flurry", "Exploit Weakness", "Close Combat Expert", "Quake", "Incapacitate", "Mind Control")
RANGED_ACTIONS = (
    "Ranged Combat Expert",
    "Energy Explosion",
    "Pulse Wave",
    "Penetrating/Psychic Blast",
    "Psychic Blast",
    "Incapacitate",
    "Mind Control",
)


def others(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Return the powers that each ask for an action of that kind, without this one: one action activates one."""
    return tuple(other for other in names if other != name)


def exploiting(play: Play, strike: Strike) -> Strike:
    """The damage of this close attack is penetrating: nothing reduces it."""
    return replace(strike, penetrating=True)


def _one_target(strike: Strike, name: str, topic: str) -> None:
    if not strike.targets:
        raise Untargeted("An attack needs a target.", (topic, "targeting"))
    if len(strike.targets) != 1:
        raise Illegal(f"{name} attacks a single character.", (topic, "targeting"))


def expert(name: str, topic: str) -> Power:
    """Return a Combat Expert: 2 more of the damage value in an attack on a single character."""

    def shapes(play: Play, strike: Strike) -> Strike:
        _one_target(strike, name, topic)
        return replace(strike, added_to_value=(*strike.added_to_value, Change(2, name, topic)))

    kind, names = ("close", CLOSE_ACTIONS) if name.startswith("Close") else ("ranged", RANGED_ACTIONS)
    return Power(
        name=name,
        topic=topic,
        action=(kind,),
        attacking=Attacking(shapes_attack=shapes),
        cannot_join=others(names, name),
    )


# ── Leadership ─────────────────────────────────────────────────────────────────────────────────


def leading(succeeds: frozenset[int], *, one_more: bool, takes_tokens: bool) -> Act:
    """Return the roll of Leadership at the beginning of a turn: one more action, or a neighbour's token, or both."""

    def lead(play: Play, given: Action, character: Character) -> None:
        play.this_action.next_step = StepName.ROLL
        at_the_beginning(play, "Leadership")
        used_now(play, character, "Leadership")
        roll = roll_dice(play, "leadership", 1, character)
        won = roll.total in succeeds
        text = f"{character.name} rolls {roll.total} for Leadership: {'success' if won else 'no effect'}."
        play.record(StepName.ROLL, text, ("leadership", "success-roll"), {"roll": roll.total})
        if not won:
            return
        if one_more:
            play.this_turn = replace(play.this_turn, extra=play.this_turn.extra + 1)
            text = f"{play.player_of(character)} has one more action this turn."
            play.record(StepName.RESOLVE, text, ("leadership", "action-total"))
        play.this_action.next_step = StepName.TOKEN
        if takes_tokens and given.targets:
            _take_token(play, character, only_target(play, given))

    return lead


def _take_token(play: Play, leader: Character, friend: Character) -> None:
    one, other = figure_of(play, leader), figure_of(play, friend)
    if one is None or other is None or not play.friendly(leader, friend) or not figures_adjacent(play, one, other):
        raise Illegal(f"{friend.name} is no friend adjacent to {leader.name}.", ("leadership", "adjacency"))
    if friend.points >= leader.points:
        raise Illegal(f"{friend.name} does not cost less than {leader.name}.", ("leadership",))
    if friend.tokens:
        play.change(replace(friend, tokens=friend.tokens - 1))
        text = f"{friend.name} loses an action token by {leader.name}'s Leadership."
        play.record(StepName.TOKEN, text, ("leadership", "action-tokens"), {"tokens": friend.tokens - 1})


def perplex_onward(play: Play, given: Action, character: Character) -> None:
    """Perplex until the next turn of its player begins (2014, 2020s)."""
    damage.perplex(play, given, character, onward=True)


PERPLEX = replace(damage.PERPLEX, act=perplex_onward)
EXPLOIT_WEAKNESS = replace(
    damage.EXPLOIT_WEAKNESS,
    attacking=replace(damage.EXPLOIT_WEAKNESS.attacking, shapes_attack=exploiting),
    cannot_join=others(CLOSE_ACTIONS, "Exploit Weakness"),
)
CLOSE_COMBAT_EXPERT = expert("Close Combat Expert", "close-combat-expert")
RANGED_COMBAT_EXPERT = expert("Ranged Combat Expert", "ranged-combat-expert")
LEADERSHIP_2014 = replace(
    damage.LEADERSHIP, act=leading(frozenset({5, 6}), one_more=True, takes_tokens=True), starts_turn=True
)
LEADERSHIP_MODERN = replace(
    damage.LEADERSHIP,
    act=leading(frozenset({5, 6}), one_more=False, takes_tokens=True),
    starts_turn=True,
    lending=Lending(adds_actions=more_actions(1)),
)
