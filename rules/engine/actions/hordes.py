"""Horde tokens: stacking by a move, and unstacking one token (Horde Tokens, 2014).

A stack is one character whose `stack` counts its tokens and whose points are those of all of them. Damage to a stack is
in `combat.damage`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.engine.combat.damage import come_to_knock_out
from rules.engine.combat.ko import drop, knock_out
from rules.engine.combat.moments import due_at
from rules.engine.errors import Illegal
from rules.engine.memory import Merged
from rules.engine.play import Damage, Play
from rules.engine.position.cards import CardMoment
from rules.engine.position.characters import Character, CharacterKind, identical
from rules.engine.position.squares import Square
from rules.engine.steps import StepName

TOPICS = ("horde", "movement")


def joined_by(play: Play, mover: Character) -> Character | None:
    """Return the token or stack in whose square a horde token or stack has ended its move, or None."""
    if mover.kind is not CharacterKind.HORDE or not mover.squares:
        return None
    return next(_others_in(play, mover, mover.squares[0]), None)


def _others_in(play: Play, mover: Character, square: Square) -> Iterator[Character]:
    for other in play.position.side_of(mover.id).characters:
        if other.id != mover.id and other.on_map and square in other.squares and identical(mover, other):
            yield other


def merge(play: Play, mover: Character, into: Character, before: Square) -> None:
    """Merge a token or stack into the one in its square, up to the size limit of a stack.

    Surplus tokens stay in the square before. The action ends, and its token goes to the stack; a single token that
    joins one with a token brings none. Source: Stacking and Unstacking Horde Tokens (2014).
    """
    most = max(into.stack_max, mover.stack_max)
    joining = min(most - into.stack, mover.stack)
    if joining <= 0:
        raise Illegal(f"{into.name} already has {into.stack} tokens, the maximum for a stack.", TOPICS)
    brought = mover.points * joining // mover.stack
    left = mover.stack - joining
    if mover.holding is not None and (into.holding is not None or left):
        drop(play, mover, "joins a stack", into.squares[0] if not left else before)
        mover = play.character(mover.id)
    stack = replace(
        into,
        stack=into.stack + joining,
        stack_max=most,
        points=into.points + brought,
        holding=into.holding or mover.holding,
        modifiers=(*into.modifiers, *(given for given in mover.modifiers if given not in into.modifiers)),
        countered=tuple(dict.fromkeys((*into.countered, *mover.countered))),
    )
    rest = replace(mover, squares=(before,) if left else (), stack=max(1, left), points=mover.points - brought)
    play.change(replace(rest, holding=None, acted=True))
    play.change(stack)
    play.this_action.merged = Merged(mover.id, into.id, mover.stack == 1)
    text = (
        f"{mover.name} merges into the stack in {into.squares[0]}, which now has {stack.stack} tokens. The action ends."
    )
    if left:
        text += f" {left} more stay in {before}: the stack is full."
    play.record(StepName.RESOLVE, text, (*TOPICS, "action-tokens"), {"stack": stack.stack, "left": left})


def bearer_of_token(play: Play, actor: Character) -> Character | None:
    """Return the character that takes an action's token: the stack that its actor has joined; None if none does."""
    merged = play.this_action.merged
    if merged is None or merged.mover != actor.id:
        return actor
    play.this_action.merged = None
    stack = play.character(merged.stack)
    return None if merged.single and stack.tokens else stack


def unstack(play: Play, stack: Character, path: tuple[Square, ...]) -> Character:
    """Take one token off a stack, so that it can move away; return the token. Raises Illegal.

    Only from a stack that has been assigned no action token this turn; effects on the stack don't apply to the token.
    In the file a token off the map represents it: the one named by `unstack`, otherwise the first of its kind.
    """
    if stack.kind is not CharacterKind.HORDE or stack.stack < 2:
        raise Illegal(f"{stack.name} isn't a stack of horde tokens.", TOPICS)
    if stack.acted:
        raise Illegal(f"{stack.name} was given an action token this turn, so no token can leave its stack.", TOPICS)
    if not path:
        raise Illegal(f"The token that leaves {stack.name}'s stack must move away from it.", TOPICS)
    named = play.this_action.choices.unstack
    side = play.position.side_of(stack.id).characters
    resting = [one for one in side if identical(one, stack) and not one.squares and not one.knocked_out]
    found = next((one for one in resting if named is True or one.id == named), None)
    if found is None or found.captured_by is not None:
        raise Illegal(f"List another {stack.name} off the map: it becomes the token that leaves the stack.", TOPICS)
    worth = stack.points // stack.stack
    fresh = replace(found, squares=stack.squares, click=1, stack=1, points=worth, tokens=0)
    play.change(replace(stack, stack=stack.stack - 1, points=stack.points - worth))
    play.change(replace(fresh, modifiers=(), replacements=(), countered=()))
    return play.character(found.id)


def put_stack_back(play: Play, before: Character, token: Character) -> Character:
    """Put back the stack that a token has left, and return the character that acted.

    If the token failed to break away it is still part of the stack, and the action was the stack's.
    """
    if token.squares == before.squares:
        play.change(replace(token, squares=()))
        play.change(before)
        return before
    left = play.character(before.id)
    text = f"1 token leaves {before.name}'s stack: {left.stack} left."
    play.record(StepName.RESOLVE, text, TOPICS, {"stack": left.stack})
    return play.character(token.id)


def defeat_hordes_left_alone(play: Play) -> None:
    """Defeat the horde tokens of players who have nothing else on the map at the end of a turn (Epic Hordes, 2014)."""
    for side in play.position.sides if play.epic else ():
        there = [one for one in side.characters if one.on_map]
        if not there or any(one.kind is not CharacterKind.HORDE for one in there):
            continue
        answers, then = [due_at(play, CardMoment.WHEN_KO, one) for one in there], play.position
        for one in there:
            play.change(replace(one, click=len(one.dial) + 1))
        text = f"{side.player} has only horde tokens left on the map: all of them are defeated."
        play.record(StepName.RESOLVE, text, ("epic-hordes", "horde"))
        for one in there:
            knock_out(play, play.character(one.id), Damage(one, 0, "power"))
        for one, due in zip(there, answers, strict=True) if play.carded else ():
            come_to_knock_out(play, Damage(one, 0, "power"), due, then)
