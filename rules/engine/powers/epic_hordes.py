"""Epic hordes: defeated horde tokens come back at the beginning of their player's turn (Epic Hordes, 2014).

One free action returns one token. A character that stands for a stack counts those that it has lost (`stack_lost`); one
that is KO'd stands for the tokens of its stack, too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rules.engine.action import Action
from rules.engine.errors import Illegal
from rules.engine.figures.standing import ground_of, home_of, standing_of
from rules.engine.play import Play
from rules.engine.position.characters import Character, CharacterKind, identical
from rules.engine.position.squares import Square
from rules.engine.power import Power
from rules.engine.powers.building import at_the_beginning
from rules.engine.steps import StepName

NAME: Final = "Epic Hordes"
TOPICS: Final = ("epic-hordes", "horde")
MOST_POINTS: Final = 50
"""How many points of tokens a player may return in a turn; two tokens for each 100 points of the build total."""


def lost_tokens(character: Character) -> int:
    """Return how many tokens of a horde have been defeated."""
    if character.kind is not CharacterKind.HORDE:
        return 0
    return character.stack_lost + (character.stack if character.knocked_out else 0)


def may_return(play: Play, character: Character) -> bool:
    """Return whether a horde has tokens that may come back."""
    return play.epic and lost_tokens(character) > 0


def return_token(play: Play, given: Action, character: Character) -> None:
    """Return one defeated token to an open square of the starting area, or into a stack there that isn't full."""
    if not play.epic:
        raise Illegal("Horde tokens come back only in epic battles, of 400 points or more.", TOPICS)
    if not lost_tokens(character):
        raise Illegal(f"No token of {character.name} has been defeated.", TOPICS)
    at_the_beginning(play, NAME)
    play.this_action.next_step = StepName.RESOLVE
    family = [one for one in play.position.side_of(character.id).characters if identical(one, character)]
    worth = max(one.points // one.stack for one in family)
    _check_limits(play, worth)
    stacks = {one.squares[0]: one for one in family if one.on_map and one.stack < one.stack_max}
    options = _squares(play, character, stacks)
    why = f"In which square of the starting area is the token of {character.name} placed?"
    names = [square.name for square in options]
    chosen = play.must_choose(play.this_action.choices.square, "square", names, why)
    if chosen.square is None or chosen.square not in options:
        raise Illegal(f"No token of {character.name} can be placed in {chosen.words}.", (*TOPICS, "starting-area"))
    stack = stacks.get(chosen.square)
    if stack is not None:
        _take(play, character, worth)
        now = play.character(stack.id)
        play.change(replace(now, stack=now.stack + 1, points=now.points + worth))
        done = f"into the stack in {chosen.square}, which now has {now.stack + 1} tokens"
    else:
        _put(play, character, family, chosen.square, worth)
        done = f"in {chosen.square}"
    play.this_turn = replace(play.this_turn, returned=(*play.this_turn.returned, worth))
    text = f"A token of {character.name} comes back {done}."
    play.record(StepName.RESOLVE, text, (*TOPICS, "starting-area"), {"points": worth}, of=character.id)


def _check_limits(play: Play, worth: int) -> None:
    player, returned = play.position.turn.active, play.this_turn.returned
    most = 2 * (play.position.build_total // 100)
    if len(returned) >= most:
        raise Illegal(f"{player} has already returned {most} tokens this turn, 2 for each 100 points.", TOPICS)
    if sum(returned) + worth > MOST_POINTS:
        text = f"{player} has returned {sum(returned)} points of tokens this turn: {worth} more exceed {MOST_POINTS}."
        raise Illegal(text, TOPICS)


def _squares(play: Play, character: Character, stacks: dict[Square, Character]) -> list[Square]:
    """Return the squares of the starting area that are open, or hold a stack that isn't full."""
    ground, home, there = ground_of(play), home_of(play, play.player_of(character)), standing_of(play).at
    return [
        square
        for square in play.position.map.squares()
        if home & ground.bit(square)
        and (square in stacks or (square not in there and not ground.blocking & ground.bit(square)))
    ]


def _take(play: Play, character: Character, worth: int) -> None:
    """Take one token from those that a horde has lost; one that has lost its last stands for none and waits."""
    left = lost_tokens(character) - 1
    if not character.knocked_out:
        play.change(replace(character, stack_lost=left))
    elif left:
        play.change(replace(character, stack=1, points=worth, stack_lost=left - 1))
    else:
        play.change(replace(character, click=character.starting_click, stack=1, points=0, stack_lost=0))


def _put(play: Play, character: Character, family: list[Character], square: Square, worth: int) -> None:
    """Put the token on the map: as the character itself if it isn't there, otherwise as one that waits off the map."""
    left = lost_tokens(character) - 1
    token = character
    if character.on_map:
        waiting = (one for one in family if not one.squares and not one.knocked_out and one.captured_by is None)
        found = next(waiting, None)
        if found is None:
            text = f"List another {character.name} off the map: it becomes the token that comes back."
            raise Illegal(text, TOPICS)
        token = found
        play.change(replace(character, stack_lost=left))
        left = token.stack_lost
    fresh = replace(token, squares=(square,), click=token.starting_click, stack=1, points=worth, stack_lost=left)
    play.change(
        replace(fresh, tokens=0, acted=False, holding=None, countered=(), modifiers=(), replacements=(), immune=None)
    )


EPIC_HORDES = Power(
    name=NAME,
    topic="epic-hordes",
    action=("free",),
    act=return_token,
    offered=may_return,
    starts_turn=True,
    off_map=True,
)
