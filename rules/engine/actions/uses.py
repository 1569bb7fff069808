"""The uses of powers that a card limits: they go on until their action has resolved, and are counted then."""

from __future__ import annotations

from collections.abc import Iterable

from rules.engine.errors import UsedUp
from rules.engine.figures.abilities import count_use
from rules.engine.play import Play
from rules.engine.position.cards import ONCE_A_GAME
from rules.engine.position.characters import Character
from rules.engine.power import Power


def begin_uses(play: Play, actor: Character, rows: list[Power]) -> frozenset[tuple[str, str]]:
    """Return the uses of powers that a card limits; they are counted once the action has resolved (`count_uses`).

    Raises UsedUp if such a use is already under way: a second one in the action that it belongs to.
    """
    now = play.this_action
    uses = frozenset((actor.id, row.counted_as) for row in rows if row.counted_as)
    again = next((row for row in rows if (actor.id, row.counted_as) in now.in_use), None)
    if again is not None and not now.allowed:
        often = "game" if again.counted_as.endswith(ONCE_A_GAME) else "turn"
        text = f"{actor.name} can't use {again.name} in this action: its card lets it only once a {often}."
        raise UsedUp(text, ("actions", again.topic))
    now.in_use |= uses
    return uses


def count_uses(play: Play, uses: Iterable[tuple[str, str]]) -> None:
    """Count the uses of an action that has resolved."""
    for name, use in uses:
        count_use(play, name, use)
