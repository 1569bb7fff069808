"""Reasons why a character can't be given any action now: the turn, its tokens, what it has already done."""

from __future__ import annotations

from rules.engine.figures.standing import SENTINEL, size_of
from rules.engine.play import Play
from rules.engine.position.characters import Character


def barred_from_actions(play: Play, character: Character, *, whatever_tokens: bool = False) -> tuple[str, ...]:
    """Return why a character can't be given an action that costs one now; empty if it can."""
    reasons = []
    if not character.on_map:
        reasons.append(f"{character.name} isn't on the map.")
    if play.player_of(character) != play.position.turn.active:
        reasons.append(f"It's {play.position.turn.active}'s turn.")
    if character.acted:
        reasons.append(f"{character.name} has already been given an action this turn.")
    if character.id in play.this_turn.rested:
        reasons.append(f"{character.name} passed this turn, and a Sentinel gets only 1 action a turn.")
    tireless = play.edition.sentinels.act_with_two_tokens and size_of(character) == SENTINEL
    if character.tokens >= 2 and not tireless and not whatever_tokens:
        may = "it can't be given an action"
        stamina = next((row for row in play.edition.inherent.values() if row.despite_tokens is not None), None)
        if stamina is not None and stamina.despite_tokens is not None and stamina.despite_tokens(play, character):
            may = f"only an action that uses {stamina.name} is possible"
        reasons.append(f"{character.name} has 2 action tokens, so {may}.")
    if character.carried and play.edition.actions.carried_rest:
        reasons.append(f"{character.name} was carried this turn, so it can't be given an action.")
    return tuple(reasons)
