"""The moments of a sequence at which effects of cards happen: turns, attacks, hits, damage, moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rules.engine.figures.abilities import powers_of
from rules.engine.play import Play
from rules.engine.position.cards import CardMoment
from rules.engine.position.characters import Character
from rules.engine.power import Power
from rules.engine.steps import StepName

MOST: Final = 30
"""The number of card effects that may happen in one action, so that effects that set each other off end."""


def come_to(play: Play, moment: CardMoment, *characters: Character) -> None:
    """Let the effects of these characters' cards happen for which this is the moment."""
    if moment in play.moments:
        for character in characters:
            now = play.character(character.id)
            happen(play, now, due_at(play, moment, now))


def due_at(play: Play, moment: CardMoment, character: Character) -> list[Power]:
    """Return the rows of a character that have something happen at this moment."""
    return [row for row in powers_of(play, character) if row.moment is moment] if moment in play.moments else []


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
        if row.happens is not None:
            row.happens(play, character)
