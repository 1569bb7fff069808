"""The moments of a sequence at which effects of cards happen: turns, attacks, hits, damage, moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Final

from rules.engine.figures.abilities import powers_of
from rules.engine.play import Play
from rules.engine.position.cards import CardMoment
from rules.engine.position.characters import Character
from rules.engine.position.position import Position
from rules.engine.power import Power
from rules.engine.steps import StepName

MOST: Final = 30
"""The number of card effects that may happen in one action, so that effects that set each other off end."""
AFTERWARDS: Final = frozenset({CardMoment.AFTER_ATTACK, CardMoment.AFTER_ACTION, CardMoment.AFTER_SUCCESS})
"""Moments at which the attack or the action is over."""


def come_to(play: Play, moment: CardMoment, *characters: Character) -> None:
    """Let the effects of these characters' cards happen for which this is the moment."""
    if moment in play.moments:
        for character in characters:
            come_to_as_of(play, moment, character.id, play.position)


def come_to_as_of(play: Play, moment: CardMoment, name: str, then: Position) -> None:
    """Let the effects of cards happen that a character's moment triggers, as cards and characters were in a position.

    Damage may have turned dials since: powers that it hid were triggered, those that it revealed weren't (Triggered
    Effects, 2020s).
    """
    if moment in play.moments:
        character = then.character(name)
        with triggered_in(play, then):
            happen(play, character, due_at(play, moment, character))
            come_to_others(play, moment, character, then)


def come_to_end_of_action(play: Play, before: Character) -> None:
    """Let the effects of cards happen that an action has triggered; `before`: its character without the action's token.

    Being pushed takes no effect away, but conditions are about the character as it is now, unless that KO'd it.
    """
    now = play.character(before.id)
    happen(play, now if now.on_map else before, due_at(play, CardMoment.AFTER_ACTION, before))
    come_to_others(play, CardMoment.AFTER_ACTION, now if now.on_map else before, play.position)


def may_have_cards(play: Play, character: Character) -> bool:
    """Return whether a character has cards, or an object that may have some."""
    objects = play.position.objects
    return bool(character.cards) or (
        bool(objects) and (character.holding is not None or any(thing.assigned_to == character.id for thing in objects))
    )


def come_to_others(play: Play, moment: CardMoment, character: Character, then: Position) -> None:
    """Let the effects of all cards happen that wait, in a position, for such a moment of a character like this one."""
    if moment not in play.watched:
        return
    before = play.this_action.whose_moment
    for bearer in then.characters():
        if bearer.on_map and may_have_cards(play, bearer):
            rows = [row for row in powers_of(play, bearer) if row.moment is moment and row.of_others is not None]
            play.this_action.whose_moment = character.id
            happen(play, bearer, [row for row in rows if row.of_others and row.of_others(play, bearer, character)])
            play.this_action.whose_moment = before


def note_success(play: Play, character: Character, power: str) -> None:
    """Note that a roll for a power has succeeded; what follows waits until the action has resolved."""
    play.this_action.successes = (*play.this_action.successes, (character.id, power))


def come_to_resolutions(play: Play) -> None:
    """Let the effects of cards happen that have waited until the action has resolved, and those that they trigger.

    Source: Triggered Effects (2020s).
    """
    with over(play):
        while play.this_action.waiting:
            waiting, play.this_action.waiting = play.this_action.waiting, ()
            for carry_out in waiting:
                carry_out()


@contextmanager
def triggered_in(play: Play, then: Position) -> Iterator[None]:
    """Let conditions see those that the attack was made by or against as they were in a position."""
    before, play.this_action.then = play.this_action.then, then
    try:
        yield
    finally:
        play.this_action.then = before


@contextmanager
def over(play: Play) -> Iterator[None]:
    """Let what follows happen once an attack or action is over: no character is attacked then, no power ignored."""
    before, ignored = play.over, play.this_action.powerless
    play.over, play.this_action.powerless = True, frozenset()
    try:
        yield
    finally:
        play.over, play.this_action.powerless = before, ignored


def wait(play: Play, carry_out: Callable[[], None]) -> None:
    """Have an effect that has been triggered wait until the action has resolved.

    Its words then mean what they mean now: the attack, those it hit or missed, the damage, whose moment it is.
    """
    action = play.this_action
    then = play.strike, play.suffered, action.hit, action.missed, action.whose_moment, action.then

    def later() -> None:
        now = play.strike, play.suffered, action.hit, action.missed, action.whose_moment, action.then
        play.strike, play.suffered, action.hit, action.missed, action.whose_moment, action.then = then
        try:
            carry_out()
        finally:
            play.strike, play.suffered, action.hit, action.missed, action.whose_moment, action.then = now

    action.waiting = (*action.waiting, later)


def come_to_successes(play: Play) -> None:
    """Let the effects of cards happen that follow successful rolls, once the action has resolved."""
    noted, play.this_action.successes = play.this_action.successes, ()
    for character, power in noted:
        play.this_action.succeeded = power
        come_to(play, CardMoment.AFTER_SUCCESS, play.character(character))
        play.this_action.succeeded = ""


def due_at(play: Play, moment: CardMoment, character: Character) -> list[Power]:
    """Return the rows of a character that have something happen at this moment of its own."""
    if moment not in play.moments:
        return []
    return [row for row in powers_of(play, character) if row.moment is moment and row.of_others is None]


def happen(play: Play, character: Character, rows: Iterable[Power]) -> None:
    """Let these effects happen, as those of a character in that state, which may be the one before it was KO'd.

    A character that has left the map otherwise, because another replaced it, has no effects any more.
    """
    for row in rows:
        now = play.character(character.id)
        if not now.squares and not now.knocked_out:
            return
        play.this_action.happened += 1
        if play.this_action.happened > MOST:
            if play.this_action.happened == MOST + 1:
                text = f"More than {MOST} effects of cards follow one another here: the judge decides the rest."
                play.record(StepName.RULING, text, of=character.id)
            return
        if row.happens is None:
            continue
        with over(play) if row.moment in AFTERWARDS else nullcontext():
            row.happens(play, character)
