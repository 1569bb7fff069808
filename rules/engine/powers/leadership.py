"""Leadership of each book: a roll at the beginning of a turn."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.action import Action
from rules.engine.combat.moments import note_success
from rules.engine.combat.roll import roll_dice
from rules.engine.errors import Illegal
from rules.engine.figures.adjacency import figures_adjacent
from rules.engine.figures.standing import figure_of
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.power import Act, Lending, Power
from rules.engine.powers.building import at_the_beginning, more_actions, only_target, used_now
from rules.engine.steps import StepName


def leadership(play: Play, given: Action, character: Character) -> None:
    """Roll at the beginning of the turn: 4, 5 and 6 add one action, only one per turn (2002, 2005)."""
    play.this_action.next_step = StepName.ROLL
    at_the_beginning(play, "Leadership")
    used_now(play, character, "Leadership")
    roll = roll_dice(play, "leadership", 1, character)
    gained = roll.total >= 4 and not play.this_turn.extra
    done = "1 more action this turn" if gained else "no effect"
    if roll.total >= 4 and not gained:
        done = "no effect, because 1 action has already been added this turn"
    if gained:
        play.this_turn = replace(play.this_turn, extra=1)
    text = f"{character.name} rolls {roll.total} for Leadership: {done}."
    play.record(
        StepName.ROLL, text, ("leadership", "action-total"), {"roll": roll.total, "extra": play.this_turn.extra}
    )


def leading(succeeds: frozenset[int], *, one_more: bool, takes_tokens: bool) -> Act:
    """Return the act of Leadership's roll at the beginning of a turn: one more action, a neighbour's token, or both."""

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
        note_success(play, character, "Leadership")
        if one_more:
            play.this_turn = replace(play.this_turn, extra=play.this_turn.extra + 1)
            text = f"{play.player_of(character)} has 1 more action this turn."
            play.record(StepName.RESOLVE, text, ("leadership", "action-total"))
        play.this_action.next_step = StepName.TOKEN
        if takes_tokens and given.targets:
            _take_token(play, character, only_target(play, given))

    return lead


def _take_token(play: Play, leader: Character, friend: Character) -> None:
    one, other = figure_of(play, leader), figure_of(play, friend)
    if one is None or other is None or not play.friendly(leader, friend) or not figures_adjacent(play, one, other):
        raise Illegal(
            f"{friend.name} isn't a friendly character adjacent to {leader.name}.", ("leadership", "adjacency")
        )
    if friend.points >= leader.points:
        raise Illegal(
            f"{friend.name} must cost less than {leader.name}: they cost {friend.points} and {leader.points} points.",
            ("leadership",),
        )
    if friend.tokens:
        play.change(replace(friend, tokens=friend.tokens - 1))
        text = f"{leader.name}'s Leadership removes 1 action token from {friend.name}."
        play.record(StepName.TOKEN, text, ("leadership", "action-tokens"), {"tokens": friend.tokens - 1})


LEADERSHIP_2002 = Power(name="Leadership", topic="leadership", action=("free",), act=leadership, starts_turn=True)
LEADERSHIP_2014 = replace(LEADERSHIP_2002, act=leading(frozenset({5, 6}), one_more=True, takes_tokens=True))
LEADERSHIP_MODERN = replace(
    LEADERSHIP_2002,
    act=leading(frozenset({5, 6}), one_more=False, takes_tokens=True),
    lending=Lending(adds_actions=more_actions(1)),
)
